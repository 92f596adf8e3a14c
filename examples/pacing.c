/* pacing.c — money over campaigns, ten minutes at a time, under a spend limit that follows the day
 *
 * x_i is the share of the slot's money that campaign i gets: at most cap_i, and all of it is given out.
 *
 *     f_t(x) = -sum_i worth_i m_ti ln(1 + x_i / half_i)     what it brings, with less and less return; m_ti by the hour, and noise
 *     g_t(x) = level_t <price, x> - limit_t                 what it costs, above what may be spent now
 *
 * Worth, prices and limits are known only afterwards. The run is compared with the best fixed split that keeps every
 * limit, which is found by its two multipliers.
 *
 *     pacing [--trace FILE]       FILE: a new file for the account of every tenth round
 */
#include "trace_option.h"

#include <ofw/run.h>

#include <math.h>
#include <stdio.h>

enum { N = 12, DAY = 144, ROUNDS = 30 * DAY };

#define TURN     (2.0 * 3.14159265358979323846 / DAY)
#define STEEPEST 12.0 /* no gradient is longer */
#define DOMAIN   "capped-simplex:caps=(0.3,0.3,0.3,0.2,0.2,0.2,0.2,0.2,0.2,0.1,0.1,0.1),sum=1"

static const double cap[N] = {0.3, 0.3, 0.3, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1};

/* What a round points to has to stay until the next one, so the stream keeps it. */
typedef struct market {
  double worth[N], half[N], price[N], best[N];
  double loss_gradient[N], g;
  ofw_vec loss_vec, cost_vec;
  ofw_sum cost_sum;
} market;

/* In [0, 1), by round and campaign. */
static double noise(uint64_t t, uint64_t i)
{
  uint64_t z = (t * N + i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static double demand(uint64_t t, uint64_t i)
{
  return 0.6 + 0.4 * sin(TURN * (double)t + 0.5 * (double)i) + 0.4 * noise(t, i);
}

static double level(uint64_t t)
{
  return 1.0 + 0.05 * sin(TURN * (double)t - 1.0);
}

static double limit(uint64_t t)
{
  return 0.85 + 0.05 * cos(TURN * (double)t);
}

static double loss(const market *m, uint64_t t, const double *x)
{
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    sum -= m->worth[i] * demand(t, (uint64_t)i) * log(1.0 + x[i] / m->half[i]);
  return sum;
}

static int reveal(void *ctx, uint64_t t, const ofw_point *at, ofw_full *out)
{
  market *m = ctx;
  double x[N], cost = 0.0;
  if (ofw_point_dense(at, x) != OFW_OK)
    return 1;
  for (int i = 0; i < N; i++) {
    m->loss_gradient[i] = -m->worth[i] * demand(t, (uint64_t)i) / (m->half[i] + x[i]);
    cost += m->price[i] * x[i];
  }
  m->g = level(t) * cost - limit(t);
  m->loss_vec = ofw_vec_dense(N, m->loss_gradient);
  m->cost_vec = ofw_vec_dense(N, m->price);
  m->cost_vec.scale = level(t);
  m->cost_sum = (ofw_sum){1, &m->cost_vec};
  *out = (ofw_full){{loss(m, t, x), 1, &m->g}, {1, &m->loss_vec}, &m->cost_sum};
  return 0;
}

static int comparator(void *ctx, uint64_t t, double *out)
{
  *out = loss(ctx, t, ((market *)ctx)->best);
  return 0;
}

/* ---- the best fixed split ---- */

/* Each campaign's share where money costs `share` for being given out and `spend` for what it buys; their sum. */
static double split(market *m, const double *total, double share, double spend)
{
  double sum = 0.0;
  for (int i = 0; i < N; i++) {
    double x = total[i] / (share + spend * m->price[i]) - m->half[i];
    m->best[i] = fmin(fmax(x, 0.0), cap[i]);
    sum += m->best[i];
  }
  return sum;
}

/* All is given out; what that costs. */
static double spent(market *m, const double *total, double spend)
{
  double low = -spend * m->price[0], high = 1e6, cost = 0.0; /* the first is the cheapest */
  for (int k = 0; k < 200; k++) {
    double middle = 0.5 * (low + high);
    *(split(m, total, middle, spend) > 1.0 ? &low : &high) = middle;
  }
  for (int i = 0; i < N; i++)
    cost += m->price[i] * m->best[i];
  return cost;
}

static void find_best(market *m)
{
  double total[N] = {0}, least = INFINITY, low = 0.0, high = 1e6;
  for (uint64_t t = 1; t <= ROUNDS; t++) {
    least = fmin(least, limit(t) / level(t));
    for (int i = 0; i < N; i++)
      total[i] += m->worth[i] * demand(t, (uint64_t)i) / ROUNDS;
  }
  for (int k = 0; k < 200; k++) {
    double middle = 0.5 * (low + high);
    *(spent(m, total, middle) > least ? &low : &high) = middle;
  }
  spent(m, total, high);
}

/* ---- the run ---- */

static int play(ofw_run *run, FILE *trace)
{
  static const uint64_t last[] = {DAY, 7 * DAY, ROUNDS};
  printf("round  regret a round  violation a round\n");
  for (int k = 0; k < 3; k++) { /* a run may be played in parts */
    const ofw_trace_row *now = ofw_run_account(run);
    if (ofw_run_play(run, last[k] - now->round, record, trace) != OFW_OK)
      return 1;
    double rounds = (double)now->round;
    printf("%5d  %14.5f  %17.5f\n", (int)now->round, (now->loss_sum - now->comparator_loss_sum) / rounds,
           now->ccv / rounds);
  }
  return 0;
}

int main(int argc, char **argv)
{
  market m = {0};
  FILE *trace;
  const char *path, *usage = "pacing [--trace FILE]";
  int code = take_options(&argc, argv, usage, &path);
  if (code != GO_ON || argc > 1)
    return code != GO_ON ? code : misused(usage);
  if (!open_trace("pacing", path, &trace))
    return 1;
  for (int i = 0; i < N; i++) {
    m.worth[i] = 0.2 + 0.1 * i;
    m.half[i] = 0.2 + 0.02 * (5 * i % N);
    m.price[i] = 0.3 + 0.1 * i;
  }
  find_best(&m);
  ofw_stream_callbacks own = {
      .size = sizeof own, .constants = {.lipschitz = STEEPEST}, .reveal = reveal, .comparator = comparator, .ctx = &m};
  const char *options[] = {"preset=tight", "step=1000", "gamma-scale=0.1"};
  ofw_learner_settings settings = {
      .size = sizeof settings, .horizon = ROUNDS, .lipschitz = STEEPEST, .options = 3, .option = options};
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create(DOMAIN, &err);
  ofw_stream *stream = K ? ofw_stream_create_own(&own, K, &err) : NULL;
  ofw_learner *learner = stream ? ofw_learner_create_over("ofw-tvc", K, &settings, &err) : NULL;
  ofw_run *run = learner ? ofw_run_create(learner, stream, &err) : NULL;
  if (run && trace)
    begin_trace(trace, learner);
  int failed = !run || play(run, trace);
  if (failed)
    fprintf(stderr, "pacing: %s\n", run ? ofw_run_error(run) : err.message);
  if (trace)
    failed |= fclose(trace) != 0;
  ofw_run_free(run);
  ofw_learner_free(learner);
  ofw_stream_free(stream);
  ofw_domain_free(K);
  return failed;
}
