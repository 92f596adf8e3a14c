/* ada_units.c — the units of ofw-ada: what is kept over which power of two, and how that follows gradients and the price
 *
 * d, B, A and what is added to them are kept over 2^(shift + k), q, b and the bounds over 2^shift (ada.h).
 */
#include "learner/ada.h"

#include "learner/hint.h"
#include "learner/price.h"

#include <math.h>

/* What is kept over 2^(shift + k), but d. */
static void rescale(ofw_ada *s, double by)
{
  s->B *= by;
  s->A *= by;
  s->extra *= by;
  s->told *= by;
  s->taken *= by;
  s->paid *= by;
  s->pays *= by;
  s->left *= by;
  s->left_sure *= by;
  s->C *= by;
  if (s->late)
    *s->late *= by;
}

/* The q_i, multiplied. */
void ofw_ada_set_levels(ofw_accounts *a, double by)
{
  for (size_t i = 0; a && i < a->count; i++)
    a->level[i] *= by;
}

/* What is kept over 2^shift. */
static void rescale_unpriced(ofw_learner *l, double by)
{
  ofw_ada *s = l->state;
  ofw_ada_set_levels(l->accounts, by);
  s->q *= by;
  s->b *= by;
  s->raised *= by;
  s->before *= by;
  s->bound *= by;
  s->ended *= by;
}

void ofw_ada_set_unit(ofw_learner *l, double Gf)
{
  ofw_ada *s = l->state;
  int shift;
  double by = frexp(Gf, &shift);
  ofw_learner_pull_back(l, by, 0.0);
  ofw_hint_scale(l, by);
  rescale(s, by);
  s->shift = shift;
  s->Gf = Gf;
}

/* What came before the first loss with a gradient was in the unit 1. */
void ofw_ada_begin_units(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  ofw_ada_set_unit(l, length);
  rescale_unpriced(l, ofw_ada_unit(s));
  if (s->since > 0.0)
    s->since = length;
}

double ofw_ada_keep_units(ofw_learner *l, double length)
{
  ofw_ada *s = l->state;
  int shift;
  frexp(length, &shift);
  if (shift - s->shift <= ofw_scale_room(l))
    return 1.0;
  double by = ofw_two_to(s->shift - shift);
  ofw_learner_pull_back(l, by, 0.0);
  ofw_hint_scale(l, by);
  rescale(s, by);
  rescale_unpriced(l, by);
  s->shift = shift;
  return by;
}

double ofw_ada_scaled_price(ofw_learner *l, double log_w)
{
  ofw_ada *s = l->state;
  double before = s->k;
  s->log_w = l->info.log_price = log_w;
  double w = ofw_scaled(l, log_w, &s->k); /* which sees to d */
  if (s->k != before) {
    ofw_hint_scale(l, ofw_two_to(before - s->k));
    rescale(s, ofw_two_to(before - s->k));
  }
  return w;
}
