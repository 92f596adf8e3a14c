/* outside.c — a program that has only what is installed: it learns which of three goods is the cheapest */
#include <ofw/learner.h>

#include <math.h>
#include <stdio.h>

enum { DIM = 3, ROUNDS = 4000 };

int main(void)
{
  static const double cost[DIM] = {2.0, 1.0, 3.0};
  const ofw_vec gradient = ofw_vec_dense(DIM, cost);
  const char *sets[] = {"preset=tight"};
  ofw_learner_settings settings = {
      .size = sizeof settings, .horizon = ROUNDS, .lipschitz = 4.0, .options = 1, .option = sets};
  ofw_error err = {0};
  ofw_domain *K = ofw_domain_create("simplex:dim=3", &err);
  ofw_learner *l = K ? ofw_learner_create_over("ofw-tvc", K, &settings, &err) : NULL;
  ofw_domain_free(K);
  if (!l) {
    fprintf(stderr, "outside: %s\n", err.message);
    return 1;
  }
  double first[DIM] = {0}, x[DIM] = {0};
  for (int t = 1; t <= ROUNDS; t++) {
    const ofw_point *decision;
    if (ofw_learner_decide(l, &decision) != OFW_OK || ofw_point_dense(decision, t == 1 ? first : x) != OFW_OK)
      return 1;
    ofw_full feedback = {.loss_gradient = {1, &gradient}};
    if (ofw_point_dot(decision, feedback.loss_gradient, &feedback.values.loss) != OFW_OK ||
        ofw_learner_observe(l, &feedback) != OFW_OK)
      return 1;
  }
  ofw_learner_free(l);
  printf("%s: %.3f %.3f %.3f, then %.3f %.3f %.3f\n", ofw_version(), first[0], first[1], first[2], x[0], x[1], x[2]);
  int even = fabs(first[0] - 1.0 / 3.0) < 1e-12 && fabs(first[2] - 1.0 / 3.0) < 1e-12;
  int cheap = x[1] > 0.9 && fabs(x[0] + x[1] + x[2] - 1.0) < 1e-12;
  return even && cheap ? 0 : 1;
}
