/* ofw_ada.c — prototype */
#include "base/vec.h"
#include "learner/frank_wolfe.h"
#include "learner/price.h"

#include <math.h>

enum { RATE_BALANCE, RATE_GRADIENTS, RATE_T34 };
enum { PRICE_BALANCE, PRICE_ROOT, PRICE_T34 };
enum { SHAPE_EXP, SHAPE_LINEAR, SHAPE_QL };

typedef struct ofw_ada_options {
  int rate, price, shape, sum;
  double first, balance, slope, start;
} ofw_ada_options;

typedef struct ofw_ada {
  double Gf, Gg, q, B, b, w, pp, eta, sumf, sumg;
} ofw_ada;

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  const ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  double D = l->D, t = (double)ofw_learner_tau(l);
  double nf = ofw_sum_norm(now->fb->loss_gradient), ng = 0.0;
  for (size_t i = now->first; i < now->last; i++)
    if (now->fb->values.constraint[i] > 0.0)
      ng += ofw_sum_norm(now->fb->constraint_gradient[i]);
  s->Gf = fmax(s->Gf, nf);
  s->Gg = fmax(s->Gg, ng);
  if (now->violation > 0.0)
    s->q += now->violation / s->Gg;
  s->b = fmax(s->b, s->B / (1.0 + s->w));
  double lambda = o->slope / (o->price == PRICE_BALANCE ? s->b : o->price == PRICE_ROOT ? D * sqrt(t) : D * pow(t, 0.75));
  double y = lambda * s->q;
  s->w = o->start * (o->shape == SHAPE_EXP ? exp(fmin(y, 600.0)) : o->shape == SHAPE_LINEAR ? 1.0 + y : 1.0 + y + y * y / 2);
  double p = (s->Gf > 0 ? nf / s->Gf : 0.0) + (s->Gg > 0 ? s->w * ng / s->Gg : 0.0);
  s->pp += p * p;
  double eta = o->rate == RATE_BALANCE     ? D * D / s->B
               : o->rate == RATE_GRADIENTS ? o->balance * D / sqrt(s->pp)
                                           : o->balance * D / ((1.0 + s->w) * pow(t, 0.75));
  if (o->sum == 1) {
    ofw_learner_pull_gradients(l, now, s->Gf > 0 ? 1.0 / s->Gf : 0.0, s->Gg > 0 ? s->w / s->Gg : 0.0);
    double curv = 2.0 / eta;
    ofw_move move;
    OFW_TRY(ofw_learner_minimise(l, INFINITY, 1.0, curv, &move));
    double sig = ofw_line_search(&move, curv);
    double dec = -sig * move.slope - sig * sig * curv / 2.0 * move.length2;
    ofw_learner_step(l, &move, sig, curv);
    s->B += o->balance * fmax(dec, 0.0);
    l->info.log_price = log(s->w);
    return OFW_OK;
  }
  if (s->eta > 0.0 && eta < s->eta)
    ofw_learner_pull_back(l, eta / s->eta, 2.0 * (1.0 - eta / s->eta));
  if (s->eta == 0.0 || eta < s->eta)
    s->eta = eta;
  ofw_learner_pull_gradients(l, now, s->Gf > 0 ? s->eta / s->Gf : 0.0, s->Gg > 0 ? s->eta * s->w / s->Gg : 0.0);
  ofw_move move;
  OFW_TRY(ofw_learner_minimise(l, INFINITY, 1.0, 2.0, &move));
  double sig = ofw_line_search(&move, 2.0);
  double dec = -sig * move.slope - sig * sig * move.length2;
  ofw_learner_step(l, &move, sig, 2.0);
  s->B += o->balance * fmax(dec, 0.0) / s->eta;
  l->info.log_price = log(s->w);
  return OFW_OK;
}

static ofw_status start(ofw_learner *l)
{
  ofw_ada_options *o = l->options;
  ofw_ada *s = l->state;
  s->B = o->first * l->D;
  s->w = o->start;
  return OFW_OK;
}

static ofw_status visit(ofw_learner *l, ofw_visitor *v)
{
  ofw_ada *s = l->state;
  return ofw_visit_f64(v, "ada", &s->Gf, 10);
}

#define AT(field) offsetof(ofw_ada_options, field)
static const ofw_option options[] = {
    OFW_CHOICE_ROW(AT(rate), "rate", "balance", NULL, "balance|gradients|t34", "x"),
    OFW_CHOICE_ROW(AT(price), "price", "balance", NULL, "balance|root|t34", "x"),
    OFW_CHOICE_ROW(AT(shape), "shape", "exp", NULL, "exp|linear|ql", "x"),
    OFW_CHOICE_ROW(AT(sum), "centre", "first", NULL, "first|proximal", "x"),
    OFW_POSITIVE_ROW(AT(first), "first", "1", NULL, "x"),
    OFW_POSITIVE_ROW(AT(balance), "balance", "1", NULL, "x"),
    OFW_POSITIVE_ROW(AT(slope), "slope", "0.25", NULL, "x"),
    OFW_POSITIVE_ROW(AT(start), "start", "1", NULL, "x"),
    {0},
};

static const ofw_promise promise = {.regret = {0.75, 0.0}, .ccv = {0.75, 1.0}};

const ofw_method ofw_ofw_ada_method = {{.name = "ofw-ada",
                                        .summary = "prototype",
                                        .source = "x",
                                        .options = options,
                                        .promise = &promise},
                                       sizeof(ofw_ada_options),
                                       sizeof(ofw_ada),
                                       0,
                                       start,
                                       observe,
                                       visit,
                                       NULL};
