/* ada_budgets.c — the round of ofw-ada with constraints=budgets: one price per budget, and a past that follows the prices
 *
 *     c_i     what budget i counts for in this round (accounts.h), n_i its gradient, s_i its root mean square so far
 *     F, H_i  the sums of the loss's and of budget i's gradients, over the past
 *     u_i   = sum_j |F_j H_ij| / |H_i|^2                               what a unit of budget i is worth, roughly
 *     mu_i  = max(0, mu_i + (u_i + mu_i)/2  c_i / sqrt(sum c_i^2))     the price
 *     now_i = max(0, mu_i + (u_i + mu_i)/2  S_i / (left s_i))          with what this period owes; mu_i without one
 *     Phi   = <F + sum now_i H_i, x> + sum a_s/2 |x - x_s|^2 + B/D^2 |x - x_t|^2
 *     v     = LMO(Phi'(x)), line search, dec = what that takes off Phi
 *     B     = (1 - 1/sqrt n) B + dec, and first D times what Gf grows by            n = min(t, 4 periods)
 *
 * With a period N all sums forget: they are multiplied by 1 - 1/(4 N) before a round is added.
 *
 * The price multiplies the whole past, not this round alone: in a sum of gradients at the prices of their time, yesterday's
 * prices would outweigh today's for as long as they were wrong, and the play would swing. What is spent follows the price
 * within a round or two, so that mu_i can be moved as dual descent moves it: by the constraint, over its own root mean
 * square, in u_i for a price near 0 and in mu_i for a high one. Units cancel. Within a period mu_i hardly moves, which is
 * best if rounds differ and their plan does not; what it misses, now_i makes good before the period ends.
 * a_s is as in ada.h; B shortens the steps, and stays with the last decision.
 *
 * F, d, B, A are kept over 2^shift as in ada.h, H_i and c_i over 2^unit_i, and prices over 2^(shift - unit_i).
 */
#include "learner/ada.h"

#include "vector/vec_arithmetic.h"

#include <math.h>

#define MOST 1e140 /* of what is squared */

/* docs/budgets.md has how these were chosen */
#define PERIODS 4.0 /* that are remembered */
#define PACE    0.5 /* of both prices */

/* Rounds that are remembered. */
static double memory(const ofw_accounts *a)
{
  return a->period ? PERIODS * (double)a->period : INFINITY;
}

/* The rounds that count. */
static double rounds(const ofw_learner *l)
{
  return fmin((double)l->t, memory(l->accounts));
}

static double bounded(double x)
{
  return fmax(-MOST, fmin(x, MOST));
}

static double largest(size_t n, const double *a)
{
  double most = 0.0;
  for (size_t j = 0; j < n; j++)
    most = fmax(most, fabs(a[j]));
  return most;
}

/* u_i. If the loss has no weight on what the budget has, the ratio of the lengths; before any loss 1 over the length. */
static double worth(size_t n, const double *F, const double *H)
{
  double f = largest(n, F), h = largest(n, H), both = 0.0, ff = 0.0, hh = 0.0;
  if (h == 0.0)
    return 0.0;
  for (size_t j = 0; j < n; j++) {
    double x = f > 0.0 ? fabs(F[j]) / f : 0.0, y = fabs(H[j]) / h;
    both += x * y;
    ff += x * x;
    hh += y * y;
  }
  if (f == 0.0)
    return fmin(1.0 / h / sqrt(hh), MOST);
  return fmin(f / h * (both > 0.0 ? both / hh : sqrt(ff / hh)), MOST);
}

#define ROOM 256.0 /* powers of two by which gradients may outgrow their unit */

static void multiply(size_t n, double *a, double by)
{
  for (size_t j = 0; j < n && by != 1.0; j++)
    a[j] *= by;
}

/* A budget's unit is that of its first gradient, or of one that has far outgrown it; values before the first were in the
 * unit 1. */
static void set_unit(ofw_accounts *a, size_t i, ofw_sum gradient)
{
  int exponent;
  double length = ofw_sum_norm(gradient), *H = a->history + i * a->wide;
  if (!(length > 0.0))
    return;
  frexp(length, &exponent);
  int is_first = a->unit[i] == 0.0 && largest(a->wide, H) == 0.0;
  if (!is_first && exponent - a->unit[i] <= ROOM)
    return;
  double by = exp2(a->unit[i] - exponent);
  multiply(a->wide, H, by);
  a->square[i] *= by * by;
  a->level[i] = fmin(a->level[i] / by, MOST);
  a->price[i] = fmin(a->price[i] / by, MOST);
  a->unit[i] = exponent;
}

/* The first loss with a gradient sets the unit, in which what came before counts; with a longer one B grows. */
static void see_loss(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  ofw_accounts *a = l->accounts;
  if (!(length > s->Gf) || ofw_ada_inverse(length) == 0.0)
    return;
  if (s->Gf == 0.0) {
    ofw_ada_set_unit(l, length);
    multiply(a->count, a->level, ofw_ada_unit(s));
    multiply(a->count, a->price, ofw_ada_unit(s));
    return;
  }
  double by = ofw_ada_keep_units(l, length); /* which sees to the levels */
  multiply(a->count, a->price, by);
  multiply(a->count ? a->wide : 0, a->loss, by);
  s->B += ofw_ada_first_weight(l) * (length - s->Gf) * exp2(-s->shift);
  s->Gf = length;
}

/* The price with the past of budget i, and the price before. */
typedef struct change {
  double before, after;
} change;

static change see_budget(ofw_learner *l, const ofw_round *now, size_t i, double theta)
{
  ofw_accounts *a = l->accounts;
  double *H = a->history + i * a->wide, *mu = &a->level[i];
  multiply(a->wide, H, theta);
  if (now->last > 0) {
    set_unit(a, i, now->fb->constraint_gradient[i]);
    ofw_sum_add(now->fb->constraint_gradient[i], exp2(-a->unit[i]), 0, a->wide, H);
  }
  change price = {a->price[i], a->price[i]};
  double u = worth(a->wide, a->loss, H), one = exp2(-a->unit[i]), c = bounded(a->value[i] * one);
  a->square[i] = fmin(theta * a->square[i] + c * c, MOST * MOST);
  a->seen[i] = theta * a->seen[i] + 1.0;
  if (u > 0.0 && a->square[i] > 0.0) {
    double due = bounded(ofw_accounts_due(a, l->t, i) * one), root = sqrt(a->square[i]);
    *mu = fmin(fmax(0.0, *mu + PACE * (u + *mu) * c / root), MOST);
    price.after = fmin(fmax(0.0, *mu + PACE * (u + *mu) * due / root * sqrt(a->seen[i])), MOST);
  }
  a->price[i] = price.after;
  return price;
}

/* d and F with this round in them; <p, y> for its p = grad f + sum now_i n_i. */
static double pull_all(ofw_learner *l, const ofw_round *now, double theta)
{
  ofw_accounts *a = l->accounts;
  ofw_engine *E = l->engine;
  double one = exp2(-((const ofw_ada *)l->state)->shift), pays = one * E->ops->lead->dot(E, now->fb->loss_gradient);
  if (a->count) {
    multiply(a->wide, a->loss, theta);
    ofw_sum_add(now->fb->loss_gradient, one, 0, a->wide, a->loss);
  }
  E->ops->pull(E, theta, 0.0, one, now->fb->loss_gradient);
  for (size_t i = 0; i < a->count; i++) {
    change price = see_budget(l, now, i, theta);
    ofw_vec H = ofw_vec_dense(a->wide, a->history + i * a->wide);
    E->ops->pull(E, 1.0, 0.0, price.after - price.before, (ofw_sum){1, &H});
    if (now->last == 0)
      continue;
    double in_units = exp2(-a->unit[i]);
    E->ops->pull(E, 1.0, 0.0, price.before * in_units, now->fb->constraint_gradient[i]);
    pays += price.after * in_units * E->ops->lead->dot(E, now->fb->constraint_gradient[i]);
  }
  return pays;
}

/* A, by how much more convex than linear the losses show themselves (ada.h). */
static void see_curvature(ofw_learner *l, double pays, double theta, double share)
{
  ofw_ada *s = l->state;
  s->pays += share * (pays - s->pays);
  s->spread += share * (s->lead2 - s->spread);
  double a = s->spread > 0.0 ? OFW_ADA_STRONGER * s->pays / s->spread : 0.0;
  double most = 2.0 * OFW_ADA_ROOM * ofw_ada_unit(s) / l->D * rounds(l);
  s->A = fmin(fmax(0.0, theta * s->A + a), most);
}

/* ln of the highest price, in the units of loss and budget. */
static void report_price(ofw_learner *l)
{
  const ofw_ada *s = l->state;
  const ofw_accounts *a = l->accounts;
  double highest = -INFINITY;
  for (size_t i = 0; i < a->count; i++)
    highest = fmax(highest, log(a->price[i]) + (s->shift - a->unit[i]) * M_LN2);
  l->info.log_price = highest;
}

ofw_status ofw_ada_budgets_observe(ofw_learner *l, const ofw_round *now)
{
  ofw_ada *s = l->state;
  double n = rounds(l), theta = 1.0 - 1.0 / memory(l->accounts), share = 3.0 / (n + 2.0);
  see_loss(l, ofw_sum_norm(now->fb->loss_gradient));
  see_curvature(l, pull_all(l, now, theta), theta, share);
  double curvature = 2.0 * s->B / (l->D * l->D) + s->A;
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, l->sigma, INFINITY, exp2(s->shift), curvature, &move));
  double sigma = ofw_line_search(&move, curvature);
  double dec = fmax(0.0, -sigma * (move.slope + sigma * curvature / 2.0 * move.length2));
  s->lead2 = ofw_learner_step_leading(l, &move, sigma, s->A, 1.0 - share);
  s->B = (1.0 - 1.0 / sqrt(n)) * s->B + dec;
  report_price(l);
  return OFW_OK;
}
