/* schedule.c — batches of ratings by round number, and the ratings held out
 *
 * Any round can be had alone: its pass is shuffled by a key, so no order is part of a state. A pass is sorted into its
 * batches when it begins, in time proportional to its length, so that a round sorts and copies nothing.
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
  *s = (ofw_schedule){.count = r->count, .in_play = r->count - held_out, .held_out = held_out, .batch = batch};
  s->shuffled = shuffled && batch < s->in_play; /* of one batch every order is the same */
  s->seed = seed;
  s->play = ofw_owned_array(own, r->count, sizeof *s->play);
  s->order = ofw_owned_array(own, s->in_play, sizeof *s->order);
  s->batch_of = ofw_owned_array(own, r->count, sizeof *s->batch_of);
  s->next = ofw_owned_array(own, s->in_play / batch, sizeof *s->next);
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

/* Each batch in increasing order, all of them in one go: the ratings, from the first on, are dealt to their batches. */
static void sort_batches(ofw_schedule *s)
{
  uint32_t batches = (uint32_t)(s->in_play / s->batch);
  for (size_t k = 0; k < s->count; k++)
    s->batch_of[k] = batches; /* none */
  for (uint32_t b = 0; b < batches; b++) {
    s->next[b] = b * s->batch;
    for (size_t k = 0; k < s->batch; k++)
      s->batch_of[s->order[s->next[b] + k]] = b;
  }
  for (size_t k = 0; k < s->count; k++)
    if (s->batch_of[k] < batches)
      s->order[s->next[s->batch_of[k]]++] = (uint32_t)k;
}

static void begin_pass(ofw_schedule *s, uint64_t pass)
{
  memcpy(s->order, s->play, s->in_play * sizeof *s->order);
  if (s->shuffled)
    ofw_rng_shuffle((ofw_rng_key){s->seed, OFW_RNG_ORDER, pass}, s->in_play, s->order);
  sort_batches(s);
  s->pass = pass;
}

const uint32_t *ofw_schedule_batch(ofw_schedule *s, uint64_t t)
{
  uint64_t a_pass = s->in_play / s->batch, pass = s->shuffled ? 1 + (t - 1) / a_pass : 1;
  if (s->pass != pass)
    begin_pass(s, pass);
  return s->order + (t - 1) % a_pass * s->batch;
}
