/* log.h — a write-ahead log of lines: each is on the disk before anybody is told so
 *
 *     ofwlog 1                                  the format and its version
 *     1b0e5f0c ofw 0.1.0 kernel=avx2            what wrote it
 *     77c1d2aa learner=ofw-tvc domain=...       under which configuration
 *     9f0a3b7e {"loss":1,"loss_gradient":[..    the lines, as they came
 *
 * The eight digits are the CRC-32 of all lines up to and with this one, so that none can be changed, lost or moved
 * without a trace. A tail that a power cut has torn is cut off; anything else that does not fit is refused.
 */
#ifndef OFW_SRC_LOG_H
#define OFW_SRC_LOG_H

#include "persist/disk.h"

enum { OFW_LOG_VERSION = 1 };

typedef struct ofw_log ofw_log;

/* What a log turned out to be. */
typedef struct ofw_log_found {
  char *build;      /* what wrote it; NULL: it is new */
  char *config;     /* under which configuration */
  uint64_t lines;   /* that it holds */
  uint64_t bytes;   /* up to and with the last whole line */
  uint64_t torn;    /* bytes behind that, of lines that nobody was told of */
  int unterminated; /* the last line lacks its newline and nothing else */
} ofw_log_found;
void ofw_log_found_free(ofw_log_found *found);

/* Called for each line, numbered from 1, with its checksum. Anything but OFW_OK ends the reading with that status and err. */
typedef ofw_status (*ofw_log_line)(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum,
                                   ofw_error *err);

/* Reads a log and changes nothing. `each` may be NULL. */
ofw_status ofw_log_read(const ofw_disk *disk, const char *path, ofw_log_line each, void *ctx, ofw_log_found *found,
                        ofw_error *err);
/* The log at path, for this process alone; made where there is none. Its lines are handed to `each`, and a torn tail is cut
 * off. One of another configuration is refused before any line is handed out. */
ofw_status ofw_log_open(const ofw_disk *disk, const char *path, const char *build, const char *config,
                        ofw_log_line each, void *ctx, ofw_log **out, ofw_log_found *found, ofw_error *err);
/* A line, without its newline, to be written with the next commit. It must not hold a newline or a 0. */
ofw_status ofw_log_append(ofw_log *log, const char *line, size_t length, ofw_error *err);
/* All that was appended is on the disk when this returns OFW_OK. Where it fails nothing was committed, as far as the
 * disk still allows, and the log takes no more. */
ofw_status ofw_log_commit(ofw_log *log, ofw_error *err);
/* How many bytes wait for the commit; 0 where log is NULL. */
size_t ofw_log_pending(const ofw_log *log);
/* The checksum of its last line. */
uint32_t ofw_log_sum(const ofw_log *log);
/* What is not committed is lost. NULL is accepted. */
void ofw_log_close(ofw_log *log);

#endif
