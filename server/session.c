/* session.c — a session is made, described and freed */
#include "server/session.h"

#include "server/json_text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

void session_spec_free(session_spec *spec)
{
  free(spec->name);
  free(spec->learner);
  free(spec->domain);
  free(spec->options);
  free(spec->pairs);
  *spec = (session_spec){0};
}

/* ---- making ---- */

static ofw_status make_learner(session *s, const ofw_domain *K, ofw_error *err)
{
  const session_spec *spec = &s->spec;
  char *text = ofw_format("%s:seed=%" PRIu64 "%s%s", spec->learner, spec->seed, spec->pairs[0] ? "," : "", spec->pairs);
  if (!text)
    return ofw_fail_memory(err, 64);
  s->l = ofw_learner_create_spec(text, K, err);
  free(text);
  return s->l ? OFW_OK : OFW_USAGE;
}

/* Room for the decisions that may be open, of which `most_dim` numbers are kept at most. */
static ofw_status open_delay(session *s, uint64_t most_dim, ofw_error *err)
{
  uint64_t most = s->delay + 1;
  if (!s->dense)
    return ofw_fail(err, OFW_USAGE, "delay: open decisions are kept, and %zu numbers are too many to write out",
                    s->dim);
  if (most > most_dim / s->dim)
    return ofw_fail(err, OFW_USAGE,
                    "delay=%" PRIu64 ": %" PRIu64 " open decisions of %zu numbers each, expected at most %" PRIu64
                    " numbers in all",
                    s->delay, most, s->dim, most_dim);
  return open_decisions_open(&s->open, (size_t)most, s->dim, err);
}

/* The first decision, which with a delay has to be asked for, and room for one if it can be written out. */
static ofw_status make_decision(session *s, ofw_error *err)
{
  s->delay = s->l->common.delay;
  s->x = &s->l->point;
  s->decided = s->delay ? 0 : 1;
  if (!s->delay && ofw_learner_decide(s->l, &s->x) != OFW_OK)
    return ofw_fail(err, OFW_NUMERICAL, "%s", ofw_learner_error(s->l));
  ofw_point_shape(s->x, &s->rows, &s->cols);
  s->parser.rows = s->rows;
  s->parser.cols = s->cols;
  if (ofw_point_dense(s->x, NULL) != OFW_OK)
    return OFW_OK;
  s->dense = ofw_doubles_unset(s->dim);
  return s->dense ? OFW_OK : ofw_fail_memory(err, s->dim * sizeof *s->dense);
}

static ofw_status build(session *s, uint64_t most_dim, ofw_error *err)
{
  ofw_domain *K = ofw_domain_create(s->spec.domain, err);
  if (!K)
    return OFW_USAGE;
  s->dim = ofw_domain_dim(K);
  ofw_status st = s->dim <= most_dim
                      ? make_learner(s, K, err)
                      : ofw_fail(err, OFW_USAGE, "domain: %zu numbers, expected at most %" PRIu64, s->dim, most_dim);
  ofw_domain_free(K);
  if (st == OFW_OK)
    st = make_decision(s, err);
  return st == OFW_OK && s->delay ? open_delay(s, most_dim, err) : st;
}

session *session_make(const char id[SESSION_ID + 1], session_spec *spec, uint64_t most_dim, ofw_error *err)
{
  session *s = calloc(1, sizeof *s);
  if (!s) {
    session_spec_free(spec);
    ofw_fail_memory(err, sizeof *s);
    return NULL;
  }
  for (size_t k = 0; k < SESSION_ID; k++)
    s->id[k] = id[k];
  s->spec = *spec;
  *spec = (session_spec){0};
  s->users = 1;
  s->loss = s->constraint = NAN;
  pthread_mutex_init(&s->lock, NULL);
  pthread_mutex_init(&s->saving, NULL);
  if (build(s, most_dim, err) == OFW_OK)
    return s;
  session_release(s);
  return NULL;
}

void session_release(session *s)
{
  if (!s || atomic_fetch_sub(&s->users, 1) > 1)
    return;
  ofw_learner_free(s->l);
  ofw_ndjson_free(&s->parser);
  history_free(&s->history);
  open_decisions_close(&s->open);
  session_spec_free(&s->spec);
  free(s->dense);
  pthread_mutex_destroy(&s->lock);
  pthread_mutex_destroy(&s->saving);
  free(s);
}

int session_failed(const session *s, const char **why)
{
  *why = ofw_learner_error(s->l);
  return s->x == NULL;
}

/* ---- describing ---- */

void session_row(const session *s, double row[COLUMNS])
{
  ofw_info info = {.size = sizeof info};
  ofw_learner_info(s->l, &info);
  row[COLUMN_ROUND] = (double)s->answered;
  row[COLUMN_LOSS] = s->loss;
  row[COLUMN_CONSTRAINT] = s->constraint;
  row[COLUMN_LOSS_SUM] = s->loss_sum;
  row[COLUMN_CCV] = info.violation;
  row[COLUMN_PRICE] = fmin(exp(info.log_price), DBL_MAX);
  row[COLUMN_SIGMA] = info.sigma;
  row[COLUMN_GAP] = info.gap;
  row[COLUMN_ORACLE_CALLS] = (double)info.oracle_calls;
  row[COLUMN_REGRET_BOUND] = info.regret_bound;
  row[COLUMN_CCV_BOUND] = info.ccv_bound;
  row[COLUMN_OPEN] = (double)(s->decided - s->answered);
}

/* The round whose feedback is next; with a delay the oldest that is open, or else the next. */
static uint64_t waits_for(const session *s)
{
  const ofw_open_rounds *open = s->l->open;
  return s->delay && open->count ? open->list[0].round : session_next(s);
}

static void print_open_rounds(const session *s, ofw_text *out)
{
  const ofw_open_rounds *open = s->l->open;
  ofw_text_add(out, ",\"open_rounds\":[");
  if (!s->delay)
    ofw_text_add(out, "%" PRIu64, session_next(s));
  for (size_t k = 0; s->delay && k < open->count; k++)
    ofw_text_add(out, "%s%" PRIu64, k ? "," : "", open->list[k].round);
  ofw_text_add(out, "]");
}

void session_print(const session *s, int whole, ofw_text *out)
{
  char created[32];
  double row[COLUMNS];
  struct tm when;
  const char *why;
  time_t seconds = (time_t)s->spec.created;
  gmtime_r(&seconds, &when);
  strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &when);
  ofw_text_add(out, "{\"id\":\"%s\",\"name\":", s->id);
  json_text_add(out, s->spec.name);
  ofw_text_add(out, ",\"learner\":");
  json_text_add(out, s->spec.learner);
  ofw_text_add(out, ",\"domain\":");
  json_text_add(out, s->spec.domain);
  ofw_text_add(out, ",\"options\":%s,\"seed\":%" PRIu64 ",\"created\":\"%s\"", s->spec.options, s->spec.seed, created);
  ofw_text_add(out, ",\"dim\":%zu,\"rows\":%zu,\"cols\":%zu,\"bandit\":%s", s->dim, s->rows, s->cols,
               s->l->method->bandit ? "true" : "false");
  ofw_text_add(out, ",\"status\":\"%s\"", session_failed(s, &why) ? "failed" : "live");
  ofw_text_add(out, ",\"waits_for\":%" PRIu64 ",\"delay\":%" PRIu64 ",\"decided\":%" PRIu64, waits_for(s), s->delay,
               s->decided);
  if (whole)
    print_open_rounds(s, out);
  ofw_text_add(out, ",\"config\":");
  json_text_add(out, ofw_learner_config(s->l));
  ofw_text_add(out, ",\"account\":");
  session_row(s, row);
  history_print_row(row, out);
  ofw_text_add(out, "}");
}
