/* log_handle.h — an open log, for log.c and log_rewrite.c */
#pragma once

#include "persist/log_read.h"

struct ofw_log {
  const ofw_disk *disk;
  int file;     /* -1: it is not made yet */
  char *path;   /* as the caller has it */
  char *target; /* where that leads: new files of the log are made beside it */
  char *header_build, *header_config;
  int version;      /* of the file */
  uint64_t size;    /* committed */
  uint64_t torn;    /* bytes behind that, to be cut off by ofw_log_start */
  uint64_t commits; /* the number of the next one */
  uint64_t dropped; /* lines before the first one */
  uint32_t sum;     /* of all lines, those that wait too */
  uint32_t committed_sum;
  char *waiting; /* room for a mark, then the lines of the next commit */
  size_t waits, room;
  int stillborn, started, failed;
};

/* Nothing is opened yet. NULL after an error. */
ofw_log *ofw_log_new(const ofw_disk *disk, const char *path, const char *build, const char *config, ofw_error *err);
/* The header, of a log whose first `dropped` lines have this sum (NULL: it has none), into its empty file. */
ofw_status ofw_log_begin(ofw_log *log, uint64_t dropped, const uint32_t *from_sum, ofw_error *err);
/* A commit that is not synced. */
ofw_status ofw_log_write(ofw_log *log, ofw_error *err);
/* It takes no more. */
ofw_status ofw_log_give_up(ofw_log *log, const char *why, ofw_error *err);
/* Another file, of version 2, without the lines up to and with `line`, takes its place. */
ofw_status ofw_log_rewrite(ofw_log *log, uint64_t line, ofw_error *err);
