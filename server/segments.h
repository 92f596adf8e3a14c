/* segments.h — the files of the sessions' log: log-00000001, log-00000002, ..; only the last one grows
 *
 * Each is a log as persist/log.h has it, so that what holds for `ofw pipe --log` holds here: a commit is synced as one, a
 * torn one is cut off, damage is refused. A line is a session's id, a blank, and the line of feedback.
 *
 * A file's configuration says how many lines of the file before count. After a failed commit a new file is begun, and lines
 * of the old one that may or may not have reached the disk, of which nobody was told, stay out for good.
 */
#pragma once

#include "persist/log.h"

/* A line of feedback with its session. Anything but OFW_OK ends the reading. */
typedef ofw_status (*segments_line)(void *ctx, const char *id, const char *line, size_t length, ofw_error *err);

typedef struct segments {
  const ofw_disk *disk;
  const char *folder, *build;
  uint64_t first, last; /* numbers of the files; last 0: none */
  ofw_log *log;         /* the last one; NULL: none is open */
  uint64_t lines;       /* committed to it */
  uint64_t waiting;     /* lines for the next commit */
  uint64_t bytes;       /* about all that is in the files, */
  uint64_t closed;      /* and in those before the last */
  char *line;           /* room for one with its id */
  size_t room;
} segments;

/* Finds the files, hands out their lines in order, and makes the last one ready for more. `build` and `folder` stay the
 * caller's. Whatever it says, segments_close returns the memory. */
ofw_status segments_open(segments *s, const ofw_disk *disk, const char *folder, const char *build, segments_line each,
                         void *ctx, ofw_error *err);
/* For the next commit. */
ofw_status segments_append(segments *s, const char *id, const char *line, size_t length, ofw_error *err);
/* All that was appended is on the disk. If it fails, only segments_next makes it take lines again. */
ofw_status segments_commit(segments *s, ofw_error *err);
/* Another file is begun behind the last commit. If it fails the old one is as it was. */
ofw_status segments_next(segments *s, ofw_error *err);
/* Files with numbers below this one go, which is at most the last. */
ofw_status segments_drop(segments *s, uint64_t below, ofw_error *err);
void segments_close(segments *s);
