/* own_stream.c — a sparse model learned online, whose scores may not favour one of two groups
 *
 * Case t has features a_t and an outcome y_t; the model w, in an l1-ball, predicts <a_t, w>.
 *
 *     f_t(w) = (<a_t, w> - y_t)^2 / 2
 *     g_t(w) = gap_t |w_5| - 0.1            the groups differ in feature 5, by gap_t on average
 *
 * The outcomes come from a model that breaks the limit; the run is compared with the same model made fair.
 */
#include <ofw/run.h>

#include <math.h>
#include <stdio.h>

enum { N = 6, ROUNDS = 2000 };

static const double truth[N] = {1.0, 0.0, -0.7, 0.0, 0.0, 0.6}, fair[N] = {1.0, 0.0, -0.7, 0.0, 0.0, 0.2};

/* What a round points to has to stay until the next one, so the stream keeps it. */
typedef struct cases {
  double a[N], g;
  ofw_vec loss_vec, group_vec;
  ofw_sum group_sum;
} cases;

/* <a_t, w> - y_t, and a_t on the way. */
static double miss(cases *c, uint64_t t, const double *w)
{
  double sum = 0.0;
  for (int i = 0; i < N; i++) {
    c->a[i] = sin((1.0 + 0.37 * i) * (double)t + i);
    sum += (w[i] - truth[i]) * c->a[i];
  }
  return sum;
}

static int reveal(void *ctx, uint64_t t, const ofw_point *x, ofw_full *out)
{
  static const size_t five = 5;
  static const double one = 1.0;
  cases *c = ctx;
  double w[N], gap = 0.4 + 0.1 * cos(0.01 * (double)t);
  if (ofw_point_dense(x, w) != OFW_OK)
    return 1;
  c->loss_vec = ofw_vec_dense(N, c->a);
  c->loss_vec.scale = miss(c, t, w); /* the gradient is that times a_t */
  c->group_vec = ofw_vec_sparse(1, &five, &one);
  c->group_vec.scale = copysign(gap, w[5]);
  c->group_sum = (ofw_sum){1, &c->group_vec};
  c->g = gap * fabs(w[5]) - 0.1;
  *out = (ofw_full){{0.5 * pow(c->loss_vec.scale, 2.0), 1, &c->g}, {1, &c->loss_vec}, &c->group_sum};
  return 0;
}

/* f_t at the fair model. */
static int comparator(void *ctx, uint64_t t, double *loss)
{
  *loss = 0.5 * pow(miss(ctx, t, fair), 2.0);
  return 0;
}

int main(void)
{
  cases c;
  ofw_stream_callbacks own = {
      .size = sizeof own, .constants = {.lipschitz = 12.0}, .reveal = reveal, .comparator = comparator, .ctx = &c};
  const char *options[] = {"preset=tight", "step=100"};
  ofw_learner_settings settings = {
      .size = sizeof settings, .horizon = ROUNDS, .lipschitz = 12.0, .options = 2, .option = options};
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create("l1-ball:dim=6,radius=2.5", &err);
  ofw_stream *stream = K ? ofw_stream_create_own(&own, K, &err) : NULL;
  ofw_learner *learner = stream ? ofw_learner_create_over("ofw-tvc", K, &settings, &err) : NULL;
  ofw_run *run = learner ? ofw_run_create(learner, stream, &err) : NULL;
  printf("round  regret  violation\n");
  int failed = !run;
  for (uint64_t last = 20; last <= ROUNDS && !failed; last *= 10) { /* a run may be played in parts */
    const ofw_trace_row *now = ofw_run_account(run);
    failed = ofw_run_play(run, last - now->round, NULL, NULL) != OFW_OK;
    printf("%5d  %6.3f  %9.3f\n", (int)now->round, now->loss_sum - now->comparator_loss_sum, now->ccv);
  }
  if (failed)
    fprintf(stderr, "own_stream: %s\n", run ? ofw_run_error(run) : err.message);
  ofw_run_free(run);
  ofw_learner_free(learner);
  ofw_stream_free(stream);
  ofw_domain_free(K);
  return failed;
}
