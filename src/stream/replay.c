/* replay.c — rounds read back from a file of feedback lines, as `ofw pipe` takes them, or from its log
 *
 * The recorded numbers are revealed whatever the decision: to the learner that they were recorded with, they give its
 * decisions again; to another, they are fixed gradients.
 *
 * A log is read as a whole first, since it says at its end whether it is damaged. Its lines go to a file without a name.
 *
 * Of a play with a delay, requests for decisions are passed over. A round is revealed when it is played, so its feedback must
 * be in the order of the rounds: what came out of order is refused.
 */
#include "base/lines.h"
#include "persist/log.h"
#include "stream/generator.h"
#include "wire/ask.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct replay_options {
  char *file;
} replay_options;

typedef struct replay {
  char *path;
  FILE *in;
  uint64_t next;  /* the line of feedback that comes next in the file, from 1 */
  uint64_t first; /* the round that the first one names; 0: none, or it was not read yet */
  ofw_lines lines;
  ofw_ndjson parser;
} replay;

static ofw_status file_status(void)
{
  return errno == ENOMEM ? OFW_FAILED : OFW_BAD_DATA;
}

static ofw_status read_line(ofw_stream *s, char **text, size_t *length)
{
  replay *r = s->data;
  ofw_line_status got;
  do
    got = ofw_lines_next(&r->lines, text, length);
  while (got == OFW_LINE && ofw_is_ask(*text, *length));
  if (got == OFW_NO_LINE)
    return ofw_fail(&s->err, OFW_END, "%s ends before round %llu", r->path, (unsigned long long)r->next);
  if (got != OFW_LINE) {
    unsigned long long line = r->lines.number;
    r->next = UINT64_MAX; /* a part of the line may be gone: whatever comes next, the file is read again */
    return got == OFW_LINE_TOO_LONG ? ofw_fail(&s->err, OFW_BAD_DATA, "%s:%llu: the line is longer than %zu bytes",
                                               r->path, line, r->lines.limit)
                                    : ofw_fail(&s->err, file_status(), "%s: %s", r->path, strerror(errno));
  }
  r->next++;
  return OFW_OK;
}

/* Any round can be asked for: after a load, the file is read again from its beginning. */
static ofw_status seek(ofw_stream *s, uint64_t t)
{
  replay *r = s->data;
  char *line;
  size_t length;
  if (t < r->next) {
    if (fseek(r->in, 0, SEEK_SET) != 0)
      return ofw_fail(&s->err, OFW_BAD_DATA, "%s: cannot read it again: %s", r->path, strerror(errno));
    ofw_lines_restart(&r->lines);
    r->next = 1;
  }
  while (r->next < t)
    OFW_TRY(read_line(s, &line, &length));
  return OFW_OK;
}

/* Lines that name their rounds do so one after the other. */
static ofw_status check_order(replay *r, uint64_t t, ofw_error *err)
{
  uint64_t named = r->parser.round;
  if (t == 1)
    r->first = named;
  if (named == 0 || r->first == 0 || named == r->first + t - 1)
    return OFW_OK;
  return ofw_fail(
      err, OFW_BAD_DATA,
      "expected the feedback of round %llu, found that of round %llu; a replay needs the order of the rounds",
      (unsigned long long)(r->first + t - 1), (unsigned long long)named);
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  (void)x;
  replay *r = s->data;
  ofw_error inner = {0};
  char *line;
  size_t length = 0;
  OFW_TRY(seek(s, t));
  OFW_TRY(read_line(s, &line, &length));
  ofw_status st =
      ofw_ndjson_read(&r->parser, line, length, s->gradients ? OFW_NDJSON_FULL : OFW_NDJSON_ANY, out, &inner);
  if (st == OFW_OK)
    st = check_order(r, t, &inner);
  if (st != OFW_OK)
    ofw_fail(&s->err, st, "%s:%llu: %.400s", r->path, (unsigned long long)r->lines.number, inner.message);
  return st;
}

/* Of the line that was revealed last. */
static ofw_status hint(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_hint *out)
{
  (void)t, (void)x;
  *out = ((const replay *)s->data)->parser.hint;
  return OFW_OK;
}

static void destroy(void *data)
{
  replay *r = data;
  if (r->in)
    (void)fclose(r->in);
  ofw_lines_free(&r->lines);
  ofw_ndjson_free(&r->parser);
}

static const ofw_stream_ops ops = {.reveal = reveal, .hint = hint, .destroy = destroy};

/* Only a file that can be read again is looked at further than its first character, which no line of feedback has. */
static int is_log(FILE *in)
{
  static const char first[] = "ofwlog ";
  char found[sizeof first - 1];
  int c = getc(in);
  if (c != EOF)
    ungetc(c, in);
  if (c != first[0])
    return 0;
  int is = fread(found, 1, sizeof found, in) == sizeof found && memcmp(found, first, sizeof found) == 0;
  rewind(in);
  return is;
}

static ofw_status copy_line(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  FILE *out = ctx;
  (void)number, (void)sum;
  return fwrite(line, 1, length, out) == length && putc('\n', out) != EOF
             ? OFW_OK
             : ofw_fail(err, OFW_FAILED, "cannot copy its lines: %s", strerror(errno));
}

/* The log's lines take the place of the file. */
static ofw_status open_log(ofw_stream *s, replay *r, ofw_error *err)
{
  ofw_log_found found = {0};
  FILE *lines = tmpfile();
  ofw_status st = lines ? ofw_log_read(&ofw_real_disk, r->path, copy_line, lines, &found, err)
                        : ofw_fail(err, OFW_FAILED, "replay: no temporary file: %s", strerror(errno));
  if (st == OFW_OK && (fflush(lines) != 0 || fseek(lines, 0, SEEK_SET) != 0))
    st = ofw_fail(err, OFW_FAILED, "%.200s: cannot copy its lines: %s", r->path, strerror(errno));
  if (found.dropped)
    snprintf(s->note, sizeof s->note,
             "%.120s has dropped its first %llu rounds: round 1 of the replay is its round %llu", r->path,
             (unsigned long long)found.dropped, (unsigned long long)found.dropped + 1);
  ofw_log_found_free(&found);
  if (lines && st != OFW_OK)
    (void)fclose(lines);
  if (st != OFW_OK)
    return st;
  (void)fclose(r->in);
  r->in = lines;
  return OFW_OK;
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  const replay_options *o = options;
  replay *r = s->data;
  s->terms = OFW_TERMS_ANY;
  r->next = 1;
  r->path = ofw_owned_take(&s->own, ofw_copy_text(o->file), strlen(o->file) + 1);
  OFW_TRY(ofw_owned_check(&s->own, err));
  r->in = fopen(o->file, "r");
  if (!r->in)
    return ofw_fail(err, file_status(), "replay: cannot read %s: %s", o->file, strerror(errno));
  if (is_log(r->in))
    OFW_TRY(open_log(s, r, err));
  ofw_domain_rows(s->K, &r->parser.rows, &r->parser.cols);
  r->lines = (ofw_lines){.read = ofw_lines_from_file, .ctx = r->in, .limit = ofw_ndjson_longest(s->K->dim)};
  return OFW_OK;
}

static const ofw_option options[] = {
    OFW_TEXT_ROW(offsetof(replay_options, file), "file",
                 "file of feedback, one JSON object per line, or a log of 'ofw pipe --log'"),
    {0},
};

const ofw_stream_kind ofw_replay_kind = {
    .type = {.name = "replay",
             .summary = "feedback recorded in a file; needs --lipschitz, which the file does not have",
             .options = options},
    .data_size = sizeof(replay),
    .ops = &ops,
    .build = build};
