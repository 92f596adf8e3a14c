/* log.h — a write-ahead log of lines: each is on the disk before it is acknowledged
 *
 *     ofwlog 2                                  the format and its version
 *     5d3f1c20=0 171 8c9a2b11                   commit 0, the header: 171 bytes, then commit 1
 *     1b0e5f0c ofw 0.2.0 kernel=avx2            what wrote it
 *     77c1d2aa learner=ofw-tvc domain=...       under which configuration
 *     03a1b2c4 from=0 sum=77c1d2aa              how many lines were dropped before the first, and their checksum
 *     c0a81f02=1 52 77c1d2aa                    commit 1
 *     9f0a3b7e {"loss":1,"loss_gradient":[..    the lines, as they came
 *     ..
 *     2b1c0d9e.1 290 9f0a3b7e                   the end, OFW_LOG_END_MARKS times, if the log was closed
 *
 * Eight digits and a blank: the CRC-32 of all lines up to and with this one, so that none can be changed, lost or moved
 * without a trace. Eight digits and '=' or '.': a mark with its own CRC-32 (log_format.h). A commit is written and synced
 * as one. The last one may have been torn by a power cut, before anybody was told of it; then it is cut off. Anything else
 * that does not fit is damage and refused. Version 1 had no marks; it is read, and becomes version 2 when it is written to.
 */
#pragma once

#include "persist/disk.h"

enum { OFW_LOG_VERSION = 2 };

typedef struct ofw_log ofw_log;

/* What a log turned out to be. If it is damaged: up to the damage. */
typedef struct ofw_log_found {
  char *build;       /* what wrote it; NULL: it is new */
  char *config;      /* under which configuration */
  int version;       /* of its format */
  uint64_t dropped;  /* lines that it held and holds no more */
  uint32_t from_sum; /* the checksum after those */
  uint64_t lines;    /* the number of its last line, those that were dropped counted */
  uint64_t commits;  /* whole ones, without the header; version 1 has none */
  uint64_t bytes;    /* up to and with the last whole commit */
  uint64_t torn;     /* bytes of a last commit that nobody was told of */
  int closed;        /* its last writer has closed it */
  int damaged;       /* it was refused for what it holds, not for what the caller asked */
} ofw_log_found;
void ofw_log_found_free(ofw_log_found *found);

/* Called for each line, with its number and its checksum. Anything but OFW_OK ends the reading with that status and err. */
typedef ofw_status (*ofw_log_line)(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum,
                                   ofw_error *err);

/* Reads a log and changes nothing. `each` may be NULL. *found is to be freed even if this fails. */
ofw_status ofw_log_read(const ofw_disk *disk, const char *path, ofw_log_line each, void *ctx, ofw_log_found *found,
                        ofw_error *err);

/* The log at path, for this process alone, as far as it exists. Its lines are handed to `each`; one of another
 * configuration is refused before any line is handed out. Nothing is changed yet. *found as above. */
ofw_status ofw_log_open(const ofw_disk *disk, const char *path, const char *build, const char *config,
                        ofw_log_line each, void *ctx, ofw_log **out, ofw_log_found *found, ofw_error *err);
/* From now on it takes lines. The file is made if there is none; a torn commit is copied to path.torn and cut off; a log
 * of version 1 is rewritten. */
ofw_status ofw_log_start(ofw_log *log, ofw_error *err);
/* A line, without its newline, to be written with the next commit. It must not hold a newline or a 0. */
ofw_status ofw_log_append(ofw_log *log, const char *line, size_t length, ofw_error *err);
/* All that was appended is on the disk, in the file that path names, when this returns OFW_OK. If it fails nothing was
 * committed, as far as the disk still allows, and the log takes no more. */
ofw_status ofw_log_commit(ofw_log *log, ofw_error *err);
/* Lines up to and with this one are dropped: a log of the others takes this one's place. If it fails the old log stays as
 * it is, and goes on to take lines. */
ofw_status ofw_log_drop(ofw_log *log, uint64_t line, ofw_error *err);
/* How many bytes wait for the commit; 0 if log is NULL. */
size_t ofw_log_pending(const ofw_log *log);
/* The checksum of its last line. */
uint32_t ofw_log_sum(const ofw_log *log);
/* How many lines have been dropped. */
uint64_t ofw_log_dropped(const ofw_log *log);
/* What is not committed is lost. NULL is accepted. */
void ofw_log_close(ofw_log *log);

/* The whole commits of the log at `from`, and nothing that follows damage, as a new log at `to`; something that is there
 * already is refused. */
ofw_status ofw_log_salvage(const ofw_disk *disk, const char *from, const char *to, ofw_log_found *found,
                           ofw_error *err);
