#include "unit/domain/oracle_check.h"

#include <unistd.h>

typedef struct bounds {
  double lower[MOST_DIM], upper[MOST_DIM];
} bounds;

/* Over the 2^n corners in few dimensions, else coordinate by coordinate. */
static long double least_corner(size_t n, const double *d, const void *set)
{
  const bounds *b = set;
  long double least = INFINITY, apart = 0.0L;
  for (size_t i = 0; i < n; i++)
    apart += fminl((long double)d[i] * b->lower[i], (long double)d[i] * b->upper[i]);
  for (uint64_t corner = 0; n <= 8 && corner < UINT64_C(1) << n; corner++) {
    long double value = 0.0L;
    for (size_t i = 0; i < n; i++)
      value += (long double)d[i] * (corner >> i & 1 ? b->upper[i] : b->lower[i]);
    least = fminl(least, value);
  }
  return n <= 8 ? least : apart;
}

/* A new file that holds the text; the path's room is at least 32. */
static void write_file(char *path, const char *text)
{
  strcpy(path, "/tmp/ofw_test_box_XXXXXX");
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  size_t length = strlen(text);
  assert_int_equal(write(fd, text, length), length);
  close(fd);
}

static void write_numbers(char *path, size_t n, const double *x)
{
  char text[MOST_DIM * OFW_REAL_TEXT] = "", number[OFW_REAL_TEXT];
  for (size_t i = 0; i < n; i++)
    strcat(strcat(text, ofw_print_real(x[i], number)), i % 2 ? "\n" : " \r\n");
  write_file(path, text);
}

/* A random box by two files, sometimes with a coordinate that cannot move. */
static ofw_domain *random_box(chance *c, size_t n, bounds *b)
{
  char low[32], high[32], spec[TEXT];
  for (size_t i = 0; i < n; i++) {
    b->lower[i] = chance_normal(c);
    b->upper[i] = b->lower[i] + (chance_below(c, 6) ? chance_unit(c) * 3.0 : 0.0);
  }
  write_numbers(low, n, b->lower);
  write_numbers(high, n, b->upper);
  say(spec, "box:lower=@%s,upper=@%s", low, high);
  ofw_domain *K = domain_of(spec);
  unlink(low);
  unlink(high);
  assert_int_equal(ofw_domain_dim(K), n);
  return K;
}

static void the_best_corner(void **state)
{
  (void)state;
  static const size_t dims[] = {1, 2, 3, 5, 8, 33, 64};
  chance c = {8};
  bounds b;
  for (size_t k = 0; k < sizeof dims / sizeof *dims; k++)
    for (int t = 0; t < 5; t++) {
      ofw_domain *K = random_box(&c, dims[k], &b);
      is_least(K, 500, least_corner, &b);
      ofw_domain_free(K);
    }
}

static void a_tie_goes_to_the_lower_bound(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("box:dim=4,lower=-0.1,upper=0.7");
  double v[4];
  ask(K, (double[]){0.0, -0.0, 0x1p-1074, -0x1p-1074}, v);
  assert_true(v[0] == -0.1 && v[1] == -0.1 && v[2] == -0.1 && v[3] == 0.7);
  assert_true(ask(K, (double[4]){0}, v) == 0.0L);
  for (size_t i = 0; i < 4; i++)
    assert_true(v[i] == -0.1);
  ofw_domain_free(K);
}

static void radii_and_centre(void **state)
{
  (void)state;
  chance c = {3};
  for (size_t n = 1; n <= 40; n++) {
    bounds b;
    ofw_domain *K = random_box(&c, n, &b);
    double far[MOST_DIM], tight[MOST_DIM] = {0}, centre[MOST_DIM], square = 0.0, r = INFINITY;
    size_t narrow = 0;
    ofw_domain_centre(K, centre);
    for (size_t i = 0; i < n; i++) {
      far[i] = fabs(b.lower[i]) > fabs(b.upper[i]) ? b.lower[i] : b.upper[i];
      square += far[i] * far[i];
      assert_near(centre[i], (b.lower[i] + b.upper[i]) / 2.0, 1e-15L * sqrt(square));
      if ((b.upper[i] - b.lower[i]) / 2.0 < r)
        r = (b.upper[i] - b.lower[i]) / 2.0, narrow = i;
    }
    tight[narrow] = 1.0;
    assert_near(K->r, r, 1e-15L);
    has_radii(K, sqrt(square), K->r, far, tight, NULL);
    ofw_domain_free(K);
  }
}

/* Play starts at the origin where the box holds it. */
static void where_play_starts(void **state)
{
  (void)state;
  static const char *const spec[] = {"box:dim=2,lower=-1,upper=2", "box:dim=2,lower=0,upper=1",
                                     "box:dim=2,lower=-1,upper=0", "box:dim=2,lower=0.5,upper=1",
                                     "box:dim=2,lower=-3,upper=-1"};
  for (int i = 0; i < 5; i++) {
    ofw_domain *K = domain_of(spec[i]);
    assert_int_equal(K->from_centre, i >= 3);
    ofw_domain_free(K);
  }
}

static void excess_is_the_largest_overshoot(void **state)
{
  (void)state;
  ofw_domain *K = domain_of("box:dim=2,lower=-1,upper=2");
  assert_true(ofw_domain_excess(K, (double[]){-1.0, 2.0}) == 0.0);
  assert_true(ofw_domain_excess(K, (double[]){-1.5, 2.25}) == 0.5);
  assert_true(ofw_domain_excess(K, (double[]){0.0, 4.0}) == 2.0);
  ofw_domain_free(K);
}

static void bad_specs(void **state)
{
  (void)state;
  static const char *const bounded = "is required (a number for all coordinates, (a,b,..), or @FILE with one per line)";
  char words[TEXT];
  say(words, ": lower %s", bounded);
  misused("box", "", words);
  say(words, ": upper %s", bounded);
  misused("box", ":dim=2,lower=0", words);
  misused("box", ":lower=0,upper=1", ": dim is required because neither bound is a list");
  misused("box", ":dim=0,lower=0,upper=1", ": dim=0 is not in [1, 1e+12]");
  misused("box", ":dim=1.5,lower=0,upper=1", ": dim=1.5 is not a whole number >= 0");
  misused("box", ":dim=2,lower=0,uper=1", ": no option 'uper'; did you mean 'upper'?");
  misused("box", ":dim=2,lower=0,width=1", ": no option 'width'; its options: dim, lower, upper");
  misused("box", ":dim=2,lower=0,lower=1", ": lower is given twice");
  misused("box", ":dim=2,lower=zero,upper=1", ": lower=zero: expected a finite number, (a,b,..) or @FILE");
  misused("box", ":dim=2,lower=0,upper=inf", ": upper=inf: expected a finite number, (a,b,..) or @FILE");
  misused("box", ":dim=2,lower=,upper=1", ": lower=: expected a finite number, (a,b,..) or @FILE");
  misused("box", ":dim=2,lower=1.5,upper=1", ": coordinate 1 has lower bound 1.5 above its upper bound 1");
  static const char *const reach =
      ": expected a point at least 1e-100 away from the origin, found none; widen the bounds";
  misused("box", ":dim=2,lower=0,upper=0", reach);
  static const char *const large = ": coordinate 1 has a bound larger than 1e+100";
  misused("box", ":dim=4,lower=-1e308,upper=1e308", large);
  misused("box", ":dim=2,lower=-2e100,upper=1", large);
  misused("box", ":dim=2,lower=0,upper=2e100", large);
}

/* "box:" + before + "@FILE" + after is refused with the path in the words' only %s */
static void bad_file(const char *text, const char *before, const char *after, const char *head, const char *tail)
{
  char path[32], spec[TEXT], words[TEXT];
  write_file(path, text);
  say(spec, "box:%s@%s%s", before, path, after);
  say(words, "%s%s%s", head, path, tail);
  refused(spec, OFW_BAD_DATA, words);
  unlink(path);
}

static void bad_files(void **state)
{
  (void)state;
  bad_file("1\n2\n3\n", "dim=2,lower=0,upper=", "", "box: ", " has 3 numbers, but the dimension is 2");
  bad_file("1\n", "dim=2,lower=", ",upper=4", "box: ", " has 1 numbers, but the dimension is 2");
  bad_file("", "dim=2,lower=", ",upper=4", "box: expected numbers in ", ", found none");
  bad_file("", "lower=", ",upper=4", "box: expected numbers in ", ", found none");
  bad_file("1\njunk\n3\n", "dim=3,lower=", ",upper=4", "", ":2: 'junk' is not a finite number");
  bad_file("1\n2\nnan\n", "lower=", ",upper=4", "", ":3: 'nan' is not a finite number");
  bad_file("1\n\n3\n", "dim=3,lower=", ",upper=4", "", ":2: '' is not a finite number");
  bad_file("1\n2 3\n", "dim=2,lower=", ",upper=4", "", ":2: '2 3' is not a finite number");
  bad_file("1\n2\n", "lower=0,upper=", ",dim=3", "box: ", " has 2 numbers, but the dimension is 3");
  refused("box:dim=2,lower=0,upper=@/no/such/file", OFW_BAD_DATA,
          "box: cannot read /no/such/file: No such file or directory");
  refused("box:lower=@/no/such/file,upper=1", OFW_BAD_DATA,
          "box: cannot read /no/such/file: No such file or directory");
  refused("box:dim=2,lower=@/tmp,upper=1", OFW_BAD_DATA, "box: cannot read /tmp: Is a directory");
  refused("box:dim=2,lower=@/dev/zero,upper=1", OFW_BAD_DATA, "/dev/zero:1: the line is longer than 1048576 bytes");
  refused("box:lower=@/dev/zero,upper=1", OFW_BAD_DATA, "/dev/zero:1: the line is longer than 1048576 bytes");
}

/* The second file is bad when the first has been read, and the coordinate is named where only one pair is wrong. */
static void bad_pairs_of_files(void **state)
{
  (void)state;
  char low[32], high[32], spec[TEXT], words[TEXT];
  write_file(low, "0\n1\n2\n");
  write_file(high, "5\n5\n1.75\n");
  say(spec, "box:lower=@%s,upper=@%s", low, high);
  refused(spec, OFW_USAGE, "box: coordinate 3 has lower bound 2 above its upper bound 1.75");
  unlink(high);
  say(words, "box: cannot read %s: No such file or directory", high);
  refused(spec, OFW_BAD_DATA, words);
  unlink(low);
}

/* No line is too long: 300 digits are one number. */
static void a_long_line_is_one_number(void **state)
{
  (void)state;
  char text[400], path[32], spec[TEXT];
  memset(text, '0', 300);
  strcpy(text + 300, "12.5  \t \r\n-7");
  write_file(path, text);
  say(spec, "box:lower=-8,upper=@%s", path);
  ofw_domain *K = domain_of(spec);
  double v[2];
  ask(K, (double[]){-1.0, -1.0}, v);
  assert_true(v[0] == 12.5 && v[1] == -7.0);
  ofw_domain_free(K);
  unlink(path);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_best_corner),
      cmocka_unit_test(a_tie_goes_to_the_lower_bound),
      cmocka_unit_test(radii_and_centre),
      cmocka_unit_test(where_play_starts),
      cmocka_unit_test(excess_is_the_largest_overshoot),
      cmocka_unit_test(bad_specs),
      cmocka_unit_test(bad_files),
      cmocka_unit_test(bad_pairs_of_files),
      cmocka_unit_test(a_long_line_is_one_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
