/* schedule.c — batches of ratings by round number, and the ratings held out
 *
 * Any round can be had alone: its pass is shuffled by a key, so no order is part of a state. A pass is sorted into its
 * batches when it begins, in time proportional to its length, so that a round sorts and copies nothing.
 */
#include "ratings/schedule.h"

#include "linalg/rng.h"

#include <stdlib.h>
#include <string.h>

/* Exactly s->held_out of all `total` ratings, every set of them as likely as any other: one is taken with the probability
 * that what is still to be taken leaves it. out[k] says it of those that are here; how many of the ratings before are. */
static size_t hold_out(const ofw_schedule *s, const ofw_ratings *r, unsigned char *out)
{
  enum { CHUNK = 512 };
  double unit[CHUNK];
  size_t left = s->held_out, before = 0, n = r->total;
  for (size_t k = 0; k < n; k++) {
    if (k % CHUNK == 0)
      ofw_rng_units((ofw_rng_key){s->seed, OFW_RNG_HOLDOUT, 0}, k, n - k < CHUNK ? n - k : CHUNK, unit);
    int taken = unit[k % CHUNK] * (double)(n - k) < (double)left;
    left -= (size_t)taken;
    before += k < r->first && taken;
    if (k - r->first < r->count)
      out[k - r->first] = (unsigned char)taken;
  }
  return before;
}

static void divide(ofw_schedule *s, const ofw_ratings *r, const unsigned char *out)
{
  for (size_t k = 0; k < r->count; k++)
    s->held_out_here += out[k];
  s->play_here = r->count - s->held_out_here;
  size_t in = 0, kept = s->play_here;
  for (size_t k = 0; k < r->count; k++) {
    size_t rating = r->sequence ? r->sequence[k] : k;
    s->play[out[rating] ? kept++ : in++] = (uint32_t)rating;
  }
}

ofw_status ofw_schedule_open(ofw_schedule *s, ofw_owned *own, const ofw_ratings *r, int shuffled, size_t held_out,
                             size_t batch, uint64_t seed, ofw_error *err)
{
  *s = (ofw_schedule){.count = r->count, .in_play = r->total - held_out, .held_out = held_out, .batch = batch};
  s->shuffled = shuffled && batch < s->in_play; /* of one batch every order is the same */
  s->seed = seed;
  s->play = ofw_owned_array(own, r->count, sizeof *s->play);
  s->order = ofw_owned_array(own, s->shuffled && s->in_play > r->count ? s->in_play : r->count, sizeof *s->order);
  s->batch_of = ofw_owned_array(own, r->count, sizeof *s->batch_of);
  s->next = ofw_owned_array(own, s->in_play / batch + 1, sizeof *s->next);
  OFW_TRY(ofw_owned_check(own, err));
  unsigned char *out = ofw_array(r->count, 1);
  if (!out)
    return ofw_fail_memory(err, r->count);
  s->before = r->first - hold_out(s, r, out);
  divide(s, r, out);
  free(out);
  return OFW_OK;
}

/* batch_of[k], for the ratings here: the batch that the pass shows it in; batches: none. */
static void deal_batches(ofw_schedule *s, uint64_t pass, uint32_t batches)
{
  size_t dealt = batches * s->batch;
  for (size_t k = 0; k < s->count; k++)
    s->batch_of[k] = batches;
  for (size_t k = 0; k < s->play_here && !s->shuffled; k++)
    if (s->before + k < dealt)
      s->batch_of[s->play[k]] = (uint32_t)((s->before + k) / s->batch);
  if (!s->shuffled)
    return;
  for (size_t k = 0; k < s->in_play; k++)
    s->order[k] = (uint32_t)k;
  ofw_rng_shuffle((ofw_rng_key){s->seed, OFW_RNG_ORDER, pass}, s->in_play, s->order);
  for (size_t k = 0; k < dealt; k++)
    if (s->order[k] - s->before < s->play_here)
      s->batch_of[s->play[s->order[k] - s->before]] = (uint32_t)(k / s->batch);
}

/* Each batch in increasing order, all of them in one go: the ratings, from the first on, are dealt to their batches. */
static void sort_batches(ofw_schedule *s, uint32_t batches)
{
  memset(s->next, 0, (batches + 1) * sizeof *s->next);
  for (size_t k = 0; k < s->count; k++)
    s->next[s->batch_of[k]]++;
  for (size_t b = 0, at = 0; b <= batches; b++) {
    size_t n = s->next[b];
    s->next[b] = at;
    at += n;
  }
  for (size_t k = 0; k < s->count; k++)
    s->order[s->next[s->batch_of[k]]++] = (uint32_t)k;
}

const uint32_t *ofw_schedule_batch(ofw_schedule *s, uint64_t t, size_t *n)
{
  uint64_t a_pass = s->in_play / s->batch, pass = s->shuffled ? 1 + (t - 1) / a_pass : 1;
  size_t b = (size_t)((t - 1) % a_pass);
  if (s->pass != pass) {
    deal_batches(s, pass, (uint32_t)a_pass);
    sort_batches(s, (uint32_t)a_pass);
    s->pass = pass;
  }
  size_t from = b > 0 ? s->next[b - 1] : 0;
  *n = s->next[b] - from;
  return s->order + from;
}
