/* What every stream promises, whatever its options, on every domain that it takes: the constants that it states, convex
 * losses and constraints, a comparator in K that keeps every constraint, rounds that depend on their number alone. */
#include "stream/generator.h"
#include "unit/engine/held.h"
#include "vector/vec_arithmetic.h"

#include <stdio.h>

enum { ROUNDS = 61, BEYOND = 70, MOST_SPEC = 200 };

static size_t streams, rounds; /* how many were looked at */
static char playing[2 * MOST_SPEC];

/* What a round reveals at a point, kept. */
typedef struct seen {
  double loss, constraint, *f, *g;
} seen;

static double *room(size_t n)
{
  double *x = calloc(n, sizeof *x);
  assert_non_null(x);
  return x;
}

static void look(ofw_stream *s, uint64_t t, const held *h, seen *out)
{
  ofw_full fb = {0};
  size_t n = h->at.at->dim;
  if (ofw_stream_reveal(s, t, &h->at, &fb) != OFW_OK)
    fail_msg("%s: %s", playing, ofw_stream_error(s));
  size_t any = fb.values.constraints, first = 0; /* the largest counts */
  for (size_t i = 1; i < any; i++)
    first = fb.values.constraint[i] > fb.values.constraint[first] ? i : first;
  out->loss = fb.values.loss;
  out->constraint = any ? fb.values.constraint[first] : 0.0;
  ofw_sum_dense(fb.loss_gradient, n, out->f);
  ofw_sum_dense(any ? fb.constraint_gradient[first] : (ofw_sum){0}, n, out->g);
}

static void must(int truth, uint64_t t, const char *what)
{
  if (!truth)
    fail_msg("%s, round %d: %s", playing, (int)t, what);
}

/* <slope, to - from> */
static double rise(size_t n, const double *slope, const double *from, const double *to)
{
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += (long double)slope[i] * ((long double)to[i] - from[i]);
  return (double)sum;
}

static double square(size_t n, const double *x, const double *y)
{
  long double sum = 0.0L;
  for (size_t i = 0; i < n; i++)
    sum += ((long double)x[i] - y[i]) * ((long double)x[i] - y[i]);
  return (double)sum;
}

/* A round at two points of K: G, M and alpha are so, and both functions lie above their tangents. */
static void check_round(ofw_stream *s, uint64_t t, const held *x, const held *y, seen *at, seen *there)
{
  const ofw_constants *c = ofw_stream_constants(s);
  size_t n = x->at.at->dim;
  double G = c->lipschitz * (1.0 + 1e-12), M = c->loss_bound * (1.0 + 1e-12),
         tolerance = 1e-11 * (c->loss_bound + G * s->K->R);
  double alpha = s->best ? c->strong_convexity : 0.0; /* where none is known, alpha may be a choice: erratum 12 */
  look(s, t, y, there);
  look(s, t, x, at);
  must(slow_norm(n, at->f) <= G, t, "the loss has a gradient longer than G");
  must(slow_norm(n, at->g) <= G, t, "the constraint has a gradient longer than G");
  must(fabs(at->loss) <= M, t, "the loss is larger than M");
  double above = there->loss - at->loss - rise(n, at->f, x->x, y->x);
  must(above >= alpha / 2.0 * square(n, x->x, y->x) - tolerance, t, "the loss is less convex than alpha");
  must(there->constraint - at->constraint - rise(n, at->g, x->x, y->x) >= -tolerance, t,
       "the constraint is not convex");
  rounds++;
}

/* In K, and in floating point too no constraint is broken there; its losses are those that the comparator names. */
static void check_best(ofw_stream *s, uint64_t t, held *x, seen *at)
{
  double loss;
  size_t n = x->at.at->dim;
  ofw_status st = ofw_stream_comparator(s, t, &loss);
  assert_int_equal(st, s->best ? OFW_OK : OFW_UNSUPPORTED);
  if (!s->best)
    return;
  memcpy(x->x, s->best, n * sizeof *x->x);
  look(s, t, x, at);
  must(at->constraint <= 0.0, t, "the comparator breaks a constraint");
  must(fabs(loss - at->loss) <= 1e-13 * ofw_stream_constants(s)->loss_bound, t, "the comparator's loss is another");
}

/* Asked again between other questions, a round is what it was. */
static void check_again(ofw_stream *s, uint64_t t, const held *x, seen *first, seen *again)
{
  size_t n = x->at.at->dim;
  look(s, t, x, first);
  look(s, BEYOND + 1 - t, x, again);
  look(s, t, x, again);
  must(memcmp(&first->loss, &again->loss, sizeof(double)) == 0 &&
           memcmp(&first->constraint, &again->constraint, sizeof(double)) == 0 &&
           memcmp(first->f, again->f, n * sizeof(double)) == 0 && memcmp(first->g, again->g, n * sizeof(double)) == 0,
       t, "asked again it is another");
}

static void check_stream(ofw_stream *s, const char *spec, uint64_t *seed)
{
  const ofw_domain *K = ofw_stream_domain(s);
  size_t n = ofw_domain_dim(K);
  snprintf(playing, sizeof playing, "%s over %s", spec, K->spec);
  held x = hold(K), y = hold(K);
  seen at = {.f = room(n), .g = room(n)}, there = {.f = room(n), .g = room(n)};
  if (s->best)
    must(ofw_domain_excess(K, s->best) <= 1e-14 * K->R, 0, "the comparator is not in K");
  for (uint64_t t = 1; t <= BEYOND; t++) {
    any_point(seed, K, t % 2 == 0, x.x);
    any_point(seed, K, t % 3 == 0, y.x);
    check_round(s, t, &x, &y, &at, &there);
    check_again(s, t, &y, &at, &there);
    check_best(s, t, &x, &at);
  }
  streams++;
  free(at.f), free(at.g), free(there.f), free(there.g);
  let_go(&x), let_go(&y);
}

/* 1: the stream takes it. A refusal names the stream. */
static int try_spec(const ofw_type *type, const char *spec, const char *set)
{
  ofw_error err = {0};
  static uint64_t seed = 1;
  ofw_domain *K = set ? domain(set) : NULL;
  ofw_stream *s = ofw_stream_create(spec, K, ROUNDS, 3 + seed % 100, &err);
  if (s)
    check_stream(s, spec, &seed);
  else if (err.status != OFW_USAGE || strncmp(err.message, type->name, strlen(type->name)) != 0)
    fail_msg("%s over %s: %s", spec, set ? set : "its own", err.message);
  int taken = s != NULL;
  ofw_stream_free(s);
  ofw_domain_free(K);
  return taken;
}

/* The example with one more option. */
static void try_with(const ofw_type *type, const char *set, const char *option, const char *value)
{
  char spec[MOST_SPEC];
  char separator = strchr(type->example, ':') ? ',' : ':';
  snprintf(spec, sizeof spec, "%s%c%s=%s", type->example, separator, option, value);
  try_spec(type, spec, set);
}

/* Each option at either end of its range, or of what is sensible, and with each of its words. */
static void try_ends(const ofw_type *type, const char *set)
{
  for (const ofw_option *o = type->options; o->name; o++) {
    char text[60];
    double low = o->lower < 1e-9 && o->lower > 0.0 ? 0.25 : o->lower, high = o->upper < 3.0 ? o->upper : 3.0;
    snprintf(text, sizeof text, "%s=", o->name);
    if (o->kind == OFW_TEXT || strstr(type->example, text))
      continue;
    for (int end = 0; end < 2 && o->kind != OFW_CHOICE; end++) {
      snprintf(text, sizeof text, "%g", end ? high : low);
      try_with(type, set, o->name, text);
    }
    for (const char *word = o->words; word;) {
      size_t length = strcspn(word, "|");
      snprintf(text, sizeof text, "%.*s", (int)length, word);
      try_with(type, set, o->name, text);
      word = word[length] ? word + length + 1 : NULL;
    }
  }
}

static void test_every_stream(void **unused)
{
  (void)unused;
  for (size_t i = 0; i < ofw_stream_types(); i++) {
    const ofw_type *type = ofw_stream_type(i);
    int taken = 0;
    if (!type->example)
      continue; /* needs a file: unit/stream covers it */
    for (size_t k = 0; k <= ofw_domain_types(); k++) {
      const char *set = k < ofw_domain_types() ? ofw_domain_type(k)->example : NULL;
      if (try_spec(type, type->example, set)) {
        try_ends(type, set);
        taken++;
      }
    }
    if (!taken)
      fail_msg("%s takes no domain", type->example);
  }
  print_message("%zu streams, %zu rounds\n", streams, rounds);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_stream)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
