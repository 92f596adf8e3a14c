/* predict.c — predict ratings one by one, learn from each, and say what a user should see next
 *
 *     predict [FILE]
 *
 * 50 users rate 40 items, one rating at a time. FILE keeps what was learned: a second run with the same file continues with the
 * ratings that follow. Link with libofw-recommend.
 */
#include <ofw/recommend.h>

#include <math.h>
#include <stdio.h>

enum { USERS = 50, ITEMS = 40, BEST = 3 };

/* What a user thinks of an item, from 1 to 5. A service would ask; here tastes are on a circle. */
static double opinion(size_t user, size_t item)
{
  return round(3.0 + 1.6 * cos(1.7 * (double)user - 2.3 * (double)item) + 0.4 * sin(5.0 * (double)item));
}

static int fail(const char *why)
{
  fprintf(stderr, "predict: %s\n", why);
  return 1;
}

int main(int words, char **word)
{
  ofw_error err;
  ofw_recommender *r = ofw_recommender_create("users=50,items=40,lowest=1,highest=5,batch=100,rank=4,ridge=1", &err);
  if (!r)
    return fail(err.message);
  ofw_status loaded = words > 1 ? ofw_recommender_load(r, word[1]) : OFW_END;
  if (loaded != OFW_OK && loaded != OFW_END) /* OFW_END: there is no file yet */
    return fail(ofw_recommender_error(r));

  const ofw_recommender_account *account = ofw_recommender_accounts(r);
  printf("ratings    rmse\n");
  for (int n = 1; n <= 800; n++) {
    size_t pair = account->ratings * 7919 % (USERS * ITEMS), user = pair / ITEMS, item = pair % ITEMS;
    double prediction;
    if (ofw_recommender_rate(r, user, item, opinion(user, item), &prediction) != OFW_OK)
      return fail(ofw_recommender_error(r));
    if (n % 200 == 0)
      printf("%7llu  %.4f\n", (unsigned long long)account->ratings,
             sqrt(account->square_error / (double)account->ratings));
  }

  size_t item[BEST], found;
  double score[BEST];
  if (ofw_recommender_top(r, 7, BEST, item, score, &found) != OFW_OK)
    return fail(ofw_recommender_error(r));
  printf("for user 7:");
  for (size_t k = 0; k < found; k++)
    printf(" %zu (%.3f)", item[k], score[k]);
  printf("\n");
  if (words > 1 && ofw_recommender_save(r, word[1]) != OFW_OK)
    return fail(ofw_recommender_error(r));
  ofw_recommender_free(r);
  return 0;
}
