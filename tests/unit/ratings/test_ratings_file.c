#include "unit/stream/rated.h"

#include <sys/stat.h>

static ofw_ratings r;
static ofw_error err;

static ofw_status read_with(const char *text, ofw_ratings_source from)
{
  ofw_ratings_free(&r);
  err = (ofw_error){0};
  if (text)
    write_text(text);
  from.path = path;
  ofw_status st = ofw_ratings_read(&r, &from, &err);
  unlink(path);
  return st;
}

static ofw_ratings_source automatic = {.base = OFW_BASE_AUTO};

static void reads_with(const char *text, ofw_ratings_source from)
{
  if (read_with(text, from) != OFW_OK)
    fail_msg("%s", err.message);
}

static void reads(const char *text)
{
  reads_with(text, automatic);
}

/* "path:line: why", or "why" alone where line is 0. */
static void refused_with(const char *text, ofw_ratings_source from, unsigned line, const char *why)
{
  char wanted[480];
  assert_int_equal(read_with(text, from), OFW_BAD_DATA);
  assert_int_equal(err.status, OFW_BAD_DATA);
  if (line)
    snprintf(wanted, sizeof wanted, "%s:%u: %s", path, line, why);
  else
    snprintf(wanted, sizeof wanted, "%s%s", path, why);
  assert_string_equal(err.message, wanted);
}

static void refused(const char *text, unsigned line, const char *why)
{
  refused_with(text, automatic, line, why);
}

static void is_shape(size_t users, size_t items, size_t count)
{
  assert_int_equal(r.users, users);
  assert_int_equal(r.items, items);
  assert_int_equal(r.count, count);
  assert_null(r.truth);
}

/* The k-th rating, from 0 on, counted by cells. */
static void is_rating(size_t k, size_t user, size_t item, double value)
{
  assert_true(k < r.count);
  assert_int_equal(r.cell[k], user * r.items + item);
  assert_bits(r.value[k], value);
}

static void is_example(void)
{
  is_shape(3, 4, 3);
  is_rating(0, 0, 1, 3.5);
  is_rating(1, 1, 3, -1.0);
  is_rating(2, 2, 0, 4.0);
  assert_bits(r.largest, 4.0);
  assert_int_equal(r.duplicates, 0);
  assert_null(r.sequence);
}

static void test_separators(void **state)
{
  (void)state;
  static const char *const text[] = {
      "3\t1\t4\n1\t2\t3.5\n2\t4\t-1\n",
      "3 1 4\n1 2 3.5\n2 4 -1\n",
      "3   1 \t4\n 1 2  3.5 \n\t2 4 -1\t\n",
      "3,1,4\n1,2,3.5\n2,4,-1\n",
      "3, 1 ,4\n 1,2,3.5 \n2 , 4,-1\n",
      "3::1::4\n1::2::3.5\n2::4::-1\n",
      "3 :: 1 :: 4\n1::2::3.5\n2::4::-1\n",
      "3 1 4\r\n1 2 3.5\r\n2 4 -1\r\n",
      "3 1 4\n1 2 3.5\n2 4 -1",
      "3 1 4\n\n1 2 3.5\n \t \n\r\n2 4 -1\n\n",
      "\n\n3 1 4\n1 2 3.5\n2 4 -1\r",
      "3 1 4 881250949\n1 2 3.5 -7.25\n2 4 -1\n",
      "3,1,4.0,1\n1,2,35e-1,2\n2,4,-1e0,1e9\n",
      "3.0 1 +4\n1 2 3.50\n2 4 -1.\n",
  };
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    reads(text[i]);
    is_example();
  }
}

static void test_header(void **state)
{
  (void)state;
  reads("userId,movieId,rating,timestamp\n3,1,4,9\n1,2,3.5,9\n2,4,-1,9\n");
  is_example();
  reads("user, item, rating\n3\t1\t4\n1\t2\t3.5\n2\t4\t-1\n"); /* its separator binds nobody */
  is_example();
  reads("# user item rating\r\n3 1 4\r\n1 2 3.5\r\n2 4 -1\r\n");
  is_example();
  refused("user 1 rating\n1 1 1\n", 1, "the user 'user' is not a whole number >= 0");
  refused("user item\n1 1 1\n", 1, "the rating is missing");
  refused("user,,rating\n1,1,1\n", 1, "the item is missing");
  refused("user item rating\nuser item rating\n1 1 1\n", 2, "the user 'user' is not a whole number >= 0");
  refused("\nuser item rating\n1 1 1\n", 2, "the user 'user' is not a whole number >= 0");
  refused("1 1 1\n# 2 2\n", 2, "the user '#' is not a whole number >= 0");
  refused("user item rating\n", 0, ": expected ratings, found none");
}

/* Each column for itself. */
static void test_base(void **state)
{
  (void)state;
  reads("0 1 5\n2 3 4\n");
  is_shape(3, 3, 2);
  is_rating(0, 0, 0, 5.0);
  is_rating(1, 2, 2, 4.0);
  reads("1 0 5\n3 3 4\n");
  is_shape(3, 4, 2);
  is_rating(0, 0, 0, 5.0);
  is_rating(1, 2, 3, 4.0);
  reads_with("1 1 5\n3 3 4\n", (ofw_ratings_source){.base = 0});
  is_shape(4, 4, 2);
  is_rating(0, 1, 1, 5.0);
  reads_with("1 1 5\n3 3 4\n", (ofw_ratings_source){.base = 1});
  is_shape(3, 3, 2);
  refused_with("1 1 5\n3 0 4\n", (ofw_ratings_source){.base = 1}, 2, "item 0, but base=1 counts from 1");
  refused_with("0 1 5\n", (ofw_ratings_source){.base = 1}, 1, "user 0, but base=1 counts from 1");
}

static void test_shape(void **state)
{
  (void)state;
  ofw_ratings_source five = {.base = OFW_BASE_AUTO, .users = 5, .items = 7};
  reads_with("5 1 5\n1 7 4\n", five);
  is_shape(5, 7, 2);
  is_rating(1, 4, 0, 5.0);
  reads_with("4 1 5\n0 0 4\n", five);
  is_shape(5, 7, 2);
  is_rating(1, 4, 1, 5.0);
  refused_with("1 1 1\n6 1 5\n1 7 4\n", five, 2, "user 6 is out of range for users=5");
  refused_with("1 1 1\n5 8 5\n1 7 4\n", five, 2, "item 8 is out of range for items=7");
  refused_with("1 1 1\n5 1 5\n5 2 5\n0 7 4\n", five, 2,
               "user 5 is out of range for users=5: an id is 0, so ids count from 0");
  refused_with("1 7 1\n1 0 5\n", five, 1, "item 7 is out of range for items=7: an id is 0, so ids count from 0");
  five.base = 0;
  refused_with("1 1 1\n5 1 5\n1 7 4\n", five, 2, "user 5 is out of range for users=5");
  reads("1000000000 999999999 1\n");
  is_shape(1000000000, 999999999, 1);
  is_rating(0, 999999999, 999999998, 1.0);
  refused("1 1000000001 1\n", 1, "item 1000000001 is out of range for 1000000000");
  refused("1 1000000000 1\n1 0 1\n", 1,
          "item 1000000000 is out of range for 1000000000: an id is 0, so ids count from 0");
  refused("99999999999999999999999 1 1\n", 1, "user 99999999999999999999999 is out of range for 1000000000");
}

static void test_bad_rows(void **state)
{
  (void)state;
  static const struct {
    const char *line, *why;
  } row[] = {
      {"1", "the item is missing"},
      {"1 2", "the rating is missing"},
      {"x 2 3", "the user 'x' is not a whole number >= 0"},
      {"1 x 3", "the item 'x' is not a whole number >= 0"},
      {"-1 2 3", "the user '-1' is not a whole number >= 0"},
      {"1 2.5 3", "the item '2.5' is not a whole number >= 0"},
      {"1 0x2 3", "the item '0x2' is not a whole number >= 0"},
      {"1 2 x", "the rating 'x' is not a finite number of at most 1e100 in size"},
      {"1 2 nan", "the rating 'nan' is not a finite number of at most 1e100 in size"},
      {"1 2 -inf", "the rating '-inf' is not a finite number of at most 1e100 in size"},
      {"1 2 1e400", "the rating '1e400' is not a finite number of at most 1e100 in size"},
      {"1 2 -1e101", "the rating '-1e101' is not a finite number of at most 1e100 in size"},
      {"1 2 3,5", "the rating '3,5' is not a finite number of at most 1e100 in size"},
      {"1 2 3x", "the rating '3x' is not a finite number of at most 1e100 in size"},
      {"1 2 3 x", "the time 'x' is not a finite number"},
      {"1 2 3 inf", "the time 'inf' is not a finite number"},
      {"1 2 3 4 5", "more than 4 fields"},
      {"1 2 3 4 5 6 7", "more than 4 fields"},
      {"1,2,3", "the item is missing"},
      {"1::2::3", "the item is missing"},
      {"1;2;3", "the item is missing"},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char text[400];
    snprintf(text, sizeof text, "1 1 1\n\n2 2 2\n%s\n3 3 3\n", row[i].line);
    refused(text, 4, row[i].why);
    snprintf(text, sizeof text, "1 1 1\r\n\r\n2 2 2\r\n%s", row[i].line); /* and at the end */
    refused(text, 4, row[i].why);
  }
  refused("1,1,1\n1,2\n", 2, "the rating is missing");
  refused("1,1,1\n1,2,\n", 2, "the rating is missing");
  refused("1,1,1\n,2,3\n", 2, "the user is missing");
  refused("1,1,1\n1,,3\n", 2, "the item is missing");
  refused("1,1,1\n1,2,3,\n", 2, "the time is missing");
  refused("1,1,1\n1,2,3,4,\n", 2, "more than 4 fields");
  refused("1,1,1\n1\t2\t3\n", 2, "the item is missing");
  refused("1::1::1\n1:2:3\n", 2, "the item is missing");
  refused("1::1::1\n1:::2::3\n", 2, "the item ':2' is not a whole number >= 0");
  refused("", 0, ": expected ratings, found none");
  refused("\n\r\n \t\n", 0, ": expected ratings, found none");
}

static void test_bytes(void **state)
{
  (void)state;
  char text[1100] = "1 1 1\n";
  memset(text + 6, '1', 1001);
  refused(text, 2, "the line is longer than 1000 bytes");
  memset(text + 6, ' ', 1000);
  memcpy(text + 1001, "2 2 2\n", 7); /* a line of 1000 */
  reads(text);
  is_shape(2, 2, 2);
  write_bytes("1 1 1\n1 \0002 3\n", 14);
  refused(NULL, 2, "the line contains a NUL byte");
}

static void test_duplicates(void **state)
{
  (void)state;
  reads("1 1 5\n2 2 3\n1 1 4\n2 1 1\n1 1 2\n");
  is_shape(2, 2, 3);
  assert_int_equal(r.duplicates, 2);
  is_rating(0, 0, 0, 2.0);
  is_rating(1, 1, 0, 1.0);
  is_rating(2, 1, 1, 3.0);
  assert_bits(r.largest, 3.0); /* of those that count */
}

static void is_sequence(size_t n, const size_t *cell)
{
  assert_non_null(r.sequence);
  for (size_t k = 0; k < n; k++)
    assert_int_equal(r.cell[r.sequence[k]], cell[k]);
}

static void test_orders(void **state)
{
  (void)state;
  static const char text[] = "2 2 1 30\n1 1 2 10\n2 1 3 20\n1 2 4 10\n3 1 5 -1.5\n1 1 2 20\n";
  ofw_ratings_source from = {.base = OFW_BASE_AUTO, .order = OFW_AS_FILED};
  reads_with(text, from);
  is_sequence(5, (size_t[]){3, 2, 1, 4, 0}); /* (1, 1) where it is rated last */
  from.order = OFW_BY_TIME;
  reads_with(text, from);
  is_sequence(5, (size_t[]){4, 1, 2, 0, 3}); /* of the two at 20 the one that comes first in the file */
  refused_with("1 1 1 1\n1 2 1\n", from, 2, "order=time needs a time in the fourth field, found none");
}

/* States carry these numbers: what a file comes to must not change. */
static void test_checksums(void **state)
{
  (void)state;
  static const char text[] = "2 2 1 30\n1 1 2 10\n2 1 3.7 20\n1 2 4 10\n3 1 5 -1.5\n1 1 2 20\n";
  static const uint32_t sum[] = {[OFW_SHUFFLED] = 0xe5fcbf30, [OFW_AS_FILED] = 0x70677967, [OFW_BY_TIME] = 0x41e560c3};
  for (int order = 0; order < 3; order++) {
    reads_with(text, (ofw_ratings_source){.base = OFW_BASE_AUTO, .order = (ofw_order)order});
    assert_int_equal(r.checksum, sum[order]);
  }
}

/* Lines around the end of the reader's buffer, and rows that are written in another way among plain ones. */
static void test_long(void **state)
{
  (void)state;
  enum { ROWS = 30000 };
  static const char *const row[] = {"%zu %zu %zu.25\n", "%zu %zu %zu.25 99\r\n", " %zu\t%zu  %zu.250 1e9\n",
                                    "%zu.0 0%zu +%zu.25\n\n"};
  static char text[ROWS * 32];
  uint64_t seed = 6;
  size_t length = 0;
  for (size_t k = 0; k < ROWS; k++)
    length += (size_t)sprintf(text + length, row[any_below(&seed, 4)], 1 + k % 150, 1 + k / 150, k % 1000);
  reads(text);
  is_shape(150, 200, ROWS);
  for (size_t k = 0; k < ROWS; k++)
    is_rating((k % 150) * 200 + k / 150, k % 150, k / 150, (double)(k % 1000) + 0.25);
}

/* 5000 rows in one order and as many in another: a sort that is wrong shows. */
static void test_many(void **state)
{
  (void)state;
  enum { ROWS = 5000, USERS = 61, ITEMS = 83 }; /* less than one rating a cell, many twice */
  static struct {
    double value, time;
    size_t at;
  } last[USERS * ITEMS];
  static char text[40 * ROWS];
  uint64_t seed = 3;
  size_t length = 0, rated = 0;
  memset(last, 0, sizeof last);
  for (size_t k = 1; k <= ROWS; k++) {
    size_t user = any_below(&seed, USERS), item = any_below(&seed, ITEMS), time = any_below(&seed, 50);
    size_t value = 1 + any_below(&seed, 9);
    length += (size_t)sprintf(text + length, "%zu,%zu,%zu,%zu\n", user, item, value, time);
    rated += last[user * ITEMS + item].at == 0;
    last[user * ITEMS + item].value = (double)value;
    last[user * ITEMS + item].time = (double)time;
    last[user * ITEMS + item].at = k;
  }
  reads_with(text, (ofw_ratings_source){.users = USERS, .items = ITEMS, .order = OFW_BY_TIME});
  is_shape(USERS, ITEMS, rated);
  assert_int_equal(r.duplicates, ROWS - rated);
  for (size_t k = 0; k < r.count; k++) {
    assert_true(k == 0 || r.cell[k - 1] < r.cell[k]);
    assert_bits(r.value[k], last[r.cell[k]].value);
    if (k > 0) {
      size_t a = r.cell[r.sequence[k - 1]], b = r.cell[r.sequence[k]];
      assert_true(last[a].time < last[b].time || (last[a].time == last[b].time && last[a].at < last[b].at));
    }
  }
}

/* ---- compressed ---- */

static void test_gzip(void **state)
{
  (void)state;
  static const char text[] = "3,1,4\n1,2,3.5\n2,4,-1\n";
  unsigned char packed[200];
  size_t n = compressed(text, sizeof text - 1, packed, sizeof packed);
  write_bytes(packed, n);
  reads(NULL);
  is_example();
  uint32_t checksum = r.checksum;
  reads(text); /* the same, plain */
  assert_int_equal(r.checksum, checksum);
  n += compressed("3,4,1\n", 6, packed + n, sizeof packed - n); /* two files in one */
  write_bytes(packed, n);
  reads(NULL);
  is_shape(3, 4, 4);
  assert_true(r.checksum != checksum);
  n = compressed("1 1 1\n1 2\n", 10, packed, sizeof packed);
  write_bytes(packed, n);
  refused(NULL, 2, "the rating is missing");
  n = compressed("", 0, packed, sizeof packed);
  write_bytes(packed, n);
  refused(NULL, 0, ": expected ratings, found none");
}

/* What base/bytes.h says of the end, in words. */
static void test_gzip_ends(void **state)
{
  (void)state;
  static const char text[] = "3,1,4\n1,2,3.5\n2,4,-1\n";
  unsigned char packed[200];
  size_t n = compressed(text, sizeof text - 1, packed, sizeof packed);
  memcpy(packed + n, "1,1,1\n", 6);
  write_bytes(packed, n + 6);
  refused(NULL, 4, "other bytes follow the gzip data");
  write_bytes(packed, n - 1);
  refused(NULL, 4, "the gzip data end too soon");
  packed[n - 8] ^= 1; /* of the checksum */
  write_bytes(packed, n);
  refused(NULL, 4, "the gzip data are damaged");
}

/* ---- where it is ---- */

static void refused_as(const char *name, const char *message)
{
  ofw_ratings_source from = {.path = name, .base = OFW_BASE_AUTO};
  assert_int_equal(ofw_ratings_read(&r, &from, NULL), OFW_BAD_DATA);
  assert_int_equal(ofw_ratings_read(&r, &from, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, message);
}

static void test_missing(void **state)
{
  (void)state;
  unsetenv("OFW_DATA_DIR");
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", "/nowhere", 1);
  refused_as("/nowhere/ratings", "cannot read /nowhere/ratings: No such file or directory");
  refused_as("/tmp", "cannot read /tmp: Is a directory");
  refused_as("ofw-no-such-ratings", "cannot read ofw-no-such-ratings: No such file or directory, and it is not in "
                                    "/nowhere/.local/share/ofw");
  setenv("OFW_DATA_DIR", "/nowhere/data", 1);
  refused_as("ofw-no-such-ratings",
             "cannot read ofw-no-such-ratings: No such file or directory, and it is not in /nowhere/data");
  unsetenv("OFW_DATA_DIR");
  unsetenv("HOME");
  refused_as("ofw-no-such-ratings", "cannot read ofw-no-such-ratings: No such file or directory");
}

/* A file that is open already is read from where it stands, and the path is what it is called. */
static void test_open_file(void **state)
{
  (void)state;
  FILE *file = tmpfile();
  assert_non_null(file);
  fputs("1 1 2.5\n2 3 x\n", file);
  rewind(file);
  ofw_ratings_source from = {.path = "some.zip:u.data", .base = OFW_BASE_AUTO, .in = file};
  assert_int_equal(ofw_ratings_read(&r, &from, &err), OFW_BAD_DATA);
  assert_string_equal(err.message, "some.zip:u.data:2: the rating 'x' is not a finite number of at most 1e100 in size");
  rewind(file);
  fputs("1 1 2.5\n2 3 4\n", file);
  rewind(file);
  assert_int_equal(ofw_ratings_read(&r, &from, &err), OFW_OK);
  assert_int_equal(r.count, 2);
  assert_int_equal(r.users * r.items, 2 * 3);
  assert_bits(r.value[1], 4.0);
  ofw_ratings_free(&r);
  assert_int_equal(fclose(file), 0);
}

static void test_data_folder(void **state)
{
  (void)state;
  char folder[] = "/tmp/ofw-data-XXXXXX", name[64], wanted[80];
  assert_non_null(mkdtemp(folder));
  write_text("1 1 1\n2 2 x\n");
  snprintf(name, sizeof name, "%s/ratings", folder);
  assert_int_equal(rename(path, name), 0);
  setenv("OFW_DATA_DIR", folder, 1);
  ofw_ratings_source from = {.path = "ratings", .base = OFW_BASE_AUTO};
  assert_int_equal(ofw_ratings_read(&r, &from, &err), OFW_BAD_DATA);
  snprintf(wanted, sizeof wanted, "%s:2: ", name);
  assert_memory_equal(err.message, wanted, strlen(wanted));
  from.path = name; /* a whole path is taken as it is */
  assert_int_equal(ofw_ratings_read(&r, &from, &err), OFW_BAD_DATA);
  assert_memory_equal(err.message, wanted, strlen(wanted));
  unsetenv("OFW_DATA_DIR");
  unlink(name);
  rmdir(folder);
}

static void test_long_path(void **state)
{
  (void)state;
  char folder[] = "/tmp/ofw-data-XXXXXX", name[400];
  assert_non_null(mkdtemp(folder));
  int n = snprintf(name, sizeof name, "%s", folder);
  for (int k = 0; k < 150; k++)
    n += snprintf(name + n, sizeof name - (size_t)n, "/.");
  snprintf(name + n, sizeof name - (size_t)n, "/r");
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  fputs("1 1 1\n1 1\n", file);
  fclose(file);
  ofw_ratings_source from = {.path = name, .base = OFW_BASE_AUTO};
  assert_int_equal(ofw_ratings_read(&r, &from, &err), OFW_BAD_DATA);
  assert_non_null(strstr(err.message, ":2: the rating is missing")); /* the path gives way, the reason does not */
  unlink(name);
  rmdir(folder);
}

static void test_locale(void **state)
{
  (void)state;
  locale_t comma = comma_locale();
  locale_t before = comma ? uselocale(comma) : (locale_t)0;
  reads("3 1 4\n1 2 3.5\n2 4 -1\n");
  is_example();
  if (comma) {
    uselocale(before);
    freelocale(comma);
  }
}

static int free_ratings(void **state)
{
  (void)state;
  ofw_ratings_free(&r);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_separators),  cmocka_unit_test(test_header),    cmocka_unit_test(test_base),
      cmocka_unit_test(test_shape),       cmocka_unit_test(test_bad_rows),  cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_duplicates),  cmocka_unit_test(test_orders),    cmocka_unit_test(test_checksums),
      cmocka_unit_test(test_long),        cmocka_unit_test(test_many),      cmocka_unit_test(test_gzip_ends),
      cmocka_unit_test(test_gzip),        cmocka_unit_test(test_missing),   cmocka_unit_test(test_open_file),
      cmocka_unit_test(test_data_folder), cmocka_unit_test(test_long_path), cmocka_unit_test(test_locale),
  };
  return cmocka_run_group_tests(tests, NULL, free_ratings);
}
