/* routing.c — a fleet's routes through a city, and a limit on the bridges that follows the day
 *
 * The city is a grid of crossings, every eighth street an avenue, cut in two by a river with a bridge for every twelve
 * streets. All drive from the first crossing to the last, only along streets that bring them a block nearer: such streets
 * make no circle, so any cost is fine. x_e is the share of the fleet on street e.
 *
 *     f_t(x) = <c_t, x>                      minutes on the way; streets near the middle jam at eight and at five
 *     g_t(x) = sum over bridges x_e b_e - limit_t     the old bridge in the middle takes so much of the fleet now
 *
 * Both are known only afterwards. The run is compared with the best fixed routes that keep every limit: by the limit's
 * multiplier, and with it a mixture of two routes.
 *
 *     routing [--trace FILE] [SIDE [ROUNDS]]       FILE: a new file for the account of every tenth round
 */
#include "trace_option.h"

#include <ofw/run.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DAY = 144, AVENUES = 8, BRIDGES = 12 };

typedef struct street {
  size_t from, to;
  double minutes; /* on an empty street */
  double central; /* 0 .. 1: how much of the jam is here */
  int old;        /* it is the old bridge */
} street;

typedef struct city {
  size_t side, streets;
  street *street;
  double *cost, *best, *bridge, *route[2]; /* a number a street */
  double g;
  ofw_vec cost_vec, bridge_vec;
  ofw_sum bridge_sum;
} city;

/* In [0, 1), by two numbers. */
static double noise(uint64_t a, uint64_t b)
{
  uint64_t z = (a * 1000003 + b + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* ---- the city ---- */

static int has_bridge(size_t side, size_t row)
{
  return row % BRIDGES == BRIDGES / 2 || row == side / 2;
}

/* The street from one crossing to another; 0: the river is between them and no bridge. */
static int street_at(const city *c, size_t from, size_t to, street *out)
{
  size_t side = c->side, row = from / side, column = from % side, river = side / 2;
  int across = from / side == to / side, over = across && (column < river) != (to % side < river);
  double middle = 0.5 * (double)(side - 1), x = ((double)column - middle) / middle, y = ((double)row - middle) / middle;
  if (over && !has_bridge(side, row))
    return 0;
  *out = (street){.from = from, .to = to, .central = exp(-4.0 * (x * x + y * y)), .old = over && row == side / 2};
  out->minutes = 1.0 + noise(from, to);
  if (across && row == side / 2)
    out->minutes *= 0.3; /* the old road */
  else if ((across ? row : column) % AVENUES == 0 || over)
    out->minutes *= 0.5;
  return 1;
}

/* The crossing that is one step down, up, right or left; its own number: there is none. */
static size_t next_to(const city *c, size_t at, int way)
{
  size_t side = c->side, row = at / side, column = at % side;
  if (way == 0)
    return row + 1 < side ? at + side : at;
  if (way == 1)
    return row > 0 ? at - side : at;
  if (way == 2)
    return column + 1 < side ? at + 1 : at;
  return column > 0 ? at - 1 : at;
}

/* Blocks from each crossing to the last, by going over all streets until nothing is nearer. */
static void count_blocks(const city *c, size_t *left)
{
  size_t crossings = c->side * c->side;
  for (size_t k = 0; k < crossings; k++)
    left[k] = k + 1 < crossings ? crossings : 0;
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t k = crossings; k-- > 0;)
      for (int way = 0; way < 4; way++) {
        street s;
        size_t to = next_to(c, k, way);
        if (to != k && street_at(c, k, to, &s) && left[to] + 1 < left[k]) {
          left[k] = left[to] + 1;
          changed = 1;
        }
      }
  }
}

/* Streets that bring one a block nearer to the last crossing. */
static int build(city *c)
{
  size_t crossings = c->side * c->side;
  size_t *left = calloc(crossings, sizeof *left);
  c->street = calloc(4 * crossings, sizeof *c->street);
  if (!left || !c->street) {
    free(left);
    return 0;
  }
  count_blocks(c, left);
  for (size_t k = 0; k < crossings; k++)
    for (int way = 0; way < 4; way++) {
      size_t to = next_to(c, k, way);
      if (to != k && left[to] < left[k] && street_at(c, k, to, &c->street[c->streets]))
        c->streets++;
    }
  free(left);
  double **arrays[] = {&c->cost, &c->best, &c->bridge, &c->route[0], &c->route[1]};
  for (int i = 0; i < 5; i++)
    if (!(*arrays[i] = calloc(c->streets, sizeof **arrays[i])))
      return 0;
  for (size_t e = 0; e < c->streets; e++)
    c->bridge[e] = c->street[e].old;
  return 1;
}

static void drop(city *c)
{
  free(c->street), free(c->cost), free(c->best), free(c->bridge), free(c->route[0]), free(c->route[1]);
}

/* The domain, from a file with a line "FROM TO" for each street. */
static ofw_domain *routes(const city *c, ofw_error *err)
{
  char path[] = "/tmp/ofw-city-XXXXXX", spec[128];
  int fd = mkstemp(path);
  FILE *out = fd >= 0 ? fdopen(fd, "w") : NULL;
  for (size_t e = 0; out && e < c->streets; e++)
    fprintf(out, "%zu %zu\n", c->street[e].from + 1, c->street[e].to + 1);
  int failed = !out || fclose(out) != 0;
  snprintf(spec, sizeof spec, "paths:graph=@%s,from=1,to=%zu", path, c->side * c->side);
  ofw_domain *K = failed ? NULL : ofw_domain_create(spec, err);
  if (fd >= 0)
    unlink(path);
  if (failed)
    snprintf(err->message, sizeof err->message, "cannot write %s", path);
  return K;
}

/* ---- rounds ---- */

static double rush(uint64_t t)
{
  double hour = 24.0 * (double)(t % DAY) / DAY;
  return exp(-pow(hour - 8.0, 2.0)) + exp(-pow(hour - 17.0, 2.0) / 2.0);
}

static double limit(uint64_t t)
{
  double hour = 24.0 * (double)(t % DAY) / DAY;
  return 0.45 - 0.15 * exp(-pow(hour - 12.0, 2.0) / 18.0);
}

static double minutes(const city *c, uint64_t t, size_t e)
{
  const street *s = &c->street[e];
  return s->minutes * (1.0 + 2.0 * rush(t) * s->central + 0.5 * noise(t + 1000, e));
}

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0.0;
  for (size_t e = 0; e < n; e++)
    sum += a[e] * b[e];
  return sum;
}

static int reveal(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  city *c = ctx;
  double loss = 0.0;
  for (size_t e = 0; e < c->streets; e++)
    c->cost[e] = minutes(c, t, e);
  c->cost_vec = ofw_vec_dense(c->streets, c->cost);
  c->bridge_vec = ofw_vec_dense(c->streets, c->bridge);
  c->bridge_sum = (ofw_sum){1, &c->bridge_vec};
  if (ofw_point_dot(x, (ofw_sum){1, &c->cost_vec}, &loss) != OFW_OK || ofw_point_dot(x, c->bridge_sum, &c->g) != OFW_OK)
    return 1;
  c->g -= limit(t);
  *out = (ofw_full){{loss, 1, &c->g}, {1, &c->cost_vec}, &c->bridge_sum};
  return 0;
}

static int comparator(void *ctx, uint64_t t, double *loss)
{
  city *c = ctx;
  *loss = 0.0;
  for (size_t e = 0; e < c->streets; e++)
    if (c->best[e] > 0.0)
      *loss += minutes(c, t, e) * c->best[e];
  return 0;
}

/* The cheapest route where the old bridge costs `price` more; how much of it that is. */
static double cheapest(const city *c, const ofw_domain *K, const double *total, double price, double *route)
{
  double *d = calloc(c->streets, sizeof *d), share = NAN;
  for (size_t e = 0; d && e < c->streets; e++)
    d[e] = total[e] + price * c->bridge[e];
  if (d && ofw_domain_minimise(K, d, 1e-9, route, NULL, NULL) == OFW_OK)
    share = dot(c->streets, route, c->bridge);
  free(d);
  return share;
}

/* The price at which the cheapest route leaves the bridge; there two routes cost the same, and their mixture keeps the
 * limit exactly. */
static int find_best(city *c, const ofw_domain *K, uint64_t rounds)
{
  double *total = calloc(c->streets, sizeof *total), least = INFINITY, low = 0.0, high = 1e4, share[2] = {NAN, NAN};
  for (uint64_t t = 1; total && t <= rounds; t++) {
    least = fmin(least, limit(t));
    for (size_t e = 0; e < c->streets; e++)
      total[e] += minutes(c, t, e) / (double)rounds;
  }
  for (int k = 0; total && k < 60; k++) {
    double middle = 0.5 * (low + high);
    *(cheapest(c, K, total, middle, c->route[0]) > least ? &low : &high) = middle;
  }
  if (total) {
    share[0] = cheapest(c, K, total, low, c->route[0]);
    share[1] = cheapest(c, K, total, high, c->route[1]);
  }
  double part = share[0] > least ? (least - share[1]) / (share[0] - share[1]) : 1.0;
  for (size_t e = 0; e < c->streets; e++)
    c->best[e] = part * c->route[0][e] + (1.0 - part) * c->route[1][e];
  free(total);
  return share[1] <= least;
}

/* ---- the run ---- */

static int play(ofw_run *run, uint64_t rounds, FILE *trace)
{
  printf("round  regret a round  violation a round\n");
  for (uint64_t last = rounds / 8; last <= rounds; last *= 2) { /* a run may be played in parts */
    const ofw_trace_row *now = ofw_run_account(run);
    if (ofw_run_play(run, last - now->round, record, trace) != OFW_OK)
      return 1;
    double t = (double)now->round;
    printf("%5d  %14.5f  %17.5f\n", (int)now->round, (now->loss_sum - now->comparator_loss_sum) / t, now->ccv / t);
  }
  return 0;
}

static int drive(city *c, uint64_t rounds, FILE *trace)
{
  ofw_stream_callbacks own = {
      .size = sizeof own, .constants = {.lipschitz = 1.0}, .reveal = reveal, .comparator = comparator, .ctx = c};
  ofw_learner_settings settings = {.size = sizeof settings};
  ofw_error err = {0};
  ofw_domain *K = routes(c, &err);
  ofw_stream *stream = K && find_best(c, K, rounds) ? ofw_stream_create_own(&own, K, &err) : NULL;
  ofw_learner *learner = stream ? ofw_learner_create_over("ofw-ada", K, &settings, &err) : NULL;
  ofw_run *run = learner ? ofw_run_create(learner, stream, &err) : NULL;
  if (run && trace)
    begin_trace(trace, learner);
  int failed = !run || play(run, rounds, trace);
  if (failed)
    fprintf(stderr, "routing: %s\n",
            run              ? ofw_run_error(run)
            : err.message[0] ? err.message
                             : "no routes keep the limit");
  ofw_run_free(run);
  ofw_learner_free(learner);
  ofw_stream_free(stream);
  ofw_domain_free(K);
  return failed;
}

/* 0: not a whole number, or more than a million. */
static uint64_t read_count(const char *text)
{
  size_t digits = strspn(text, "0123456789");
  return digits <= 6 && !text[digits] ? strtoul(text, NULL, 10) : 0;
}

int main(int argc, char **argv)
{
  FILE *trace;
  const char *path, *usage = "routing [--trace FILE] [SIDE [ROUNDS]], 4 crossings and 8 rounds at least";
  int code = take_options(&argc, argv, usage, &path);
  if (code != GO_ON)
    return code;
  city c = {.side = argc > 1 ? read_count(argv[1]) : 120};
  uint64_t rounds = argc > 2 ? read_count(argv[2]) : 8 * DAY;
  if (c.side < 4 || rounds < 8 || argc > 3)
    return misused(usage);
  if (!open_trace("routing", path, &trace))
    return 1;
  int failed = !build(&c) || drive(&c, rounds, trace);
  if (trace)
    failed |= fclose(trace) != 0;
  drop(&c);
  return failed;
}
