/* log_read.c — a log is read commit by commit: whole, torn by a power cut, or damaged
 *
 * What is torn can only be the last commit, and only if nobody was ever told of it. A commit is the last one if no mark of
 * a later one, and no end mark, is found behind it. It was never answered if the file ends before the commit does, or if
 * a sector of it was never written (log_format.h). If in doubt, it is damage: that is refused, and nothing is lost.
 */
#include "persist/log_read.h"

#include "persist/log_format.h"
#include "persist/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ_AHEAD = 1 << 16, HEADER_LINES = 3 };
static const char from_form[] = "from=%" PRIu64 " sum=%08" PRIx32;

void ofw_log_found_free(ofw_log_found *found)
{
  free(found->build);
  free(found->config);
  *found = (ofw_log_found){0};
}

/* ---- what a reading does with a line ---- */

ofw_status ofw_log_take_header(ofw_log_reading *how, int k, const char *line, size_t length, ofw_error *err)
{
  ofw_log_found *found = how->found;
  char *copy = malloc(length + 1), **out = k == 0 ? &found->build : &found->config;
  if (!copy)
    return ofw_fail_memory(err, length);
  memcpy(copy, line, length);
  copy[length] = 0;
  free(*out);
  *out = copy;
  if (k == 1 && how->config && strcmp(how->config, copy) != 0)
    return ofw_config_refuse("a log written", copy, how->config, err);
  return OFW_OK;
}

ofw_status ofw_log_hand_out(ofw_log_reading *how, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  how->found->lines++;
  return how->each ? how->each(how->ctx, how->found->lines, line, length, sum, err) : OFW_OK;
}

ofw_status ofw_log_refuse(ofw_log_reading *how, uint64_t at, const char *what, ofw_error *err)
{
  how->found->damaged = 1;
  return ofw_fail(err, OFW_BAD_DATA, "damaged at byte %" PRIu64 ": %s", at, what);
}

ofw_status ofw_log_name(const char *path, ofw_status st, const ofw_error *why, ofw_error *err)
{
  return st == OFW_OK ? st : ofw_fail(err, st, "%.200s: %s", path, why->message);
}

/* ---- a window on the file, which moves forward ---- */

typedef struct window {
  const ofw_disk *disk;
  int file;
  uint64_t size; /* of the file */
  uint64_t at;   /* where bytes[0] is in it */
  char *bytes;
  size_t held, room;
} window;

/* The n bytes from `at` on, which must lie in the file, not before the last ones that were asked for. */
static ofw_status look_at(window *w, uint64_t at, size_t n, const char **out, ofw_error *err)
{
  size_t skip = (size_t)(at - w->at);
  if (skip <= w->held && n <= w->held - skip) {
    *out = w->bytes + skip;
    return OFW_OK;
  }
  if (skip > 0) {
    memmove(w->bytes, w->bytes + skip, w->held - skip);
    w->held -= skip;
    w->at = at;
  }
  size_t left = w->size - at < SIZE_MAX / 2 ? (size_t)(w->size - at) : SIZE_MAX / 2;
  size_t ahead = left < READ_AHEAD ? left : READ_AHEAD, wanted = n > ahead ? n : ahead;
  if (wanted > w->room) {
    char *grown = realloc(w->bytes, wanted);
    if (!grown)
      return ofw_fail_memory(err, wanted);
    w->bytes = grown;
    w->room = wanted;
  }
  ssize_t got = ofw_disk_read(w->disk, w->file, w->bytes + w->held, wanted - w->held);
  if (got < 0)
    return ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  w->held += (size_t)got;
  *out = w->bytes;
  return w->held >= n ? OFW_OK : ofw_fail(err, OFW_FAILED, "became shorter while it was read");
}

static int are_zeros(const char *bytes, size_t n)
{
  for (size_t k = 0; k < n; k++)
    if (bytes[k])
      return 0;
  return 1;
}

/* ---- the marks behind a commit that does not fit ---- */

/* From the window on, a mark of a commit after `last`, or an end mark of that or a later one. */
static ofw_status find_later(window *w, uint64_t last, int *found, ofw_error *err)
{
  *found = 0;
  for (uint64_t at = w->at; at < w->size && !*found;) {
    size_t n = w->size - at < READ_AHEAD ? (size_t)(w->size - at) : READ_AHEAD;
    const char *bytes;
    OFW_TRY(look_at(w, at, n, &bytes, err));
    for (size_t k = OFW_LOG_SUM - 1; k < n && !*found; k++) {
      ofw_log_mark mark;
      size_t begin = k - (OFW_LOG_SUM - 1);
      if ((bytes[k] == OFW_LOG_COMMIT || bytes[k] == OFW_LOG_END) && ofw_log_mark_read(bytes + begin, n - begin, &mark))
        *found = mark.number > last || (mark.kind == OFW_LOG_END && mark.number == last);
    }
    at += n < READ_AHEAD ? n : n - OFW_LOG_MARK; /* one that lies across the edge is seen again */
  }
  return OFW_OK;
}

/* ---- commits ---- */

typedef struct scan {
  window w;
  ofw_log_reading *how;
  uint64_t at;     /* behind the last whole commit */
  uint64_t number; /* of the commit that is to be there */
} scan;

/* A commit's lines in memory. */
typedef struct commit {
  const char *lines;
  size_t n;
  uint64_t at; /* of the first one in the file */
} commit;

/* The length of the line at `at`, with its newline, if its sum fits; then *sum has moved on. 0: it does not. */
static size_t fitting_line(const char *at, size_t left, uint32_t *sum)
{
  const char *end = memchr(at, '\n', left);
  size_t length = end ? (size_t)(end - at) : 0;
  return ofw_log_line_fits(at, length, sum) ? length + 1 : 0;
}

/* Blanks and a newline, or nothing. */
static int is_padding(const char *at, size_t n)
{
  for (size_t k = 0; k + 1 < n; k++)
    if (at[k] != ' ')
      return 0;
  return n == 0 || at[n - 1] == '\n';
}

/* How many bytes of it fit, all of them if it is whole; *sum moves on over its lines. */
static size_t fitting_bytes(const commit *c, uint32_t *sum)
{
  size_t at = 0, length;
  while ((length = fitting_line(c->lines + at, c->n - at, sum)) > 0)
    at += length;
  return is_padding(c->lines + at, c->n - at) ? c->n : at;
}

/* 1: what the commit has of some sector is zeros. The one that holds the mark is there. */
static int lacks_sector(const commit *c)
{
  for (size_t at = OFW_LOG_SECTOR - (size_t)(c->at % OFW_LOG_SECTOR); at < c->n; at += OFW_LOG_SECTOR)
    if (are_zeros(c->lines + at, c->n - at < OFW_LOG_SECTOR ? c->n - at : OFW_LOG_SECTOR))
      return 1;
  return 0;
}

static ofw_status take_from(scan *s, const char *line, size_t length, ofw_error *err)
{
  char text[64], again[64];
  ofw_log_found *found = s->how->found;
  snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
  if (sscanf(text, "from=%20" SCNu64 " sum=%8" SCNx32, &found->dropped, &found->from_sum) != 2 ||
      snprintf(again, sizeof again, from_form, found->dropped, found->from_sum) != (int)length ||
      memcmp(line, again, length) != 0 || found->dropped > UINT64_MAX / 2)
    return ofw_fail(err, OFW_BAD_DATA, "its header does not say which line comes first");
  found->lines = found->dropped;
  return OFW_OK;
}

/* The lines of a whole commit go where they belong. */
static ofw_status take_lines(scan *s, const commit *c, ofw_error *err)
{
  const char *at = c->lines, *end = c->lines + c->n;
  int k = 0;
  for (; at < end && *at != ' ' && *at != '\n'; k++) {
    const char *line = at + OFW_LOG_SUM, *newline = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)(newline - line);
    if (s->number > 0)
      OFW_TRY(ofw_log_hand_out(s->how, line, length, (uint32_t)strtoul(at, NULL, 16), err));
    else if (k < 2)
      OFW_TRY(ofw_log_take_header(s->how, k, line, length, err));
    else if (k == 2)
      OFW_TRY(take_from(s, line, length, err));
    at = newline + 1;
  }
  return s->number == 0 && k != HEADER_LINES
             ? ofw_fail(err, OFW_BAD_DATA, "its header has %d lines, expected %d", k, HEADER_LINES)
             : OFW_OK;
}

/* 1: a power cut may have left this, of which the first `fits` bytes fit: the file ends within a line, or there is a sector
 * that was never written. */
static int may_be_torn(const commit *c, size_t fits, int is_short)
{
  const char *rest = c->lines + fits;
  size_t n = c->n - fits;
  return (is_short && !memchr(rest, '\n', n) && !memchr(rest, 0, n)) || lacks_sector(c);
}

/* The commit at s->at, whose mark has been read. OFW_END: it is torn, if nothing is behind it. */
static ofw_status read_commit(scan *s, const ofw_log_mark *mark, size_t mark_length, ofw_error *err)
{
  uint64_t at = s->at + mark_length, left = s->w.size - at;
  uint32_t sum = s->how->sum;
  int is_short = mark->bytes > left;
  commit c = {.n = (size_t)(is_short ? left : mark->bytes), .at = at};
  OFW_TRY(look_at(&s->w, at, c.n, &c.lines, err));
  size_t fits = fitting_bytes(&c, &sum);
  if (fits < c.n || is_short)
    return mark->bytes >= left && may_be_torn(&c, fits, is_short)
               ? OFW_END
               : ofw_log_refuse(s->how, at + fits, "this line does not match its checksum", err);
  OFW_TRY(take_lines(s, &c, err));
  s->how->sum = s->number == 0 ? s->how->found->from_sum : sum;
  s->at = at + mark->bytes;
  s->how->found->commits = s->number++;
  return OFW_OK;
}

/* 1: these bytes, with which the file ends, are the beginning of a mark, or zeros where a sector was never written. */
static int is_torn_mark(const char *bytes, size_t n, uint64_t at)
{
  size_t to_edge = OFW_LOG_SECTOR - (size_t)(at % OFW_LOG_SECTOR);
  if (are_zeros(bytes, n < to_edge ? n : to_edge))
    return 1;
  return n < OFW_LOG_MARK && !memchr(bytes, '\n', n) && !memchr(bytes, 0, n);
}

/* 1: an end mark is here that says what was just read. */
static int is_closed(const scan *s, const char *bytes, size_t n)
{
  char wanted[OFW_LOG_MARK + 1];
  const ofw_log_mark mark = {OFW_LOG_END, s->number - 1, s->at, s->how->sum};
  size_t length = ofw_log_mark_write(&mark, wanted);
  return memmem(bytes, n, wanted, length) != NULL;
}

/* What follows the last commit. OFW_OK: another one, in *mark; OFW_END: nothing, an end mark, or something torn. */
static ofw_status next_mark(scan *s, ofw_log_mark *mark, size_t *length, ofw_error *err)
{
  enum { MOST = 4 * OFW_LOG_MARK * OFW_LOG_END_MARKS };
  uint64_t left = s->w.size - s->at;
  size_t n = left < MOST ? (size_t)left : MOST;
  const char *bytes;
  if (left == 0)
    return OFW_END;
  OFW_TRY(look_at(&s->w, s->at, n < OFW_LOG_SECTOR ? n : OFW_LOG_SECTOR, &bytes, err));
  *length = ofw_log_mark_read(bytes, n < OFW_LOG_MARK ? n : OFW_LOG_MARK, mark);
  if (*length && mark->kind == OFW_LOG_COMMIT && mark->number == s->number && mark->sum == s->how->sum)
    return OFW_OK;
  OFW_TRY(look_at(&s->w, s->at, n, &bytes, err));
  if (s->number > 0 && is_closed(s, bytes, n)) {
    s->how->found->closed = 1;
    return OFW_END;
  }
  if (*length == 0 && is_torn_mark(bytes, n, s->at))
    return OFW_END;
  return ofw_log_refuse(s->how, s->at, "expected the mark of a commit", err);
}

static ofw_status scan_commits(scan *s, ofw_error *err)
{
  ofw_status st;
  ofw_log_mark mark;
  size_t length;
  int later = 0;
  ofw_log_found *found = s->how->found;
  while ((st = next_mark(s, &mark, &length, err)) == OFW_OK && (st = read_commit(s, &mark, length, err)) == OFW_OK)
    found->bytes = s->at;
  if (st != OFW_END)
    return st;
  if (s->number == 0)
    return ofw_fail(err, OFW_BAD_DATA, "cut short within its header");
  if (found->closed)
    return OFW_OK;
  OFW_TRY(find_later(&s->w, s->number, &later, err));
  found->torn = later ? 0 : s->w.size - s->at;
  return later ? ofw_log_refuse(s->how, s->at, "this commit is cut short, but more data follow", err) : OFW_OK;
}

ofw_status ofw_log_scan(const ofw_disk *disk, int file, uint64_t size, ofw_log_reading *how, ofw_error *err)
{
  const size_t head = strlen(ofw_log_first_line), word = strlen("ofwlog ");
  scan s = {.w = {.disk = disk, .file = file, .size = size, .bytes = malloc(READ_AHEAD), .room = READ_AHEAD},
            .how = how,
            .at = head};
  if (!s.w.bytes)
    return ofw_fail_memory(err, READ_AHEAD);
  const char *bytes = "";
  size_t n = size < head ? (size_t)size : head;
  ofw_log_found *found = how->found;
  ofw_status st = look_at(&s.w, 0, n, &bytes, err);
  if (st == OFW_OK && (n < word || memcmp(bytes, ofw_log_first_line, word) != 0))
    st = ofw_fail(err, OFW_BAD_DATA, "not a log of ofw");
  else if (st == OFW_OK && n == head && memcmp(bytes, ofw_log_first_line_v1, head) == 0) {
    found->version = 1;
    st = disk->seek(disk->ctx, file, 0) == 0 ? ofw_log_scan_v1(disk, file, size, how, err)
                                             : ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  } else if (st == OFW_OK && (n < head || memcmp(bytes, ofw_log_first_line, head) != 0))
    st = ofw_fail(err, OFW_BAD_DATA, "has another format; this ofw reads format %d", OFW_LOG_VERSION);
  else if (st == OFW_OK) {
    found->version = OFW_LOG_VERSION;
    how->sum = ofw_log_chain(0, ofw_log_first_line, head - 1);
    st = scan_commits(&s, err);
  }
  free(s.w.bytes);
  return st;
}

ofw_status ofw_log_read(const ofw_disk *disk, const char *path, ofw_log_line each, void *ctx, ofw_log_found *found,
                        ofw_error *err)
{
  uint64_t size;
  ofw_error why = {0};
  ofw_log_reading how = {.each = each, .ctx = ctx, .found = found};
  *found = (ofw_log_found){0};
  ofw_status st = ofw_disk_find(disk, path, &size, err);
  if (st != OFW_OK)
    return st == OFW_END ? ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(ENOENT)) : st;
  int file = disk->open(disk->ctx, path, O_RDONLY);
  if (file < 0)
    return ofw_fail(err, OFW_FAILED, "%.200s: %s", path, strerror(errno));
  st = ofw_log_scan(disk, file, size, &how, &why);
  disk->close(disk->ctx, file);
  return ofw_log_name(path, st, &why, err);
}
