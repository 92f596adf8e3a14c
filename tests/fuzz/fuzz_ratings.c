/* fuzz_ratings.c — files of ratings, plain and compressed: what is accepted is a sorted list of cells within its bounds
 *
 * Input: a byte for how ids count and in which order they are played, one for whether the file is compressed first, and
 * two for users and items; then the file.
 */
#include "fuzz.h"

#include "ratings/ratings.h"

#include <math.h>

#include <zlib.h>

static void must_order(const ofw_ratings *r)
{
  char *seen = calloc(r->count, 1);
  MUST(seen);
  for (size_t k = 0; k < r->count; k++) {
    MUST(r->sequence[k] < r->count && !seen[r->sequence[k]]);
    seen[r->sequence[k]] = 1;
  }
  free(seen);
}

static void must_hold(const ofw_ratings *r, const ofw_ratings_source *from)
{
  MUST(r->count > 0 && r->users > 0 && r->items > 0 && !r->truth);
  MUST(!from->users || r->users == from->users);
  MUST(!from->items || r->items == from->items);
  for (size_t k = 0; k < r->count; k++) {
    MUST(r->cell[k] < r->users * r->items && (k == 0 || r->cell[k] > r->cell[k - 1]));
    MUST(isfinite(r->value[k]) && fabs(r->value[k]) <= r->largest);
  }
  MUST((from->order == OFW_SHUFFLED) == (r->sequence == NULL));
  if (r->sequence)
    must_order(r);
}

static void must_same(const ofw_ratings *a, const ofw_ratings *b)
{
  MUST(a->users == b->users && a->items == b->items && a->count == b->count && a->duplicates == b->duplicates);
  MUST(memcmp(a->cell, b->cell, a->count * sizeof *a->cell) == 0);
  MUST(memcmp(a->value, b->value, a->count * sizeof *a->value) == 0);
  MUST(a->checksum == b->checksum && a->largest == b->largest);
}

/* What the file holds, by whichever road it is opened. */
static void read_twice(const ofw_ratings_source *source)
{
  ofw_ratings_source from = *source;
  ofw_ratings first, second;
  ofw_error err = {0}, why = {0};
  ofw_status st = ofw_ratings_read(&first, &from, &err);
  from.in = fopen(from.path, "r");
  MUST(from.in);
  MUST(ofw_ratings_read(&second, &from, &why) == st);
  fclose(from.in);
  if (st == OFW_OK) {
    must_hold(&first, source);
    must_same(&first, &second);
  } else {
    must_explain(st, err.message);
    MUST(strcmp(err.message, why.message) == 0);
  }
  ofw_ratings_free(&first);
  ofw_ratings_free(&second);
}

static void compress_into(const fuzz_file *file, const uint8_t *data, size_t size)
{
  gzFile out = gzopen(file->path, "w1");
  MUST(out && gzwrite(out, data, (unsigned)size) == (int)size);
  MUST(gzclose(out) == Z_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const uint8_t bounds[] = {0, 0, 1, 5, 100};
  if (size < 4)
    return 0;
  int compressed = data[1] % 2 && size > 4;
  fuzz_file file = fuzz_keep(data + 4, compressed ? 0 : size - 4);
  if (compressed)
    compress_into(&file, data + 4, size - 4);
  ofw_ratings_source from = {.path = file.path,
                             .base = data[0] % 3,
                             .order = (ofw_order)(data[0] / 3 % 3),
                             .users = bounds[data[2] % sizeof bounds],
                             .items = bounds[data[3] % sizeof bounds]};
  read_twice(&from);
  fuzz_drop(file);
  return 0;
}
