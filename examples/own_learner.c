/* own_learner.c — a method of your own: follow the regularised leader by one Frank-Wolfe step per round
 *
 *     d = eta sum_s grad f_s(x_s) + 2 (x_t - x_1)         the gradient at x_t of eta sum_s <grad f_s, x> + |x - x_1|^2
 *     v = argmin over K of <d, v>,   x_{t+1} = x_t + sigma (v - x_t),   sigma = min(1, 2/sqrt t)
 *
 * The library has this one too, as `ofw`: so the program can play both on the same losses and say how far apart they are. The
 * losses are f_t(x) = <c_t, x> over the l1-ball, with c_t,i = cos(1.7 i) + sin(t + 2 i)/2.
 *
 * The same file is a plugin for the command:
 *
 *     cc -shared -fPIC -o leader.so own_learner.c $(pkg-config --cflags ofw)
 *     ofw run --plugin ./leader.so --learner leader --set step=4 --domain l1-ball:dim=5 --stream linear --rounds 1000
 */
#include <ofw/plugin.h>

#include <math.h>
#include <stdio.h>

enum { N = 5, ROUNDS = 1000 };

/* ---- the method ---- */

typedef struct leader_options {
  double step;
} leader_options;

/* d, and room for v: saved and loaded with the learner. */
static ofw_status start(ofw_own *me)
{
  me->mine = ofw_own_array(me, "d and v", 2 * me->dim);
  return OFW_OK;
}

static ofw_status observe(ofw_own *me, const ofw_own_round *now)
{
  double *d = (double *)me->mine, *v = d + me->dim;
  double R, eta, step = ((const leader_options *)me->options)->step;
  ofw_domain_balls(me->K, &R, NULL, NULL);
  eta = step * R / (me->lipschitz * pow(me->horizon, 0.75));
  me->sigma = fmin(1.0, 2.0 / sqrt((double)me->round));
  for (size_t i = 0; i < me->dim; i++)
    d[i] += eta * now->loss_gradient[i];
  ofw_status st = ofw_own_minimise(me, d, 1e-2, v);
  for (size_t i = 0; i < me->dim && st == OFW_OK; i++) {
    double e = v[i] - me->x[i];
    me->x[i] += me->sigma * e;
    d[i] += 2.0 * me->sigma * e;
  }
  return st;
}

static const ofw_option options[] = {
    OFW_POSITIVE_ROW(offsetof(leader_options, step), "step", "1", NULL, "multiplies the learning rate eta"), {0}};

static const ofw_learner_callbacks method = {.size = sizeof method,
                                             .name = "leader",
                                             .summary = "the regularised leader, followed by Frank-Wolfe steps",
                                             .options = options,
                                             .start = start,
                                             .observe = observe};

/* ---- the plugin ---- */

OFW_PLUGIN(registry, err)
{
  return ofw_registry_add_learner(registry, &method, err);
}

/* ---- the program ---- */

static int fail(const char *why)
{
  fprintf(stderr, "own_learner: %s\n", why);
  return 1;
}

int main(void)
{
  ofw_error err = {0};
  const char *const set[] = {"step=4"};
  ofw_learner_settings settings = {
      .size = sizeof settings, .horizon = ROUNDS, .lipschitz = 3.0, .options = 1, .option = set};
  ofw_domain *K = ofw_domain_create("l1-ball:dim=5", &err);
  ofw_learner *mine = K ? ofw_learner_create_own(&method, K, &settings, &err) : NULL;
  ofw_learner *theirs = mine ? ofw_learner_create_over("ofw", K, &settings, &err) : NULL;
  if (!theirs)
    return fail(err.message);

  double paid = 0.0, sum[N] = {0.0}, apart = 0.0;
  printf("round   loss  best point's\n");
  for (int t = 1; t <= ROUNDS; t++) {
    double x[N], y[N], c[N], loss = 0.0, other = 0.0, best = 0.0;
    if (ofw_learner_ask(mine, x) != OFW_OK || ofw_learner_ask(theirs, y) != OFW_OK)
      return fail("no decision");
    for (int i = 0; i < N; i++) {
      c[i] = cos(1.7 * i) + 0.5 * sin(t + 2.0 * i);
      loss += c[i] * x[i];
      other += c[i] * y[i];
      sum[i] += c[i];
      best = fmax(best, fabs(sum[i])); /* the best point of the ball is a vertex */
      apart = fmax(apart, fabs(x[i] - y[i]));
    }
    paid += loss;
    if (ofw_learner_tell(mine, loss, c, 0.0, NULL) != OFW_OK)
      return fail(ofw_learner_error(mine));
    if (ofw_learner_tell(theirs, other, c, 0.0, NULL) != OFW_OK)
      return fail(ofw_learner_error(theirs));
    if (t == 10 || t == 100 || t == ROUNDS)
      printf("%5d %6.1f %13.1f\n", t, paid, -best);
  }
  printf("furthest from the library's ofw: %s\n", apart < 1e-12 ? "less than 1e-12" : "more than 1e-12");
  ofw_learner_free(theirs);
  ofw_learner_free(mine);
  ofw_domain_free(K);
  return 0;
}
