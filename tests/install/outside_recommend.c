/* outside_recommend.c — a program that has only what is installed: it predicts and learns ratings, and continues from a file
 *
 *     outside_recommend FILE
 *
 * With -DBOTH it uses libofw as well. */
#include <ofw/recommend.h>
#ifdef BOTH
#include <ofw/ofw.h>
#endif

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { USERS = 20, ITEMS = 15, RATINGS = 240, SAVED = 130 };
static const char spec[] = "users=20,items=15,lowest=1,highest=5,batch=40,rank=3,ridge=1";

/* Half of the users like one half of the items. */
static double opinion(size_t user, size_t item)
{
  return user % 2 == item % 2 ? 5.0 : 2.0;
}

static ofw_recommender *make(void)
{
  static const size_t group[] = {0, 4, 7};
  ofw_error err = {OFW_OK, ""};
  ofw_recommender *r = ofw_recommender_create(spec, &err);
  if (!r)
    fprintf(stderr, "outside_recommend: %s\n", err.message);
  else if (ofw_recommender_cap(r, 3.5, 3, group, 30) != OFW_OK)
    fprintf(stderr, "outside_recommend: %s\n", ofw_recommender_error(r));
  return r;
}

/* Rating t is predicted and learned from; NaN: it was refused. */
static double rate(ofw_recommender *r, size_t t)
{
  size_t pair = t * 7919 % (USERS * ITEMS);
  double score = NAN, prediction = NAN;
  if (ofw_recommender_predict(r, pair / ITEMS, pair % ITEMS, &score) != OFW_OK ||
      ofw_recommender_rate(r, pair / ITEMS, pair % ITEMS, opinion(pair / ITEMS, pair % ITEMS), &prediction) != OFW_OK)
    fprintf(stderr, "outside_recommend: rating %zu: %s\n", t, ofw_recommender_error(r));
  return score == prediction ? score : NAN;
}

static int same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

int main(int words, char **word)
{
  ofw_recommender *r = make(), *other = make();
  int same = words == 2 && r && other;
  for (size_t t = 0; same && t < SAVED; t++)
    same = !isnan(rate(r, t));
  same = same && ofw_recommender_save(r, word[1]) == OFW_OK && ofw_recommender_load(other, word[1]) == OFW_OK;
  for (size_t t = SAVED; same && t < RATINGS; t++)
    same = same_bits(rate(r, t), rate(other, t));

  size_t best[3] = {0}, n = 0;
  double score[3] = {0}, first = 0.0;
  same = same && ofw_recommender_top(other, 1, 3, best, score, &n) == OFW_OK && n == 3;
  const ofw_recommender_account *a = same ? ofw_recommender_accounts(other) : NULL;
  same = same && a->ratings == RATINGS && a->violation == 0.0 &&
         same_bits(a->square_error, ofw_recommender_accounts(r)->square_error);
  int refused = same && ofw_recommender_rate(r, USERS, 0, 3.0, NULL) == OFW_BAD_DATA && ofw_recommender_error(r)[0];
  refused = refused && ofw_recommender_predict(r, 0, 0, &first) == OFW_OK && !ofw_recommender_error(r)[0];
  if (a)
    printf("rmse %.4f, for user 1: %zu %zu %zu\n", sqrt(a->square_error / (double)a->ratings), best[0], best[1],
           best[2]);
  ofw_recommender_free(r);
  ofw_recommender_free(other);
#ifdef BOTH
  ofw_learner *l = ofw_learner_create("ofw-ada", "simplex:dim=3", NULL);
  same = same && l && ofw_learner_dim(l) == 3 && ofw_version()[0];
  ofw_learner_free(l);
#endif
  return same && refused ? 0 : 1;
}
