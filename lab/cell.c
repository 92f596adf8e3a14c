#include "lab/cell.h"

#include "base/basics.h"
#include "lab/tune.h"
#include "run/metrics_rows.h"

#include <ofw/learner.h>
#include <ofw/run.h>

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is made for a cell. */
typedef struct game {
  ofw_domain *K;
  ofw_stream *s;
  ofw_learner *l;
  ofw_run *run;
} game;

static void close_game(game *g)
{
  ofw_run_free(g->run);
  ofw_learner_free(g->l);
  ofw_stream_free(g->s);
  ofw_domain_free(g->K);
}

static ofw_status make_learner(const lab_cell *c, game *g, const lab_options *o, ofw_error *err)
{
  const ofw_constants *known = ofw_stream_constants(g->s);
  ofw_learner_settings s = {.size = sizeof s,
                            .horizon = c->of->untold ? OFW_HORIZON_AUTO : c->rounds,
                            .lipschitz = known->lipschitz,
                            .loss_bound = known->loss_bound,
                            .strong_convexity = known->strong_convexity,
                            .seed = c->seed,
                            .terms = ofw_stream_terms(g->s),
                            .sets = o->sets,
                            .set = o->set};
  ofw_learner_free(g->l);
  g->l = ofw_learner_create(c->of->learner, ofw_stream_domain(g->s), &s, err);
  return g->l ? OFW_OK : err->status;
}

/* The learner as it is; then, where a factor is not 1, again with that multiple of what it had. */
static ofw_status scale_learner(const lab_cell *c, game *g, lab_options *o, ofw_error *err)
{
  const ofw_promise *p = lab_promise(c->of->learner);
  OFW_TRY(make_learner(c, g, o, err));
  if (c->factor[0] == 1.0 && c->factor[1] == 1.0)
    return OFW_OK;
  if (!p || !p->tuned[0])
    return ofw_fail(err, OFW_USAGE, "%s has no constants to tune", c->of->learner);
  for (int k = 0; k < 2; k++)
    if (c->factor[k] != 1.0)
      OFW_TRY(
          lab_options_scale(o, (size_t)k, c->of->learner, ofw_learner_config(g->l), p->tuned[k], c->factor[k], err));
  return make_learner(c, g, o, err);
}

static ofw_status open_game(const lab_cell *c, game *g, lab_options *o, ofw_error *err)
{
  *err = (ofw_error){0};
  OFW_TRY(lab_options_begin(c->of->set, c->of->sets, o, err));
  if (c->of->domain && !(g->K = ofw_domain_create(c->of->domain, err)))
    return err->status;
  g->s = ofw_stream_create(c->of->stream, g->K, c->rounds, c->seed, err);
  if (!g->s)
    return err->status;
  OFW_TRY(scale_learner(c, g, o, err));
  g->run = ofw_run_create(g->l, g->s, err);
  return g->run ? OFW_OK : err->status;
}

ofw_status lab_cell_check(const lab_cell *c, ofw_error *err)
{
  char unused[2][LAB_SCALED_TEXT];
  return lab_cell_scaled(c, unused, err);
}

ofw_status lab_cell_scaled(const lab_cell *c, char out[2][LAB_SCALED_TEXT], ofw_error *err)
{
  game g = {0};
  lab_options o;
  ofw_status st = open_game(c, &g, &o, err);
  memcpy(out, o.scaled, 2 * sizeof *o.scaled);
  close_game(&g);
  return st;
}

/* ---- play ---- */

typedef struct watch {
  ofw_account account;
  const atomic_int *stop;
} watch;

static int on_round(void *ctx, const ofw_trace_row *row)
{
  watch *w = ctx;
  ofw_account_add(&w->account, row);
  return w->stop && *w->stop;
}

static ofw_status play(const lab_cell *c, game *g, const atomic_int *stop, lab_result *out, ofw_error *err)
{
  watch w = {.stop = stop};
  lab_options o;
  OFW_TRY(open_game(c, g, &o, err));
  out->G = ofw_stream_constants(g->s)->lipschitz;
  out->D = 2.0 * ofw_domain_outer_radius(ofw_stream_domain(g->s));
  ofw_account_begin(&w.account);
  ofw_status st = ofw_run_play(g->run, c->rounds, on_round, &w);
  out->metrics = w.account.so_far;
  if (st == OFW_END)
    return ofw_fail(err, OFW_BAD_DATA, "%s", ofw_run_error(g->run));
  return st == OFW_OK ? st : ofw_fail(err, st, "%s", ofw_run_error(g->run));
}

ofw_status lab_cell_play(const lab_cell *c, const atomic_int *stop, lab_result *out)
{
  game g = {0};
  ofw_error err;
  *out = (lab_result){0};
  out->status = play(c, &g, stop, out, &err);
  close_game(&g);
  if (out->status == OFW_OK)
    return out->metrics.rounds < c->rounds ? OFW_END : OFW_OK;
  out->error = ofw_copy_text(err.message);
  return out->error ? OFW_OK : OFW_FAILED;
}

void lab_result_free(lab_result *r)
{
  free(r->error);
  *r = (lab_result){0};
}

/* ---- its name ---- */

char *lab_escape(const char *text)
{
  char *out = ofw_array(3 * strlen(text) + 1, 1), *at = out;
  for (; out && *text; text++)
    if ((unsigned char)*text <= ' ' || *text == '%' || *text == 127)
      at += sprintf(at, "%%%02X", (unsigned)*text);
    else
      *at++ = *text;
  if (out)
    *at = 0;
  return out;
}

static int hex_digit(char c)
{
  static const char digits[] = "0123456789abcdef";
  const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* What is no code of two digits stays as it is. */
void lab_unescape(char *text)
{
  char *to = text;
  for (; *text; to++) {
    int high = *text == '%' ? hex_digit(text[1]) : -1, low = high >= 0 ? hex_digit(text[2]) : -1;
    if (low >= 0) {
      *to = (char)(16 * high + low);
      text += 3;
    } else
      *to = *text++;
  }
  *to = 0;
}

static void add_escaped(ofw_text *out, const char *before, const char *text)
{
  char *escaped = lab_escape(text);
  if (escaped)
    ofw_text_add(out, "%s%s", before, escaped);
  else
    out->failed = 1;
  free(escaped);
}

char *lab_cell_key(const lab_cell *c)
{
  ofw_text key = {0};
  char one[OFW_REAL_TEXT], two[OFW_REAL_TEXT];
  add_escaped(&key, "learner=", c->of->learner);
  add_escaped(&key, " stream=", c->of->stream);
  add_escaped(&key, " domain=", c->of->domain ? c->of->domain : "");
  for (size_t i = 0; i < c->of->sets; i++)
    add_escaped(&key, " set=", c->of->set[i]);
  ofw_text_add(&key, " factors=%s,%s horizon=%s rounds=%llu seed=%llu", ofw_print_real(c->factor[0], one),
               ofw_print_real(c->factor[1], two), c->of->untold ? "auto" : "rounds", (unsigned long long)c->rounds,
               (unsigned long long)c->seed);
  if (!key.failed)
    return key.chars;
  free(key.chars);
  return NULL;
}
