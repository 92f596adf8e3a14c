/* fuzz_play.c — any learner over any domain, under any calls in any order
 *
 * Two learners of the same settings play. The first is also asked for what must be refused, saved, loaded, and replaced by
 * another that loads its state; the second only hears what was accepted. They must be the same to the bit throughout. A
 * learner with a delay has several decisions out, and hears of them in any order.
 */
#include "fuzz_game.h"
#include "round.h"

enum { MOST_CALLS = 400 };

typedef struct player {
  game g;
  ofw_learner *l, *twin;
  double *x, *other;     /* room for points */
  const ofw_point *held; /* the decision, where there is one; NULL: none is out, unless there is a delay */
  double Q;
  int huge;   /* a number was seen for which arithmetic may fail, then or later */
  int failed; /* numerically, which is for good */
} player;

/* The first learner's state is this one, which is freed. */
static void must_unchanged(const player *p, ofw_state *before)
{
  ofw_state now = game_saved(p->l);
  game_must_equal(before, &now);
  ofw_state_free(&now);
  ofw_state_free(before);
}

static void decide(player *p)
{
  const ofw_point *x, *y;
  if (!p->failed && p->l->open && p->l->open->count == p->l->open->most) {
    ofw_state before = game_saved(p->l);
    MUST(ofw_learner_decide(p->l, &x) == OFW_USAGE);
    must_explain(OFW_USAGE, ofw_learner_error(p->l));
    must_unchanged(p, &before);
    return;
  }
  ofw_status st = ofw_learner_decide(p->l, &x);
  MUST(ofw_learner_decide(p->twin, &y) == st);
  if (st != OFW_OK) {
    must_explain(st, ofw_learner_error(p->l));
    MUST(st == OFW_NUMERICAL && p->failed);
    return;
  }
  p->held = x;
  game_read_point(&p->g, x, p->x);
  MUST(ofw_point_dense(y, p->other) == OFW_OK);
  MUST(ofw_point_dense(x, p->x) == OFW_OK && memcmp(p->x, p->other, ofw_domain_dim(p->g.K) * sizeof *p->x) == 0);
}

/* Of a learner with a delay: one that is open, most of the time. */
static uint64_t choose_round(const player *p, fuzz_bytes *b)
{
  const ofw_open_rounds *open = p->l->open;
  uint8_t which = open ? fuzz_byte(b) : 0;
  return open && open->count && which < 250 ? open->list[which % open->count].round : which % 8;
}

static void observe(player *p, fuzz_bytes *b)
{
  round_feedback f;
  uint64_t round = choose_round(p, b);
  const ofw_open_rounds *open = p->l->open;
  int waits = open ? ofw_open_rounds_find(open, round) < open->count : p->held != NULL;
  ofw_state before = game_saved(p->l);
  round_make(&f, b, ofw_domain_dim(p->g.K));
  int bandit = p->l->method->bandit, bad = f.bad_values || (!bandit && f.bad_gradients);
  size_t rows, cols;
  ofw_domain_shape(p->g.K, &rows, &cols);
  int held = !p->g.factored || round_structured(&f, rows, cols); /* its gradients can be */
  /* constraints that each have an account are as many in every round that has any */
  size_t accounts = p->l->accounts ? p->l->accounts->count : 0, given = f.full.values.constraints;
  int other = accounts > 0 && given > 0 && given != accounts;
  ofw_status st = round_tell(p->l, round, &f.full);
  if (p->failed || !waits || bad || !held || other) {
    MUST(st == (p->failed ? OFW_NUMERICAL : !waits ? OFW_USAGE : bad || held ? OFW_BAD_DATA : OFW_UNSUPPORTED));
    must_explain(st, ofw_learner_error(p->l));
    must_unchanged(p, &before);
    return;
  }
  ofw_state_free(&before);
  p->huge |= f.largest > p->g.largest;
  MUST(st == OFW_OK || (st == OFW_NUMERICAL && (p->huge || p->g.extreme)));
  MUST(round_tell(p->twin, round, &f.full) == st);
  p->failed = st != OFW_OK;
  p->held = NULL;
}

/* The wrong kind of feedback for this learner. */
static void observe_wrong(const player *p)
{
  ofw_full fb = {0};
  ofw_state before = game_saved(p->l);
  ofw_status st = p->l->method->bandit ? ofw_learner_observe(p->l, &fb) : ofw_learner_observe_values(p->l, &fb.values);
  MUST(st == (p->failed ? OFW_NUMERICAL : OFW_USAGE));
  must_unchanged(p, &before);
}

static void look(player *p)
{
  ofw_info info = {.size = sizeof info};
  int credit = p->l->accounts && p->l->accounts->credit; /* what a round saves takes back what others overspent */
  MUST(ofw_learner_info(p->l, &info) == OFW_OK && (credit || info.violation >= p->Q) && isfinite(info.violation));
  p->Q = info.violation;
  if (p->failed)
    return;
  MUST(info.sigma >= 0.0 && info.sigma <= 1.0 && info.oracle_error >= 0.0 && !isnan(info.log_price));
  if (ofw_learner_sample(p->l, p->x) == OFW_OK)
    game_must_hold(&p->g, p->x);
}

/* Its own state, into itself or into another that takes its place. */
static void reload(player *p, int fresh)
{
  ofw_state s = game_saved(p->l);
  if (fresh) {
    ofw_learner_free(p->l);
    p->l = game_learner(&p->g);
    MUST(p->l);
  }
  MUST(ofw_learner_load_state(p->l, &s) == OFW_OK);
  must_unchanged(p, &s);
  if (p->held && !p->l->open) /* the point is gone with the load; the decision is not */
    decide(p);
}

static void load_damaged(const player *p, fuzz_bytes *b)
{
  ofw_state before = game_saved(p->l), s = game_saved(p->l);
  s.bytes[fuzz_below(b, s.size)] ^= (unsigned char)(1 << fuzz_byte(b) % 8);
  MUST(ofw_learner_load_state(p->l, &s) == OFW_BAD_DATA);
  must_explain(OFW_BAD_DATA, ofw_learner_error(p->l));
  ofw_state_free(&s);
  must_unchanged(p, &before);
}

static void call(player *p, fuzz_bytes *b)
{
  uint8_t which = fuzz_byte(b) % 8;
  if (which < 3 || which == 4)
    decide(p);
  if (which < 4)
    observe(p, b);
  else if (which == 5)
    observe_wrong(p);
  else if (which == 6)
    reload(p, fuzz_byte(b) % 2);
  else if (which == 7)
    load_damaged(p, b);
  look(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes b = {data, size};
  player p = {0};
  p.l = game_open(&p.g, &b);
  if (p.l) {
    p.twin = game_learner(&p.g);
    p.x = calloc(2 * ofw_domain_dim(p.g.K), sizeof *p.x);
    MUST(p.twin && p.x);
    p.other = p.x + ofw_domain_dim(p.g.K);
    for (int i = 0; i < MOST_CALLS && b.left > 0; i++)
      call(&p, &b);
    ofw_state twin = game_saved(p.twin);
    must_unchanged(&p, &twin);
  }
  free(p.x);
  ofw_learner_free(p.l);
  ofw_learner_free(p.twin);
  game_close(&p.g);
  return 0;
}
