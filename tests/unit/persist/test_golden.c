/* A file of every format that was ever written: each still loads, or is refused with a reason. tests/golden/README.md says how they came about. */
#include "persist/checkpoint.h"
#include "persist/log.h"
#include "persist/walk.h"
#include "run/run_state.h"
#include "unit/base/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ofw-tvc over l1-ball:dim=3,radius=2 at T = 20, G = 6, after five rounds of its own feedback. */
static const double decision[3] = {-1.5777087639996634, 0, 0};
static const double violation = 1.5;

static ofw_learner *make_learner(ofw_domain **K)
{
  ofw_learner_settings s = {.size = sizeof s, .horizon = 20, .lipschitz = 6, .seed = 1};
  *K = ofw_domain_create("l1-ball:dim=3,radius=2", NULL);
  ofw_learner *l = *K ? ofw_learner_create_over("ofw-tvc", *K, &s, NULL) : NULL;
  assert_non_null(l);
  return l;
}

static void read_golden(const char *name, ofw_state *out)
{
  char path[512];
  snprintf(path, sizeof path, OFW_GOLDEN "/%s", name);
  FILE *in = fopen(path, "rb");
  assert_non_null(in);
  out->bytes = malloc(65536);
  assert_non_null(out->bytes);
  out->size = fread(out->bytes, 1, 65536, in);
  fclose(in);
}

static void check_there(ofw_learner *l)
{
  const ofw_point *x;
  double at[3];
  ofw_info info = {.size = sizeof info};
  assert_int_equal(ofw_learner_info(l, &info), OFW_OK);
  assert_int_equal(info.round, 6);
  assert_bits(info.violation, violation);
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  ofw_point_dense(x, at);
  for (int i = 0; i < 3; i++)
    assert_bits(at[i], decision[i]); /* it is stored, not computed */
}

static void load_state(const char *name, uint64_t version)
{
  ofw_domain *K;
  ofw_learner *l = make_learner(&K);
  ofw_state state = {0};
  ofw_state_texts texts;
  read_golden(name, &state);
  assert_int_equal(ofw_state_describe(&state, &texts, NULL), OFW_OK);
  assert_int_equal(texts.version, version);
  if (ofw_learner_load_state(l, &state) != OFW_OK)
    fail_msg("%s: %s", name, ofw_learner_error(l));
  check_there(l);
  ofw_state_free(&state);
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static void test_states(void **state)
{
  (void)state;
  load_state("state-1", 1);
  load_state("state-2", 2);
}

static void test_checkpoint(void **state)
{
  (void)state;
  ofw_domain *K;
  ofw_learner *l = make_learner(&K);
  ofw_checkpoint c = {0};
  assert_int_equal(ofw_checkpoint_read(&ofw_real_disk, OFW_GOLDEN "/checkpoint-1", &c, NULL), OFW_OK);
  assert_string_equal(c.about, "tests/golden\n");
  assert_int_equal(ofw_learner_load_state(l, &c.state), OFW_OK);
  check_there(l);
  ofw_checkpoint_free(&c);
  ofw_learner_free(l);
  ofw_domain_free(K);
}

/* A learner over the same set that is told nothing, and what an earlier release wrote of it. */
static ofw_learner *load_anytime(const char *name, const char *file, ofw_domain **K, ofw_status wanted)
{
  ofw_learner_settings s = {.size = sizeof s, .seed = 1};
  ofw_checkpoint c = {0};
  *K = ofw_domain_create("l1-ball:dim=3,radius=2", NULL);
  ofw_learner *l = *K ? ofw_learner_create_over(name, *K, &s, NULL) : NULL;
  assert_non_null(l);
  assert_int_equal(ofw_checkpoint_read(&ofw_real_disk, file, &c, NULL), OFW_OK);
  assert_int_equal(ofw_learner_load_state(l, &c.state), wanted);
  ofw_checkpoint_free(&c);
  return l;
}

/* bfw-ada decides as 0.2.0 did and goes on from its states; ofw-ada does not. */
static void test_revisions(void **state)
{
  (void)state;
  static const double probe[3] = {-0.38002887152003584, -1.1441578931992922, -0.011069164030064835}; /* of 0.2.0 */
  ofw_domain *K;
  const ofw_point *x;
  double at[3];
  ofw_learner *l = load_anytime("bfw-ada", OFW_GOLDEN "/checkpoint-1-bfw-ada", &K, OFW_OK);
  assert_int_equal(ofw_learner_decide(l, &x), OFW_OK);
  ofw_point_dense(x, at);
  for (int i = 0; i < 3; i++)
    assert_true(fabs(at[i] - probe[i]) < 1e-12);
  ofw_learner_free(l);
  ofw_domain_free(K);
  l = load_anytime("ofw-ada", OFW_GOLDEN "/checkpoint-1-ofw-ada", &K, OFW_BAD_DATA);
  assert_string_equal(ofw_learner_error(l),
                      "a state saved by a release of ofw in which this method decides differently; "
                      "continue with that release, or start a new play");
  ofw_learner_free(l);
  ofw_domain_free(K);
}

static ofw_status see(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  char expected[32];
  (void)sum, (void)err;
  snprintf(expected, sizeof expected, "{\"loss\":%llu}", (unsigned long long)number);
  assert_int_equal(length, strlen(expected));
  assert_memory_equal(line, expected, length);
  ++*(int *)ctx;
  return OFW_OK;
}

static void load_log(const char *name, int version)
{
  int lines = 0;
  ofw_log_found found;
  assert_int_equal(ofw_log_read(&ofw_real_disk, name, see, &lines, &found, NULL), OFW_OK);
  assert_int_equal(found.version, version);
  assert_int_equal(found.closed, version == 2);
  assert_int_equal(lines, 3);
  assert_string_equal(found.build, "ofw 0.1.0 kernel=portable");
  assert_string_equal(found.config, "learner=bfw-tvc domain=box:dim=2");
  assert_int_equal(found.torn, 0);
  ofw_log_found_free(&found);
}

static void test_logs(void **state)
{
  (void)state;
  load_log(OFW_GOLDEN "/log-1", 1);
  load_log(OFW_GOLDEN "/log-2", 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_states), cmocka_unit_test(test_checkpoint),
                                     cmocka_unit_test(test_revisions), cmocka_unit_test(test_logs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
