/* ask_tell.c — share out work every hour, within a spend limit that is known only afterwards
 *
 * Each hour one unit of work is shared out over four suppliers, or part of it is left undone: a point of a simplex.
 * After the hour we learn what each supplier's work was worth and what we were allowed to spend. The limit is soft: an
 * hour may go over it, but the hours' overspend must not add up.
 */
#include <ofw/ofw.h>

#include <math.h>
#include <stdio.h>

enum { SUPPLIERS = 4, UNDONE = SUPPLIERS, N = SUPPLIERS + 1, HOURS = 2400 };

static const double price[N] = {2.0, 1.0, 0.5, 0.2, 0.0};
static const double usual_worth[N] = {1.0, 0.7, 0.4, 0.1, 0.0};

/* The best fixed shares that never spend more than 0.6, the lowest limit: what we are compared with. */
static const double fixed_shares[N] = {0.0, 0.2, 0.8, 0.0, 0.0};

/* What hour t turned out to be. A service would measure it; here it follows the time of day. */
static double hour(int t, double *worth)
{
  for (int i = 0; i < SUPPLIERS; i++)
    worth[i] = usual_worth[i] * (1.0 + 0.5 * sin(0.7 * t + 2.0 * i));
  worth[UNDONE] = 0.0;
  return 0.6 + 0.8 * fabs(t % 24 - 12.0) / 12.0; /* the spend limit: 1.4 at midnight, 0.6 at noon */
}

static int fail(const char *why)
{
  fprintf(stderr, "ask_tell: %s\n", why);
  return 1;
}

int main(void)
{
  ofw_error err;
  ofw_learner *learner = ofw_learner_create("ofw-tvc:horizon=2400,lipschitz=2.4,preset=tight,step=80,gamma-scale=0.1",
                                            "simplex:dim=5", &err);
  if (!learner)
    return fail(err.message);

  double regret = 0.0, overspend = 0.0;
  printf(" hour  regret/hour  overspend/hour\n");
  for (int t = 1; t <= HOURS; t++) {
    /* ask */
    double x[N];
    if (ofw_learner_ask(learner, x) != OFW_OK)
      return fail(ofw_learner_error(learner));

    /* play it: the loss is the worth with its sign turned, the constraint is what was spent above the limit */
    double worth[N], minus_worth[N], loss = 0.0, over = -hour(t, worth);
    for (int i = 0; i < N; i++) {
      minus_worth[i] = -worth[i];
      loss += minus_worth[i] * x[i];
      over += price[i] * x[i];
    }

    /* tell: both are linear, so their gradients are the worth and the prices */
    if (ofw_learner_tell(learner, loss, minus_worth, over, price) != OFW_OK)
      return fail(ofw_learner_error(learner));

    regret += loss;
    for (int i = 0; i < N; i++)
      regret += worth[i] * fixed_shares[i];
    overspend += fmax(over, 0.0);
    if (t == 24 || t == 240 || t == HOURS)
      printf("%5d  %11.4f  %14.4f\n", t, regret / t, overspend / t);
  }
  ofw_learner_free(learner);
  return 0;
}
