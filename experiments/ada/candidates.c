/* candidates.c — the forms that ofw-ada might have had, in one slow loop over plain numbers, to choose among them
 *
 *     candidates STREAM DOMAIN T SEED[-LAST] [key=value]...      prints the regret and the violation of each seed
 *
 * README.md says what was asked and what came out. Every key is a question of the study, the defaults are ofw-ada's answers.
 * With them the loop is ofw-ada, written a second time (tests/theory/test_candidates.py). Where a stream has no comparator
 * the loss stands for the regret.
 */
#include "domain/set.h"
#include "engine/engine.h"
#include "stream/generator.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct form {
  const char *unit;   /* max, rms: what gradients are measured in */
  const char *weight; /* balance, adagrad, maxima, quarter: how the regulariser B grows */
  const char *care;   /* gated, even: whether balance goes by kappa only where the mean is better, and by 1 elsewhere */
  const char *centre; /* proximal, first: where it pulls to */
  const char *curvature; /* mean, slope, told, none: what is taken for strong convexity, next to B */
  const char *gradient;  /* priced, loss: of what */
  const char *lag;       /* lowers, kept: whether it falls where the mean is behind */
  const char *growth;    /* added, level: whether what is seen counts for a round or for all so far */
  const char *price;     /* exp, linear, none: what a violation costs, of q / (share b) */
  const char *rate;      /* certificate, weight, rounds: what b is */
  const char *memory;    /* queue, none: whether the price remembers violations, or is that of this round's alone */
  const char *step;      /* line-search, printed */
  const char *restart;   /* never, epochs: all but x forgotten at t = 2^k */
  double kappa, first;   /* of balance */
  double scale;          /* of the other weights */
  double stronger, room; /* of the curvature: times what was seen, within room Gf D t^(3/4) */
  double later;          /* a mean weighs round s like s^(later - 1) */
  double start, share;   /* of the price */
  double steps;          /* of the oracle, a round */
  double revision;       /* 0: as in 0.2.0; 1: constraints by their own lengths, epochs, and kappa outside of b */
} form;

static const form ofw_ada = {"max", "balance",     "gated", "proximal",    "mean",  "priced", "lowers", "added",
                             "exp", "certificate", "queue", "line-search", "never", 50.0,     1.5,      1.0,
                             3.0,   32.0,          3.0,     1.0,           1.5,     1.0,      1.0};

static int is(const char *a, const char *b)
{
  return strcmp(a, b) == 0;
}

static void fail(const char *what, const char *why)
{
  fprintf(stderr, "candidates: %s: %s\n", what, why);
  exit(2);
}

static void set(form *f, const char *text)
{
  const struct {
    const char *key;
    const char **word;
    double *number;
  } keys[] = {
      {"unit=", &f->unit, NULL},           {"weight=", &f->weight, NULL},
      {"centre=", &f->centre, NULL},       {"care=", &f->care, NULL},
      {"curvature=", &f->curvature, NULL}, {"gradient=", &f->gradient, NULL},
      {"growth=", &f->growth, NULL},       {"lag=", &f->lag, NULL},
      {"price=", &f->price, NULL},         {"rate=", &f->rate, NULL},
      {"memory=", &f->memory, NULL},       {"step=", &f->step, NULL},
      {"restart=", &f->restart, NULL},     {"kappa=", NULL, &f->kappa},
      {"first=", NULL, &f->first},         {"scale=", NULL, &f->scale},
      {"stronger=", NULL, &f->stronger},   {"room=", NULL, &f->room},
      {"later=", NULL, &f->later},         {"start=", NULL, &f->start},
      {"share=", NULL, &f->share},         {"steps=", NULL, &f->steps},
      {"revision=", NULL, &f->revision},
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    size_t n = strlen(keys[i].key);
    if (strncmp(text, keys[i].key, n) != 0)
      continue;
    if (keys[i].word)
      *keys[i].word = text + n;
    else
      *keys[i].number = atof(text + n);
    return;
  }
  fail(text, "no such key");
}

/* ---- a point that streams can read ---- */

typedef struct plain {
  ofw_engine engine;
  double *x;
} plain;

/* No candidate probes. */
static ofw_status plain_entries(const ofw_engine *E, ofw_sum probe, size_t n, const size_t *index, double *out)
{
  (void)probe;
  for (size_t k = 0; k < n; k++)
    out[k] = ((const plain *)E)->x[index[k]];
  return OFW_OK;
}

static ofw_status plain_dense(const ofw_engine *E, double *out)
{
  memcpy(out, ((const plain *)E)->x, E->dim * sizeof *out);
  return OFW_OK;
}

static ofw_status plain_dot(const ofw_engine *E, ofw_sum a, double *out)
{
  double *dense = malloc(E->dim * sizeof *dense);
  if (!dense)
    return OFW_FAILED;
  ofw_sum_dense(a, E->dim, dense);
  *out = 0.0;
  for (size_t i = 0; i < E->dim; i++)
    *out += dense[i] * ((const plain *)E)->x[i];
  free(dense);
  return OFW_OK;
}

static const ofw_engine_view plain_view = {.entries = plain_entries, .dense = plain_dense, .dot = plain_dot};
static const ofw_engine_ops plain_ops = {.view = &plain_view};

/* ---- vectors ---- */

static double dot(size_t n, const double *a, const double *b)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* y += a x */
static void add(size_t n, double a, const double *x, double *y)
{
  for (size_t i = 0; i < n; i++)
    y[i] += a * x[i];
}

/* ---- a play ---- */

typedef struct play {
  form f;
  ofw_domain *K;
  size_t n;
  double D;
  double *x, *c, *d, *v, *e, *gf, *gg, *p, *mean_x, *mean_g; /* c: the centre, where it stays */
  double Gf, Gg, squares_f, squares_g, rounds_g;             /* what units are made of */
  double B, A, raised, longest,
      squares;           /* the weight, told or observed curvature, all that it was raised by; of the p */
  double Q, b, w, taken; /* taken: all that steps took off Phi */
  double q, since, top, extra, left, thrown, C; /* of revision 1; ada.h has what they are. B holds extra too. */
  double pays, spread;                          /* <g, y> and |y|^2, averaged */
  uint64_t t, begun;
} play;

static double *numbers(size_t n)
{
  double *out = calloc(n, sizeof *out);
  if (!out)
    fail("numbers", "out of memory");
  return out;
}

static double unit_of(const play *a)
{
  return a->Gf > 0.0 ? a->Gf : 1.0;
}

/* Revision 0 has b in rounds. */
static double least_b(const play *a)
{
  return a->f.first * a->D / 2.0 * (a->f.revision > 0.0 ? unit_of(a) : 1.0);
}

static void begin_epoch(play *a, double b, uint64_t begun)
{
  a->B = a->f.first * a->D * unit_of(a);
  a->A = a->taken = a->longest = a->squares = a->Q = a->q = a->top = a->extra = a->left = a->C = 0.0;
  a->b = b;
  a->begun = begun;
  memset(a->d, 0, a->n * sizeof *a->d);
  memcpy(a->c, a->x, a->n * sizeof *a->x);
}

static void start(play *a)
{
  a->raised = 0.0;
  begin_epoch(a, least_b(a), a->t > 0 ? a->t - 1 : 0);
}

/* The units: the longest gradients, or root mean squares. */
static void measure(play *a, double f, double g)
{
  double before = a->Gf;
  if (a->f.revision > 0.0 && before > 0.0 && a->since > 0.0 && f > 8.0 * a->since) {
    begin_epoch(a, least_b(a), a->t - 1);
    a->since = 0.0;
  }
  if (is(a->f.unit, "rms")) {
    a->squares_f += f * f;
    a->squares_g += g * g;
    a->rounds_g += g > 0.0;
    a->Gf = sqrt(a->squares_f / (double)a->t);
    a->Gg = a->rounds_g > 0.0 ? sqrt(a->squares_g / a->rounds_g) : 0.0;
  } else {
    a->Gf = fmax(a->Gf, f);
    a->Gg = fmax(a->Gg, g);
  }
  if (before == 0.0 && a->Gf > 0.0) { /* what came before was in the unit 1 */
    a->B *= a->Gf;
    a->A *= a->Gf;
    a->raised *= a->Gf;
    a->taken *= a->Gf;
    a->pays *= a->Gf;
    a->extra *= a->Gf;
    a->left *= a->Gf;
    a->C *= a->Gf;
    a->q *= a->Gf;
    a->b *= a->f.revision > 0.0 ? a->Gf : 1.0;
    a->since = a->since > 0.0 ? a->Gf : 0.0;
    for (size_t i = 0; i < a->n; i++)
      a->d[i] *= a->Gf;
  } else if (a->Gf > before)
    a->B += a->f.first * a->D * (a->Gf - before);
  if (a->f.revision > 0.0)
    a->b = fmax(a->b, least_b(a));
}

/* q, or what it grew by if the price remembers nothing. */
static double see_violation(play *a, double violation, double length)
{
  double added = length > 0.0 ? unit_of(a) * fmin(violation / length, a->D) : 0.0;
  if (a->f.revision > 0.0) {
    a->q += added;
    a->since = a->since == 0.0 && added > 0.0 ? unit_of(a) : a->since;
  } else {
    added = a->Gg > 0.0 ? violation / a->Gg : 0.0;
    a->q = a->Gg > 0.0 ? a->Q / a->Gg : 0.0;
  }
  return is(a->f.memory, "none") ? added : a->q;
}

static double price(const play *a, double q)
{
  if (is(a->f.price, "none"))
    return 1.0;
  if (is(a->f.price, "linear"))
    return a->f.start + q / (a->f.share * a->b);
  return a->f.start * exp(fmin(600.0, q / (a->f.share * a->b)));
}

/* The centre stays: B's growth is felt at x. */
static void weigh(play *a, double B)
{
  if (!is(a->f.centre, "proximal"))
    for (size_t i = 0; i < a->n; i++)
      a->d[i] += 2.0 * (B - a->B) / (a->D * a->D) * (a->x[i] - a->c[i]);
  a->B = B;
}

static void grow_by_gradients(play *a)
{
  double t = (double)(a->t - a->begun), B = a->B;
  if (is(a->f.weight, "adagrad"))
    B = a->D * sqrt(a->squares) * a->f.scale;
  else if (is(a->f.weight, "maxima"))
    B = a->D * a->longest * sqrt(t) * a->f.scale;
  else if (is(a->f.weight, "quarter"))
    B = a->D * a->longest * pow(t, 0.75) * a->f.scale;
  weigh(a, fmax(a->B, B));
}

/* How gradients follow decisions: <g, y> over |y|^2 with y = x - the mean of the decisions before. As a slope, g less its own mean. */
static double see_curvature(play *a)
{
  double share = a->f.later / ((double)a->t + a->f.later - 1.0);
  const double *g = is(a->f.gradient, "loss") ? a->gf : a->p;
  int slope = is(a->f.curvature, "slope");
  double pays = 0.0, lead2 = 0.0;
  for (size_t i = 0; i < a->n; i++) {
    double y = a->t > 1 ? a->x[i] - a->mean_x[i] : 0.0, less = slope && a->t > 1 ? a->mean_g[i] : 0.0;
    pays += (g[i] - less) * y;
    lead2 += y * y;
    a->mean_x[i] += share * (a->x[i] - a->mean_x[i]);
    a->mean_g[i] += share * (g[i] - a->mean_g[i]);
  }
  a->pays += share * (pays - a->pays);
  a->spread += share * (lead2 - a->spread);
  double seen = a->spread > 0.0 ? a->f.stronger * a->pays / a->spread : 0.0;
  return is(a->f.lag, "kept") ? fmax(0.0, seen) : seen;
}

/* What a and e may still be raised by. */
static double room(const play *a)
{
  return fmax(0.0, 2.0 * a->f.room * unit_of(a) * pow((double)a->t, 0.75) / a->D - a->raised);
}

static void curve(play *a, double alpha)
{
  double t = (double)a->t, seen;
  if (is(a->f.curvature, "none"))
    return;
  if (is(a->f.curvature, "told")) {
    a->A += alpha;
    return;
  }
  seen = see_curvature(a);
  if (is(a->f.growth, "level"))
    seen = fmax(0.0, seen * t - a->A);
  seen = fmax(-a->A, fmin(seen, room(a)));
  a->A += seen;
  a->thrown += fmax(0.0, -seen) * a->D * a->D / 2.0;
  a->raised += fmax(0.0, seen);
}

static double exponential(const play *a, double b)
{
  return a->f.start * exp(fmin(600.0, a->q / (a->f.share * b)));
}

static void certify(play *a, double certain)
{
  double b = a->b;
  if (is(a->f.rate, "rounds")) {
    a->b = 2.0 * a->D * pow((double)(a->t - a->begun), 0.75) * (a->f.revision > 0.0 ? unit_of(a) : 1.0);
    return;
  }
  for (int i = 0; i < 64; i++) {
    double needed = certain / (1.0 + exponential(a, b));
    if (!(needed > b * (1.0 + 1e-12)))
      break;
    b = needed;
  }
  if (a->f.revision > 0.0 && b > a->b && 1.0 + exponential(a, b) < (1.0 + a->top) / 4.0)
    begin_epoch(a, 2.0 * a->b, a->t);
  else
    a->b = b;
}

/* dec is added to B, and kappa - 1 times as much where the mean is better; in revision 1 within the room, and not to b. */
static void grow_by_cost(play *a, double dec)
{
  double more = is(a->f.care, "gated") && a->pays <= 0.0 ? 0.0 : a->f.kappa - 1.0, half = a->D * a->D / 2.0;
  if (a->f.revision > 0.0) {
    double e = fmin(fmax(0.0, more) * dec / half, room(a));
    a->raised += e;
    a->extra += e * half;
    weigh(a, a->B + dec + e * half);
  } else
    weigh(a, a->B + (1.0 + more) * dec);
}

/* What Phi is above its minimum at most, with this round's gradient; what a lowers it by comes to it. */
static void throw_back(play *a, double length)
{
  double root = sqrt(a->left) + length / (2.0 * sqrt(a->C));
  a->thrown = a->C > 0.0 ? fmin(root * root, a->left + length) : length;
}

static void move(play *a)
{
  double gap = 0.0, dec = 0.0, curvature = 2.0 * a->B / (a->D * a->D) + a->A;
  for (int i = 0; i < (int)a->f.steps; i++) {
    ofw_error err = {0};
    if (ofw_domain_minimise(a->K, a->d, 1e-10, a->v, NULL, &err) != OFW_OK)
      fail("oracle", err.message);
    for (size_t k = 0; k < a->n; k++)
      a->e[k] = a->v[k] - a->x[k];
    double slope = dot(a->n, a->d, a->e), length2 = dot(a->n, a->e, a->e), t = (double)(a->t - a->begun);
    double sigma = is(a->f.step, "printed") ? fmin(1.0, 2.0 / sqrt(t))
                   : length2 > 0.0          ? fmin(1.0, fmax(0.0, -slope / (curvature * length2)))
                                            : 0.0;
    double by = -sigma * (slope + sigma * curvature / 2.0 * length2);
    add(a->n, sigma, a->e, a->x);
    add(a->n, sigma * curvature, a->e, a->d);
    gap = fmax(0.0, -slope - by);
    dec += fmax(0.0, by);
  }
  a->C = a->D * a->D / 2.0 * curvature;
  a->left = a->f.revision > 0.0 ? fmin(gap, fmax(0.0, a->thrown - dec)) : gap;
  if (is(a->f.weight, "balance"))
    grow_by_cost(a, dec);
  a->taken += dec;
  double B = a->B - a->extra, certain = is(a->f.rate, "weight") ? B : B + a->taken + a->left;
  certify(a, a->f.revision > 0.0 ? certain : certain / unit_of(a));
}

static void observe(play *a, const ofw_full *fb, double alpha)
{
  double violation = 0.0;
  a->t++;
  if (is(a->f.restart, "epochs") && (a->t & (a->t - 1)) == 0)
    start(a);
  ofw_sum_dense(fb->loss_gradient, a->n, a->gf);
  memset(a->gg, 0, a->n * sizeof *a->gg);
  for (size_t i = 0; i < fb->values.constraints; i++)
    if (fb->values.constraint[i] > violation) { /* of several the worst counts */
      violation = fb->values.constraint[i];
      ofw_sum_dense(fb->constraint_gradient[i], a->n, a->gg);
    }
  double f = sqrt(dot(a->n, a->gf, a->gf)), g = sqrt(dot(a->n, a->gg, a->gg));
  measure(a, f, g);
  a->Q += violation;
  a->w = price(a, see_violation(a, violation, g));
  a->top = fmax(a->top, exponential(a, a->b));
  memcpy(a->p, a->gf, a->n * sizeof *a->p);
  double length = a->f.revision > 0.0 ? g : a->Gg;
  add(a->n, length > 0.0 ? a->w * unit_of(a) / length : 0.0, a->gg, a->p);
  throw_back(a, a->D * (f + (g > 0.0 ? a->w * unit_of(a) : 0.0)));
  double length2 = dot(a->n, a->p, a->p);
  a->longest = fmax(a->longest, sqrt(length2));
  a->squares += length2;
  add(a->n, 1.0, a->p, a->d);
  grow_by_gradients(a);
  curve(a, alpha);
  move(a);
}

static void play_seed(const form *f, const char *stream, const char *domain, uint64_t T, uint64_t seed)
{
  ofw_error err = {0};
  play a = {.f = *f, .K = ofw_domain_create(domain, &err)};
  if (!a.K)
    fail(domain, err.message);
  ofw_stream *s = ofw_stream_create(stream, a.K, T, seed, &err);
  if (!s)
    fail(stream, err.message);
  a.n = ofw_domain_dim(a.K);
  a.D = 2.0 * a.K->R;
  double **vector[] = {&a.x, &a.c, &a.d, &a.v, &a.e, &a.gf, &a.gg, &a.p, &a.mean_x, &a.mean_g};
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    *vector[i] = numbers(a.n);
  if (a.K->from_centre)
    ofw_domain_centre(a.K, a.x);
  start(&a);
  plain engine = {{&plain_ops, a.n, 1, a.n}, a.x};
  ofw_point at = {.at = &engine.engine};
  double regret = 0.0, ccv = 0.0;
  for (uint64_t t = 1; t <= T; t++) {
    ofw_full fb = {0}; /* a stream leaves out what a round does not have */
    double best;
    if (ofw_stream_reveal(s, t, &at, &fb) != OFW_OK)
      fail(stream, ofw_stream_error(s));
    if (ofw_stream_comparator(s, t, &best) != OFW_OK)
      best = 0.0;
    regret += fb.values.loss - best;
    double worst = 0.0;
    for (size_t i = 0; i < fb.values.constraints; i++)
      worst = fmax(worst, fb.values.constraint[i]);
    ccv += worst;
    observe(&a, &fb, ofw_stream_constants(s)->strong_convexity);
  }
  printf("%.17g %.17g\n", regret, ccv);
  for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
    free(*vector[i]);
  ofw_stream_free(s);
  ofw_domain_free(a.K);
}

int main(int argc, char **argv)
{
  if (argc < 5)
    fail("usage", "candidates STREAM DOMAIN T SEED[-LAST] [key=value]...");
  form f = ofw_ada;
  for (int i = 5; i < argc; i++)
    set(&f, argv[i]);
  char *end;
  uint64_t seed = strtoull(argv[4], &end, 10), last = *end == '-' ? strtoull(end + 1, NULL, 10) : seed;
  for (; seed <= last; seed++)
    play_seed(&f, argv[1], argv[2], strtoull(argv[3], NULL, 10), seed);
  return 0;
}
