/* cursor.h — a line of JSON as its readers go through it: names, numbers, vectors; no tree is built
 *
 * What one line holds shares the arrays of an ofw_ndjson, which may move as they grow, so that vectors are kept as positions
 * until the line is done (ofw_cursor_settle).
 */
#pragma once

#include "wire/ndjson.h"

#include <locale.h>

enum { OFW_LONGEST_KEY = 63 };

typedef struct ofw_cursor {
  ofw_ndjson *n;
  const char *start, *at, *end;
  const char *field; /* being read, for messages; NULL: the line itself */
  locale_t locale;
  ofw_error *err;
} ofw_cursor;

/* At the first field of the line's object; empty: it has none and is over. */
ofw_status ofw_cursor_open(ofw_cursor *c, ofw_ndjson *n, const char *line, size_t length, ofw_error *err, int *empty);
/* The object ends here, and the line with it. */
ofw_status ofw_cursor_close(ofw_cursor *c);
/* "FIELD, column N: expected WANTED, found 'what is here'" */
ofw_status ofw_cursor_refuse(const ofw_cursor *c, const char *wanted);

/* Whether this character comes next, spaces apart; accept goes on behind it. */
int ofw_cursor_next_is(ofw_cursor *c, char ch);
int ofw_cursor_accept(ofw_cursor *c, char ch);

/* Whether an object comes next whose first field has this name. */
int ofw_cursor_begins(const ofw_cursor *c, const char *name);
/* "name": of a field. */
ofw_status ofw_cursor_key(ofw_cursor *c, char key[OFW_LONGEST_KEY + 1]);
/* Which of n names the next field has; another is refused, with the nearest of them. */
ofw_status ofw_cursor_field(ofw_cursor *c, const char *const *names, int n, int *which);
/* The same in the value of a field, in which none may come twice: *seen has a bit for each that did. `of` ends the message. */
ofw_status ofw_cursor_part(ofw_cursor *c, const char *const *names, int n, const char *of, int *seen, int *which);
ofw_status ofw_cursor_number(ofw_cursor *c, double *out);
/* A whole number from 0 on; `what` names it. */
ofw_status ofw_cursor_index(ofw_cursor *c, const char *what, size_t *out);
/* The value of "id", into n->id: a number, or a text of printable ASCII characters without escapes. */
ofw_status ofw_cursor_id(ofw_cursor *c);
/* Lists of these, at the end of the shared ones. */
ofw_status ofw_cursor_numbers(ofw_cursor *c, size_t *count);
ofw_status ofw_cursor_indices(ofw_cursor *c, size_t *count);
/* One more number. */
ofw_status ofw_cursor_push(ofw_cursor *c, double x);
/* One more VEC at the end of the shared ones (cursor_vec.c). */
ofw_status ofw_cursor_vec(ofw_cursor *c);
/* Positions become pointers, now that nothing moves any more. */
void ofw_cursor_settle(const ofw_cursor *c);

/* Room for so many more numbers, or indices. */
ofw_status ofw_cursor_room_numbers(const ofw_cursor *c, size_t more);
ofw_status ofw_cursor_room_indices(const ofw_cursor *c, size_t more);
