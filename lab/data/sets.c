/* sets.c — the table of known data sets, and the check that a file is one: counts, values, SHA-256 */
#include "lab/data/sets.h"

#include "base/data_folder.h"
#include "ratings/ratings.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/sha2.h>

const data_set data_sets[] = {
    {"movielens-100k", "ml-100k/u.data", "06416e597f82b7342361e41163890c81036900f418ad91315590814211dca490", 100000,
     943, 1682, 1.0, 5.0, 1.0,
     "GroupLens Research, University of Minnesota: for research, not to be passed on; ml-100k.zip at grouplens.org"},
    {"filmtrust", "filmtrust/ratings.txt", "241167424e24d588e8871d68641e94ead98d5b3a4f0db01ef3181a74ad35e7a1", 35497,
     1508, 2071, 0.5, 4.0, 0.5,
     "G. Guo, J. Zhang, N. Yorke-Smith, IJCAI 2013: cite it if you use it; filmtrust.zip at "
     "guoguibing.github.io"},
};
const size_t data_sets_count = sizeof data_sets / sizeof *data_sets;

const data_set *data_set_find(const char *name)
{
  for (size_t i = 0; i < data_sets_count; i++)
    if (strcmp(data_sets[i].name, name) == 0)
      return &data_sets[i];
  return NULL;
}

ofw_status data_set_path(const data_set *set, char **out, ofw_error *err)
{
  char *folder;
  *out = NULL;
  OFW_TRY(ofw_data_folder(&folder, err));
  if (!folder)
    return ofw_fail(err, OFW_USAGE, "there is no data folder: set OFW_DATA_DIR, XDG_DATA_HOME or HOME");
  *out = ofw_format("%s/%s", folder, set->file);
  free(folder);
  return *out ? OFW_OK : ofw_fail_memory(err, strlen(set->file));
}

/* ---- is it? ---- */

static ofw_status check_value(const data_set *set, const ofw_ratings *r, size_t k, const char *called, ofw_error *err)
{
  double steps = (r->value[k] - set->lowest) / set->step;
  if (r->value[k] >= set->lowest && r->value[k] <= set->highest && steps == floor(steps))
    return OFW_OK;
  return ofw_fail(err, OFW_BAD_DATA, "%.240s is not %s: user %zu rates item %zu with %g, expected %g, %g, .. or %g",
                  called, set->name, r->cell[k] / r->items + 1, r->cell[k] % r->items + 1, r->value[k], set->lowest,
                  set->lowest + set->step, set->highest);
}

static ofw_status check_ratings(const data_set *set, const ofw_ratings *r, const char *called, ofw_error *err)
{
  if (r->count + r->duplicates != set->rows)
    return ofw_fail(err, OFW_BAD_DATA, "%.240s is not %s: found %zu rows, expected %zu", called, set->name,
                    r->count + r->duplicates, set->rows);
  if (r->users != set->users || r->items != set->items)
    return ofw_fail(err, OFW_BAD_DATA, "%.240s is not %s: found %zu users and %zu items, expected %zu and %zu", called,
                    set->name, r->users, r->items, set->users, set->items);
  for (size_t k = 0; k < r->count; k++)
    OFW_TRY(check_value(set, r, k, called, err));
  return OFW_OK;
}

static ofw_status check_sum(const data_set *set, FILE *in, const char *called, ofw_error *err)
{
  struct sha256_ctx sha;
  unsigned char bytes[8192], digest[SHA256_DIGEST_SIZE];
  char text[2 * SHA256_DIGEST_SIZE + 1];
  size_t n;
  sha256_init(&sha);
  while ((n = fread(bytes, 1, sizeof bytes, in)) > 0)
    sha256_update(&sha, n, bytes);
  if (ferror(in))
    return ofw_fail(err, OFW_BAD_DATA, "cannot read %.240s: %s", called, strerror(errno));
  sha256_digest(&sha, sizeof digest, digest);
  for (size_t i = 0; i < sizeof digest; i++)
    snprintf(text + 2 * i, 3, "%02x", digest[i]);
  if (strcmp(text, set->sha256) == 0)
    return OFW_OK;
  return ofw_fail(err, OFW_BAD_DATA, "%.140s is not %s: its sha256 is %s, expected %s", called, set->name, text,
                  set->sha256);
}

/* The sum comes last: what the others say tells more of what is wrong. */
ofw_status data_set_check(const data_set *set, FILE *in, const char *called, size_t *duplicates, ofw_error *err)
{
  ofw_ratings_source from = {.path = called, .base = 1, .in = in};
  ofw_ratings r;
  long begin = ftell(in);
  ofw_status st = ofw_ratings_read(&r, &from, err);
  if (st == OFW_OK)
    st = check_ratings(set, &r, called, err);
  *duplicates = r.duplicates;
  ofw_ratings_free(&r);
  if (st == OFW_OK && fseek(in, begin, SEEK_SET) != 0)
    st = ofw_fail(err, OFW_BAD_DATA, "cannot read %.240s again: %s", called, strerror(errno));
  return st == OFW_OK ? check_sum(set, in, called, err) : st;
}
