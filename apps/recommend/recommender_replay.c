/* recommender_replay.c — a replay of all ratings seen: an atom, fully corrective weights, then all columns and all rows
 *
 * With z_s what biases leave of rating s and X = P Q', the factors are those of
 *
 *     minimise  1/2 sum_s (z_s - X_s)^2 + ridge |X|_tr          as |X|_tr = min over P Q' = X of (|P|^2 + |Q|^2) / 2
 *
 * Atom     the trace-norm oracle on the gradient: the top singular pair (u, v) of the residuals z - X, found by Lanczos. It can lower the
 *          objective if its singular value is above the ridge.
 * Weights  over all atoms p_a q_a' and the new one, w >= 0: minimise 1/2 sum_s (z_s - sum_a w_a p_a q_a')^2 + ridge sum_a w_a |p_a| |q_a|
 *          by coordinate descent on the normal equations. If there are more than `rank`, the one of least size goes.
 *          Then |p_a| = |q_a| is restored.
 * Columns  c_j, q_j of every item by a ridge regression on the rows (row_step.h, nothing forgotten).
 * Rows     b_i, p_i of every user on the new columns, in the order in which the ratings came.
 */
#include "recommender_parts.h"

#include "linalg/rng.h"

#include <math.h>
#include <string.h>

enum { SWEEPS = 50 };                /* of coordinate descent; rank + 1 numbers, so they cost nothing */
static const double accuracy = 1e-2; /* of the oracle: what it misses, the steps after it find */

/* What biases leave of a rating. */
static double without_biases(const recommender *r, const seen *s)
{
  return s->value - mean_of(r) - row_of(r, s->user)[0] - column_of(r, s->item)[0];
}

/* ---- the oracle ---- */

static void pass(const void *ctx, const double *v, double *u, double *w)
{
  const recommender *r = ctx;
  memset(u, 0, r->s.users * sizeof *u);
  memset(w, 0, r->s.items * sizeof *w);
  for (size_t k = 0; k < r->count; k++)
    u[r->history[k].user] += r->residual[k] * v[r->history[k].item];
  for (size_t k = 0; k < r->count; k++)
    w[r->history[k].item] += r->residual[k] * u[r->history[k].user];
}

static ofw_status ask_oracle(recommender *r, ofw_singular *top, ofw_error *err)
{
  double square = 0.0;
  for (size_t k = 0; k < r->count; k++) {
    const seen *s = &r->history[k];
    double e = without_biases(r, s) - taste_of(r, s->user, s->item);
    r->residual[k] = e;
    square += e * e;
  }
  *top = (ofw_singular){0}; /* no pair: nothing is left */
  if (!(square > 0.0))
    return OFW_OK;
  return ofw_lanczos_top(r->lanczos, pass, r, square, (ofw_rng_key){r->s.seed, OFW_RNG_ORACLE, r->replays}, accuracy,
                         0.0, top, err);
}

/* ---- the weights ---- */

/* Atoms 0 .. rank - 1 are the factors 1 .. rank, atom `rank` is the new one. */
typedef struct weights {
  size_t n;
  double w[ROW_MOST], size[ROW_MOST]; /* size: |p_a| |q_a| */
  double G[ROW_MOST][ROW_MOST], h[ROW_MOST];
} weights;

static void gather(const recommender *r, const ofw_singular *new, weights *x)
{
  double f[ROW_MOST];
  for (size_t k = 0; k < r->count; k++) {
    const seen *s = &r->history[k];
    const double *row = row_of(r, s->user), *column = column_of(r, s->item);
    double z = without_biases(r, s);
    for (size_t a = 0; a + 1 < x->n; a++)
      f[a] = row[a + 1] * column[a + 1];
    f[x->n - 1] = new->u &&new->v ? new->u[s->user] * new->v[s->item] : 0.0;
    for (size_t a = 0; a < x->n; a++) {
      x->h[a] += z * f[a];
      for (size_t b = 0; b <= a; b++)
        x->G[a][b] += f[a] * f[b];
    }
  }
  for (size_t a = 0; a < x->n; a++)
    for (size_t b = 0; b < a; b++)
      x->G[b][a] = x->G[a][b];
}

/* Over the weights from `first` on. */
static void descend(weights *x, size_t first, double ridge)
{
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (size_t a = first; a < x->n; a++) {
      double slope = x->h[a] - ridge * x->size[a] + x->G[a][a] * x->w[a];
      for (size_t b = 0; b < x->n; b++)
        slope -= x->G[a][b] * x->w[b];
      x->w[a] = slope > 0.0 && x->G[a][a] > 0.0 ? slope / x->G[a][a] : 0.0;
    }
}

static double length(const double *factor, size_t rows, size_t width)
{
  double square = 0.0;
  for (size_t i = 0; i < rows; i++)
    square += factor[i * width] * factor[i * width];
  return sqrt(square);
}

static void scale(double *factor, size_t rows, size_t width, double by)
{
  for (size_t i = 0; i < rows; i++)
    factor[i * width] *= by;
}

/* Factor a becomes w_a of it, with |p_a| = |q_a|. */
static void rescale(recommender *r, size_t a, double w)
{
  double *p = r->row + a, *q = r->column + a;
  double P = length(p, r->s.users, r->width), Q = length(q, r->s.items, r->width);
  double size = sqrt(w * P * Q);
  scale(p, r->s.users, r->width, P > 0.0 ? size / P : 0.0);
  scale(q, r->s.items, r->width, Q > 0.0 ? size / Q : 0.0);
}

/* The factor in whose place the new atom comes: the one of least size. */
static size_t least_of(const weights *x)
{
  size_t least = 0;
  for (size_t a = 1; a + 1 < x->n; a++)
    if (x->w[a] * x->size[a] < x->w[least] * x->size[least])
      least = a;
  return least;
}

static void correct(recommender *r, const ofw_singular *new)
{
  weights x = {.n = r->width};
  for (size_t a = 0; a + 1 < r->width; a++) {
    x.w[a] = 1.0;
    x.size[a] = length(r->row + a + 1, r->s.users, r->width) * length(r->column + a + 1, r->s.items, r->width);
  }
  x.size[x.n - 1] = 1.0;
  gather(r, new, &x);
  descend(&x, r->s.constants.atoms == RECOMMENDER_SINGLE ? x.n - 1 : 0, r->s.constants.ridge);
  for (size_t a = 0; a + 1 < r->width; a++)
    rescale(r, a + 1, x.w[a]);
  size_t least = least_of(&x);
  double w = x.w[x.n - 1];
  if (!new->u || !new->v || w <= x.w[least] * x.size[least])
    return;
  for (size_t i = 0; i < r->s.users; i++)
    row_of(r, i)[least + 1] = sqrt(w) * new->u[i];
  for (size_t j = 0; j < r->s.items; j++)
    column_of(r, j)[least + 1] = sqrt(w) * new->v[j];
}

/* ---- columns and rows ---- */

static void solve_columns(recommender *r)
{
  size_t words = row_words(r->width);
  double f[ROW_MOST], *equations = r->column_equations;
  memset(equations, 0, r->s.items * words * sizeof *equations);
  for (size_t k = 0; k < r->count; k++) {
    const seen *s = &r->history[k];
    const double *row = row_of(r, s->user);
    features_of(r, row, f);
    row_add(r->width, equations + s->item * words, 1.0, f, s->value - mean_of(r) - row[0]);
  }
  for (size_t j = 0; j < r->s.items; j++) {
    double *column = column_of(r, j);
    row_solve(r->width, equations + j * words, r->s.constants.item_ridge, r->s.constants.ridge, column);
    r->misses[j] = column[0] * (r->times[j] + r->s.constants.item_ridge);
  }
}

static void solve_rows(recommender *r)
{
  size_t words = row_words(r->width);
  double f[ROW_MOST];
  memset(r->equations, 0, r->s.users * words * sizeof *r->equations);
  for (size_t k = 0; k < r->count; k++) {
    const seen *s = &r->history[k];
    const double *column = column_of(r, s->item);
    features_of(r, column, f);
    row_add(r->width, r->equations + s->user * words, r->s.constants.forget, f, s->value - mean_of(r) - column[0]);
  }
  for (size_t i = 0; i < r->s.users; i++)
    row_solve(r->width, r->equations + i * words, r->s.constants.user_ridge, r->s.constants.ridge, row_of(r, i));
}

ofw_status replay(recommender *r, ofw_error *err)
{
  ofw_singular top;
  r->replays++;
  if (r->lanczos) {
    OFW_TRY(ask_oracle(r, &top, err));
    correct(r, &top);
  }
  solve_columns(r);
  solve_rows(r);
  r->next_replay = r->count + (uint64_t)fmax((double)r->s.constants.batch, r->s.constants.growth * (double)r->count);
  return OFW_OK;
}
