/* late_bills.c — choose how much to buy from three suppliers every hour; an hour's bill comes up to six hours later
 *
 * Costs and deliveries of an hour are known only with its bill, and bills overtake each other. The next hours cannot wait
 * for them. A unit of work is bought each hour; at most 0.5 of it on average may come from the first supplier, who is cheap.
 */
#include <ofw/ofw.h>

#include <math.h>
#include <stdio.h>

enum { N = 3, HOURS = 1200, MOST_LATE = 6 };

static const double usual_cost[N] = {1.0, 2.0, 3.0}, from_first[N] = {1.0, 0.0, 0.0};

/* What hour t has cost, per unit. */
static void bill(int t, double *cost)
{
  for (int i = 0; i < N; i++)
    cost[i] = usual_cost[i] * (1.0 + 0.5 * sin(0.7 * t + 2.0 * i));
}

/* The hour after whose decision the bill of hour t is there. */
static int comes(int t)
{
  return t + 5 * t % (MOST_LATE + 1);
}

static int fail(const char *why)
{
  fprintf(stderr, "late_bills: %s\n", why);
  return 1;
}

int main(void)
{
  ofw_error err;
  ofw_learner *learner = ofw_learner_create("ofw-ada:delay=6", "simplex:dim=3", &err);
  if (!learner)
    return fail(err.message);

  static double bought[HOURS + 1][N];
  double paid = 0.0, over = 0.0;
  printf(" hour  paid/hour  over/hour\n");
  for (int t = 1; t <= HOURS; t++) {
    /* ask: each call is the decision of a new round, here an hour */
    if (ofw_learner_ask(learner, bought[t]) != OFW_OK)
      return fail(ofw_learner_error(learner));

    /* tell: the bills that have come, each for its own hour and at what was bought in it */
    for (int s = t > MOST_LATE ? t - MOST_LATE : 1; s <= t; s++) {
      double cost[N], loss = 0.0, limit = bought[s][0] - 0.5;
      if (comes(s) != t)
        continue;
      bill(s, cost);
      for (int i = 0; i < N; i++)
        loss += cost[i] * bought[s][i];
      if (ofw_learner_tell_round(learner, (uint64_t)s, loss, cost, limit, from_first) != OFW_OK)
        return fail(ofw_learner_error(learner));
    }

    double cost[N];
    bill(t, cost);
    for (int i = 0; i < N; i++)
      paid += cost[i] * bought[t][i];
    over += fmax(bought[t][0] - 0.5, 0.0);
    if (t == 24 || t == 240 || t == HOURS)
      printf("%5d  %9.4f  %9.4f\n", t, paid / t, over / t);
  }
  ofw_learner_free(learner);
  return 0;
}
