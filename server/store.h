/* store.h — the folder of a server: its lock, and a checkpoint per session
 *
 *     DIR/lock             held while a server runs
 *     DIR/roster.db        which sessions there are (roster.h)
 *     DIR/log-00000001 ..  feedback that is in no checkpoint, and maybe some that is (segments.h)
 *     DIR/checkpoints/ID   a session after some round, with what the service keeps; ID.1 is the one before
 */
#pragma once

#include "server/sessions.h"

#include "persist/disk.h"

typedef struct store {
  const ofw_disk *disk;
  const char *folder, *build;
  int lock;
} store;

/* Makes the folder if it is not there, and locks it. Both texts stay the caller's. */
ofw_status store_open(store *t, const ofw_disk *disk, const char *folder, const char *build, ofw_error *err);
void store_close(store *t);
/* A path in the folder, to be freed; NULL: no memory. */
char *store_path(const store *t, const char *name);

/* Under no lock: the session as it is now, onto the disk; *round is how many rounds that are. OFW_END: it was removed. */
ofw_status store_save(const store *t, session *s, uint64_t *round, ofw_error *err);
/* The session's checkpoint, if there is one, is loaded into it. */
ofw_status store_load(const store *t, session *s, ofw_error *err);
/* Its checkpoints go, after it is marked as gone. */
void store_forget(const store *t, session *s);
/* Checkpoints go that are of no session. */
void store_sweep(const store *t, sessions *of);

/* What a checkpoint of this many rounds says of itself, to be freed; NULL: no memory. */
char *store_about(const store *t, uint64_t rounds);
