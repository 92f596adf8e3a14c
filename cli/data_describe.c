/* data_describe.c — ofw data describe: a file of ratings, or a data set, in a few numbers */
#include "data.h"

#include "lab/data/describe.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- for readers ---- */

static void print_values(const data_description *d)
{
  printf("values      mean %.4g, standard deviation %.4g\n", d->mean, d->deviation);
  if (!d->values)
    printf("            more than %d different ones, from %g to %g\n", DATA_MOST_VALUES, d->lowest, d->highest);
  for (size_t i = 0; i < d->values; i++)
    printf("%16g %8zu %5.1f%%\n", d->value[i], d->of_value[i],
           100.0 * (double)d->of_value[i] / (double)(d->rows - d->duplicates));
}

static void print_counts(const char *name, const data_counts *c)
{
  printf("%-11s from %zu to %zu, quartiles %g, %g and %g\n", name, c->least, c->most, c->quartile[0], c->quartile[1],
         c->quartile[2]);
}

static void print_spectrum(const char *name, size_t n, const double *value)
{
  printf("%s", name);
  for (size_t i = 0; i < n; i++)
    printf(" %.5g", value[i]);
  putchar('\n');
}

static void print_text(const data_description *d)
{
  printf("rows        %zu", d->rows);
  if (d->duplicates)
    printf(", of which %zu rate a pair that a later row rates again", d->duplicates);
  printf("\nshape       %zu users x %zu items\ndensity     %.4g%%\n", d->users, d->items, 100.0 * d->density);
  print_values(d);
  print_counts("per user", &d->per_user);
  print_counts("per item", &d->per_item);
  puts("leading singular values");
  print_spectrum("  with 0 for unrated pairs      ", d->singular, d->singular_value);
  print_spectrum("  after subtracting the mean    ", d->centred_singular, d->centred_singular_value);
}

/* ---- for programs ---- */

static void json_counts(json *j, const char *key, const data_counts *c)
{
  json_open(j, key);
  json_count(j, "min", c->least);
  json_reals(j, "quartiles", 3, c->quartile);
  json_count(j, "max", c->most);
  json_close(j);
}

static void print_json(const char *path, const data_description *d)
{
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "file", path);
  json_count(&j, "rows", d->rows);
  json_count(&j, "duplicates", d->duplicates);
  json_count(&j, "users", d->users);
  json_count(&j, "items", d->items);
  json_real(&j, "density", d->density);
  json_real(&j, "mean", d->mean);
  json_real(&j, "standard_deviation", d->deviation);
  json_real(&j, "min", d->lowest);
  json_real(&j, "max", d->highest);
  json_open_list(&j, "values");
  for (size_t i = 0; i < d->values; i++) {
    json_open(&j, NULL);
    json_real(&j, "value", d->value[i]);
    json_count(&j, "count", d->of_value[i]);
    json_close(&j);
  }
  json_close_list(&j);
  json_counts(&j, "per_user", &d->per_user);
  json_counts(&j, "per_item", &d->per_item);
  json_reals(&j, "singular_values", d->singular, d->singular_value);
  json_reals(&j, "centred_singular_values", d->centred_singular, d->centred_singular_value);
  json_close(&j);
  putchar('\n');
}

/* ---- */

static int describe(const command *self, const arguments *args, const char *path)
{
  ofw_ratings_source from = {.path = path, .base = OFW_BASE_AUTO};
  data_description d;
  ofw_ratings r;
  ofw_error err = {0};
  ofw_status st = ofw_ratings_read(&r, &from, &err);
  if (st == OFW_OK)
    st = data_describe(&r, &d, &err);
  ofw_ratings_free(&r);
  if (st != OFW_OK)
    return refuse(self, &err);
  if (args->value[OPT_JSON])
    print_json(path, &d);
  else
    print_text(&d);
  return EXIT_OK;
}

int data_describe_main(const command *self, const arguments *args)
{
  const data_set *set = data_set_find(args->word[1]);
  ofw_error err = {0};
  char *path;
  if (!set)
    return describe(self, args, args->word[1]);
  if (data_set_path(set, &path, &err) != OFW_OK)
    return refuse(self, &err);
  int code = access(path, F_OK) == 0
                 ? describe(self, args, path)
                 : complain(self, EXIT_BAD_DATA, "%s is not in %s: see 'ofw data list'", set->name, path);
  free(path);
  return code;
}
