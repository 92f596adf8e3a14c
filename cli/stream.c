/* stream.c — ofw stream: decisions out, feedback in, one JSON object a line */
#include "cli.h"

#include "base/base.h"
#include "stream/ndjson.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const option_id stream_options[] = {OPT_LEARNER,          OPT_DOMAIN,     OPT_HORIZON, OPT_LIPSCHITZ,
                                    OPT_STRONG_CONVEXITY, OPT_LOSS_BOUND, OPT_SET,     OPT_SEED,
                                    OPT_THREADS,          OPT_HELP,       OPTIONS};

/* stdin by lines, none longer than a limit. */
typedef struct lines {
  char *bytes;
  size_t room, limit; /* room: of the buffer, at most limit + 1 */
  size_t begin, end;  /* what is read and not yet handed out */
  int at_end;
  uint64_t number; /* of the last line handed out */
} lines;

typedef enum line_status { LINE, NO_LINE, TOO_LONG, READ_ERROR, NO_MEMORY } line_status;

/* More bytes behind `end`: first by moving what is there to the front, then by growing. */
static line_status read_more(lines *in)
{
  if (in->begin > 0) {
    memmove(in->bytes, in->bytes + in->begin, in->end - in->begin);
    in->end -= in->begin;
    in->begin = 0;
  }
  if (in->end == in->room) {
    if (in->room > in->limit)
      return TOO_LONG;
    size_t more = 2 * in->room + 4096 < in->limit + 1 ? 2 * in->room + 4096 : in->limit + 1;
    char *grown = realloc(in->bytes, more);
    if (!grown)
      return NO_MEMORY;
    in->bytes = grown;
    in->room = more;
  }
  ssize_t got;
  do
    got = read(STDIN_FILENO, in->bytes + in->end, in->room - in->end);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return READ_ERROR;
  in->at_end = got == 0;
  in->end += (size_t)got;
  return LINE;
}

/* The next line without its end; a last one that has none counts too. */
static line_status next_line(lines *in, const char **line, size_t *length)
{
  size_t seen = 0;
  for (;;) {
    const char *from = in->bytes ? in->bytes + in->begin : NULL;
    const char *newline = from ? memchr(from + seen, '\n', in->end - in->begin - seen) : NULL;
    size_t have = in->end - in->begin;
    if (newline || (in->at_end && have > 0)) {
      *line = from;
      *length = newline ? (size_t)(newline - from) : have;
      in->begin += *length + (newline != NULL);
      in->number++;
      return *length > in->limit ? TOO_LONG : LINE;
    }
    if (in->at_end)
      return NO_LINE;
    seen = have;
    line_status st = read_more(in);
    if (st != LINE) {
      in->number++;
      return st;
    }
  }
}

/* stdout by whole lines. */
typedef struct output {
  char *bytes;
  double *decision;
  size_t dim;
} output;

enum { NUMBER_WIDTH = 26, LINE_HEAD = 96 }; /* "-1.2345678901234567e-308," is 25 */

static int write_all(const char *bytes, size_t n)
{
  while (n > 0) {
    ssize_t put = write(STDOUT_FILENO, bytes, n);
    if (put < 0 && errno != EINTR)
      return 0;
    if (put > 0) {
      bytes += put;
      n -= (size_t)put;
    }
  }
  return 1;
}

static int open_output(output *out, size_t dim)
{
  out->dim = dim;
  out->decision = ofw_doubles(dim);
  out->bytes = dim < (SIZE_MAX - LINE_HEAD) / 2 / NUMBER_WIDTH ? malloc(2 * dim * NUMBER_WIDTH + LINE_HEAD) : NULL;
  return out->decision && out->bytes;
}

static char *print_numbers(char *at, size_t n, const double *x)
{
  for (size_t i = 0; i < n; i++)
    at += sprintf(at, "%s%.17g", i ? "," : "", x[i]);
  return at;
}

/* 0, or an exit code after a complaint */
static int print_decision(const command *self, ofw_learner *l, uint64_t round, output *out)
{
  const ofw_point *x;
  if (ofw_learner_decide(l, &x) != OFW_OK)
    return complain(self, EXIT_NUMERICAL, "round %llu: %s", (unsigned long long)round, ofw_learner_error(l));
  char *at = out->bytes;
  at += sprintf(at, "{\"round\":%llu,\"decision\":[", (unsigned long long)round);
  ofw_point_dense(x, out->decision);
  at = print_numbers(at, out->dim, out->decision);
  if (ofw_learner_is_bandit(l)) {
    at += sprintf(at, "],\"center\":[");
    ofw_point_centre(x, out->decision);
    at = print_numbers(at, out->dim, out->decision);
  }
  at += sprintf(at, "]}\n");
  if (!write_all(out->bytes, (size_t)(at - out->bytes)))
    return complain(self, EXIT_FAILED, "cannot write the decision: %s", strerror(errno));
  return 0;
}

static int line_trouble(const command *self, line_status st, const lines *in)
{
  unsigned long long number = in->number;
  switch (st) {
  case TOO_LONG:
    return complain(self, EXIT_BAD_DATA, "line %llu: longer than %zu bytes", number, in->limit);
  case READ_ERROR:
    return complain(self, EXIT_FAILED, "line %llu: cannot read: %s", number, strerror(errno));
  default:
    return complain(self, EXIT_FAILED, "line %llu: out of memory", number);
  }
}

/* One line of feedback to the learner. */
static ofw_status feed(ofw_learner *l, ofw_ndjson *parser, const char *line, size_t length, ofw_error *err)
{
  ofw_full fb;
  int bandit = ofw_learner_is_bandit(l);
  OFW_TRY(ofw_ndjson_read(parser, line, length, bandit ? OFW_NDJSON_VALUES : OFW_NDJSON_FULL, &fb, err));
  ofw_status st = bandit ? ofw_learner_observe_values(l, &fb.values) : ofw_learner_observe(l, &fb);
  return st == OFW_OK ? st : ofw_fail(err, st, "%s", ofw_learner_error(l));
}

static int play(const command *self, ofw_learner *l, size_t dim, warnings *w)
{
  lines in = {.limit = ofw_ndjson_longest(dim)};
  output out = {0};
  ofw_ndjson parser = {0};
  int code = 0;
  if (!open_output(&out, dim))
    code = complain(self, EXIT_FAILED, "out of memory for decisions of dimension %zu", dim);
  if (!code)
    code = print_decision(self, l, 1, &out);
  for (uint64_t round = 1; !code; round++) {
    const char *line;
    size_t length;
    ofw_error err = {0};
    line_status got = next_line(&in, &line, &length);
    if (got == NO_LINE)
      break;
    if (got != LINE) {
      code = line_trouble(self, got, &in);
      break;
    }
    ofw_status st = feed(l, &parser, line, length, &err);
    if (st != OFW_OK)
      code = complain(self, exit_code(st), "line %llu: %s", (unsigned long long)in.number, err.message);
    else
      code = print_decision(self, l, round + 1, &out);
    if (!code)
      warn(self, l, round + 1, w);
  }
  ofw_ndjson_free(&parser);
  free(in.bytes);
  free(out.bytes);
  free(out.decision);
  return code;
}

int stream_main(const command *self, const arguments *args)
{
  ofw_learner_settings s = {.size = sizeof s, .sets = args->sets, .set = args->set};
  ofw_error err = {0};
  int code = 0;
  const option_id needed[] = {OPT_LEARNER, OPT_DOMAIN, OPT_HORIZON, OPT_LIPSCHITZ};
  size_t n = args->value[OPT_LEARNER] && is_anytime(args->value[OPT_LEARNER]) ? 2 : 4;
  for (size_t i = 0; i < n && !code; i++)
    code = require(self, args, needed[i]);
  if (code || (code = read_horizon(self, args, 0, &s.horizon)) ||
      (code = read_real(self, args, OPT_LIPSCHITZ, 0.0, &s.lipschitz)) ||
      (code = read_real(self, args, OPT_STRONG_CONVEXITY, 0.0, &s.strong_convexity)) ||
      (code = read_real(self, args, OPT_LOSS_BOUND, 0.0, &s.loss_bound)) ||
      (code = read_count(self, args, OPT_SEED, 1, &s.seed)) || (code = read_threads(self, args, &s.threads)))
    return code;
  ofw_domain *K = ofw_domain_create(args->value[OPT_DOMAIN], &err);
  ofw_learner *l = K ? ofw_learner_create(args->value[OPT_LEARNER], K, &s, &err) : NULL;
  warnings w = {.lipschitz = s.lipschitz,
                .horizon = is_anytime(args->value[OPT_LEARNER]) ? OFW_HORIZON_AUTO : s.horizon};
  if (l)
    code = play(self, l, ofw_domain_dim(K), &w);
  else
    code = complain(self, exit_code(err.status), "%s", err.message);
  ofw_learner_free(l);
  ofw_domain_free(K);
  return code;
}
