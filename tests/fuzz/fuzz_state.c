/* fuzz_state.c — saved states, damaged and forged
 *
 * Damage, whatever it is, is refused and changes nothing. A forged state has the right checksum over wrong numbers: it may
 * be refused or accepted, and whoever loads it plays on without a fault, though not well.
 */
#include "fuzz_game.h"
#include "round.h"

#include "persist/walk.h"

enum { MOST_ROUNDS = 20, CHECKSUM = 32, ITEMS = 40 };

/* A learner, alone or in a run. */
typedef struct player {
  const game *g;
  ofw_learner *l;
  ofw_stream *s;
  ofw_run *run; /* NULL: alone */
} player;

/* 0: it cannot be made. */
static int open_player(player *p, const game *g, ofw_learner *l, int runs)
{
  ofw_error err = {0};
  *p = (player){.g = g, .l = l};
  runs = runs && l;
  if (runs) {
    p->s = ofw_stream_create("quadratic", g->K, MOST_ROUNDS, 3, &err);
    p->run = p->s ? ofw_run_create(l, p->s, &err) : NULL;
  }
  return l && (!runs || p->run);
}

static void close_player(player *p)
{
  ofw_run_free(p->run);
  ofw_stream_free(p->s);
  ofw_learner_free(p->l);
}

static void play(player *p, fuzz_bytes *b, size_t rounds, int trusted)
{
  double x[ROUND_NUMBERS];
  for (size_t t = 0; t < rounds; t++) {
    const ofw_point *at;
    round_feedback f;
    if (p->l->open && p->run) { /* which asks for decisions itself */
      (void)ofw_run_play(p->run, 1, NULL, NULL);
      continue;
    }
    if (p->l->open && t % 3 == 0) /* which then stays open */
      (void)ofw_learner_decide(p->l, &at);
    if (ofw_learner_decide(p->l, &at) != OFW_OK)
      return;
    MUST(ofw_point_dense(at, x) == OFW_OK);
    if (trusted)
      game_must_hold(p->g, x);
    round_make(&f, b, ofw_domain_dim(p->g->K));
    (void)(p->run ? ofw_run_play(p->run, 1, NULL, NULL) : round_tell(p->l, t + 1, &f.full));
  }
}

static ofw_state saved(const player *p)
{
  ofw_state s = {0};
  MUST((p->run ? ofw_run_save(p->run, &s) : ofw_learner_save_state(p->l, &s)) == OFW_OK);
  return s;
}

/* Another word in the place of this one. In a forged state a small number stays small: a count of the oracle calls that may
 * still be made is believed, and a large one is work for ever, not a fault. */
static uint64_t other_word(uint64_t was, int forged, fuzz_bytes *b)
{
  uint64_t word = fuzz_byte(b);
  for (int i = 1; i < 8 && !(forged && was < (uint64_t)1 << 40); i++)
    word = word << 8 | fuzz_byte(b);
  return word;
}

/* Changes some words, of a forged state only what follows the header, or cuts it off; 0: it came out as it was. */
static int spoil(ofw_state *s, int forged, fuzz_bytes *b)
{
  size_t from = forged ? ITEMS : 0, size = s->size;
  unsigned char *copy = memcpy(malloc(size), s->bytes, size);
  for (size_t n = 1 + fuzz_below(b, 4); n > 0; n--) {
    unsigned char *at = s->bytes + from + fuzz_below(b, (size - from) / 8) * 8;
    uint64_t was, word;
    memcpy(&was, at, sizeof was);
    word = other_word(was, forged, b);
    if (fuzz_byte(b) % 2) /* a bit alone */
      word = was ^ (forged && was < (uint64_t)1 << 40 ? word : (uint64_t)1 << word % 64);
    memcpy(at, &word, sizeof word);
  }
  if (fuzz_byte(b) % 8 == 0)
    s->size -= fuzz_below(b, s->size + 1);
  int changed = s->size != size || memcmp(copy, s->bytes, size) != 0;
  free(copy);
  return changed;
}

static void forge(ofw_state *s)
{
  uint64_t follows = s->size - ITEMS, sum = ofw_state_sum(s->bytes + ITEMS, s->size - ITEMS);
  memcpy(s->bytes + CHECKSUM - 8, &follows, sizeof follows);
  memcpy(s->bytes + CHECKSUM, &sum, sizeof sum);
}

static void load(const player *p, const ofw_state *s, int damaged)
{
  ofw_state before = saved(p);
  ofw_status st = p->run ? ofw_run_load(p->run, s) : ofw_learner_load_state(p->l, s);
  MUST(!damaged || st == OFW_BAD_DATA);
  if (st != OFW_OK)
    must_explain(st, p->run ? ofw_run_error(p->run) : ofw_learner_error(p->l));
  ofw_state after = saved(p);
  if (st != OFW_OK)
    game_must_equal(&before, &after);
  ofw_state_free(&before);
  ofw_state_free(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes b = {data, size};
  game g;
  player p, fresh;
  ofw_learner *l = game_open(&g, &b);
  int runs = size > 0 && data[size - 1] % 4 == 3, made = open_player(&p, &g, l, runs);
  made &= open_player(&fresh, &g, l ? game_learner(&g) : NULL, runs);
  if (made) {
    play(&p, &b, fuzz_below(&b, MOST_ROUNDS), 1);
    ofw_state s = saved(&p);
    int forged = fuzz_byte(&b) % 2, changed = spoil(&s, forged, &b);
    if (forged && s.size >= ITEMS)
      forge(&s);
    load(&fresh, &s, changed && !forged);
    play(&fresh, &b, MOST_ROUNDS, !forged || !changed);
    ofw_state_free(&s);
  }
  close_player(&p);
  close_player(&fresh);
  game_close(&g);
  return 0;
}
