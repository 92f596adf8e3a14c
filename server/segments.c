/* segments.c — the files of the sessions' log are found, read, begun and dropped */
#include "server/segments.h"

#include "server/session_id.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_COST = 10 }; /* bytes that a log adds to a line */
static const char config_form[] = "serve previous-lines=%" PRIu64, config_read[] = "serve previous-lines=%20" SCNu64;

static char *path_of(const segments *s, uint64_t number)
{
  return ofw_format("%s/log-%08" PRIu64, s->folder, number);
}

/* ---- which there are ---- */

/* 0: it is none of ours. */
static uint64_t number_of(const char *name)
{
  char again[32];
  uint64_t number;
  if (sscanf(name, "log-%20" SCNu64, &number) != 1)
    return 0;
  snprintf(again, sizeof again, "log-%08" PRIu64, number);
  return strcmp(name, again) == 0 ? number : 0;
}

static ofw_status find(segments *s, ofw_error *err)
{
  uint64_t count = 0;
  const struct dirent *entry;
  DIR *folder = opendir(s->folder);
  if (!folder)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", s->folder, strerror(errno));
  s->first = s->last = 0;
  while ((entry = readdir(folder))) {
    uint64_t number = number_of(entry->d_name);
    if (!number)
      continue;
    count++;
    s->first = count == 1 || number < s->first ? number : s->first;
    s->last = number > s->last ? number : s->last;
  }
  closedir(folder);
  if (count && s->last - s->first + 1 != count)
    return ofw_fail(err, OFW_BAD_DATA,
                    "%.200s: expected the files log-%08" PRIu64 " to log-%08" PRIu64 ", and found %" PRIu64 " of them",
                    s->folder, s->first, s->last, count);
  return OFW_OK;
}

/* ---- what they hold ---- */

typedef struct reading {
  segments *s;
  segments_line each;
  void *ctx;
  uint64_t most; /* lines of the file that count */
} reading;

static ofw_status hand_out(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  reading *r = ctx;
  char id[SESSION_ID + 1];
  (void)sum;
  if (number > r->most)
    return OFW_OK;
  if (length <= SESSION_ID || line[SESSION_ID] != ' ')
    return ofw_fail(err, OFW_BAD_DATA, "line %" PRIu64 ": expected a session's id and feedback", number);
  memcpy(id, line, SESSION_ID);
  id[SESSION_ID] = 0;
  r->s->bytes += length + LINE_COST;
  ofw_error why = {0};
  ofw_status st = r->each(r->ctx, id, line + SESSION_ID + 1, length - SESSION_ID - 1, &why);
  return st == OFW_OK ? st : ofw_fail(err, st, "line %" PRIu64 ", session %s: %s", number, id, why.message);
}

static ofw_status stop_reading(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum,
                               ofw_error *err)
{
  (void)ctx, (void)number, (void)line, (void)length, (void)sum;
  return ofw_fail(err, OFW_END, "the header is read");
}

/* How many lines of the file before count, as this one's header says; 0: it has no whole header. */
static int read_header(const segments *s, const char *path, uint64_t *previous)
{
  ofw_log_found found = {0};
  ofw_log_read(s->disk, path, stop_reading, NULL, &found, NULL);
  int there = found.config && sscanf(found.config, config_read, previous) == 1;
  ofw_log_found_free(&found);
  return there;
}

/* A file that is not the last; *lines is how many of its lines count. */
static ofw_status read_closed(segments *s, uint64_t number, reading *r, uint64_t *lines, ofw_error *err)
{
  char *path = path_of(s, number), *next = path_of(s, number + 1);
  ofw_log_found found = {0};
  r->most = UINT64_MAX;
  ofw_status st = path && next ? OFW_OK : ofw_fail_memory(err, strlen(s->folder));
  if (st == OFW_OK) {
    (void)read_header(s, next, &r->most); /* if it is not there yet, no line was acknowledged behind this file */
    st = ofw_log_read(s->disk, path, hand_out, r, &found, err);
  }
  if (st == OFW_OK && r->most != UINT64_MAX && found.lines < r->most)
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s: has %" PRIu64 " lines, and the next file says %" PRIu64, path,
                  found.lines, r->most);
  *lines = found.lines < r->most ? found.lines : r->most;
  ofw_log_found_free(&found);
  free(path);
  free(next);
  return st;
}

/* The last file, or one that is made now; `before` is how many lines of the one before it count if it does not say. */
static ofw_status open_last(segments *s, uint64_t number, uint64_t before, reading *r, ofw_log **out, uint64_t *lines,
                            ofw_error *err)
{
  char config[64], *path = path_of(s, number);
  ofw_log_found found = {0};
  if (!path)
    return ofw_fail_memory(err, strlen(s->folder));
  (void)read_header(s, path, &before);
  snprintf(config, sizeof config, config_form, before);
  if (r)
    r->most = UINT64_MAX;
  ofw_status st = ofw_log_open(s->disk, path, s->build, config, r ? hand_out : NULL, r, out, &found, err);
  if (st == OFW_OK)
    st = ofw_log_start(*out, err);
  if (st != OFW_OK) {
    ofw_log_close(*out);
    *out = NULL;
  }
  *lines = found.lines;
  ofw_log_found_free(&found);
  free(path);
  return st;
}

ofw_status segments_open(segments *s, const ofw_disk *disk, const char *folder, const char *build, segments_line each,
                         void *ctx, ofw_error *err)
{
  reading r = {.s = s, .each = each, .ctx = ctx};
  uint64_t before = 0;
  *s = (segments){.disk = disk, .folder = folder, .build = build};
  OFW_TRY(find(s, err));
  if (s->last == 0)
    s->first = s->last = 1;
  for (uint64_t number = s->first; number < s->last; number++)
    OFW_TRY(read_closed(s, number, &r, &before, err));
  return open_last(s, s->last, before, &r, &s->log, &s->lines, err);
}

/* ---- while it grows ---- */

ofw_status segments_append(segments *s, const char *id, const char *line, size_t length, ofw_error *err)
{
  size_t whole = SESSION_ID + 1 + length;
  OFW_TRY(ofw_grow(&s->line, 0, whole, &s->room, 1, err));
  memcpy(s->line, id, SESSION_ID);
  s->line[SESSION_ID] = ' ';
  memcpy(s->line + SESSION_ID + 1, line, length);
  OFW_TRY(ofw_log_append(s->log, s->line, whole, err));
  s->waiting++;
  s->bytes += whole + LINE_COST;
  return OFW_OK;
}

ofw_status segments_commit(segments *s, ofw_error *err)
{
  ofw_status st = ofw_log_commit(s->log, err);
  if (st == OFW_OK)
    s->lines += s->waiting;
  s->waiting = 0;
  return st;
}

ofw_status segments_next(segments *s, ofw_error *err)
{
  ofw_log *next = NULL;
  uint64_t lines;
  char *path = path_of(s, s->last + 1);
  if (!path)
    return ofw_fail_memory(err, strlen(s->folder));
  s->disk->remove(s->disk->ctx, path); /* what an earlier try has left: nobody was told of anything in it */
  ofw_status st = open_last(s, s->last + 1, s->lines, NULL, &next, &lines, err);
  if (st != OFW_OK)
    s->disk->remove(s->disk->ctx, path);
  free(path);
  if (st != OFW_OK)
    return st;
  ofw_log_close(s->log);
  s->log = next;
  s->last++;
  s->lines = s->waiting = 0;
  s->closed = s->bytes;
  return OFW_OK;
}

ofw_status segments_drop(segments *s, uint64_t below, ofw_error *err)
{
  ofw_status st = OFW_OK;
  char *last = path_of(s, s->last);
  if (!last)
    return ofw_fail_memory(err, strlen(s->folder));
  while (st == OFW_OK && s->first < below) { /* the oldest first, so that those that are left follow one another */
    char *path = path_of(s, s->first);
    if (!path)
      st = ofw_fail_memory(err, strlen(s->folder));
    else if (s->disk->remove(s->disk->ctx, path) != 0 && errno != ENOENT)
      st = ofw_fail(err, OFW_FAILED, "cannot remove %.200s: %s", path, strerror(errno));
    else
      s->first++;
    free(path);
  }
  if (st == OFW_OK && s->disk->sync_folder(s->disk->ctx, last) != 0)
    st = ofw_fail(err, OFW_FAILED, "%.200s: %s", s->folder, strerror(errno));
  if (s->first == s->last) {
    s->bytes -= s->closed;
    s->closed = 0;
  }
  free(last);
  return st;
}

void segments_close(segments *s)
{
  ofw_log_close(s->log);
  free(s->line);
  *s = (segments){0};
}
