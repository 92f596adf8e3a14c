/* own_method.c — a learner of the caller's own: rounds as dense arrays, a decision that is checked before it is played
 *
 * The engine keeps x between rounds, so that saving, epochs and first decisions are those of any other learner; a round
 * copies it out, lets the caller's function change it, and copies it back. The engine's d is not used.
 */
#include "learner/own_method.h"

#include "base/plain.h"
#include "linalg/kernels.h"
#include "vector/vec_arithmetic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far outside the set a decision may be, in radii: rounding of a million rounds is far below it. */
#define OUTSIDE 1e-6

/* What start asked for: a part of a state. */
typedef struct own_array {
  const char *name;
  double *x;
  size_t n;
  struct own_array *next;
} own_array;

/* me comes first: the caller's functions are handed it, and hand it back. */
typedef struct own_state {
  ofw_own me;
  ofw_learner *l; /* as long as a function of the caller's is running */
  int starts;     /* that is start, not observe */
  own_array *array, **last;
  double *loss_gradient, *constraint_gradient, *played;
  void *spare; /* what load has made of a state that is still being checked */
} own_state;

static const ofw_learner_callbacks *callbacks(const ofw_learner *l)
{
  return &l->by->own;
}

/* ---- what the caller's functions may call ---- */

static own_state *running(ofw_own *me, int starts)
{
  own_state *s = (own_state *)me;
  return s->l && s->starts == starts ? s : NULL;
}

ofw_status ofw_own_fail(ofw_own *me, ofw_status status, const char *message)
{
  ofw_learner *l = ((own_state *)me)->l;
  ofw_status st = status > OFW_OK && status < OFW_END ? status : OFW_FAILED;
  if (l) {
    ofw_fail(&l->err, st, "%s: %s", l->method->type.name, message ? message : "");
    ofw_make_plain(l->err.message, "\t");
  }
  return st;
}

double *ofw_own_array(ofw_own *me, const char *name, size_t n)
{
  own_state *s = running(me, 1);
  if (!s || !name)
    return NULL;
  own_array *a = ofw_owned_array(&s->l->own, 1, sizeof *a);
  const char *copy = ofw_owned_take(&s->l->own, ofw_copy_text(name), strlen(name) + 1);
  double *x = ofw_owned_doubles(&s->l->own, n);
  if (!a || !copy || !x)
    return NULL;
  *a = (own_array){copy, x, n, NULL};
  if (s->array)
    *s->last = a;
  else
    s->array = a;
  s->last = &a->next;
  return x;
}

static int is_zero(size_t n, const double *d)
{
  for (size_t i = 0; i < n; i++)
    if (d[i] != 0.0)
      return 0;
  return 1;
}

ofw_status ofw_own_minimise(ofw_own *me, const double *d, double tolerance, double *v)
{
  own_state *s = running(me, 0);
  if (!s)
    return OFW_USAGE;
  ofw_learner *l = s->l;
  ofw_answer answer = {0};
  size_t bad = ofw_first_not_finite(l->dim, d);
  if (!(tolerance > 0.0))
    return ofw_own_fail(me, OFW_NUMERICAL, "the oracle's tolerance must be positive");
  if (bad < l->dim)
    return ofw_fail(&l->err, OFW_NUMERICAL, "%s: the direction is not finite at coordinate %zu", l->method->type.name,
                    bad + 1);
  if (is_zero(l->dim, d)) {
    memmove(v, me->x, l->dim * sizeof *v);
    me->gap = 0.0;
    return OFW_OK;
  }
  double asked = l->common.oracle_tolerance, at_x = ofw_dot(l->dim, d, me->x);
  ofw_direction direction = ofw_direction_dense(l->K, d, (ofw_accuracy){isnan(asked) ? tolerance : asked, INFINITY, 0});
  OFW_TRY(l->K->ops->minimise(l->K, l->work, &direction, &answer, &l->err));
  me->gap = at_x - answer.value;
  l->info.oracle_error = answer.error;
  l->info.oracle_proven = answer.proven;
  ofw_sum_dense(answer.atom, l->dim, v);
  return OFW_OK;
}

ofw_status ofw_own_project(ofw_own *me, const double *y, double *x)
{
  own_state *s = running(me, 0);
  if (!s)
    return OFW_USAGE;
  ofw_learner *l = s->l;
  size_t bad = ofw_first_not_finite(l->dim, y);
  if (!l->projects)
    return ofw_own_fail(me, OFW_USAGE, "it called ofw_own_project, but its callbacks have projects = 0; set it to 1");
  if (bad < l->dim)
    return ofw_fail(&l->err, OFW_NUMERICAL, "%s: the point to project is not finite at coordinate %zu",
                    l->method->type.name, bad + 1);
  memmove(x, y, l->dim * sizeof *x);
  return l->K->ops->project(l->K, l->work, x, &l->err);
}

/* ---- calling them ---- */

/* A failure has a message, whether or not the caller's function gave one. An oracle's is one even if that function went on. */
static ofw_status judge(ofw_learner *l, ofw_status st, const char *which)
{
  if (l->err.status != OFW_OK)
    return l->err.status;
  if (st == OFW_OK)
    return OFW_OK;
  ofw_status known = (int)st > OFW_OK && (int)st < OFW_END ? st : OFW_FAILED;
  return ofw_fail(&l->err, known, "%s: its %s returned %d without a message; see ofw_own_fail", l->method->type.name,
                  which, (int)st);
}

static ofw_status check_kept(ofw_learner *l)
{
  ofw_common *c = &l->common;
  const char *name = l->method->type.name;
  if (c->sample)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s: sample=yes works only with built-in learners; leave sample out",
                    name);
  if (c->storage > OFW_STORE_DOUBLE)
    return ofw_fail(&l->err, OFW_UNSUPPORTED, "%s: storage=%s works only with built-in learners; leave storage out",
                    name, ofw_storage_name(l));
  c->storage = OFW_STORE_DOUBLE;
  return OFW_OK;
}

static ofw_status check_probe(ofw_learner *l)
{
  double delta = ((own_state *)l->state)->me.delta;
  const char *name = l->method->type.name;
  if (delta != 0.0 && !l->method->bandit)
    return ofw_fail(&l->err, OFW_USAGE,
                    "%s: its start sets delta, but only bandit methods probe; set bandit, or leave delta 0", name);
  if (!(delta >= 0.0) || (delta > 0.0 && l->r > 0.0 && !(delta < l->r)))
    return ofw_fail(
        &l->err, OFW_USAGE,
        "%s: its start sets delta to %g, expected 0 or a number above 0 and below the set's inner radius %g", name,
        delta, l->r);
  l->delta = delta;
  return OFW_OK;
}

static ofw_status start(ofw_learner *l)
{
  own_state *s = l->state;
  const ofw_learner_callbacks *own = callbacks(l);
  l->projects = own->projects;
  l->info.log_price = -INFINITY;
  OFW_TRY(check_kept(l));
  s->l = l;
  s->starts = 1;
  ofw_status st = own->start ? own->start(&s->me) : OFW_OK;
  s->l = NULL;
  OFW_TRY(ofw_owned_check(&l->own, &l->err)); /* an array that was not to be had, whatever start made of that */
  OFW_TRY(judge(l, st, "start"));
  return check_probe(l);
}

/* The gradient of g: of the constraint that counts, or of the positive parts. */
static void write_constraint_gradient(const ofw_learner *l, const ofw_round *now, double *out)
{
  const ofw_full *fb = now->fb;
  memset(out, 0, l->dim * sizeof *out);
  for (size_t i = now->first; i < now->last; i++)
    if (l->common.constraints != OFW_SUM || fb->values.constraint[i] > 0.0)
      ofw_sum_add(fb->constraint_gradient[i], 1.0, 0, l->dim, out);
}

static ofw_status check_decision(ofw_learner *l, const double *x)
{
  const char *name = l->method->type.name;
  size_t bad = ofw_first_not_finite(l->dim, x);
  if (bad < l->dim)
    return ofw_fail(&l->err, OFW_NUMERICAL, "%s: its observe left a number that is not finite at coordinate %zu of x",
                    name, bad + 1);
  double out = ofw_domain_excess(l->K, x);
  return out > OUTSIDE * l->K->R
             ? ofw_fail(&l->err, OFW_NUMERICAL, "%s: its observe left an x that is %g outside %.200s", name, out,
                        l->K->spec)
             : OFW_OK;
}

static ofw_status call_observe(ofw_learner *l, own_state *s, const ofw_own_round *now)
{
  s->me.round = ofw_learner_tau(l);
  s->me.sigma = s->me.gap = 0.0;
  s->me.log_price = -INFINITY;
  l->info.oracle_error = 0.0;
  l->info.oracle_proven = 1;
  s->l = l;
  s->starts = 0;
  ofw_status st = callbacks(l)->observe(&s->me, now);
  s->l = NULL;
  l->sigma = s->me.sigma;
  l->info.gap = s->me.gap;
  l->info.log_price = s->me.log_price;
  return judge(l, st, "observe");
}

static ofw_status observe(ofw_learner *l, const ofw_round *now)
{
  own_state *s = l->state;
  ofw_own_round round = {.loss = now->loss,
                         .constraint = now->constraint,
                         .violation = now->violation,
                         .total_violation = l->Q,
                         .full = now->fb,
                         .played = s->played};
  OFW_TRY(l->engine->ops->view->dense(l->engine, s->me.x));
  OFW_TRY(ofw_point_dense(&l->point, s->played));
  if (now->fb) {
    ofw_sum_dense(now->fb->loss_gradient, l->dim, s->loss_gradient);
    write_constraint_gradient(l, now, s->constraint_gradient);
    round.loss_gradient = s->loss_gradient;
    round.constraint_gradient = s->constraint_gradient;
  }
  ofw_status st = call_observe(l, s, &round);
  if (st == OFW_OK)
    st = check_decision(l, s->me.x);
  if (st != OFW_OK) {
    l->err.status = OFW_NUMERICAL; /* whatever it was: the round was begun, and cannot be told again */
    return OFW_NUMERICAL;
  }
  l->engine->ops->restart(l->engine, s->me.x);
  return OFW_OK;
}

/* ---- states ---- */

static void drop(const ofw_learner_callbacks *own, void **mine)
{
  if (*mine && own->drop)
    own->drop(*mine);
  *mine = NULL;
}

/* What its save gives is one word, the bytes, and then these. */
typedef struct own_bytes {
  own_state *s;
  const ofw_learner_callbacks *own;
} own_bytes;

static size_t words_for(size_t bytes)
{
  return 1 + bytes / 8 + (bytes % 8 != 0);
}

static size_t bytes_size(const void *object)
{
  const own_bytes *b = object;
  return words_for(b->own->save(&b->s->me, NULL));
}

static void bytes_save(const void *object, void *words)
{
  const own_bytes *b = object;
  uint64_t n = b->own->save(&b->s->me, NULL);
  memset(words, 0, words_for(n) * 8);
  memcpy(words, &n, sizeof n);
  b->own->save(&b->s->me, (unsigned char *)words + sizeof n);
}

static ofw_status bytes_check(void *object, const void *words, size_t n, ofw_error *err)
{
  own_bytes *b = object;
  uint64_t bytes = 0;
  if (n > 0)
    memcpy(&bytes, words, sizeof bytes);
  if (n == 0 || bytes > n * 8 || words_for((size_t)bytes) != n)
    return ofw_fail(err, OFW_BAD_DATA, "the state's bytes of %s are cut off", b->own->name);
  drop(b->own, &b->s->spare);
  b->s->spare = b->own->load(&b->s->me, (const unsigned char *)words + sizeof bytes, (size_t)bytes);
  return b->s->spare ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "%s refuses its bytes in the state", b->own->name);
}

static void bytes_load(void *object, const void *words)
{
  own_bytes *b = object;
  (void)words;
  drop(b->own, &b->s->me.mine);
  b->s->me.mine = b->s->spare;
  b->s->spare = NULL;
}

static ofw_status visit(ofw_learner *l, ofw_visitor *v)
{
  own_state *s = l->state;
  own_bytes bytes = {s, callbacks(l)};
  for (own_array *a = s->array; a; a = a->next)
    OFW_TRY(v->words(v->ctx, a->name, a->x, a->n));
  return bytes.own->save
             ? v->packed(v->ctx, "own", &(ofw_packed){&bytes, bytes_size, bytes_save, bytes_check, bytes_load})
             : OFW_OK;
}

static void stop(ofw_learner *l)
{
  own_state *s = l->state;
  if (!s)
    return;
  drop(callbacks(l), &s->me.mine);
  drop(callbacks(l), &s->spare);
}

/* ---- making one ---- */

ofw_status ofw_own_method_open(ofw_learner *l, const ofw_domain *K)
{
  own_state *s = l->state;
  s->me = (ofw_own){.ctx = callbacks(l)->ctx,
                    .options = l->options,
                    .K = K,
                    .dim = l->dim,
                    .horizon = l->T,
                    .lipschitz = l->G,
                    .loss_bound = l->M,
                    .strong_convexity = l->alpha,
                    .seed = l->seed,
                    .x = ofw_owned_doubles(&l->own, l->dim)};
  s->played = ofw_owned_doubles(&l->own, l->dim);
  if (!l->method->bandit) {
    s->loss_gradient = ofw_owned_doubles(&l->own, l->dim);
    s->constraint_gradient = ofw_owned_doubles(&l->own, l->dim);
  }
  return ofw_owned_check(&l->own, &l->err);
}

ofw_own_method *ofw_own_method_make(const ofw_learner_callbacks *given, uint32_t content, ofw_error *err)
{
  static const ofw_option none[] = {{0}};
  ofw_learner_callbacks own;
  if (ofw_take_sized(&own, sizeof own, given, "ofw_learner_callbacks", err) != OFW_OK)
    return NULL;
  const ofw_type type = {.name = own.name,
                         .summary = own.summary ? own.summary : "",
                         .source = own.source,
                         .options = own.options ? own.options : none,
                         .promise = own.promise};
  if (ofw_type_check(&type, ofw_learner_common_options(), "learner", err) != OFW_OK)
    return NULL;
  if (!own.observe || !own.save != !own.load) {
    ofw_fail(err, OFW_USAGE, "own learner %s: set observe, and set save and load together or not at all", own.name);
    return NULL;
  }
  if (ofw_method_find(own.name, NULL).of) {
    ofw_fail(err, OFW_USAGE, "own learner %s: the library has a learner of this name; choose another", own.name);
    return NULL;
  }
  ofw_own_method *m = calloc(1, sizeof *m);
  if (!m) {
    ofw_fail_memory(err, sizeof *m);
    return NULL;
  }
  m->method = (ofw_method){.type = type,
                           .options_size = ofw_options_size(type.options),
                           .state_size = sizeof(own_state),
                           .bandit = own.bandit != 0,
                           .revision = own.revision,
                           .start = start,
                           .observe = observe,
                           .visit = visit,
                           .stop = stop};
  m->own = own;
  m->content = content;
  atomic_init(&m->references, 1);
  return m;
}

ofw_own_method *ofw_own_method_keep(ofw_own_method *m)
{
  if (m)
    atomic_fetch_add(&m->references, 1);
  return m;
}

void ofw_own_method_free(ofw_own_method *m)
{
  if (m && atomic_fetch_sub(&m->references, 1) == 1)
    free(m);
}

uint32_t ofw_own_method_content(const ofw_own_method *m)
{
  return m ? m->content : 0;
}

ofw_learner *ofw_learner_create_own(const ofw_learner_callbacks *own, const ofw_domain *K,
                                    const ofw_learner_settings *settings, ofw_error *err)
{
  if (!K) {
    ofw_fail(err, OFW_USAGE, "own learner: expected a domain, found NULL");
    return NULL;
  }
  ofw_own_method *m = ofw_own_method_make(own, 0, err);
  ofw_learner *l = m ? ofw_learner_create_by(ofw_method_by_own(m), K, settings, err) : NULL;
  ofw_own_method_free(m);
  return l;
}
