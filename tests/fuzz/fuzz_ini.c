/* fuzz_ini.c — experiment files: what is accepted has every part that was asked for, and a plan that counts its plays
 *
 * A form feed divides the input into texts, of which the first may include the others: "include = 2" is the third. No file is opened.
 */
#include "fuzz.h"

#include "base/limits.h"
#include "lab/plan.h"

/* About how many plays there are; the fuzzer's time is not for a million of them. */
static double plays(const lab_experiment *x)
{
  double total = 0.0;
  for (size_t i = 0; i < x->players; i++) {
    double n = (double)x->sources;
    for (size_t k = 0; k < x->player[i].axes; k++)
      n *= (double)x->player[i].axis[k].value.n;
    total += n * ((double)x->horizons * (double)x->seeds + (double)x->player[i].tune * (double)x->tune_seeds);
  }
  return total;
}

static void plan(const lab_experiment *x, ofw_text *arms)
{
  lab_plan p = {0};
  ofw_error err = {0};
  size_t cells = 0;
  ofw_status st = lab_plan_make(x, &p, &err);
  if (st == OFW_OK) {
    for (size_t i = 0; i < p.arms; i++) {
      const lab_player *who = p.arm[i].player;
      MUST(p.arm[i].first == cells && p.arm[i].source && who && p.arm[i].options);
      for (size_t k = 0; k < who->axes; k++)
        MUST(strchr(p.arm[i].option[k], '='));
      cells += p.arm[i].tune + p.arm[i].play;
      ofw_text_add(arms, "%s|%s|%s|%s|%s|%s|%zu\n", p.arm[i].source->spec, who->label, p.arm[i].options,
                   who->tune ? who->constant[0] : "", who->tune ? who->constant[1] : "", who->figure, cells);
    }
    MUST(cells == p.cells && cells <= OFW_MOST_CELLS);
  } else
    must_explain(st, err.message);
  lab_plan_free(&p);
}

static void must_hold(const lab_experiment *x)
{
  MUST(x->title && x->title[0] && x->horizons > 0 && x->rounds == x->horizon[x->horizons - 1] && x->tune_seeds > 0 &&
       x->series > 0);
  MUST(x->sources > 0 && x->players > 0);
  for (size_t i = 0; i < x->sources; i++)
    MUST(x->source[i].label[0] && x->source[i].spec[0] && x->source[i].at);
  for (size_t i = 0; i < x->players; i++) {
    MUST(x->player[i].label[0] && x->player[i].learner && x->player[i].figure[0] &&
         !strpbrk(x->player[i].figure, "/."));
    MUST(!x->player[i].tune == !x->player[i].constant[0] && !x->player[i].tune == !x->player[i].constant[1]);
    for (size_t k = 0; k < x->player[i].axes; k++)
      MUST(x->player[i].axis[k].key && x->player[i].axis[k].value.n > 0);
  }
  for (size_t i = 0; i < x->claims; i++)
    MUST(x->claim[i].text && x->claim[i].better && x->claim[i].than.n > 0 && x->claim[i].metric.n > 0);
}

/* ---- texts that include others ---- */

static ofw_status read_part(void *ctx, const char *from, const char *name, char **file, char **text, ofw_error *err)
{
  const char *at = ctx;
  unsigned which = from ? (unsigned)(unsigned char)*name % 8 : 0;
  for (unsigned i = 0; i < which && at; i++)
    at = (at = strchr(at, '\f')) ? at + 1 : NULL;
  if (!at)
    return ofw_fail(err, OFW_BAD_DATA, "there is no text %u", which);
  *file = ofw_format("fuzz.ini%.*u", which > 0, which);
  *text = ofw_format("%.*s", (int)strcspn(at, "\f"), at);
  return *file && *text ? OFW_OK : ofw_fail_memory(err, 1);
}

/* What the database would keep asks for the same. */
static void must_be_alike(const lab_experiment *x)
{
  lab_experiment again;
  ofw_error err = {0};
  ofw_text arms[2] = {{0}};
  MUST(lab_experiment_read("fuzz.ini", x->text, &again, &err) == OFW_OK);
  must_hold(&again);
  MUST(x->sources == again.sources && x->players == again.players && x->claims == again.claims);
  MUST(strcmp(x->title, again.title) == 0 && x->rounds == again.rounds && x->seeds == again.seeds);
  if (plays(x) <= 2000.0 || plays(x) > 2.0 * OFW_MOST_CELLS) {
    plan(x, &arms[0]);
    plan(&again, &arms[1]);
    MUST(!arms[0].chars == !arms[1].chars && (!arms[0].chars || strcmp(arms[0].chars, arms[1].chars) == 0));
  }
  free(arms[0].chars);
  free(arms[1].chars);
  lab_experiment_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = fuzz_text(data, size);
  const lab_library parts = {read_part, text};
  lab_experiment x, again;
  ofw_error err = {0}, why = {0};
  ofw_status st = lab_experiment_open("fuzz.ini", &parts, &x, &err);
  MUST(lab_experiment_open("fuzz.ini", &parts, &again, &why) == st);
  if (st == OFW_OK) {
    must_hold(&x);
    must_be_alike(&x);
  } else {
    must_explain(st, err.message);
    MUST(strncmp(err.message, "fuzz.ini", 8) == 0 && strcmp(err.message, why.message) == 0);
  }
  lab_experiment_free(&x);
  lab_experiment_free(&again);
  free(text);
  return 0;
}
