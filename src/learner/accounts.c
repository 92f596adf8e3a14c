/* accounts.c — one account per constraint: what each adds up to, with credit or without, and what a round counts for */
#include "learner/accounts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, PASSING = 2 }; /* arrays of `count` numbers: saved, and of this round alone */

/* Numbers that are saved. */
static size_t saved(const ofw_accounts *a, size_t count)
{
  return count ? COLUMNS * count + (count + 1) * a->wide : 0;
}

/* The same as a double, since a state may ask for more than there are bytes to address. */
static double saved_about(const ofw_accounts *a, double count)
{
  return count > 0.0 ? COLUMNS * count + (count + 1.0) * (double)a->wide : 0.0;
}

static ofw_status make_room(ofw_accounts *a, size_t count, ofw_error *err)
{
  if (count == a->count || (a->spare && count == a->spare_count))
    return OFW_OK;
  double bytes = (saved_about(a, (double)count) + PASSING * (double)count) * sizeof(double);
  if (!ofw_fits(bytes))
    return ofw_fail(err, OFW_FAILED, "out of memory: %zu constraints take %.0f GiB at least", count, bytes / (1 << 30));
  double *room = count ? ofw_doubles(saved(a, count) + PASSING * count) : NULL;
  if (count && !room)
    return ofw_fail_memory(err, (size_t)bytes);
  free(a->spare);
  a->spare = room;
  a->spare_count = count;
  return OFW_OK;
}

/* The room that was made becomes the accounts, all 0. */
static void take_room(ofw_accounts *a, size_t count)
{
  if (count == a->count)
    return;
  free(a->room);
  double *at = a->room = a->spare;
  a->spare = NULL;
  a->count = count;
  double **column[] = {&a->sum, &a->over, &a->level, &a->price, &a->square, &a->seen, &a->unit};
  for (size_t i = 0; i < COLUMNS; i++)
    *column[i] = count ? at + i * count : NULL;
  a->history = count ? at + COLUMNS * count : NULL;
  a->loss = count ? a->history + count * a->wide : NULL;
  a->value = count ? a->loss + a->wide : NULL;
  a->weight = count ? a->value + count : NULL;
}

ofw_status ofw_accounts_admit(ofw_accounts *a, const char *who, size_t constraints, ofw_error *err)
{
  if (a->count && constraints && constraints != a->count)
    return ofw_fail(err, OFW_BAD_DATA,
                    "%s: constraints=%s: expected %zu constraints, as in the rounds before, found %zu", who,
                    a->credit ? "budgets" : "each", a->count, constraints);
  return constraints ? make_room(a, constraints, err) : OFW_OK;
}

/* What S_i is spread over. */
static double rounds_left(const ofw_accounts *a, uint64_t t)
{
  return fmax((double)(a->period - (t - 1) % a->period), cbrt((double)a->period));
}

static double bounded(double x)
{
  return fmax(-DBL_MAX, fmin(x, DBL_MAX));
}

void ofw_accounts_add(ofw_accounts *a, uint64_t t, const ofw_values *values)
{
  if (values->constraints)
    take_room(a, values->constraints);
  int begins = a->period && (t - 1) % a->period == 0;
  for (size_t i = 0; i < a->count; i++) {
    double g = values->constraints ? values->constraint[i] : 0.0;
    if (begins) {
      a->over[i] = bounded(a->over[i] + fmax(a->sum[i], 0.0));
      a->sum[i] = 0.0;
    }
    a->value[i] = a->credit ? g : fmax(g, 0.0);
    double counts = a->period ? bounded(g + a->gain * a->sum[i] / rounds_left(a, t)) : a->value[i];
    a->sum[i] = bounded(a->sum[i] + a->value[i]);
    a->value[i] = counts;
  }
}

double ofw_accounts_due(const ofw_accounts *a, uint64_t t, size_t i)
{
  return a->period && t % a->period > 0 ? a->sum[i] / rounds_left(a, t + 1) : 0.0;
}

double ofw_accounts_worst(const ofw_accounts *a)
{
  double worst = 0.0;
  for (size_t i = 0; i < a->count; i++)
    worst = fmax(worst, bounded(a->over[i] + fmax(a->sum[i], 0.0)));
  return worst;
}

double ofw_accounts_share(ofw_accounts *a, double (*log_of)(const void *with, size_t i), const void *with)
{
  double top = -INFINITY, total = 0.0;
  for (size_t i = 0; i < a->count; i++) {
    a->weight[i] = log_of(with, i);
    top = fmax(top, a->weight[i]);
  }
  if (top == -INFINITY) {
    for (size_t i = 0; i < a->count; i++)
      a->weight[i] = 0.0;
    return top;
  }
  for (size_t i = 0; i < a->count; i++)
    total += a->weight[i] = exp(a->weight[i] - top);
  for (size_t i = 0; i < a->count; i++)
    a->weight[i] /= total;
  return top + log(total / (double)a->count);
}

/* ---- the state: their number, then all that is kept ---- */

static size_t size(const void *object)
{
  const ofw_accounts *a = object;
  return 1 + saved(a, a->count);
}

static void save(const void *object, void *words)
{
  const ofw_accounts *a = object;
  uint64_t count = a->count;
  memcpy(words, &count, sizeof count);
  if (count)
    memcpy((uint64_t *)words + 1, a->room, saved(a, a->count) * sizeof *a->room);
}

static ofw_status check(void *object, const void *words, size_t n, ofw_error *err)
{
  ofw_accounts *a = object;
  uint64_t count = 0;
  if (n > 0)
    memcpy(&count, words, sizeof count);
  if (n == 0 || saved_about(a, (double)count) > (double)n || n - 1 != saved(a, (size_t)count))
    return ofw_fail(err, OFW_BAD_DATA, "the state's accounts are not those of %llu constraints",
                    (unsigned long long)count);
  return make_room(a, (size_t)count, err);
}

static void load(void *object, const void *words)
{
  ofw_accounts *a = object;
  uint64_t count;
  memcpy(&count, words, sizeof count);
  take_room(a, (size_t)count);
  if (count)
    memcpy(a->room, (const uint64_t *)words + 1, saved(a, a->count) * sizeof *a->room);
}

ofw_status ofw_accounts_visit(ofw_accounts *a, ofw_visitor *v)
{
  const ofw_packed item = {a, size, save, check, load};
  return v->packed(v->ctx, "accounts", &item);
}

void ofw_accounts_move(ofw_accounts *from, ofw_accounts *to)
{
  ofw_accounts_close(to);
  *to = *from;
  from->room = from->spare = NULL;
  from->count = from->spare_count = 0;
}

void ofw_accounts_close(ofw_accounts *a)
{
  free(a->room);
  free(a->spare);
}
