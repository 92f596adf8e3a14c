/* experiment.c — the sections of an experiment file, checked before the first play
 *
 * A wrong name or label must not turn up after hours, so every key, number, label and option is looked at here, with its
 * line.
 */
#include "lab/experiment.h"

#include "base/limits.h"
#include "base/option_table.h"
#include "lab/play.h"
#include "lab/tune.h"
#include "learner/method.h"
#include "stream/generator.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int lab_list_admits(const lab_list *list, const char *text)
{
  for (size_t i = 0; i < list->n; i++)
    if (strcmp(list->item[i], text) == 0)
      return 1;
  return list->n == 0;
}

/* ---- values ---- */

/* "a, b, c", whose text it cuts up. */
static ofw_status read_list(lab_experiment *x, lab_entry *e, lab_list *out, ofw_error *err)
{
  size_t n = 1;
  for (const char *c = e->value; *c; c++)
    n += *c == ',';
  if (n > OFW_MOST_KEYS)
    return lab_ini_refuse(e->spot, err, "%.40s: %zu values, expected at most %d", e->key, n, OFW_MOST_KEYS);
  *out = (lab_list){ofw_owned_array(&x->owned, n, sizeof *out->item), 0};
  OFW_TRY(ofw_owned_check(&x->owned, err));
  for (char *rest = e->value, *item; (item = strsep(&rest, ","));) {
    item += strspn(item, " \t");
    for (char *end = item + strlen(item); end > item && isblank((unsigned char)end[-1]);)
      *--end = 0;
    if (!*item)
      return lab_ini_refuse(e->spot, err, "%.40s: expected a value before, after and between commas", e->key);
    for (size_t i = 0; i < out->n; i++)
      if (strcmp(out->item[i], item) == 0)
        return lab_ini_refuse(e->spot, err, "%.40s: '%.80s' is given twice", e->key, item);
    out->item[out->n++] = item;
  }
  return OFW_OK;
}

static ofw_status read_count(const lab_entry *e, const char *value, uint64_t least, uint64_t most, uint64_t *out,
                             ofw_error *err)
{
  if (ofw_read_count(value, out) == 1 && *out >= least && *out <= most)
    return OFW_OK;
  return lab_ini_refuse(e->spot, err, "%s: '%.80s': expected a whole number from %llu to %llu", e->key, value,
                        (unsigned long long)least, (unsigned long long)most);
}

/* "1000, 3162, 10000" */
static ofw_status read_rounds(lab_experiment *x, lab_entry *e, ofw_error *err)
{
  lab_list list;
  OFW_TRY(read_list(x, e, &list, err));
  x->horizon = ofw_owned_array(&x->owned, list.n, sizeof *x->horizon);
  OFW_TRY(ofw_owned_check(&x->owned, err));
  for (; x->horizons < list.n; x->horizons++) {
    uint64_t *at = &x->horizon[x->horizons];
    OFW_TRY(read_count(e, list.item[x->horizons], 1, OFW_MOST_ROUNDS, at, err));
    if (*at <= x->rounds)
      return lab_ini_refuse(e->spot, err,
                            "rounds: %.40s is not above the previous number; write them in increasing order",
                            list.item[x->horizons]);
    x->rounds = *at;
  }
  return OFW_OK;
}

/* ---- the keys of a section ---- */

typedef struct known_key {
  const char *name; /* NULL ends a table */
  enum { TEXT, LIST, COUNT, ROUNDS } kind;
  int needed;
  size_t at;            /* where its value goes, in what the section becomes */
  uint64_t least, most; /* of a count */
} known_key;

static ofw_status unknown_key(const lab_section *s, const lab_entry *e, const known_key *keys, ofw_error *err)
{
  const char *names[8];
  char all[160] = "";
  size_t n = 0, at = 0;
  for (; keys[n].name; n++) {
    names[n] = keys[n].name;
    at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", n ? ", " : "", names[n]);
  }
  const char *near = ofw_nearest(e->key, names, n);
  return lab_ini_refuse(e->spot, err, "[%.20s] has no key '%.40s'; %s%s%s", s->kind, e->key,
                        near ? "did you mean '" : "its keys: ", near ? near : all, near ? "'?" : "");
}

static ofw_status read_key(lab_experiment *x, const known_key *k, lab_entry *e, void *at, ofw_error *err)
{
  if (k->kind == ROUNDS)
    return read_rounds(x, e, err);
  if (k->kind == COUNT)
    return read_count(e, e->value, k->least, k->most, at, err);
  if (!*e->value && (k->needed || k->kind == TEXT))
    return lab_ini_refuse(e->spot, err, "%.40s: expected a value, found none", e->key);
  if (k->kind == LIST)
    return read_list(x, e, at, err);
  *(const char **)at = e->value;
  return OFW_OK;
}

static ofw_status read_keys(lab_experiment *x, const lab_section *s, const known_key *keys, void *into, ofw_error *err)
{
  for (size_t i = 0; i < s->entries; i++) {
    lab_entry *e = &s->entry[i];
    const known_key *k = keys;
    while (k->name && strcmp(k->name, e->key) != 0)
      k++;
    OFW_TRY(k->name ? read_key(x, k, e, (char *)into + k->at, err) : unknown_key(s, e, keys, err));
  }
  for (const known_key *k = keys; k->name; k++)
    if (k->needed && !lab_section_find(s, k->name))
      return lab_ini_refuse(s->spot, err, "[%.20s%s%.60s] needs %s = ...", s->kind, *s->label ? " " : "", s->label,
                            k->name);
  return OFW_OK;
}

/* ---- [experiment] ---- */

static ofw_status read_head(lab_experiment *x, const lab_section *s, ofw_error *err)
{
  static const known_key keys[] = {{"title", TEXT, 1, offsetof(lab_experiment, title), 0, 0},
                                   {"rounds", ROUNDS, 1, 0, 0, 0},
                                   {"seeds", COUNT, 0, offsetof(lab_experiment, seeds), 0, 1000000},
                                   {"seed", COUNT, 0, offsetof(lab_experiment, seed), 0, (uint64_t)1 << 62},
                                   {"tune-seeds", COUNT, 0, offsetof(lab_experiment, tune_seeds), 1, OFW_MOST_SEEDS},
                                   {"series", COUNT, 0, offsetof(lab_experiment, series), 1, 1000000},
                                   {0}};
  if (*s->label)
    return lab_ini_refuse(s->spot, err, "[experiment] has no label");
  return read_keys(x, s, keys, x, err);
}

/* ---- [stream LABEL] ---- */

static ofw_status read_stream(lab_experiment *x, const lab_section *s, ofw_error *err)
{
  static const known_key keys[] = {{"stream", TEXT, 1, offsetof(lab_source, spec), 0, 0},
                                   {"domain", TEXT, 0, offsetof(lab_source, domain), 0, 0},
                                   {0}};
  lab_source *source = &x->source[x->sources++];
  *source = (lab_source){.label = s->label, .own = x->own, .at = s};
  return read_keys(x, s, keys, source, err);
}

static ofw_status check_streams(const lab_experiment *e, ofw_error *err)
{
  for (const lab_source *s = e->source; s < e->source + e->sources; s++) {
    ofw_error why = {0};
    ofw_domain *K = s->domain ? ofw_registry_domain(e->own, s->domain, &why) : NULL;
    const lab_entry *at = lab_section_find(s->at, s->domain && !K ? "domain" : "stream");
    ofw_stream *made = s->domain && !K ? NULL : ofw_stream_create(s->spec, K, e->rounds, e->seed, &why);
    ofw_stream_free(made);
    ofw_domain_free(K);
    if (!made)
      return lab_ini_pass_on(at->spot, &why, err);
  }
  return OFW_OK;
}

/* ---- [learner LABEL] ---- */

/* What stands in for the type of a learner that is not known. */
static const ofw_type foreign_type;

/* type NULL: that of every learner */
static ofw_status read_axis(lab_experiment *x, const ofw_type *type, lab_axis *axis, lab_entry *e, ofw_error *err)
{
  axis->key = e->key;
  OFW_TRY(read_list(x, e, &axis->value, err));
  for (size_t i = 0; type != &foreign_type && i < axis->value.n; i++) {
    ofw_error why = {0};
    if (lab_setting_check(type, e->key, axis->value.item[i], &why) != OFW_OK)
      return lab_ini_pass_on(e->spot, &why, err);
  }
  return OFW_OK;
}

static ofw_status read_tune(lab_player *p, const lab_entry *e, ofw_error *err)
{
  static const struct {
    const char *word;
    size_t runs;
  } known[] = {{"no", 0}, {"yes", LAB_TUNE_RUNS}, {"fine", LAB_FINE_RUNS}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(e->value, known[i].word) == 0) {
      p->tune = known[i].runs;
      return OFW_OK;
    }
  return lab_ini_refuse(e->spot, err, "tune: expected yes, fine or no, found '%.40s'", e->value);
}

/* "beta, gamma" */
static ofw_status read_constants(lab_experiment *x, const ofw_type *type, lab_player *p, lab_entry *e, ofw_error *err)
{
  lab_list name;
  OFW_TRY(read_list(x, e, &name, err));
  if (name.n != 2)
    return lab_ini_refuse(e->spot, err, "constants: expected two names separated by a comma, found %zu", name.n);
  for (size_t k = 0; k < 2; k++) {
    ofw_error why = {0};
    if (type != &foreign_type && lab_constant_check(type, name.item[k], &why) != OFW_OK)
      return lab_ini_pass_on(e->spot, &why, err);
    p->constant[k] = name.item[k];
  }
  return OFW_OK;
}

/* The constants are those that the learner's promise names, unless others are given. */
static ofw_status settle_constants(const lab_section *s, const ofw_type *type, lab_player *p, ofw_error *err)
{
  const lab_entry *given = lab_section_find(s, "constants");
  if (!p->tune)
    return given ? lab_ini_refuse(given->spot, err, "constants: nothing is tuned; add tune = yes or tune = fine")
                 : OFW_OK;
  if (given || type == &foreign_type)
    return OFW_OK;
  if (!type->promise || !type->promise->tuned[0])
    return lab_ini_refuse(lab_section_find(s, "tune")->spot, err,
                          "tune: %s has no constants to tune by default; add constants = A, B", type->name);
  memcpy(p->constant, type->promise->tuned, sizeof p->constant);
  return OFW_OK;
}

/* It becomes the name of files beside those of the front. */
static ofw_status read_figure(lab_player *p, const lab_entry *e, ofw_error *err)
{
  enum { LONGEST = 40 };
  size_t plain = strspn(e->value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-");
  if (e->length == 0 || e->length > LONGEST || plain < e->length || strcmp(e->value, "front") == 0)
    return lab_ini_refuse(e->spot, err, "figure: '%.60s': expected 1 to %d letters, digits and '-', and not front",
                          e->value, LONGEST);
  p->figure = e->value;
  return OFW_OK;
}

static ofw_status read_player_key(lab_experiment *x, const ofw_type *type, lab_player *p, lab_entry *e, ofw_error *err)
{
  if (strcmp(e->key, "learner") == 0)
    return OFW_OK;
  if (strcmp(e->key, "tune") == 0)
    return read_tune(p, e, err);
  if (strcmp(e->key, "constants") == 0)
    return read_constants(x, type, p, e, err);
  if (strcmp(e->key, "figure") == 0)
    return read_figure(p, e, err);
  if (strcmp(e->key, "streams") == 0)
    return read_list(x, e, &p->streams, err);
  return read_axis(x, type, &p->axis[p->axes++], e, err);
}

static ofw_status read_learner(lab_experiment *x, const lab_section *s, ofw_error *err)
{
  lab_player *p = &x->player[x->players++];
  const lab_entry *named = lab_section_find(s, "learner");
  ofw_error why = {0};
  *p = (lab_player){
      .label = s->label, .learner = named ? named->value : s->label, .own = x->own, .figure = "curves", .at = s};
  const ofw_method *method = ofw_registry_method(x->own, p->learner, strlen(p->learner), &why).of;
  if (!method && !x->foreign)
    return lab_ini_refuse(named ? named->spot : s->spot, err, "%.300s", why.message);
  const ofw_type *type = method ? &method->type : &foreign_type;
  p->axis = ofw_owned_array(&x->owned, s->entries + x->everys, sizeof *p->axis);
  OFW_TRY(ofw_owned_check(&x->owned, err));
  for (size_t k = 0; k < s->entries; k++)
    OFW_TRY(read_player_key(x, type, p, &s->entry[k], err));
  for (size_t k = 0; k < x->everys; k++)
    if (!lab_section_find(s, x->every[k].key))
      p->axis[p->axes++] = x->every[k];
  return settle_constants(s, type, p, err);
}

/* ---- [every learner] ---- */

static ofw_status read_every(lab_experiment *x, const lab_section *s, ofw_error *err)
{
  if (strcmp(s->label, "learner") != 0)
    return lab_ini_refuse(s->spot, err, "there is no section [every %.40s]; did you mean [every learner]?", s->label);
  x->every = ofw_owned_array(&x->owned, s->entries, sizeof *x->every);
  OFW_TRY(ofw_owned_check(&x->owned, err));
  for (size_t k = 0; k < s->entries; k++)
    OFW_TRY(read_axis(x, NULL, &x->every[x->everys++], &s->entry[k], err));
  return OFW_OK;
}

/* ---- [claim LABEL] ---- */

static ofw_status unknown_metric(const lab_entry *e, const char *found, ofw_error *err)
{
  char all[160] = "";
  size_t at = 0;
  for (const results_metric *m = results_metrics; m->name; m++)
    at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", at ? ", " : "", m->name);
  return lab_ini_refuse(e->spot, err, "metric: expected one of %s; found '%.80s'", all, found);
}

static ofw_status read_claim(lab_experiment *x, const lab_section *s, ofw_error *err)
{
  static const known_key keys[] = {
      {"text", TEXT, 1, offsetof(lab_claim, text), 0, 0},       {"better", TEXT, 1, offsetof(lab_claim, better), 0, 0},
      {"than", LIST, 1, offsetof(lab_claim, than), 0, 0},       {"metric", LIST, 1, offsetof(lab_claim, metric), 0, 0},
      {"streams", LIST, 0, offsetof(lab_claim, streams), 0, 0}, {0}};
  lab_claim *c = &x->claim[x->claims++];
  *c = (lab_claim){.label = s->label, .at = s};
  OFW_TRY(read_keys(x, s, keys, c, err));
  for (size_t i = 0; i < c->metric.n; i++)
    if (!results_metric_find(c->metric.item[i]))
      return unknown_metric(lab_section_find(s, "metric"), c->metric.item[i], err);
  return OFW_OK;
}

/* One arm on each stream is what a claim can speak of. */
static ofw_status check_sides(const lab_experiment *x, const lab_claim *c, const char *key, const char *label,
                              ofw_error *err)
{
  lab_spot spot = lab_section_find(c->at, key)->spot;
  if (strcmp(key, "than") == 0 && strcmp(label, c->better) == 0)
    return lab_ini_refuse(spot, err, "than: %.80s is compared with itself", label);
  for (const lab_player *p = x->player; p < x->player + x->players; p++)
    for (size_t k = 0; strcmp(p->label, label) == 0 && k < p->axes; k++)
      if (p->axis[k].value.n > 1)
        return lab_ini_refuse(spot, err,
                              "%s: %.80s is played with several values of %.40s; give each a [learner] of its own", key,
                              label, p->axis[k].key);
  return OFW_OK;
}

/* 1: the learner of this label plays on the stream. */
static int plays(const lab_experiment *x, const char *label, const char *stream)
{
  for (size_t i = 0; i < x->players; i++)
    if (strcmp(x->player[i].label, label) == 0)
      return lab_list_admits(&x->player[i].streams, stream);
  return 0;
}

int lab_claim_is_on(const lab_experiment *x, const lab_claim *c, const char *than, const char *stream)
{
  return lab_list_admits(&c->streams, stream) && plays(x, c->better, stream) && plays(x, than, stream);
}

double lab_claims_named(const lab_experiment *x, const lab_claim *end)
{
  double n = 0.0;
  for (const lab_claim *c = x->claim; c < end; c++)
    n += (double)c->than.n * (double)x->sources;
  return n;
}

/* On how many streams the two can be compared. */
static size_t meetings(const lab_experiment *x, const lab_claim *c, const char *than)
{
  size_t n = 0;
  for (size_t i = 0; i < x->sources; i++)
    n += (size_t)lab_claim_is_on(x, c, than, x->source[i].label);
  return n;
}

static ofw_status check_claims(const lab_experiment *x, ofw_error *err)
{
  double judged = 0.0;
  for (const lab_claim *c = x->claim; c < x->claim + x->claims; c++) {
    if (lab_claims_named(x, c + 1) > OFW_MOST_JUDGED)
      return lab_ini_refuse(c->at->spot, err, "the claims up to here name more than %d pairs on streams",
                            OFW_MOST_JUDGED);
    OFW_TRY(check_sides(x, c, "better", c->better, err));
    for (size_t k = 0; k < c->than.n; k++) {
      size_t streams = meetings(x, c, c->than.item[k]);
      OFW_TRY(check_sides(x, c, "than", c->than.item[k], err));
      if (streams == 0)
        return lab_ini_refuse(lab_section_find(c->at, "than")->spot, err,
                              "than: %.80s and %.80s never play on the same stream of the claim", c->than.item[k],
                              c->better);
      judged += (double)streams * (double)c->metric.n * (double)x->seeds;
    }
    if (judged > OFW_MOST_JUDGED)
      return lab_ini_refuse(c->at->spot, err, "the claims up to here compare %.0f plays; the limit is %d", judged,
                            OFW_MOST_JUDGED);
  }
  return OFW_OK;
}

/* ---- labels ---- */

/* That there is a section of that kind and label. */
static ofw_status check_label(const lab_experiment *x, const lab_section *in, const char *key, const char *kind,
                              const char *label, ofw_error *err)
{
  for (size_t i = 0; i < x->ini.sections; i++)
    if (strcmp(x->ini.section[i].kind, kind) == 0 && strcmp(x->ini.section[i].label, label) == 0)
      return OFW_OK;
  return lab_ini_refuse(lab_section_find(in, key)->spot, err, "%s: there is no [%s %.80s]", key, kind, label);
}

static ofw_status check_labels(const lab_experiment *x, const lab_section *in, const char *key, const char *kind,
                               const lab_list *labels, ofw_error *err)
{
  for (size_t i = 0; i < labels->n; i++)
    OFW_TRY(check_label(x, in, key, kind, labels->item[i], err));
  return OFW_OK;
}

/* Labels may stand before the section that they name, so this comes last. */
static ofw_status check_all_labels(const lab_experiment *x, ofw_error *err)
{
  for (const lab_player *p = x->player; p < x->player + x->players; p++)
    OFW_TRY(check_labels(x, p->at, "streams", "stream", &p->streams, err));
  for (const lab_claim *c = x->claim; c < x->claim + x->claims; c++) {
    OFW_TRY(check_label(x, c->at, "better", "learner", c->better, err));
    OFW_TRY(check_labels(x, c->at, "than", "learner", &c->than, err));
    OFW_TRY(check_labels(x, c->at, "streams", "stream", &c->streams, err));
  }
  return OFW_OK;
}

/* ---- the file ---- */

static ofw_status check_section(const lab_section *s, ofw_error *err)
{
  static const char *const kinds[] = {"experiment", "stream", "learner", "claim", "every"};
  enum { KINDS = sizeof kinds / sizeof *kinds };
  int known = 0;
  for (size_t i = 0; i < KINDS; i++)
    known |= strcmp(s->kind, kinds[i]) == 0;
  const char *near = known ? NULL : ofw_nearest(s->kind, kinds, KINDS);
  if (!known)
    return lab_ini_refuse(s->spot, err, "there is no section [%.40s]%s%s%s", s->kind, near ? "; did you mean [" : "",
                          near ? near : "", near ? "]?" : "");
  if (!*s->label && strcmp(s->kind, "experiment") != 0)
    return lab_ini_refuse(s->spot, err, "[%s] needs a label, as in [%s NAME]", s->kind, s->kind);
  if (strchr(s->label, ','))
    return lab_ini_refuse(s->spot, err, "expected a label without a comma");
  return OFW_OK;
}

static ofw_status read_sections(lab_experiment *x, ofw_error *err)
{
  int headed = 0;
  for (size_t i = 0; i < x->ini.sections; i++) {
    const lab_section *s = &x->ini.section[i];
    OFW_TRY(check_section(s, err));
    if (strcmp(s->kind, "every") == 0) /* first: it may stand behind the learners */
      OFW_TRY(read_every(x, s, err));
  }
  for (size_t i = 0; i < x->ini.sections; i++) {
    const lab_section *s = &x->ini.section[i];
    headed |= strcmp(s->kind, "experiment") == 0;
    OFW_TRY(strcmp(s->kind, "experiment") == 0 ? read_head(x, s, err)
            : strcmp(s->kind, "stream") == 0   ? read_stream(x, s, err)
            : strcmp(s->kind, "learner") == 0  ? read_learner(x, s, err)
            : strcmp(s->kind, "claim") == 0    ? read_claim(x, s, err)
                                               : OFW_OK);
  }
  const char *missing = !headed ? "experiment" : !x->sources ? "stream NAME" : !x->players ? "learner NAME" : NULL;
  if (missing)
    return ofw_fail(err, OFW_USAGE, "%.300s: there is no [%s]", x->name, missing);
  return check_all_labels(x, err);
}

ofw_status lab_experiment_check(const lab_experiment *e, ofw_error *err)
{
  OFW_TRY(check_claims(e, err));
  return check_streams(e, err);
}

static ofw_status begin(const char *name, const ofw_registry *own, int foreign, lab_experiment *out, ofw_error *err)
{
  *out = (lab_experiment){.seed = 1, .seeds = 1, .tune_seeds = 2, .series = 200, .own = own, .foreign = foreign};
  out->name = ofw_owned_take(&out->owned, ofw_copy_text(name), strlen(name));
  return ofw_owned_check(&out->owned, err);
}

/* What its lines say. */
static ofw_status finish(lab_experiment *out, ofw_error *err)
{
  out->source = ofw_owned_array(&out->owned, out->ini.sections, sizeof *out->source);
  out->player = ofw_owned_array(&out->owned, out->ini.sections, sizeof *out->player);
  out->claim = ofw_owned_array(&out->owned, out->ini.sections, sizeof *out->claim);
  OFW_TRY(ofw_owned_check(&out->owned, err));
  return read_sections(out, err);
}

static ofw_status read_text(const char *name, const char *text, const ofw_registry *own, int foreign,
                            lab_experiment *out, ofw_error *err)
{
  OFW_TRY(begin(name, own, foreign, out, err));
  out->text = ofw_owned_take(&out->owned, ofw_copy_text(text), strlen(text));
  OFW_TRY(ofw_owned_check(&out->owned, err));
  OFW_TRY(lab_ini_add(&out->ini, name, text, err));
  if (out->ini.include.key)
    return lab_ini_refuse(out->ini.include.spot, err, "include: only a file can include others");
  return finish(out, err);
}

ofw_status lab_experiment_read_own(const char *name, const char *text, const ofw_registry *own, lab_experiment *out,
                                   ofw_error *err)
{
  return read_text(name, text, own, 0, out, err);
}

ofw_status lab_experiment_read(const char *name, const char *text, lab_experiment *out, ofw_error *err)
{
  return read_text(name, text, NULL, 0, out, err);
}

ofw_status lab_experiment_read_played(const char *name, const char *text, lab_experiment *out, ofw_error *err)
{
  return read_text(name, text, NULL, 1, out, err);
}

ofw_status lab_experiment_open(const char *name, const lab_library *library, lab_experiment *out, ofw_error *err)
{
  return lab_experiment_open_own(name, library, NULL, out, err);
}

ofw_status lab_experiment_open_own(const char *name, const lab_library *library, const ofw_registry *own,
                                   lab_experiment *out, ofw_error *err)
{
  OFW_TRY(begin(name, own, 0, out, err));
  OFW_TRY(lab_ini_gather(&out->ini, library, name, &out->text, err));
  out->text = ofw_owned_take(&out->owned, out->text, 0);
  OFW_TRY(ofw_owned_check(&out->owned, err));
  return finish(out, err);
}

void lab_experiment_free(lab_experiment *e)
{
  lab_ini_free(&e->ini);
  ofw_owned_free(&e->owned);
  *e = (lab_experiment){0};
}
