/* journal.h — feedback of all sessions on its way to the disk: one thread, one sync for all that waits
 *
 * Whoever has lines adds an entry and is called back when they are on the disk, or when they are not and never will be.
 * While one commit is being synced the entries of the next one gather, so that the more clients wait, the fewer syncs each of
 * them costs. A caller who is alone may commit an entry itself, which saves the way to the thread and back. After a failed
 * commit, as on a full disk, entries are lost (and their clients told so) until another file of the log can be begun; that is
 * tried again with new entries, and whenever journal_cut is called.
 */
#pragma once

#include "server/gauges.h"
#include "server/segments.h"

#include <stdatomic.h>

typedef struct journal journal;

typedef enum journal_outcome { JOURNAL_WAITS, JOURNAL_KEPT, JOURNAL_LOST } journal_outcome;

/* Lines of one session. It belongs to whoever adds it, who leaves it alone until `done` is called. */
typedef struct journal_entry {
  struct journal_entry *next;
  const char *id;       /* the session's */
  const char *text;     /* its lines, separated by newlines; empty ones do not count */
  size_t length;        /* of all of them */
  _Atomic(int) outcome; /* a journal_outcome */
  /* In the thread that has committed it; the entry may be gone when this returns. */
  void (*done)(struct journal_entry *e);
} journal_entry;

/* Reads what is there, and starts the thread. */
ofw_status journal_open(const ofw_disk *disk, const char *folder, const char *build, segments_line each, void *ctx,
                        gauges *g, journal **out, ofw_error *err);
void journal_add(journal *j, journal_entry *e);
/* The same in the caller's thread: the entry has its outcome when this returns 1. 0: others are at the files, and nothing was done. */
int journal_try(journal *j, journal_entry *e);

/* Another file is begun; *segment is its number. All lines in the files before have had their outcome. */
ofw_status journal_cut(journal *j, uint64_t *segment, ofw_error *err);
/* Files before this one go. */
ofw_status journal_drop(journal *j, uint64_t segment, ofw_error *err);
/* About how many bytes it has, and in how many files. */
void journal_size(journal *j, uint64_t *bytes, uint64_t *files);
/* 1: the last commit failed, and *why says how. */
int journal_failed(journal *j, ofw_error *why);
/* Entries that wait are kept first. NULL is accepted. */
void journal_close(journal *j);

/* The next line of a text that is not empty, without its newline; 0: there is none. *text moves on behind it. */
int journal_next_line(const char **text, const char *end, const char **line, size_t *length);
