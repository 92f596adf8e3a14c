/* log_read.h — the lines of a log and their checksums */
#ifndef OFW_SRC_LOG_READ_H
#define OFW_SRC_LOG_READ_H

#include "persist/log.h"

enum { OFW_LOG_SUM = 9 }; /* "9f0a3b7e " */
extern const char ofw_log_first_line[];

/* The checksum of all lines before goes on over one more, and its newline. */
uint32_t ofw_log_chain(uint32_t sum, const char *line, size_t length);
/* That of the first line, from which it starts. */
uint32_t ofw_log_chain_start(void);

/* What is done with each line, and before the first. */
typedef struct ofw_log_reading {
  ofw_log_line each;
  void *ctx;
  const char *config; /* NULL: any */
  ofw_log_found *found;
  uint32_t sum;
} ofw_log_reading;

/* Reads the file, of this size, from its beginning to the last whole line; the sum of that is how->sum then. */
ofw_status ofw_log_scan(const ofw_disk *disk, int file, uint64_t size, ofw_log_reading *how, ofw_error *err);
/* As ofw_disk_find, but that a file which is not there is an error of the system's. */
ofw_status ofw_log_find(const ofw_disk *disk, const char *path, uint64_t *size, ofw_error *err);
/* `why` with the file's name before it. */
ofw_status ofw_log_name(const char *path, ofw_status st, const ofw_error *why, ofw_error *err);

#endif
