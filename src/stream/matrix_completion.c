/* matrix_completion.c — ratings revealed by batches
 *
 *     f_t(X) = sum over the batch of (X_ij - M_ij)^2 / 2
 *     g_t(X) = <P_t, X>, P_t uniform on (-1, 1)^(m x n), as in the paper; or exposure.h's; or there is none
 *
 * The ratings M are generated or a file's (ratings.h). schedule.h says which of them a round shows; with batch=all it is
 * every one in play, as the paper's formula is printed. The best feasible point is not known; the target is the truth that
 * ratings were drawn from, if they were. f_t is strongly convex on the entries of its batch only; alpha = 1 is the
 * paper's choice (erratum 12). Over the trace-norm ball of radius a, and with no rating above A in size,
 *
 *     |grad f_t| <= |X|_F + |M on the batch|_F <= a + A sqrt(batch) = L,   f_t <= L^2 / 2
 *
 * If ranks share the matrix, each has the ratings of its rows, and sums over a batch are sums over all ranks.
 *
 * and G is the larger of L and the bound on the constraint's gradient: |P_t|_F <= sqrt(m n), weight / sqrt(|S|), or 0.
 */
#include "base/limits.h"
#include "linalg/rng.h"
#include "ratings/baselines.h"
#include "stream/exposure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNIFORM, EXPOSURE, NONE }; /* as the option's words have them */
#define ALL UINT64_MAX

typedef struct mc_options {
  char *file; /* NULL: the ratings are generated */
  int like;   /* which of ofw_likenesses they are like; 0: none, 1: the first, .. */
  ofw_ratings_shape shape;
  uint64_t batch; /* ALL: those in play */
  int base, order, constraint;
  double group, cap, swing, period, weight; /* of EXPOSURE */
  double holdout, radius;
} mc_options;

typedef struct mc {
  ofw_ratings ratings;
  ofw_schedule schedule;
  const uint32_t *rating; /* the batch of this round, as far as it is here */
  size_t shown;           /* how many they are */
  double *part;           /* sums, one a part of them */
  size_t *cell;
  double *rated, *gradient;
  ofw_vec sparse;
  int constraint;
  ofw_exposure exposure; /* in use if constraint is EXPOSURE */
  double value;          /* of <P_t, X> */
  ofw_vec random;
  ofw_sum random_gradient;
} mc;

static void make_batch(ofw_stream *s, uint64_t t)
{
  mc *m = s->data;
  if (m->rating && m->schedule.batch == m->schedule.in_play)
    return; /* every round shows the same */
  m->rating = ofw_schedule_batch(&m->schedule, t, &m->shown);
  for (size_t k = 0; k < m->shown; k++) {
    m->cell[k] = m->ratings.cell[m->rating[k]];
    m->rated[k] = m->ratings.value[m->rating[k]];
  }
  if (m->constraint == EXPOSURE)
    ofw_exposure_show(&m->exposure, m->shown, m->cell);
}

static ofw_status meet_uniform(ofw_stream *s, uint64_t t, const ofw_point *x)
{
  mc *m = s->data;
  m->random = ofw_vec_random(s->K->dim, (ofw_rng_key){s->seed, OFW_RNG_CONSTRAINT, t}, OFW_UNIFORM);
  m->random_gradient = (ofw_sum){1, &m->random};
  return ofw_point_dot(x, m->random_gradient, &m->value);
}

/* The sum over the batch, at all ranks, of half the squares of `of(m, k)`. */
static double half_squares(const mc *m, double (*of)(const mc *m, size_t k))
{
  const ofw_split *split = m->ratings.split;
  double sum;
  size_t k = 0;
  for (size_t part = 0; part < ofw_split_parts(split); part++) {
    size_t to = ofw_split_cut(split, m->ratings.items, m->shown, m->cell, 0, part + 1);
    for (m->part[part] = 0.0; k < to; k++) {
      double error = of(m, k);
      m->part[part] += error * error / 2.0;
    }
  }
  ofw_split_add(split, 1, m->part, 1, &sum);
  return sum;
}

static double miss(const mc *m, size_t k)
{
  return m->gradient[k];
}

static double miss_of_truth(const mc *m, size_t k)
{
  return (double)m->ratings.truth[m->rating[k]] - m->rated[k];
}

static ofw_status reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  mc *m = s->data;
  if (m->constraint == UNIFORM) /* first, as it reads all of x from end to end: then a cache has the entries */
    OFW_TRY(meet_uniform(s, t, x));
  OFW_TRY(ofw_point_entries(x, m->shown, m->cell, m->gradient));
  for (size_t k = 0; k < m->shown; k++)
    m->gradient[k] -= m->rated[k];
  m->sparse = ofw_vec_sparse(m->shown, m->cell, m->gradient);
  *out = (ofw_full){.values.loss = half_squares(m, miss), .loss_gradient = {1, &m->sparse}};
  if (m->constraint == UNIFORM)
    ofw_full_constrain(out, &m->value, &m->random_gradient);
  if (m->constraint == EXPOSURE)
    return ofw_exposure_reveal(&m->exposure, t, x, out);
  return OFW_OK;
}

static ofw_status target(ofw_stream *s, uint64_t t, double *loss)
{
  (void)t;
  const mc *m = s->data;
  if (!m->ratings.truth)
    return OFW_UNSUPPORTED;
  *loss = half_squares(m, miss_of_truth);
  return OFW_OK;
}

/* The sum of the squared errors of x on the ratings held out from *rating on, as far as they are before row `end`. */
static ofw_status held_out_part(const mc *m, const ofw_point *x, size_t end, const uint32_t **rating, double *square)
{
  enum { CHUNK = 256 };
  const ofw_ratings *r = &m->ratings;
  const uint32_t *last = m->schedule.play + r->count;
  size_t cell[CHUNK], run;
  double entry[CHUNK];
  for (*square = 0.0;;) {
    for (run = 0; run < CHUNK && *rating + run < last && r->cell[(*rating)[run]] < end * r->items; run++)
      cell[run] = r->cell[(*rating)[run]];
    if (run == 0)
      return OFW_OK;
    OFW_TRY(ofw_point_entries(x, run, cell, entry));
    for (size_t k = 0; k < run; k++) {
      double error = entry[k] - r->value[(*rating)[k]];
      *square += error * error;
    }
    *rating += run;
  }
}

static ofw_status held_out(ofw_stream *s, const ofw_point *x, double *rmse)
{
  const mc *m = s->data;
  const uint32_t *rating = m->schedule.play + m->schedule.play_here;
  double square;
  if (m->schedule.held_out == 0)
    return OFW_UNSUPPORTED;
  for (size_t part = 0; part < ofw_split_parts(m->ratings.split); part++)
    OFW_TRY(
        held_out_part(m, x, ofw_split_begin(m->ratings.split, m->ratings.users, part + 1), &rating, &m->part[part]));
  ofw_split_add(m->ratings.split, 1, m->part, 1, &square);
  *rmse = sqrt(square / (double)m->schedule.held_out);
  return OFW_OK;
}

static ofw_status held_out_baselines(ofw_stream *s, double *mean, double *item_mean)
{
  const mc *m = s->data;
  return m->schedule.held_out ? ofw_baselines(&m->ratings, &m->schedule, mean, item_mean, &s->err) : OFW_UNSUPPORTED;
}

static void destroy(void *data)
{
  ofw_ratings_free(&((mc *)data)->ratings);
}

static const ofw_stream_ops ops = {.make = make_batch,
                                   .reveal = reveal,
                                   .target = target,
                                   .held_out = held_out,
                                   .held_out_baselines = held_out_baselines,
                                   .destroy = destroy};

/* ---- creation ---- */

static ofw_status check_options(const ofw_stream *s, const mc_options *o, ofw_error *err)
{
  if (o->file && (o->shape.ratings || o->shape.rank))
    return ofw_fail(err, OFW_USAGE,
                    "matrix-completion: %s works only with generated ratings; leave out file or the other option",
                    o->shape.ratings ? "ratings" : "rank");
  if (o->like && (o->file || o->shape.users || o->shape.items || o->shape.ratings || o->shape.rank))
    return ofw_fail(err, OFW_USAGE, "matrix-completion: %s does not work with like; leave one of them out",
                    o->file            ? "file"
                    : o->shape.users   ? "users"
                    : o->shape.items   ? "items"
                    : o->shape.ratings ? "ratings"
                                       : "rank");
  if (s->ranks && (o->constraint == UNIFORM || o->order != OFW_SHUFFLED))
    return ofw_fail(err, OFW_UNSUPPORTED, "matrix-completion: ranks share it with %s only",
                    o->constraint == UNIFORM ? "constraint=exposure or none" : "order=shuffled");
  if (!o->file && o->base >= 0)
    return ofw_fail(err, OFW_USAGE, "matrix-completion: base needs a file of ratings, and no file is given");
  if (!o->file && o->order == OFW_BY_TIME)
    return ofw_fail(err, OFW_USAGE, "matrix-completion: order=time needs a file with times");
  if (o->constraint != EXPOSURE &&
      !(isnan(o->group) && isnan(o->cap) && isnan(o->swing) && isnan(o->period) && isnan(o->weight)))
    return ofw_fail(err, OFW_USAGE, "matrix-completion: group, cap, swing, period and weight need constraint=exposure");
  return OFW_OK;
}

static ofw_status plan_ratings(mc_options *o, ofw_error *err)
{
  if (o->like) {
    const ofw_likeness *like = &ofw_likenesses[o->like - 1];
    o->shape.users = like->users;
    o->shape.items = like->items;
    o->shape.ratings = like->count;
    return OFW_OK;
  }
  return ofw_ratings_resolve(&o->shape, "matrix-completion", err);
}

static void describe_file(ofw_stream *s, const ofw_ratings *r)
{
  snprintf(s->facts, sizeof s->facts, " duplicates=%zu checksum=%08lx", r->duplicates, (unsigned long)r->checksum);
  if (r->duplicates)
    snprintf(s->note, sizeof s->note,
             "the file rates some pairs of user and item more than once; the last rating of each counts (%zu left out)",
             r->duplicates);
}

static ofw_status read_ratings(ofw_stream *s, mc_options *o, ofw_error *err)
{
  ofw_ratings *r = &((mc *)s->data)->ratings;
  if (o->base < 0)
    o->base = OFW_BASE_AUTO;
  ofw_ratings_source from = {.path = o->file,
                             .base = o->base,
                             .users = (size_t)o->shape.users,
                             .items = (size_t)o->shape.items,
                             .order = (ofw_order)o->order,
                             .ranks = s->ranks};
  OFW_TRY(ofw_ratings_read(r, &from, err));
  o->shape.users = r->all_users;
  o->shape.items = r->items;
  o->shape.ratings = r->total;
  describe_file(s, r);
  return OFW_OK;
}

/* At least one, if any are to be. */
static uint64_t held_count(const mc_options *o)
{
  return o->holdout > 0.0 ? (uint64_t)fmax(1.0, round(o->holdout * (double)o->shape.ratings)) : 0;
}

static ofw_status check(const ofw_stream *s, const mc_options *o, ofw_error *err)
{
  unsigned long long batch = o->batch, ratings = o->shape.ratings, held = held_count(o);
  if (o->batch == ALL && ratings == held)
    return ofw_fail(err, OFW_USAGE, "matrix-completion: holdout=%g leaves none of the %llu ratings to play", o->holdout,
                    ratings);
  if (o->batch == ALL)
    batch = ratings - held;
  if (batch > ratings)
    return ofw_fail(err, OFW_USAGE, "matrix-completion: batch=%llu is more than ratings=%llu", batch, ratings);
  if (batch > ratings - held)
    return ofw_fail(err, OFW_USAGE, "matrix-completion: batch=%llu is more than the %llu ratings that holdout leaves",
                    batch, ratings - held);
  size_t rows = s->K && s->K->split ? s->K->split->rows : s->K ? s->K->rows : 0;
  if (s->K && (rows != o->shape.users || s->K->cols != o->shape.items))
    return ofw_fail(err, OFW_USAGE, "matrix-completion: the domain is %zu x %zu, but the ratings are %llu x %llu", rows,
                    s->K->cols, (unsigned long long)o->shape.users, (unsigned long long)o->shape.items);
  return OFW_OK;
}

/* Of the ratings in play. If all of them are 0 any cap will do. */
static double mean_size(const mc *m)
{
  const ofw_ratings *r = &m->ratings;
  double sum;
  memset(m->part, 0, ofw_split_parts(r->split) * sizeof *m->part);
  for (size_t k = 0; k < m->schedule.play_here; k++) {
    size_t rating = m->schedule.play[k];
    m->part[r->split ? ofw_split_part(r->split, r->cell[rating] / r->items) : 0] += fabs(r->value[rating]);
  }
  ofw_split_add(r->split, 1, m->part, 1, &sum);
  return sum > 0.0 ? sum / (double)m->schedule.in_play : 1.0;
}

/* *bound is on the length of its gradient. */
static ofw_status open_constraint(ofw_stream *s, mc_options *o, double *bound, ofw_error *err)
{
  mc *m = s->data;
  m->constraint = o->constraint;
  s->terms = o->constraint == UNIFORM ? OFW_TERMS_DENSE : OFW_TERMS_STRUCTURED;
  *bound = o->constraint == UNIFORM ? sqrt((double)s->K->dim) : 0.0;
  if (o->constraint != EXPOSURE)
    return OFW_OK;
  ofw_resolve(&o->group, 0.1);
  ofw_resolve(&o->cap, 0.5 * mean_size(m));
  ofw_resolve(&o->swing, 0.2);
  ofw_resolve(&o->period, 100.0);
  ofw_resolve(&o->weight, 1.0);
  m->exposure = (ofw_exposure){.cap = o->cap, .swing = o->swing, .period = o->period, .weight = o->weight};
  OFW_TRY(ofw_exposure_open(&m->exposure, &s->own, &m->ratings, &m->schedule, o->group, err));
  *bound = o->weight / sqrt((double)m->exposure.group);
  return OFW_OK;
}

static ofw_status open_rounds(ofw_stream *s, mc_options *o, ofw_error *err)
{
  mc *m = s->data;
  size_t held = (size_t)held_count(o), batch = o->batch == ALL ? m->ratings.total - held : (size_t)o->batch;
  ofw_status st =
      ofw_schedule_open(&m->schedule, &s->own, &m->ratings, o->order == OFW_SHUFFLED, held, batch, s->seed, err);
  OFW_TRY(ofw_ranks_agree(s->ranks, st, err));
  size_t most = batch < m->schedule.play_here ? batch : m->schedule.play_here;
  m->cell = ofw_owned_array(&s->own, most, sizeof *m->cell);
  m->rated = ofw_owned_doubles(&s->own, most);
  m->gradient = ofw_owned_doubles(&s->own, most);
  m->part = ofw_owned_doubles(&s->own, ofw_split_parts(m->ratings.split));
  OFW_TRY(ofw_ranks_agree(s->ranks, ofw_owned_check(&s->own, err), err));
  double L = s->K->R + m->ratings.largest * sqrt((double)batch), bound;
  OFW_TRY(open_constraint(s, o, &bound, err));
  s->constants = (ofw_constants){.lipschitz = fmax(L, bound), .loss_bound = L * L / 2.0, .strong_convexity = 1.0};
  return OFW_OK;
}

static ofw_status generate(ofw_stream *s, const mc_options *o, ofw_error *err)
{
  ofw_ratings *r = &((mc *)s->data)->ratings;
  if (!o->like)
    return ofw_ratings_generate(r, &o->shape, s->K->split, s->seed, err);
  OFW_TRY(ofw_ratings_generate_like(r, &ofw_likenesses[o->like - 1], s->seed, err));
  ofw_ratings_share(r, s->K->split);
  return OFW_OK;
}

static ofw_status build(ofw_stream *s, void *options, ofw_error *err)
{
  mc_options *o = options;
  OFW_TRY(check_options(s, o, err));
  OFW_TRY(ofw_ranks_agree(s->ranks, o->file ? read_ratings(s, o, err) : plan_ratings(o, err), err));
  OFW_TRY(check(s, o, err));
  if (!s->K) {
    ofw_resolve(&o->radius, 8.0 * sqrt((double)o->shape.users * (double)o->shape.items));
    OFW_TRY(ofw_stream_make_trace_ball(s, o->shape.users, o->shape.items, o->radius, err));
  }
  if (o->file)
    ((mc *)s->data)->ratings.split = s->K->split;
  else
    OFW_TRY(ofw_ranks_agree(s->ranks, generate(s, o, err), err));
  return open_rounds(s, o, err);
}

#define AT(field) offsetof(mc_options, field)
static const ofw_option options[] = {
    OFW_TEXT_OR_ROW(AT(file), "file", "none: ratings are generated",
                    "file with lines 'user item rating [time]', separated by blanks, commas or '::', plain or "
                    "compressed by gzip; line 1 may be a header; if a pair is rated twice, the last rating counts; if "
                    "there is no such file, ofw looks in the data folder (see 'ofw help data')"),
    OFW_CHOICE_ROW(AT(like), "like", "none", NULL, "none|movielens-100k|filmtrust",
                   "generate ratings with the shape, the counts, the values and about the leading singular values of "
                   "this data set"),
    OFW_CHOICE_ROW(AT(base), "base", NULL, "auto", "0|1|auto",
                   "the first id in the file; auto: 0 if an id is 0, else 1, for users and items separately"),
    OFW_COUNT_ROW(AT(shape.users), "users", NULL, "943, or the file's largest id", 1, OFW_MOST_ROWS, "rows"),
    OFW_COUNT_ROW(AT(shape.items), "items", NULL, "1682, or the file's largest id", 1, OFW_MOST_ROWS, "columns"),
    OFW_COUNT_ROW(AT(shape.ratings), "ratings", NULL, "100000, or all of the file's", 1, OFW_MOST_RATINGS,
                  "number of ratings to generate"),
    OFW_COUNT_ROW(AT(shape.rank), "rank", NULL, "5", 1, OFW_MOST_RANK, "rank of the matrix behind generated ratings"),
    OFW_COUNT_OR_ROW(AT(batch), "batch", "250", "all", 1, OFW_MOST_RATINGS,
                     "ratings revealed per round; all: every rating that is not held out, in every round"),
    OFW_CHOICE_ROW(AT(order), "order", "shuffled", NULL, "shuffled|file|time",
                   "shuffled: in a new order for each pass over the ratings; file: as in the file (generated ones: row "
                   "by row); time: by the file's fourth column"),
    OFW_CHOICE_ROW(AT(constraint), "constraint", "uniform", NULL, "uniform|exposure|none",
                   "uniform: <P, X> <= 0 with P uniform, as in the paper; exposure: a cap on the mean score of a group "
                   "of items, over the round's users; or none"),
    OFW_REAL_ROW(AT(group), "group", NULL, "0.1", 1e-6, 1,
                 "exposure: the group, as a share of the items; it has those rated most often"),
    OFW_REAL_ROW(AT(cap), "cap", NULL, "half of the ratings' mean size", 1e-100, 1e100,
                 "exposure: the cap on the group's mean score"),
    OFW_REAL_ROW(AT(swing), "swing", NULL, "0.2", 0, 0.99,
                 "exposure: the cap of round t is cap (1 + swing sin(2 pi t / period))"),
    OFW_REAL_ROW(AT(period), "period", NULL, "100", 1, 1e15, "exposure: rounds from one high cap to the next"),
    OFW_REAL_ROW(AT(weight), "weight", NULL, "1", 1e-100, 1e100,
                 "exposure: the weight of a score above the cap, in units of the loss; multiplies the constraint"),
    OFW_REAL_ROW(AT(holdout), "holdout", "0", NULL, 0, 0.9,
                 "the share of held-out ratings, drawn by the seed, which no round shows; the run ends with the "
                 "decision's root mean square error on them"),
    OFW_REAL_ROW(AT(radius), "radius", NULL, "8 sqrt(users items)", 1e-100, 1e100,
                 "radius of the trace-ball, if no domain is given"),
    {0},
};

const ofw_stream_kind ofw_matrix_completion_kind = {
    .type = {.name = "matrix-completion",
             .summary = "ratings in batches, generated or from a file, with one of two constraints or none",
             .example = "matrix-completion:users=30,items=20,ratings=250,rank=2,batch=25",
             .options = options},
    .data_size = sizeof(mc),
    .ops = &ops,
    .brings_domain = 1,
    .shares = 1,
    .build = build};
