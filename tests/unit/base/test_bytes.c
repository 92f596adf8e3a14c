/* test_bytes.c — a file's bytes are those that were put in, plain or compressed, and where they end too soon or too late it
 * is said */
#include "base/bytes.h"
#include "unit/base/gzip.h"

#include <errno.h>
#include <stdlib.h>

static unsigned char got[1 << 20];

static int next_byte(ofw_bytes *b)
{
  return b->at < b->end || ofw_bytes_fill(b) ? b->to[b->at++] : -1;
}

/* All bytes of a file that holds these n; how many, and why no more came. */
static size_t read_all(const void *bytes, size_t n, ofw_bytes_end *why)
{
  FILE *in = tmpfile();
  size_t count = 0;
  int c;
  assert_non_null(in);
  assert_int_equal(fwrite(bytes, 1, n, in), n);
  rewind(in);
  ofw_bytes *b = ofw_bytes_open(in);
  assert_non_null(b);
  while ((c = next_byte(b)) >= 0) {
    assert_true(count < sizeof got);
    got[count++] = (unsigned char)c;
  }
  assert_int_equal(next_byte(b), -1); /* and so it stays */
  *why = b->why;
  ofw_bytes_close(b);
  assert_int_equal(fclose(in), 0);
  return count;
}

static void gives(const void *bytes, size_t n, const void *text, size_t length)
{
  ofw_bytes_end why;
  assert_int_equal(read_all(bytes, n, &why), length);
  assert_int_equal(why, OFW_BYTES_ALL);
  assert_memory_equal(got, text, length);
}

/* Text whose compression is no shorter than half of it. */
static size_t any_text(uint64_t *seed, size_t n, char *out)
{
  for (size_t i = 0; i < n; i++)
    out[i] = (char)('0' + any_below(seed, 10));
  return n;
}

/* Around the sizes of a buffer. */
static void test_plain(void **state)
{
  (void)state;
  static char text[2 * OFW_BYTES_CHUNK + 9];
  uint64_t seed = 1;
  static const size_t lengths[] = {0, 1, 2, OFW_BYTES_CHUNK - 1, OFW_BYTES_CHUNK, OFW_BYTES_CHUNK + 1, sizeof text};
  any_text(&seed, sizeof text, text);
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
    gives(text, lengths[k], text, lengths[k]);
  gives("\x1f", 1, "\x1f", 1); /* the first of gzip's two bytes alone */
  gives("\x1f?", 2, "\x1f?", 2);
}

/* More than a buffer of either side holds, in one member and in many. */
static void test_members(void **state)
{
  (void)state;
  enum { LENGTH = 640000 };
  static char text[LENGTH];
  static unsigned char packed[LENGTH + 100 * 64];
  uint64_t seed = 9;
  any_text(&seed, LENGTH, text);
  for (size_t members = 1; members <= 100; members += 33) {
    size_t n = 0;
    for (size_t k = 0; k < members; k++) {
      size_t from = (size_t)LENGTH * k / members, to = (size_t)LENGTH * (k + 1) / members;
      n += compressed(text + from, to - from, packed + n, sizeof packed - n);
    }
    assert_true(n > 3 * OFW_BYTES_CHUNK);
    gives(packed, n, text, LENGTH);
  }
  gives(packed, compressed("", 0, packed, sizeof packed), "", 0);
}

/* After the last member: nothing but another one. */
static void test_followed(void **state)
{
  (void)state;
  static const char text[] = "3,1,4\n1,2,3.5\n2,4,-1\n";
  static const struct {
    const char *bytes;
    size_t n;
  } behind[] = {{"\n", 1}, {"1,1,1\n", 6}, {"\0\0\0\0", 4}, {"\x1f?", 2}, {"PK", 2}};
  unsigned char packed[200];
  ofw_bytes_end why;
  size_t n = compressed(text, sizeof text - 1, packed, sizeof packed);
  for (size_t i = 0; i < sizeof behind / sizeof *behind; i++) {
    memcpy(packed + n, behind[i].bytes, behind[i].n);
    assert_int_equal(read_all(packed, n + behind[i].n, &why), sizeof text - 1);
    assert_int_equal(why, OFW_BYTES_FOLLOWED);
  }
  memcpy(packed + n, "\x1f", 1); /* what might have become a member */
  assert_int_equal(read_all(packed, n + 1, &why), sizeof text - 1);
  assert_int_equal(why, OFW_BYTES_CUT);
}

/* Cut anywhere: said to be. One bit turned: said, or the bytes are the same. */
static void test_damaged(void **state)
{
  (void)state;
  static char text[3000];
  static unsigned char packed[4000], turned[4000];
  uint64_t seed = 5;
  size_t length = any_text(&seed, sizeof text, text), n = compressed(text, length, packed, sizeof packed), said = 0;
  ofw_bytes_end why;
  for (size_t cut = 2; cut < n; cut++) {
    size_t count = read_all(packed, cut, &why);
    assert_int_equal(why, OFW_BYTES_CUT);
    assert_true(count <= length && memcmp(got, text, count) == 0);
  }
  for (size_t bit = 16; bit < 8 * n; bit += 7) {
    memcpy(turned, packed, n);
    turned[bit / 8] = (unsigned char)(turned[bit / 8] ^ 1u << bit % 8);
    size_t count = read_all(turned, n, &why);
    said += why != OFW_BYTES_ALL;
    if (why == OFW_BYTES_ALL) /* the time of compression, and so on */
      assert_true(count == length && memcmp(got, text, count) == 0);
  }
  assert_true(said > n / 2);
}

static void test_unread(void **state)
{
  (void)state;
  FILE *folder = fopen("/", "r");
  assert_non_null(folder);
  ofw_bytes *b = ofw_bytes_open(folder);
  assert_non_null(b);
  assert_int_equal(next_byte(b), -1);
  assert_int_equal(b->why, OFW_BYTES_FAILED);
  assert_int_equal(errno, EISDIR);
  ofw_bytes_close(b);
  ofw_bytes_close(NULL);
  assert_int_equal(fclose(folder), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain),   cmocka_unit_test(test_members), cmocka_unit_test(test_followed),
      cmocka_unit_test(test_damaged), cmocka_unit_test(test_unread),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
