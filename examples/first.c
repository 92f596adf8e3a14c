/* first.c — share out work over three suppliers at the least cost, within a limit on carbon */
#include <ofw/ofw.h>
#include <stdio.h>

int main(void)
{
  double x[3], cost[3] = {2, 1, 3}, carbon[3] = {1, 4, 2};
  ofw_error err;
  ofw_learner *l = ofw_learner_create("ofw-ada", "simplex:dim=3", &err);
  for (int t = 0; l && t < 1000 && ofw_learner_ask(l, x) == OFW_OK; t++)
    ofw_learner_tell(l, 2 * x[0] + x[1] + 3 * x[2], cost, x[0] + 4 * x[1] + 2 * x[2] - 2, carbon);
  l ? printf("%.2f %.2f %.2f\n", x[0], x[1], x[2]) : fprintf(stderr, "%s\n", err.message);
  ofw_learner_free(l);
  return !l;
}
