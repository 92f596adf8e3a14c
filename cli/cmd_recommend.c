/* cmd_recommend.c — ofw recommend: ratings of a file predicted one by one */
#include "build.h"
#include "phase.h"
#include "resume.h"
#include "shown.h"
#include "stop.h"
#include "whole_file.h"

#include "apps/recommend/recommender.h"
#include "linalg/rng.h"
#include "ratings/ratings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const option_id recommend_options[] = {OPT_ORDER,     OPT_SEED,        OPT_CAP,        OPT_GROUP,
                                       OPT_PER_ROUND, OPT_TOP,         OPT_LOWEST,     OPT_HIGHEST,
                                       OPT_SET,       OPT_PREDICTIONS, OPT_CHECKPOINT, OPT_CHECKPOINT_EVERY,
                                       OPT_RESUME,    OPT_JSON,        OPT_HELP,       OPTIONS};

/* Everything of one command. */
typedef struct job {
  const command *self;
  const arguments *args;
  ofw_ratings ratings;
  ofw_order order;
  uint32_t *sequence; /* in which the ratings are played */
  recommender_settings settings;
  uint32_t *grouped;
  recommender *r;
  size_t user, top; /* whose ranking is wanted, of how many items; 0: nobody's */
  checkpointing checkpoint;
  FILE *predictions;
  uint64_t played; /* ratings in this process, */
  double seconds;  /* and the time that they took */
} job;

/* ---- options ---- */

static int read_order(job *j)
{
  static const char *const name[] = {[OFW_SHUFFLED] = "random", [OFW_AS_FILED] = "file", [OFW_BY_TIME] = "time"};
  const char *text = j->args->value[OPT_ORDER];
  j->order = OFW_AS_FILED;
  for (int k = 0; text && k < 3; k++)
    if (strcmp(text, name[k]) == 0) {
      j->order = (ofw_order)k;
      return 0;
    }
  return text ? complain(j->self, EXIT_USAGE, "--order %s: expected time, file or random", text) : 0;
}

static int read_constants(job *j)
{
  ofw_error err = {0};
  ofw_options o = {recommender_options, &j->settings.constants, 0};
  ofw_options_default(o);
  for (size_t k = 0; k < j->args->sets; k++)
    if (ofw_options_set(&o, 1, "--set", j->args->set[k], strlen(j->args->set[k]), &err) != OFW_OK)
      return refuse(j->self, &err);
  return 0;
}

/* Whose ranking: an id of the file. */
static int read_top(job *j)
{
  uint64_t top, user;
  int code = read_count_in(j->self, j->args, OPT_TOP, 0, 1, OFW_MOST_SIDE, &top);
  j->top = (size_t)top;
  if (code || (j->args->words < 2 && !top))
    return code;
  if (j->args->words < 2)
    return complain(j->self, EXIT_USAGE, "--top %s needs a USER after FILE", j->args->value[OPT_TOP]);
  if (!top)
    return complain(j->self, EXIT_USAGE, "USER %s needs --top K", j->args->word[1]);
  if (ofw_read_count(j->args->word[1], &user) != 1 || user > OFW_MOST_SIDE)
    return complain(j->self, EXIT_USAGE, "USER %s: expected a whole number from 0 to %d", j->args->word[1],
                    OFW_MOST_SIDE);
  j->user = (size_t)user;
  return 0;
}

static int read_job(job *j)
{
  const arguments *args = j->args;
  uint64_t round;
  int code;
  if (args->words < 1)
    return complain(j->self, EXIT_USAGE, "the file of ratings is missing; see 'ofw help recommend'");
  if ((code = read_order(j)) || (code = read_constants(j)) || (code = read_top(j)) ||
      (code = read_count(j->self, args, OPT_SEED, 1, &j->settings.seed)) ||
      (code = read_real(j->self, args, OPT_CAP, NAN, &j->settings.cap)) ||
      (code = read_count_in(j->self, args, OPT_PER_ROUND, 500, 1, OFW_MOST_RATINGS, &round)) ||
      (code = read_checkpointing(j->self, args, &j->checkpoint)))
    return code;
  j->settings.round = (size_t)round;
  if (!args->value[OPT_CAP] && (args->value[OPT_GROUP] || args->value[OPT_PER_ROUND]))
    return complain(j->self, EXIT_USAGE, "--%s needs --cap SCORE",
                    args->value[OPT_GROUP] ? "group" : option_table[OPT_PER_ROUND].name);
  if (args->value[OPT_PREDICTIONS] && j->checkpoint.path)
    return complain(j->self, EXIT_USAGE, "--predictions does not work with --checkpoint; leave one of them out");
  return 0;
}

/* ---- the ratings ---- */

static int read_ratings(job *j)
{
  ofw_error err = {0};
  ofw_ratings *r = &j->ratings;
  const ofw_ratings_source from = {.path = j->args->word[0], .base = OFW_BASE_AUTO, .order = j->order};
  phase_begin(j->self, j->args, "no rating was predicted, and no file has changed", "reading %s", from.path);
  ofw_status st = ofw_ratings_read(r, &from, &err);
  phase_end();
  if (st != OFW_OK)
    return refuse(j->self, &err);
  if (r->duplicates)
    complain(j->self, 0,
             "warning: %zu rows rate a pair of user and item that a later row rates again; the last rating counts",
             r->duplicates);
  if (r->sequence || !(j->sequence = ofw_array(r->count, sizeof *j->sequence)))
    return r->sequence ? 0 : no_memory(j->self);
  for (size_t k = 0; k < r->count; k++)
    j->sequence[k] = (uint32_t)k;
  ofw_rng_shuffle((ofw_rng_key){j->settings.seed, OFW_RNG_ORDER, 1}, r->count, j->sequence);
  return 0;
}

static int read_scale(job *j)
{
  const ofw_ratings *r = &j->ratings;
  recommender_settings *s = &j->settings;
  double least = r->value[0], most = r->value[0];
  for (size_t k = 1; k < r->count; k++) {
    least = fmin(least, r->value[k]);
    most = fmax(most, r->value[k]);
  }
  int code = read_real(j->self, j->args, OPT_LOWEST, least, &s->lowest);
  if (code || (code = read_real(j->self, j->args, OPT_HIGHEST, most, &s->highest)))
    return code;
  if (s->lowest > least || s->highest < most)
    return complain(j->self, EXIT_BAD_DATA,
                    "%s: found ratings from %g to %g, expected %g to %g; see --lowest and --highest", j->args->word[0],
                    least, most, s->lowest, s->highest);
  if (!(s->lowest < s->highest))
    return complain(j->self, EXIT_BAD_DATA, "%s: all ratings are %g; give the scale by --lowest and --highest",
                    j->args->word[0], least);
  return 0;
}

/* The item rated most often first; of two alike the one with the lower number. */
static int by_times(const void *a, const void *b, void *ctx)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  const size_t *times = ctx;
  if (times[x] != times[y])
    return times[x] > times[y] ? -1 : 1;
  return (x > y) - (x < y);
}

static int choose_group(job *j)
{
  const ofw_ratings *r = &j->ratings;
  size_t *times = calloc(r->items, sizeof *times);
  j->grouped = ofw_array(r->items, sizeof *j->grouped);
  if (!times || !j->grouped) {
    free(times);
    return no_memory(j->self);
  }
  for (size_t k = 0; k < r->count; k++)
    times[r->cell[k] % r->items]++;
  for (size_t i = 0; i < r->items; i++)
    j->grouped[i] = (uint32_t)i;
  qsort_r(j->grouped, r->items, sizeof *j->grouped, by_times, times);
  free(times);
  return 0;
}

static int read_group(job *j)
{
  const recommender_settings *s = &j->settings;
  const char *text = j->args->value[OPT_GROUP];
  double items = (double)j->ratings.items, n;
  if (!j->args->value[OPT_CAP])
    return 0;
  if (s->cap < s->lowest || s->cap > s->highest)
    return complain(j->self, EXIT_USAGE, "--cap %s: expected a score from %g to %g", j->args->value[OPT_CAP], s->lowest,
                    s->highest);
  int code = read_real(j->self, j->args, OPT_GROUP, 0.1, &n);
  if (code)
    return code;
  if (!(n > 0.0) || n > items || (n > 1.0 && n != floor(n)))
    return complain(j->self, EXIT_USAGE, "--group %s: expected a share up to 1, or a number of items up to %zu", text,
                    j->ratings.items);
  j->settings.group = (size_t)(n > 1.0 ? n : fmax(1.0, round(n * items)));
  return choose_group(j);
}

/* ---- checkpoints ---- */

/* What decides about the play beside the settings: the file's ratings and their order. */
static void config_of(const job *j, char text[64])
{
  snprintf(text, 64, "ratings=%zu checksum=%08lx order=%d", j->ratings.count, (unsigned long)j->ratings.checksum,
           (int)j->order);
}

static int write_checkpoint(job *j)
{
  char about[BUILD_TEXT + 1], build[BUILD_TEXT], config[64];
  ofw_state state = {0};
  ofw_error err = {0};
  config_of(j, config);
  snprintf(about, sizeof about, "%s\n", build_text(build));
  ofw_status st = recommender_save(j->r, config, &state, &err);
  if (st == OFW_OK)
    st = ofw_checkpoint_write(&ofw_real_disk, j->checkpoint.path, &state, about, &err);
  ofw_state_free(&state);
  if (st != OFW_OK)
    return refuse(j->self, &err);
  checkpoint_done(&j->checkpoint, recommender_accounts(j->r)->ratings);
  return 0;
}

static int load_checkpoint(job *j, const ofw_checkpoint *found)
{
  char config[64];
  ofw_error err = {0};
  config_of(j, config);
  if (recommender_load(j->r, config, &found->state, &err) != OFW_OK)
    return complain(j->self, EXIT_BAD_DATA, "%s: %s", j->checkpoint.path, err.message);
  if (recommender_accounts(j->r)->ratings > j->ratings.count)
    return complain(j->self, EXIT_BAD_DATA,
                    "%s: the checkpoint has more ratings than the file; use the file it was made with",
                    j->checkpoint.path);
  warn_build(j->self, j->checkpoint.path, found->about);
  checkpoint_done(&j->checkpoint, recommender_accounts(j->r)->ratings);
  return 0;
}

static int resume(job *j)
{
  ofw_checkpoint found = {0};
  ofw_error err = {0};
  int asked = j->args->value[OPT_RESUME] != NULL, code = open_checkpoints(j->self, &j->checkpoint);
  if (code || !j->checkpoint.path)
    return code;
  ofw_status st = ofw_checkpoint_read(&ofw_real_disk, j->checkpoint.path, &found, &err);
  if (st == OFW_END && asked)
    complain(j->self, 0, "%s does not exist; starting with the first rating", j->checkpoint.path);
  else if (st != OFW_END && !asked)
    code = complain(j->self, EXIT_USAGE, "%s already exists; --resume continues it, and to start again move it away",
                    j->checkpoint.path);
  else if (st != OFW_END)
    code = st == OFW_OK ? load_checkpoint(j, &found) : refuse(j->self, &err);
  ofw_checkpoint_free(&found);
  return code;
}

/* ---- playing ---- */

static int play_one(job *j, size_t k)
{
  const ofw_ratings *r = &j->ratings;
  size_t rating = j->sequence ? j->sequence[k] : r->sequence[k], user = r->cell[rating] / r->items,
         item = r->cell[rating] % r->items;
  double prediction;
  ofw_error err = {0};
  if (recommender_rate(j->r, user, item, r->value[rating], &prediction, &err) != OFW_OK)
    return refuse(j->self, &err);
  j->played++;
  if (j->predictions)
    fprintf(j->predictions, "%zu,%zu,%.17g,%.17g\n", user + r->first_user, item + r->first_item, r->value[rating],
            prediction);
  return 0;
}

/* Seconds of processor time: what ratings cost, however busy the machine is. */
static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int play(job *j)
{
  const recommender_account *a = recommender_accounts(j->r);
  int code = 0;
  double began = processor_seconds();
  stop_on_signals();
  phase_begin(j->self, j->args, NULL, "predicting %zu ratings", j->ratings.count - (size_t)a->ratings);
  while (!code && !stop_signal && a->ratings < j->ratings.count) {
    code = play_one(j, (size_t)a->ratings);
    if (!code && checkpoint_due(&j->checkpoint, a->ratings))
      code = write_checkpoint(j);
  }
  phase_end();
  j->seconds = processor_seconds() - began;
  if (!code && j->checkpoint.path && j->checkpoint.round != a->ratings)
    code = write_checkpoint(j);
  return code;
}

/* ---- results ---- */

static void print_top(const job *j, json *out, size_t n, const size_t *item, const double *score)
{
  if (out)
    json_open_list(out, "top");
  for (size_t k = 0; k < n; k++) {
    uint64_t id = item[k] + j->ratings.first_item;
    if (out) {
      json_open(out, NULL);
      json_count(out, "item", id);
      json_real(out, "score", score[k]);
      json_close(out);
    } else
      printf("%12llu %12.6g\n", (unsigned long long)id, score[k]);
  }
  if (out)
    json_close_list(out);
}

static int rank_items(const job *j, json *out)
{
  size_t k = j->top < j->ratings.items ? j->top : j->ratings.items, n, *item = ofw_array(k, sizeof *item);
  double *score = ofw_doubles(k);
  ofw_error err = {0};
  int code = item && score ? 0 : no_memory(j->self);
  if (!code && recommender_top(j->r, j->user - j->ratings.first_user, k, item, score, &n, &err) != OFW_OK)
    code = refuse(j->self, &err);
  if (!code && !out)
    printf("%12s %12s\n", "item", "score");
  if (!code)
    print_top(j, out, n, item, score);
  free(item);
  free(score);
  return code;
}

static int print_json(const job *j)
{
  const recommender_account *a = recommender_accounts(j->r);
  double n = (double)a->ratings;
  json out = {0};
  int code = 0;
  json_open(&out, NULL);
  json_count(&out, "users", j->ratings.users);
  json_count(&out, "items", j->ratings.items);
  json_count(&out, "ratings", a->ratings);
  json_real(&out, "lowest", j->settings.lowest);
  json_real(&out, "highest", j->settings.highest);
  json_real(&out, "progressive_rmse", sqrt(a->square_error / n));
  json_real(&out, "progressive_mae", a->error / n);
  json_count(&out, "group", j->settings.group);
  json_real(&out, "cap", j->settings.group ? j->settings.cap : NAN);
  json_count(&out, "rounds", a->rounds);
  json_real(&out, "mean_violation", j->settings.group ? a->violation / (double)a->rounds : NAN);
  json_real(&out, "microseconds_per_rating", 1e6 * j->seconds / (double)j->played);
  if (j->top)
    code = rank_items(j, &out);
  json_close(&out);
  putchar('\n');
  return code;
}

static int print_table(const job *j)
{
  const recommender_account *a = recommender_accounts(j->r);
  double n = (double)a->ratings;
  printf("%12s %12s %12s%s %12s\n", "ratings", "rmse", "mae", j->settings.group ? "    violation" : "", "us/rating");
  printf("%12llu %12.6g %12.6g", (unsigned long long)a->ratings, sqrt(a->square_error / n), a->error / n);
  if (j->settings.group)
    print_known(stdout, a->violation / (double)a->rounds);
  print_known(stdout, 1e6 * j->seconds / (double)j->played);
  putchar('\n');
  return j->top ? rank_items(j, NULL) : 0;
}

static int report(const job *j)
{
  const recommender_account *a = recommender_accounts(j->r);
  int code = j->args->value[OPT_JSON] ? print_json(j) : print_table(j);
  if (!code && stop_signal)
    code = complain(j->self, stop_code(), "interrupted after rating %llu; %s", (unsigned long long)a->ratings,
                    j->checkpoint.path                ? "to resume, repeat the command with --resume"
                    : j->args->value[OPT_PREDICTIONS] ? "the predictions up to it are kept"
                                                      : "nothing is kept, and --checkpoint FILE would keep the model");
  return code;
}

/* ---- the whole ---- */

static int prepare(job *j)
{
  ofw_error err = {0};
  int code;
  if ((code = read_job(j)) || (code = read_ratings(j)) || (code = read_scale(j)) || (code = read_group(j)))
    return code;
  const ofw_ratings *r = &j->ratings;
  if (j->top && (j->user < r->first_user || j->user - r->first_user >= r->users))
    return complain(j->self, EXIT_BAD_DATA, "USER %zu: expected one of the file's users, %zu to %zu", j->user,
                    r->first_user, r->first_user + r->users - 1);
  j->settings.users = r->users;
  j->settings.items = r->items;
  j->settings.grouped = j->grouped;
  j->r = recommender_create(&j->settings, &err);
  return j->r ? resume(j) : refuse(j->self, &err);
}

static int play_and_report(job *j)
{
  const char *path = j->args->value[OPT_PREDICTIONS];
  int code = path ? open_result(j->self, path, &j->predictions) : 0;
  if (code)
    return code;
  if (path)
    fputs("user,item,rating,prediction\n", j->predictions);
  code = play(j);
  if (path && code)
    drop_result(path, j->predictions);
  else if (path)
    code = close_result(j->self, path, j->predictions);
  return code ? code : report(j);
}

int recommend_main(const command *self, const arguments *args)
{
  job j = {.self = self, .args = args, .checkpoint = {.lock = {-1, NULL}}};
  int code = prepare(&j);
  if (!code)
    code = play_and_report(&j);
  unlock_file(&j.checkpoint.lock);
  recommender_free(j.r);
  ofw_ratings_free(&j.ratings);
  free(j.sequence);
  free(j.grouped);
  return code;
}
