/* A small set in every shape that it may come in, and in many that it must not. */
#include "lab/data/import.h"
#include "unit/data/zipped.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#define ROWS "1\t1\t4\t10\n2\t3\t0.5\t11\n1\t2\t2.5\t12\n1\t1\t3\t13\n"

#define SUM "bdc0480d0c458de2303e70abdd843fd09ce70df8bd7a01517c350f87646e5ed7" /* of ROWS, by sha256sum */
static const data_set set = {.name = "small",
                             .file = "sm/u.data",
                             .sha256 = SUM,
                             .rows = 4,
                             .users = 2,
                             .items = 3,
                             .lowest = 0.5,
                             .highest = 4.0,
                             .step = 0.5};
static data_imported got;
static ofw_error err;

static const char *target(void)
{
  return in_folder("data/ofw/sm/u.data");
}

static int make_folder(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/ofw-import-XXXXXX");
  assert_non_null(mkdtemp(folder));
  return 0;
}

static int remove_folder(void **state)
{
  (void)state;
  char command[100];
  snprintf(command, sizeof command, "chmod -R u+w %s; rm -rf %s", folder, folder);
  return system(command);
}

/* How many names there are in a folder of the folder; -1: it is not there. */
static int names_in(const char *name)
{
  DIR *d = opendir(in_folder(name));
  int n = -2;
  if (!d)
    return -1;
  while (readdir(d))
    n++;
  closedir(d);
  return n;
}

static void holds(const char *path, const char *wanted)
{
  char text[200] = {0};
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fread(text, 1, sizeof text - 1, file), strlen(wanted));
  fclose(file);
  assert_string_equal(text, wanted);
}

static void imports(const char *from, int was_there)
{
  err = (ofw_error){0};
  ofw_status st = data_import(&set, in_folder(from), target(), &got, &err);
  assert_string_equal(err.message, "");
  assert_int_equal(st, OFW_OK);
  assert_int_equal(got.was_there, was_there);
  assert_int_equal(got.duplicates, 1);
  holds(target(), ROWS);
  assert_int_equal(names_in("data/ofw/sm"), 1); /* and no part of it */
  unlink(target());
}

/* "FOLDER/what", and nothing has been made. */
static void refused_with(ofw_status status, const char *from, const char *what)
{
  char wanted[480];
  ofw_status st = data_import(&set, in_folder(from), target(), &got, &err);
  snprintf(wanted, sizeof wanted, what, folder);
  assert_string_equal(err.message, wanted);
  assert_int_equal(st, status);
  assert_int_equal(err.status, status);
}

static void refused(const char *from, const char *what)
{
  refused_with(OFW_BAD_DATA, from, what);
  assert_int_equal(names_in("data"), -1);
}

static void test_every_shape(void **state)
{
  (void)state;
  write_as("anything", ROWS, strlen(ROWS));
  imports("anything", 0);
  mkdir(in_folder("in"), 0777);
  write_as("in/u.data", ROWS, strlen(ROWS));
  imports("in", 0);
  mkdir(in_folder("above"), 0777);
  rename(in_folder("in"), in_folder("above/sm"));
  imports("above", 0);
  imports("above/", 0);
  zip_as("stored.zip", "u.data", ROWS, ZIP_CM_STORE);
  imports("stored.zip", 0);
  zip_as("packed", "some/folder/u.data", ROWS, ZIP_CM_DEFLATE);
  imports("packed", 0);
}

static void test_already_there(void **state)
{
  (void)state;
  struct stat before, after;
  write_as("u.data", ROWS, strlen(ROWS));
  assert_int_equal(data_import(&set, in_folder("u.data"), target(), &got, &err), OFW_OK);
  assert_int_equal(stat(target(), &before), 0);
  assert_int_equal(data_import(&set, in_folder("u.data"), target(), &got, &err), OFW_OK);
  assert_int_equal(got.was_there, 1);
  assert_int_equal(stat(target(), &after), 0);
  assert_true(before.st_ino == after.st_ino);
  write_as("data/ofw/sm/u.data", "1 1 1\n", 6); /* a damaged one is replaced */
  imports("u.data", 0);
}

static void test_mode(void **state)
{
  (void)state;
  struct stat st;
  mode_t before = umask(027);
  write_as("u.data", ROWS, strlen(ROWS));
  assert_int_equal(data_import(&set, in_folder("u.data"), target(), &got, &err), OFW_OK);
  umask(before);
  assert_int_equal(stat(target(), &st), 0);
  assert_int_equal(st.st_mode & 0777, 0640);
}

/* Every byte of the file, changed: it is refused, whatever the change does to the rows. */
static void test_changed_bytes(void **state)
{
  (void)state;
  char text[] = ROWS;
  for (size_t k = 0; k < strlen(ROWS); k++)
    for (int bit = 0; bit < 8; bit++) {
      text[k] = (char)(ROWS[k] ^ 1 << bit);
      write_as("u.data", text, strlen(ROWS));
      assert_int_equal(data_import(&set, in_folder("u.data"), target(), &got, &err), OFW_BAD_DATA);
      assert_non_null(strstr(err.message, in_folder("u.data")));
      assert_null(strchr(err.message, '\n'));
      assert_int_equal(names_in("data"), -1);
      text[k] = ROWS[k];
    }
}

static void test_what_is_wrong(void **state)
{
  (void)state;
  refused("nothing", "cannot read %s/nothing: No such file or directory");
  write_as("u", "", 0);
  refused("u", "%s/u: expected ratings, found none");
  write_as("u", ROWS, strlen(ROWS) - 9);
  refused("u", "%s/u is not small: found 3 rows, expected 4");
  write_as("u", "1 1 4\n2 3 0.5\n1 2 2.5\n3 1 3\n", 28);
  refused("u", "%s/u is not small: found 3 users and 3 items, expected 2 and 3");
  write_as("u", "1 1 4\n2 3 0.5\n1 2 4.5\n1 1 3\n", 28);
  refused("u", "%s/u is not small: user 1 rates item 2 with 4.5, expected 0.5, 1, .. or 4");
  write_as("u", "1 1 4\n2 3 0.6\n1 2 2.5\n1 1 3\n", 28);
  refused("u", "%s/u is not small: user 2 rates item 3 with 0.6, expected 0.5, 1, .. or 4");
  write_as("u", "1 1 4\n2 3 x\n", 12);
  refused("u", "%s/u:2: the rating 'x' is not a finite number of at most 1e100 in size");
  write_as("u", "1\t1\t4\t10\n2\t3\t0.5\t11\n1\t2\t2.5\t12\n1\t1\t3\t14\n", strlen(ROWS));
  refused("u", "%s/u is not small: its sha256 is a969e328372d21726102cd05107aaac6b752f9935fc2964080e9b17655f1e618, "
               "expected " SUM);
}

static void test_folder_without(void **state)
{
  (void)state;
  mkdir(in_folder("in"), 0777);
  refused("in", "%s/in: there is no u.data in it");
  mkdir(in_folder("in/u.data"), 0777);
  refused("in", "%s/in: there is no u.data in it");
}

static void test_bad_zips(void **state)
{
  (void)state;
  zip_as("a.zip", "my_u.data", ROWS, ZIP_CM_DEFLATE);
  refused("a.zip", "%s/a.zip: there is no u.data in it");
  zip_as("a.zip", "sm/u.data", "1 1 4\n", ZIP_CM_DEFLATE);
  refused("a.zip", "%s/a.zip:sm/u.data is not small: found 1 rows, expected 4");
  zip_as("a.zip", "sm/u.data", "1 x 4\n", ZIP_CM_STORE);
  refused("a.zip", "%s/a.zip:sm/u.data:1: the item 'x' is not a whole number >= 0");
  write_as("a.zip", "PK\3\4 and no more", 16);
  refused("a.zip", "cannot read %s/a.zip: Not a zip archive");
}

/* A zip file with any bit changed, or cut short, gives the set itself or one message. */
static void test_damaged_zips(void **state)
{
  (void)state;
  zip_as("whole", "u.data", ROWS, ZIP_CM_DEFLATE);
  char bytes[1000];
  FILE *file = fopen(in_folder("whole"), "r");
  size_t n = fread(bytes, 1, sizeof bytes, file), refusals = 0;
  fclose(file);
  assert_true(n > 100 && n < sizeof bytes);
  for (size_t k = 0; k < 8 * n; k++) {
    bytes[k / 8] = (char)(bytes[k / 8] ^ 1 << k % 8);
    write_as("turned", bytes, n);
    bytes[k / 8] = (char)(bytes[k / 8] ^ 1 << k % 8);
    ofw_status st = data_import(&set, in_folder("turned"), target(), &got, &err);
    assert_true(st == OFW_OK || st == OFW_BAD_DATA);
    refusals += st != OFW_OK;
    if (st == OFW_OK)
      holds(target(), ROWS);
    unlink(target());
  }
  assert_true(refusals > 4 * n); /* those of times and attributes change nothing */
  for (size_t k = 0; k < n; k++) {
    write_as("cut", bytes, k);
    assert_int_equal(data_import(&set, in_folder("cut"), target(), &got, &err), OFW_BAD_DATA);
  }
}

/* 65 MiB of zeros in a file of some KiB. */
static void test_huge_entry(void **state)
{
  (void)state;
  size_t n = 65u << 20;
  char *zeros = malloc(n + 1);
  assert_non_null(zeros);
  memset(zeros, '0', n);
  zeros[n] = 0;
  zip_as("a.zip", "u.data", zeros, ZIP_CM_DEFLATE);
  free(zeros);
  refused("a.zip", "%s/a.zip:u.data has more than 67108864 bytes");
}

static void test_unwritable(void **state)
{
  (void)state;
  write_as("u.data", ROWS, strlen(ROWS));
  write_as("data", "a file", 6);
  refused_with(OFW_FAILED, "u.data", "cannot write %s/data/ofw/sm/u.data: Not a directory");
  holds(in_folder("data"), "a file");
  unlink(in_folder("data"));
  assert_int_equal(mkdir(in_folder("data"), 0777), 0);
  assert_int_equal(mkdir(in_folder("data/ofw"), 0777), 0);
  assert_int_equal(mkdir(in_folder("data/ofw/sm"), 0777), 0);
  assert_int_equal(mkdir(target(), 0777), 0); /* nothing can take its place */
  refused_with(OFW_FAILED, "u.data", "cannot write %s/data/ofw/sm/u.data: Is a directory");
  assert_int_equal(names_in("data/ofw/sm"), 1); /* what had been begun is gone */
}

/* Where no more can be written, the old file stays. */
static void test_full_disk(void **state)
{
  (void)state;
  struct rlimit before, none;
  write_as("u.data", ROWS, strlen(ROWS));
  assert_int_equal(data_import(&set, in_folder("u.data"), target(), &got, &err), OFW_OK);
  write_as("data/ofw/sm/u.data", "old", 3);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  none = before;
  none.rlim_cur = 10;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
  ofw_status st = data_import(&set, in_folder("u.data"), target(), &got, &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(st, OFW_FAILED);
  assert_non_null(strstr(err.message, "File too large"));
  holds(target(), "old");
  assert_int_equal(names_in("data/ofw/sm"), 1);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
  signal(SIGXFSZ, SIG_IGN);
  const struct CMUnitTest tests[] = {
      CASE(test_every_shape),   CASE(test_already_there),  CASE(test_mode),      CASE(test_changed_bytes),
      CASE(test_what_is_wrong), CASE(test_folder_without), CASE(test_bad_zips),  CASE(test_damaged_zips),
      CASE(test_huge_entry),    CASE(test_unwritable),     CASE(test_full_disk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
