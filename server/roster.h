/* roster.h — which sessions exist and what they are made from: a table of SQLite, never their feedback
 *
 * A row is on the disk before the client learns of its session. What the log or a checkpoint has of a session that is in no
 * row does not count.
 */
#pragma once

#include "server/session.h"

typedef struct roster roster;

ofw_status roster_open(const char *path, roster **out, ofw_error *err);
void roster_close(roster *r);
/* Every row, in the order of creation. `spec` becomes the function's own. */
typedef ofw_status (*roster_row)(void *ctx, const char *id, uint64_t number, session_spec *spec, ofw_error *err);
ofw_status roster_each(roster *r, roster_row each, void *ctx, ofw_error *err);
/* Its number is set, higher than that of any session before. OFW_FAILED: the disk refuses. */
ofw_status roster_add(roster *r, session *s, ofw_error *err);
ofw_status roster_remove(roster *r, const char *id, ofw_error *err);
