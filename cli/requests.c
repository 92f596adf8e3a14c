/* requests.c — requests read before the first round and answered after the last
 *
 * They are checked first: a long run must not end with a misspelt line.
 */
#include "requests.h"
#include "whole_file.h"

#include "base/lines.h"
#include "domain/set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int read_requests(const command *self, const arguments *args, requests *r)
{
  r->path = args->value[OPT_ASK];
  r->answers = args->value[OPT_ANSWERS];
  if (!r->path != !r->answers)
    return complain(self, EXIT_USAGE, r->path ? "--ask needs --answers FILE" : "--answers needs --ask FILE");
  return 0;
}

static int out_of_memory(const command *self, const requests *r)
{
  return complain(self, EXIT_FAILED, "%s: out of memory", r->path);
}

/* One more request, if it is one. */
static int keep(const command *self, requests *r, unsigned long long number, const char *line, size_t length)
{
  ofw_ask ask;
  ofw_error err = {0};
  ofw_status st = ofw_ask_read(&r->parser, line, length, &ask, &err);
  if (st != OFW_OK)
    return complain(self, exit_code(st), "%s:%llu: %s", r->path, number, err.message);
  if (ask.kind == OFW_ASK_DECIDE)
    return complain(self, EXIT_BAD_DATA, "%s:%llu: ask: decide: a run asks for its decisions itself", r->path, number);
  if (r->lines.length + length >= OFW_MOST_REQUESTS)
    return complain(self, EXIT_BAD_DATA, "%s:%llu: more than %d bytes of requests", r->path, number, OFW_MOST_REQUESTS);
  ofw_text_add(&r->lines, "%s\n", line);
  return r->lines.failed ? out_of_memory(self, r) : 0;
}

static int keep_all(const command *self, requests *r, ofw_lines *in)
{
  for (;;) {
    char *line;
    size_t length;
    ofw_line_status got = ofw_lines_next(in, &line, &length);
    int code = 0;
    if (got == OFW_NO_LINE)
      return 0;
    if (got == OFW_LINE)
      code = keep(self, r, in->number, line, length);
    else if (got == OFW_LINE_TOO_LONG)
      code = complain(self, EXIT_BAD_DATA, "%s:%llu: the line is longer than %zu bytes", r->path,
                      (unsigned long long)in->number, in->limit);
    else if (got == OFW_LINE_UNREAD)
      code = complain(self, EXIT_BAD_DATA, "cannot read %s: %s", r->path, strerror(errno));
    else
      code = out_of_memory(self, r);
    if (code)
      return code;
  }
}

int open_requests(const command *self, requests *r, const ofw_domain *K)
{
  if (!r->path)
    return 0;
  FILE *file = fopen(r->path, "r");
  if (!file)
    return complain(self, EXIT_BAD_DATA, "cannot read %s: %s", r->path, strerror(errno));
  ofw_lines in = {.read = ofw_lines_from_file, .ctx = file, .limit = ofw_ndjson_longest(ofw_domain_dim(K))};
  ofw_domain_rows(K, &r->parser.rows, &r->parser.cols);
  int code = keep_all(self, r, &in);
  ofw_lines_free(&in);
  (void)fclose(file);
  return code ? code : open_result(self, r->answers, &r->out);
}

ofw_status answer_ask(const ofw_ask *ask, ofw_learner *l, const ofw_point *x, ofw_text *out, ofw_error *err)
{
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(l, &info);
  ofw_status st = ask->kind == OFW_ASK_SAMPLE ? ofw_learner_sample(l, ask->value) : OFW_OK;
  return st == OFW_OK ? ofw_ask_answer(ask, &info, x, out, err) : ofw_fail(err, st, "ask: %s", ofw_learner_error(l));
}

/* All of them into the text of one answer after the other. */
static ofw_status answer_all(requests *r, ofw_learner *l, const ofw_point *x, ofw_text *out, ofw_error *err)
{
  const char *line = r->lines.chars;
  for (size_t left = r->lines.length; left > 0;) {
    size_t length = (size_t)((const char *)memchr(line, '\n', left) - line);
    ofw_ask ask;
    out->length = 0;
    OFW_TRY(ofw_ask_read(&r->parser, line, length, &ask, err));
    OFW_TRY(answer_ask(&ask, l, x, out, err));
    if (fwrite(out->chars, 1, out->length, r->out) != out->length)
      return OFW_OK; /* close_result will say so */
    line += length + 1;
    left -= length + 1;
  }
  return OFW_OK;
}

int answer_requests(const command *self, requests *r, ofw_learner *l, const ofw_point *x)
{
  ofw_text out = {0};
  ofw_error err = {0};
  if (!r->path)
    return 0;
  ofw_status st = answer_all(r, l, x, &out, &err);
  free(out.chars);
  if (st != OFW_OK)
    return complain(self, exit_code(st), "%s: %s", r->path, err.message);
  FILE *file = r->out;
  r->out = NULL;
  return close_result(self, r->answers, file);
}

void close_requests(requests *r)
{
  if (r->out)
    drop_result(r->answers, r->out);
  r->out = NULL;
  free(r->lines.chars);
  ofw_ndjson_free(&r->parser);
}
