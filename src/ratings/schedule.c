/* schedule.c — batches of ratings by round number, and the ratings held out
 *
 * Any round can be had alone: its pass is shuffled by a key, so no order is part of a state.
 */
#include "ratings/schedule.h"

#include "linalg/rng.h"

#include <stdlib.h>
#include <string.h>

/* Exactly s->held_out of the n ratings, every set of them as likely as any other: one is taken with the probability
 * that what is still to be taken leaves it. */
static void hold_out(const ofw_schedule *s, size_t n, unsigned char *out)
{
  enum { CHUNK = 512 };
  double unit[CHUNK];
  size_t left = s->held_out;
  for (size_t k = 0; k < n; k++) {
    if (k % CHUNK == 0)
      ofw_rng_units((ofw_rng_key){s->seed, OFW_RNG_HOLDOUT, 0}, k, n - k < CHUNK ? n - k : CHUNK, unit);
    out[k] = unit[k % CHUNK] * (double)(n - k) < (double)left;
    left -= out[k];
  }
}

ofw_status ofw_schedule_open(ofw_schedule *s, ofw_owned *own, const ofw_ratings *r, int shuffled, size_t held_out,
                             size_t batch, uint64_t seed, ofw_error *err)
{
  *s = (ofw_schedule){.in_play = r->count - held_out, .held_out = held_out, .batch = batch, .seed = seed};
  s->play = ofw_owned_array(own, r->count, sizeof *s->play);
  s->order = shuffled ? ofw_owned_array(own, s->in_play, sizeof *s->order) : NULL;
  s->rating = ofw_owned_array(own, batch, sizeof *s->rating);
  OFW_TRY(ofw_owned_check(own, err));
  unsigned char *out = ofw_array(r->count, 1);
  if (!out)
    return ofw_fail_memory(err, r->count);
  hold_out(s, r->count, out);
  size_t in = 0, kept = s->in_play;
  for (size_t k = 0; k < r->count; k++) {
    size_t rating = r->sequence ? r->sequence[k] : k;
    s->play[out[rating] ? kept++ : in++] = (uint32_t)rating;
  }
  free(out);
  return OFW_OK;
}

static void shuffle(ofw_schedule *s, uint64_t pass)
{
  memcpy(s->order, s->play, s->in_play * sizeof *s->order);
  ofw_rng_shuffle((ofw_rng_key){s->seed, OFW_RNG_ORDER, pass}, s->in_play, s->order);
  s->pass = pass;
}

static int by_number(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

const uint32_t *ofw_schedule_batch(ofw_schedule *s, uint64_t t)
{
  uint64_t a_pass = s->in_play / s->batch, pass = 1 + (t - 1) / a_pass, at = (t - 1) % a_pass;
  if (s->order && s->pass != pass)
    shuffle(s, pass);
  memcpy(s->rating, (s->order ? s->order : s->play) + at * s->batch, s->batch * sizeof *s->rating);
  qsort(s->rating, s->batch, sizeof *s->rating, by_number);
  return s->rating;
}
