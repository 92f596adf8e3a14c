/* test_factored_join.c — saved factors cut at other rows, against rows that are taken one by one; and pieces that are none */
#include "engine/factored.h"
#include "engine/factored_join.h"
#include "unit/base/check.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 23, COLS = 5, LEFT = 3, RIGHT = 2, MOST = 2000 };

/* How many entries row i of part k of S has. */
static size_t width(size_t i, size_t k)
{
  return (i * 7 + k * 3) % 4;
}

/* The words of rows first .. first + here, as factored_state.c has them, one row after the other. */
static size_t pieces_words(size_t first, size_t here, size_t cores, uint64_t *out)
{
  uint64_t *at = out;
  const uint64_t counts[] = {LEFT, RIGHT, 11, 12, 13, 14};
  for (size_t k = 0; k < 6; k++)
    *at++ = counts[k];
  for (size_t k = 0; k < 3 + OFW_CORES; k++)
    *at++ = 100 + k;
  for (size_t i = first; i < first + here; i++)
    for (size_t k = 0; k < LEFT; k++)
      *at++ = 1000 + i * LEFT + k;
  for (size_t k = 0; k < COLS * RIGHT + cores * LEFT * RIGHT; k++)
    *at++ = 5000 + k;
  *at++ = 77; /* the scale */
  for (size_t k = 0; k < 2; k++) {
    uint64_t count = 0;
    *at++ = 0;
    for (size_t i = first; i < first + here; i++)
      *at++ = count += width(i, k);
    uint32_t *col = (uint32_t *)at;
    if (count)
      at[(count - 1) / 2] = 0;
    for (size_t i = first; i < first + here; i++)
      for (size_t j = 0; j < width(i, k); j++)
        *col++ = (uint32_t)j;
    at += (count + 1) / 2;
    for (size_t i = first; i < first + here; i++)
      for (size_t j = 0; j < width(i, k); j++)
        *at++ = 9000 + 100 * i + 10 * k + j;
  }
  return (size_t)(at - out);
}

static void test_any_rows_from_any_pieces(void **state)
{
  (void)state;
  static uint64_t words[4][MOST], wanted[MOST];
  for (size_t cores = 2; cores <= 3; cores++)
    for (size_t pieces = 1; pieces <= 4; pieces++)
      for (size_t first = 0; first <= ROWS; first += 2)
        for (size_t here = 0; first + here <= ROWS; here++) {
          ofw_factored_piece piece[4];
          ofw_split to = {.first = first, .here = here};
          for (size_t k = 0; k < pieces; k++) {
            size_t from = ROWS * k / pieces, end = ROWS * (k + 1) / pieces;
            piece[k] =
                (ofw_factored_piece){from, end - from, words[k], pieces_words(from, end - from, cores, words[k])};
          }
          uint64_t *out = NULL;
          size_t count = 0, expected = pieces_words(first, here, cores, wanted);
          assert_int_equal(ofw_factored_join(&to, COLS, pieces, piece, &out, &count, NULL), OFW_OK);
          assert_int_equal(count, expected);
          assert_memory_equal(out, wanted, count * sizeof *out);
          free(out);
        }
}

static void test_damaged_pieces_are_refused(void **state)
{
  (void)state;
  static uint64_t words[MOST];
  uint64_t *out = NULL;
  ofw_split to = {.first = 0, .here = ROWS};
  size_t count = pieces_words(0, ROWS, 2, words), got;
  ofw_error err = {0};
  for (size_t shorter = 1; shorter <= count; shorter++) {
    ofw_factored_piece piece = {0, ROWS, words, count - shorter};
    assert_int_equal(ofw_factored_join(&to, COLS, 1, &piece, &out, &got, &err), OFW_BAD_DATA);
  }
  assert_string_equal(err.message, "the states of the ranks do not fit together");
  for (size_t k = 0; k < 2; k++) { /* numbers of columns that no piece has room for */
    uint64_t before = words[k];
    for (uint64_t wrong = 1; wrong < 64; wrong++) {
      ofw_factored_piece piece = {0, ROWS, words, count};
      words[k] = UINT64_MAX >> wrong;
      if (words[k] > count)
        assert_int_equal(ofw_factored_join(&to, COLS, 1, &piece, &out, &got, NULL), OFW_BAD_DATA);
    }
    words[k] = before;
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_rows_from_any_pieces),
      cmocka_unit_test(test_damaged_pieces_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
