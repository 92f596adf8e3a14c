/* own_domain.c — a set that ofw does not have: currents in three coils whose heat is limited
 *
 *     K = { x : sum_i (x_i / most_i)^2 <= 1 }       an ellipsoid; most_i is what coil i bears alone
 *
 * Every round the coils have to make a field that moves about, f_t(x) = |x - field_t|^2 / 2, and together may draw no
 * more than the supply gives, g_t(x) = x_1 + x_2 + x_3 - supply_t. Both are known only afterwards.
 */
#include <ofw/learner.h>

#include <math.h>
#include <stdio.h>

enum { N = 3, ROUNDS = 2000 };

typedef struct coils {
  double most[N];
} coils;

/* v = argmin over K of <d, v>:  v_i = -most_i^2 d_i / |(most_j d_j)_j|, and of d = 0 any point of K. */
static int minimise(void *ctx, const double *d, double *v)
{
  const double *most = ((const coils *)ctx)->most;
  double length = hypot(hypot(most[0] * d[0], most[1] * d[1]), most[2] * d[2]);
  for (int i = 0; i < N; i++)
    v[i] = length > 0.0 ? -most[i] * (most[i] * d[i] / length) : 0.0;
  return 0;
}

/* How far out x is: 0 in K. It is optional and is never used by a learner. */
static double excess(void *ctx, const double *x)
{
  const double *most = ((const coils *)ctx)->most;
  return fmax(0.0, hypot(hypot(x[0] / most[0], x[1] / most[1]), x[2] / most[2]) - 1.0);
}

static int fail(const char *why)
{
  fprintf(stderr, "own_domain: %s\n", why);
  return 1;
}

int main(void)
{
  coils bank = {{1.0, 2.0, 3.0}};
  ofw_domain_callbacks own = {
      .size = sizeof own, .dim = N, .R = 3.0, .r = 1.0, .minimise = minimise, .excess = excess, .ctx = &bank};
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create_own(&own, &err);
  if (K && ofw_domain_check(K, 1, NULL, &err) != OFW_OK) /* once, while you write the set */
    return fail(err.message);
  ofw_learner_settings settings = {
      .size = sizeof settings, .horizon = ROUNDS, .lipschitz = 5.0, .strong_convexity = 1.0};
  ofw_learner *learner = K ? ofw_learner_create_over("scofw-tvc", K, &settings, &err) : NULL;
  if (!learner)
    return fail(err.message);

  /* The best fixed currents: the mean field, less what brings its sum from 2.3 down to the lowest supply, 1.7. */
  static const double mean[N] = {0.5, 0.8, 1.0}, best[N] = {0.3, 0.6, 0.8}, ones[N] = {1.0, 1.0, 1.0};
  double regret = 0.0, ccv = 0.0, out = 0.0;
  printf("round  regret  violation\n");
  for (int t = 1; t <= ROUNDS; t++) {
    const ofw_point *decision;
    double x[N], e[N], loss = 0.0, over = -2.0 - 0.3 * cos(0.5 * t); /* minus the supply */
    if (ofw_learner_decide(learner, &decision) != OFW_OK || ofw_point_dense(decision, x) != OFW_OK)
      return fail(ofw_learner_error(learner));
    for (int i = 0; i < N; i++) {
      double field = mean[i] + 0.4 * sin(t + 2.0 * i);
      e[i] = x[i] - field;
      loss += 0.5 * e[i] * e[i];
      regret += 0.5 * (e[i] * e[i] - (best[i] - field) * (best[i] - field));
      over += x[i];
    }
    ofw_vec error = ofw_vec_dense(N, e), sum = ofw_vec_dense(N, ones);
    ofw_sum constraint_gradient = {1, &sum};
    ofw_full feedback = {{loss, 1, &over}, {1, &error}, &constraint_gradient};
    if (ofw_learner_observe(learner, &feedback) != OFW_OK)
      return fail(ofw_learner_error(learner));
    ccv += fmax(over, 0.0);
    out = fmax(out, ofw_domain_excess(K, x));
    if (t == 20 || t == 200 || t == ROUNDS)
      printf("%5d  %6.3f  %9.3f\n", t, regret, ccv);
  }
  printf("furthest outside: %.0e\n", out);
  ofw_learner_free(learner);
  ofw_domain_free(K);
  return 0;
}
