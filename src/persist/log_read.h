/* log_read.h — a log from its first byte to its last whole commit */
#pragma once

#include "persist/log.h"

/* What is done with each line, and before the first. */
typedef struct ofw_log_reading {
  ofw_log_line each; /* may be NULL */
  void *ctx;
  const char *config; /* NULL: any */
  ofw_log_found *found;
  uint32_t sum; /* of all lines so far */
} ofw_log_reading;

/* Reads the file, of this size, from its beginning to the last whole commit; the sum of that is how->sum then. */
ofw_status ofw_log_scan(const ofw_disk *disk, int file, uint64_t size, ofw_log_reading *how, ofw_error *err);
/* The same of version 1, whose first line has been seen. */
ofw_status ofw_log_scan_v1(const ofw_disk *disk, int file, uint64_t size, ofw_log_reading *how, ofw_error *err);

/* The k-th line of a header: 0 the build, 1 the configuration. */
ofw_status ofw_log_take_header(ofw_log_reading *how, int k, const char *line, size_t length, ofw_error *err);
/* A line of feedback goes to its reader. */
ofw_status ofw_log_hand_out(ofw_log_reading *how, const char *line, size_t length, uint32_t sum, ofw_error *err);
/* "damaged at byte `at`: `what`" */
ofw_status ofw_log_refuse(ofw_log_reading *how, uint64_t at, const char *what, ofw_error *err);
/* `why` with the file's name before it. */
ofw_status ofw_log_name(const char *path, ofw_status st, const ofw_error *why, ofw_error *err);
