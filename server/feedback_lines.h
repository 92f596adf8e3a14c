/* feedback_lines.h — the lines of one request: sorted into new ones and repeated ones, kept by the journal, played, answered
 *
 *     feedback_offer    under the session's lock: what the request's lines are; new ones become the session's pending
 *     journal_add       puts them on the disk, meanwhile nothing changes
 *     feedback_settle   under the lock, by whoever comes next: plays what is on the disk, and writes the answers
 *
 * So a decision is never seen before the feedback that led to it is on the disk, and a line on the disk is played even if
 * its client has gone. With a delay, lines that ask for decisions go the same way.
 */
#pragma once

#include "server/journal.h"
#include "server/session.h"

enum { FEEDBACK_MOST_LINES = REPEATS_MOST }; /* so that a batch can be sent again as a whole */

typedef enum feedback_next {
  FEEDBACK_READY, /* all lines are answered or refused */
  FEEDBACK_WAITS, /* f->entry is for the journal */
  FEEDBACK_PARKED /* another request's lines are pending: offer it again after those */
} feedback_next;

/* Start it with the first five set and the rest 0. */
typedef struct feedback {
  const char *text; /* the lines; they stay until the feedback is settled */
  size_t length;
  int batch, decide; /* several lines; answers have decisions */
  ofw_text *out;     /* the answers, a line each */

  journal_entry entry;
  gauges *g;
  size_t answered; /* lines so far */
  size_t at;       /* the line that it is at, from 1 */
  int status;      /* of the line that was refused, after those that were answered; 0: none was */
  ofw_error err;
  session_line line; /* that it is at */
  int is_read;       /* it is the only one, and what the session's parser holds */
} feedback;

/* Under the session's lock. */
feedback_next feedback_offer(feedback *f, session *s);
/* Under the session's lock: what is pending and has its outcome is played or given up, and those that are parked wake up. */
void feedback_settle(session *s);
