/* fuzz_spec.c — specs of domains and streams, options of learners: what is accepted plays a few rounds
 *
 * Input: a text. Its first line is the domain's spec ("": the stream's own), the second the stream's, the third the learner's
 * name; those after it are its options. The files that specs may name are in the folder files.
 */
#include "fuzz.h"

#include <math.h>

enum { MOST_LINES = 12, ROUNDS = 3, MOST_COORDINATES = 1 << 14 };
enum {
  MOST_STREAMED = 1 << 20
}; /* coordinates of a stream's set: more are made in seconds, which is slow but no fault */

static void must_made(const void *made, const ofw_error *err)
{
  if (!made)
    must_explain(err->status, err->message);
}

static void look_at(const ofw_domain *K)
{
  size_t dim = ofw_domain_dim(K), rows, cols;
  double R = K->R, r = K->r;
  ofw_domain_shape(K, &rows, &cols);
  MUST(dim > 0 && rows * cols == dim && R > 0.0 && isfinite(R) && r >= 0.0 && r <= R * (1.0 + 1e-9));
  if (dim > MOST_COORDINATES)
    return;
  double *x = malloc(dim * sizeof *x);
  MUST(x);
  ofw_domain_centre(K, x);
  double out = ofw_domain_excess(K, x);
  MUST(out <= 1e-11 * R);
  free(x);
}

static void play(const char *learner, size_t sets, const char *const *set, ofw_stream *s)
{
  const ofw_constants *c = ofw_stream_constants(s);
  ofw_learner_settings settings = {.size = sizeof settings,
                                   .horizon = ROUNDS,
                                   .lipschitz = c->lipschitz > 0.0 ? c->lipschitz : 1.0,
                                   .loss_bound = c->loss_bound,
                                   .strong_convexity = c->strong_convexity,
                                   .options = sets,
                                   .option = set};
  ofw_error err = {0};
  ofw_learner *l = ofw_learner_create_over(learner, ofw_stream_domain(s), &settings, &err);
  must_made(l, &err);
  ofw_run *run = l ? ofw_run_create(l, s, &err) : NULL;
  if (l)
    MUST(strstr(ofw_learner_config(l), "learner=") == ofw_learner_config(l));
  if (l)
    must_made(run, &err);
  ofw_status st = run ? ofw_run_play(run, ROUNDS, NULL, NULL) : OFW_OK;
  if (st != OFW_OK && st != OFW_END)
    must_explain(st, ofw_run_error(run));
  ofw_run_free(run);
  ofw_learner_free(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *line[MOST_LINES] = {"", "", ""};
  size_t lines = 0;
  if (size && memchr(data, '/', size)) /* no other file */
    return 0;
  MUST(chdir(OFW_FUZZ_FILES) == 0 && setenv("OFW_DATA_DIR", OFW_FUZZ_FILES, 1) == 0);
  char *text = fuzz_text(data, size), *rest = text;
  while (rest && lines < MOST_LINES)
    line[lines++] = strsep(&rest, "\n");
  ofw_error err = {0};
  ofw_domain *K = *line[0] ? ofw_domain_create(line[0], &err) : NULL;
  if (*line[0])
    must_made(K, &err);
  if (K)
    look_at(K);
  int streams = K ? ofw_domain_dim(K) <= MOST_STREAMED : !*line[0];
  ofw_stream *s = streams ? ofw_stream_create(line[1], K, ROUNDS, 1, &err) : NULL;
  if (streams)
    must_made(s, &err);
  if (s)
    MUST(ofw_stream_domain(s) && strstr(ofw_stream_config(s), "stream=") == ofw_stream_config(s));
  if (s && ofw_domain_dim(ofw_stream_domain(s)) <= MOST_COORDINATES)
    play(line[2], lines > 3 ? lines - 3 : 0, line + 3, s);
  ofw_stream_free(s);
  ofw_domain_free(K);
  free(text);
  return 0;
}
