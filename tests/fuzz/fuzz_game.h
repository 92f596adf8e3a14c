/* fuzz_game.h — a domain and a learner that bytes choose, from all that is registered, with options that the tables allow
 *
 * Nothing is named here, so a new domain, learner or option is played without a word of this changing.
 */
#ifndef OFW_TEST_FUZZ_GAME_H
#define OFW_TEST_FUZZ_GAME_H

#include "fuzz.h"

#include <math.h>

enum { GAME_TEXT = 400, GAME_SETS = 24 };

/* All that makes a learner, so that it can be made again. */
typedef struct game {
  ofw_domain *K;
  const char *learner;
  ofw_learner_settings settings;
  char text[GAME_SETS][GAME_TEXT];
  const char *set[GAME_SETS];
  int factored;   /* only sparse gradients and whole matrices of rank one are taken */
  int extreme;    /* a constant is so large or so small that arithmetic may fail, which then is said */
  double largest; /* numbers beyond it may be too large for arithmetic */
  double slack;   /* how far a decision may be outside K, by rounding */
} game;

/* A number within the option's range, of any size. */
static inline double game_real(game *g, fuzz_bytes *b, double lower, double upper)
{
  static const double sizes[] = {1, 0.5, 2,    0.1, 10,    1e-3, 1e3,    1e-9, 1e9,
                                 0, -1,  -0.5, -10, 1e-80, 1e80, 1e-300, 1e300};
  double x = fmin(fmax(sizes[fuzz_below(b, sizeof sizes / sizeof *sizes)], lower), upper);
  g->extreme |= fabs(x) > 1e10 || (x != 0.0 && fabs(x) < 1e-10);
  return x;
}

static inline void game_spec(game *g, fuzz_bytes *b, int depth, char out[GAME_TEXT]);

/* "key=value" for this option. */
static inline void game_pair(game *g, fuzz_bytes *b, const ofw_option *o, int depth, char out[GAME_TEXT])
{
  char nested[GAME_TEXT];
  int counts = o->kind == OFW_COUNT;
  size_t words = 1, most = counts && o->upper < 8.0 ? (size_t)o->upper : 8, least = counts ? (size_t)o->lower : 0;
  const char *word = o->words;
  for (const char *c = word; c && *c; c++)
    words += *c == '|';
  for (size_t skip = word ? fuzz_below(b, words) : 0; skip > 0; skip--)
    word = strchr(word, '|') + 1;
  if (word && (o->kind == OFW_CHOICE || fuzz_byte(b) % 2))
    snprintf(out, GAME_TEXT, "%s=%.*s", o->name, (int)strcspn(word, "|"), word);
  else if (counts)
    snprintf(out, GAME_TEXT, "%s=%zu", o->name, least + fuzz_below(b, most > least ? most - least + 1 : 1));
  else if (o->kind == OFW_REAL)
    snprintf(out, GAME_TEXT, "%s=%.17g", o->name, game_real(g, b, o->lower, o->upper));
  else if (strcmp(o->name, "of") == 0) { /* a wrapper's inner set */
    game_spec(g, b, depth + 1, nested);
    snprintf(out, GAME_TEXT, "of=(%.380s)", nested);
  } else
    snprintf(out, GAME_TEXT, "%s=%.17g", o->name, game_real(g, b, -1e9, 1e9));
}

/* A domain's spec: its example, or every option chosen. */
static inline void game_spec(game *g, fuzz_bytes *b, int depth, char out[GAME_TEXT])
{
  const ofw_type *type = ofw_domain_type(fuzz_below(b, ofw_domain_types()));
  size_t length = (size_t)snprintf(out, GAME_TEXT, "%s:", type->name);
  if (fuzz_byte(b) % 4 == 0 || depth > 2) {
    snprintf(out, GAME_TEXT, "%s", type->example);
    return;
  }
  for (const ofw_option *o = type->options; o->name; o++) {
    char pair[GAME_TEXT];
    game_pair(g, b, o, depth, pair);
    length += (size_t)snprintf(out + length, GAME_TEXT - length, "%s%s", o == type->options ? "" : ",", pair);
    if (length >= GAME_TEXT)
      length = GAME_TEXT - 1; /* cut off: no spec, then */
  }
}

/* What an option of storage means for what is asked of a game. */
static inline void game_storage(game *g, const char *pair)
{
  if (strcmp(pair, "storage=float") == 0)
    g->slack = 1e-6, g->largest = 1e10;
  if (strcmp(pair, "storage=factored") == 0)
    g->factored = 1, g->largest = 1e30;
}

/* What counts work and grows with the horizon is always chosen: by default a round may take minutes. The rank is one of
 * factors alone. What every learner has counts no work, and most refuse it: that is seldom chosen. */
static inline void game_options(game *g, fuzz_bytes *b, const ofw_option *table, int own)
{
  for (const ofw_option *o = table; o->name && g->settings.options < GAME_SETS; o++)
    if (strcmp(o->name, "rank") == 0 ? g->factored
                                     : fuzz_byte(b) % 4 == 1 || (own && o->kind == OFW_COUNT && !o->value)) {
      g->set[g->settings.options] = g->text[g->settings.options];
      game_pair(g, b, o, 0, g->text[g->settings.options++]);
      game_storage(g, g->set[g->settings.options - 1]);
    }
}

/* Another learner of the same settings. */
static inline ofw_learner *game_learner(const game *g)
{
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create_over(g->learner, g->K, &g->settings, &err);
  if (!l)
    must_explain(err.status, err.message);
  return l;
}

/* NULL: the bytes chose what cannot be made. game_close returns it either way. */
static inline ofw_learner *game_open(game *g, fuzz_bytes *b)
{
  static const uint64_t horizons[] = {OFW_HORIZON_AUTO, 1, 9, 64, 1000, 1000000000};
  char spec[GAME_TEXT];
  ofw_error err = {0};
  *g = (game){.slack = 1e-11, .largest = 1e90};
  game_spec(g, b, 0, spec);
  g->K = ofw_domain_create(spec, &err);
  if (!g->K) {
    must_explain(err.status, err.message);
    return NULL;
  }
  const ofw_type *type = ofw_learner_type(fuzz_below(b, ofw_learner_types()));
  g->learner = type->name;
  g->settings.size = sizeof g->settings; /* one by one, since a list has no order of its own */
  g->settings.horizon = horizons[fuzz_below(b, 6)];
  g->settings.lipschitz = game_real(g, b, 1e-9, 1e9);
  g->settings.loss_bound = game_real(g, b, 0, 1e9);
  g->settings.strong_convexity = game_real(g, b, 0, 1e9);
  g->settings.seed = fuzz_byte(b);
  game_options(g, b, type->options, 1);
  game_options(g, b, ofw_learner_common_options(), 0);
  g->settings.option = g->set;
  return game_learner(g);
}

static inline void game_close(game *g)
{
  ofw_domain_free(g->K);
}

/* Finite, and in K as far as K can tell. */
static inline void game_must_hold(const game *g, const double *x)
{
  for (size_t i = 0; i < ofw_domain_dim(g->K); i++)
    MUST(isfinite(x[i]));
  MUST(ofw_domain_excess(g->K, x) <= g->slack * g->K->R);
}

/* Reads a decision in every way; they may round apart, no more. All of it goes to x. */
static inline void game_read_point(const game *g, const ofw_point *at, double *x)
{
  size_t dim = ofw_domain_dim(g->K), last = dim - 1;
  double entry, dot, one = 1.0, near = 1e-12 * g->K->R;
  ofw_vec e = ofw_vec_sparse(1, &last, &one);
  MUST(at->at->dim == dim && ofw_point_centre(at, x) == OFW_OK);
  game_must_hold(g, x);
  MUST(ofw_point_dense(at, x) == OFW_OK);
  game_must_hold(g, x);
  MUST(ofw_point_entries(at, 1, &last, &entry) == OFW_OK && fabs(entry - x[last]) <= near);
  MUST(ofw_point_entries(at, 1, &dim, &entry) == OFW_USAGE);
  MUST(ofw_point_dot(at, (ofw_sum){1, &e}, &dot) == OFW_OK && fabs(dot - x[last]) <= near);
}

static inline ofw_state game_saved(ofw_learner *l)
{
  ofw_state s = {0};
  MUST(ofw_learner_save_state(l, &s) == OFW_OK);
  return s;
}

static inline void game_must_equal(const ofw_state *a, const ofw_state *b)
{
  MUST(a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0);
}

#endif
