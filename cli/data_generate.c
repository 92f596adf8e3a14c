/* data_generate.c — ofw data generate: ratings like a known set's, or as matrix-completion generates them */
#include "data.h"
#include "whole_file.h"

#include "base/option_table.h"
#include "ratings/ratings.h"

#include <string.h>

static const ofw_likeness *find_likeness(const char *name)
{
  for (size_t i = 0; i < ofw_likenesses_count; i++)
    if (strcmp(ofw_likenesses[i].name, name) == 0)
      return &ofw_likenesses[i];
  return NULL;
}

/* ---- of any shape ---- */

#define AT(field) offsetof(ofw_ratings_shape, field)
static const ofw_option options[] = {
    OFW_COUNT_ROW(AT(users), "users", NULL, "943", 1, OFW_MOST_ROWS, "rows"),
    OFW_COUNT_ROW(AT(items), "items", NULL, "1682", 1, OFW_MOST_ROWS, "columns"),
    OFW_COUNT_ROW(AT(ratings), "ratings", NULL, "100000", 1, OFW_MOST_RATINGS, "number of ratings"),
    OFW_COUNT_ROW(AT(rank), "rank", NULL, "5", 1, OFW_MOST_RANK, "rank of the matrix behind them"),
    {0},
};
static const ofw_type shape_type = {.name = "matrix-completion", .options = options}; /* that of the stream's options */

/* "matrix-completion:users=..", which of the stream's options takes those that say what is generated. */
static const char *shape_pairs(const char *spec)
{
  size_t length;
  const char *pairs = ofw_spec_split(spec, &length);
  return length == strlen(shape_type.name) && strncmp(spec, shape_type.name, length) == 0 ? pairs : NULL;
}

static ofw_status generate_shape(ofw_ratings *r, const char *pairs, uint64_t seed, ofw_error *err)
{
  ofw_options o;
  ofw_status st = ofw_options_make(&shape_type, pairs, &o, err);
  if (st == OFW_OK)
    st = ofw_ratings_resolve(o.values, shape_type.name, err);
  if (st == OFW_OK)
    st = ofw_ratings_generate(r, o.values, NULL, seed, err);
  ofw_options_drop(&o);
  return st;
}

/* ---- as text ---- */

static int write_ratings(const command *self, const char *path, const ofw_ratings *r)
{
  FILE *out;
  int code = open_result(self, path, &out);
  if (code)
    return code;
  for (size_t k = 0; k < r->count; k++)
    fprintf(out, "%zu %zu %g\n", r->cell[k] / r->items + 1, r->cell[k] % r->items + 1, r->value[k]);
  return close_result(self, path, out);
}

int data_generate_main(const command *self, const arguments *args)
{
  const char *what = args->word[1], *pairs = shape_pairs(what);
  const ofw_likeness *like = find_likeness(what);
  uint64_t seed;
  ofw_ratings r = {0};
  ofw_error err = {0};
  if (!like && !pairs)
    return data_no_set(self, what);
  int code = read_count(self, args, OPT_SEED, 1, &seed);
  if (code)
    return code;
  ofw_status st = like ? ofw_ratings_generate_like(&r, like, seed, &err) : generate_shape(&r, pairs, seed, &err);
  code = st == OFW_OK ? write_ratings(self, args->value[OPT_OUTPUT_FILE], &r) : refuse(self, &err);
  ofw_ratings_free(&r);
  return code;
}
