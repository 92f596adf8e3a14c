/* state.c — saved states, damaged and forged
 *
 * Damage, whatever it is, is refused and changes nothing. A forged state has the right checksum over wrong numbers: it may
 * be refused or accepted, and whoever loads it plays on without a fault, though not well.
 */
#include "game.h"
#include "round.h"

#include "persist/state.h"

enum { MOST_ROUNDS = 20, CHECKSUM = 32, ITEMS = 40 };

static void play(ofw_learner *l, fuzz_bytes *b, const game *g, int rounds, int trusted)
{
  double x[ROUND_NUMBERS];
  for (int t = 0; t < rounds; t++) {
    const ofw_point *at;
    round_feedback f;
    if (ofw_learner_decide(l, &at) != OFW_OK)
      return;
    MUST(ofw_point_dense(at, x) == OFW_OK);
    if (trusted)
      game_must_hold(g, x);
    round_make(&f, b, ofw_domain_dim(g->K));
    (void)round_tell(l, &f.full);
  }
}

/* Changes some bytes between `from` and the end, or cuts it off; 0: it came out as it was. */
static int spoil(ofw_state *s, size_t from, fuzz_bytes *b)
{
  unsigned char *was = malloc(s->size);
  size_t size = s->size;
  MUST(was);
  memcpy(was, s->bytes, size);
  for (size_t n = 1 + fuzz_below(b, 4); n > 0; n--) {
    size_t at = from + fuzz_below(b, size - from) / 8 * 8, width = fuzz_byte(b) % 2 ? 8 : 1;
    for (size_t i = 0; i < width && at + i < size; i++)
      s->bytes[at + i] = fuzz_byte(b);
  }
  if (fuzz_byte(b) % 8 == 0)
    s->size -= fuzz_below(b, s->size + 1);
  int changed = s->size != size || memcmp(was, s->bytes, size) != 0;
  free(was);
  return changed;
}

static void forge(ofw_state *s)
{
  uint64_t follows = s->size - ITEMS, sum = ofw_state_sum(s->bytes + ITEMS, s->size - ITEMS);
  memcpy(s->bytes + CHECKSUM - 8, &follows, sizeof follows);
  memcpy(s->bytes + CHECKSUM, &sum, sizeof sum);
}

static void load(ofw_learner *l, const ofw_state *s, ofw_status wanted)
{
  ofw_state before = game_saved(l);
  ofw_status st = ofw_learner_load(l, s);
  MUST(st == OFW_OK ? wanted == OFW_OK : st == OFW_BAD_DATA || wanted == OFW_OK);
  if (st != OFW_OK)
    must_explain(st, ofw_learner_error(l));
  ofw_state after = game_saved(l);
  if (st != OFW_OK)
    game_must_equal(&before, &after);
  ofw_state_free(&before);
  ofw_state_free(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes b = {data, size};
  game g;
  ofw_learner *l = game_open(&g, &b), *fresh = l ? game_learner(&g) : NULL;
  if (fresh) {
    ofw_state s = {0};
    play(l, &b, &g, (int)fuzz_below(&b, MOST_ROUNDS), 1);
    MUST(ofw_learner_save(l, &s) == OFW_OK);
    int forged = fuzz_byte(&b) % 2, changed = spoil(&s, forged ? ITEMS : 0, &b);
    if (forged && s.size >= ITEMS)
      forge(&s);
    load(fresh, &s, changed && !forged ? OFW_BAD_DATA : OFW_OK);
    play(fresh, &b, &g, MOST_ROUNDS, !forged || !changed);
    ofw_state_free(&s);
  }
  ofw_learner_free(fresh);
  ofw_learner_free(l);
  game_close(&g);
  return 0;
}
