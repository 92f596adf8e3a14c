/* Experiments that include others, from a library in memory: what both say is one, and an error is that of the file in which it stands. */
#include "unit/base/check.h"

#include "lab/experiment.h"

#include "base/basics.h"
#include "base/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a library ---- */

typedef struct page {
  const char *name, *text;
} page;

static ofw_status read_page(void *ctx, const char *from, const char *name, char **file, char **text, ofw_error *err)
{
  const page *p = ctx;
  (void)from;
  while (p->name && strcmp(p->name, name) != 0)
    p++;
  if (!p->name)
    return ofw_fail(err, OFW_BAD_DATA, "there is no %s", name);
  *file = ofw_copy_text(p->name);
  *text = ofw_copy_text(p->text);
  return OFW_OK;
}

static ofw_status open_pages(page *pages, lab_experiment *x, ofw_error *err)
{
  const lab_library library = {read_page, pages};
  *err = (ofw_error){0};
  return lab_experiment_open("a", &library, x, err);
}

static void refuses(page *pages, ofw_status status, const char *message)
{
  lab_experiment x;
  ofw_error err;
  assert_int_equal(open_pages(pages, &x, &err), status);
  assert_string_equal(err.message, message);
  lab_experiment_free(&x);
}

static lab_experiment opened(page *pages)
{
  lab_experiment x;
  ofw_error err;
  if (open_pages(pages, &x, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return x;
}

#define HEAD   "[experiment]\ntitle = t\nrounds = 10\n"
#define STREAM "[stream s]\nstream = linear\ndomain = l2-ball:dim=2\n"
#define BASE   HEAD STREAM "[learner ofw]\n" /* 7 lines */

/* ---- what both say ---- */

static void test_merging(void **state)
{
  (void)state;
  lab_experiment x = opened((page[]){{"a", "; a comment\n  include = b ; another\n"
                                           "[learner B]\npreset = tight\nstep = 3,\n  4\n"
                                           "[experiment]\nseeds = 4\nrounds = 20\n"
                                           "[stream u]\nstream = linear\ndomain = simplex:dim=3\n"
                                           "[claim c]\ntext = x; y\nbetter = B\nthan = ofw\nmetric = ccv\n"},
                                     {"b", "# the base\n" HEAD "seed = 3\n" STREAM "[learner ofw]\n"
                                           "[learner B]\nlearner = ofw-tvc\nstep = 1\nsigma = line-search\n"},
                                     {0}});
  assert_string_equal(x.text, "[experiment]\ntitle = t\nrounds = 20\nseed = 3\nseeds = 4\n\n"
                              "[stream s]\nstream = linear\ndomain = l2-ball:dim=2\n\n"
                              "[learner ofw]\n\n"
                              "[learner B]\nlearner = ofw-tvc\nstep = 3,4\nsigma = line-search\npreset = tight\n\n"
                              "[stream u]\nstream = linear\ndomain = simplex:dim=3\n\n"
                              "[claim c]\ntext = x; y\nbetter = B\nthan = ofw\nmetric = ccv\n");
  assert_true(x.rounds == 20 && x.seed == 3 && x.seeds == 4 && x.sources == 2 && x.players == 2 && x.claims == 1);
  const lab_player *B = &x.player[1];
  assert_int_equal(B->axes, 3);
  assert_string_equal(B->axis[0].key, "step"); /* in the place that it had */
  assert_true(B->axis[0].value.n == 2 && strcmp(B->axis[0].value.item[1], "4") == 0);
  assert_string_equal(B->axis[2].key, "preset");
  lab_experiment again;
  ofw_error err = {0};
  assert_int_equal(lab_experiment_read("again", x.text, &again, &err), OFW_OK);
  assert_true(again.rounds == 20 && again.players == 2 && again.player[1].axes == 3 && again.sources == 2);
  lab_experiment_free(&again);
  lab_experiment_free(&x);
}

/* A file that includes none is kept to the byte; a value that begins with ';' stays one. */
static void test_texts(void **state)
{
  (void)state;
  static const char plain[] = "; mine\n" BASE "\n\n; the end";
  lab_experiment x = opened((page[]){{"a", plain}, {0}});
  assert_string_equal(x.text, plain);
  lab_experiment_free(&x);
  x = opened((page[]){{"a", "include = b\n[experiment]\ntitle =;t\n"}, {"b", BASE}, {0}});
  assert_string_equal(x.title, ";t");
  assert_non_null(strstr(x.text, "title =;t\n"));
  lab_experiment_free(&x);
  x = opened((page[]){{"a", "include = b"}, {"b", BASE}, {0}});
  assert_true(x.players == 1 && x.rounds == 10);
  lab_experiment_free(&x);
}

static void test_nesting(void **state)
{
  (void)state;
  page pages[] = {{"a", "include = b\n[experiment]\nseed = 1\n"},
                  {"b", "include = c\n[experiment]\nseed = 2\nseeds = 2\n"},
                  {"c", "include = d\n[experiment]\nseed = 3\nseeds = 3\nseries = 3\n"},
                  {"d", "include = e\n[experiment]\nseed = 4\nseeds = 4\nseries = 4\ntune-seeds = 4\n"},
                  {"e", BASE},
                  {"f", BASE},
                  {0}};
  lab_experiment x = opened(pages);
  assert_true(x.seed == 1 && x.seeds == 2 && x.series == 3 && x.tune_seeds == 4 && x.rounds == 10);
  lab_experiment_free(&x);
  pages[4].text = "\ninclude = f\n";
  refuses(pages, OFW_USAGE, "e:2: include: files are nested more than 4 deep");
  pages[4].text = "include = c\n";
  refuses(pages, OFW_USAGE, "e:1: include: files are nested more than 4 deep");
  pages[3].text = "\n\ninclude = b\n";
  refuses(pages, OFW_USAGE, "d:3: include: b includes itself");
  pages[0].text = "include = a\n";
  refuses(pages, OFW_USAGE, "a:1: include: a includes itself");
}

/* ---- what is wrong, and where ---- */

static void test_refusals(void **state)
{
  (void)state;
#define REFUSES(first, second, status, message) refuses((page[]){{"a", first}, {"b", second}, {0}}, status, message)
  REFUSES("\ninclude = c\n", "", OFW_BAD_DATA, "a:2: there is no c");
  refuses((page[]){{0}}, OFW_BAD_DATA, "there is no a");
  REFUSES("include =\n", "", OFW_USAGE, "a:1: include: expected a file's name, found none");
  REFUSES("include = b\ninclude = b\n", "", OFW_USAGE, "a:2: include is given twice, first in line 1");
  REFUSES("includes = b\n", "", OFW_USAGE, "a:1: 'includes' is before the first [section]");
  REFUSES(HEAD "include = b\n", BASE, OFW_USAGE,
          "a:4: [experiment] has no key 'include'; its keys: title, rounds, seeds, seed, tune-seeds, series");
  /* a file by itself, before the one that it includes is looked for */
  REFUSES("include = c\n[experiment\n", "", OFW_USAGE, "a:2: expected [section] or key = value");
  REFUSES("include = b\n[stream s]\n[stream s]\n", BASE, OFW_USAGE, "a:3: [stream s] appears twice, first in line 2");
  REFUSES("include = b\n[stream s]\nstream = x\n\nstream = y\n", BASE, OFW_USAGE,
          "a:5: stream is given twice, first in line 3");
  REFUSES("include = b\n", HEAD "title = u\n", OFW_USAGE, "b:4: title is given twice, first in line 2");
  REFUSES("include = b\n", "[experiment]\n\ntitle = \x01\n", OFW_USAGE,
          "b:3: byte 9 is 0x01, a control character or not UTF-8; remove it");
  /* what they say */
  REFUSES("include = b\n", BASE "storag = float\n", OFW_USAGE, "b:8: ofw: no option 'storag'; did you mean 'storage'?");
  REFUSES("include = b\n[learner ofw]\n\nstorag = float\n", BASE, OFW_USAGE,
          "a:4: ofw: no option 'storag'; did you mean 'storage'?");
  REFUSES("include = b\n[experiment]\nrounds = no\n", BASE, OFW_USAGE,
          "a:3: rounds: 'no': expected a whole number from 1 to 1000000000000");
  REFUSES("include = b\n[learner ofw]\nhorizon = 7\n", BASE "streams = v\n", OFW_USAGE,
          "b:8: streams: there is no [stream v]");
  REFUSES("include = b\n", HEAD "[stream s]\n[learner ofw]\n", OFW_USAGE, "b:4: [stream s] needs stream = ...");
  REFUSES("include = b\n", HEAD, OFW_USAGE, "a: there is no [stream NAME]");
}

/* The text of a database or of a command stands alone. */
static void test_texts_include_nothing(void **state)
{
  (void)state;
  lab_experiment x;
  ofw_error err = {0};
  assert_int_equal(lab_experiment_read("results.db", "\ninclude = b\n" BASE, &x, &err), OFW_USAGE);
  assert_string_equal(err.message, "results.db:2: include: only a file can include others");
  lab_experiment_free(&x);
}

static void test_streams_that_cannot_be_made(void **state)
{
  (void)state;
  lab_experiment x = opened((page[]){{"a", "include = b\n[stream s]\ndomain = l2-ball:dim=0\n"}, {"b", BASE}, {0}});
  ofw_error err = {0};
  assert_int_equal(lab_experiment_check(&x, &err), OFW_USAGE);
  assert_string_equal(err.message, "a:3: l2-ball: dim=0 is not in [1, 1e+12]");
  lab_experiment_free(&x);
}

static void test_all_of_it_has_a_size(void **state)
{
  (void)state;
  ofw_text one = {0}, two = {0};
  ofw_text_add(&one, "include = b\n[stream s]\nstream = linear:%*s\n", OFW_MOST_EXPERIMENT / 2, "x");
  ofw_text_add(&two, BASE "horizon = 1\n[stream u]\nstream = linear:%*s\n", OFW_MOST_EXPERIMENT / 2, "x");
  char message[80];
  snprintf(message, sizeof message, "a: more than %d bytes with its included files", OFW_MOST_EXPERIMENT);
  refuses((page[]){{"a", one.chars}, {"b", two.chars}, {0}}, OFW_USAGE, message);
  free(one.chars);
  free(two.chars);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_merging),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_texts_include_nothing),
      cmocka_unit_test(test_streams_that_cannot_be_made),
      cmocka_unit_test(test_all_of_it_has_a_size),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
