/* test_cuda_narrow.c — searches of storage=cuda in a copy of d of 16 bits: what the oracle states of them holds for d itself
 *
 * Plays that share a device search so; a child has it here, and this process plays. The device is whatever libofw-cuda.so is found
 * (tests/CMakeLists.txt).
 */
#include "body_narrow_copy.h"
#include "engine/cuda_library.h"
#include "linalg/lanczos.h"
#include "unit/engine/stated.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Blocks with fewer rows than others, columns that end within a chunk, as many columns as a copy may have but one, and few. */
static const struct {
  size_t rows, cols;
} shapes[] = {{263, 251}, {61, 1117}, {33, 2047}, {520, 127}};
enum { SHAPES = 4, MOST = 70000, KINDS = 8 };
static double numbers[MOST], atom[MOST];
static size_t rows, cols, cells;

static ofw_domain *ball(size_t shape)
{
  char spec[64];
  rows = shapes[shape].rows;
  cols = shapes[shape].cols;
  cells = rows * cols;
  snprintf(spec, sizeof spec, "trace-ball:rows=%zu,cols=%zu,radius=2", rows, cols);
  ofw_domain *K = ofw_domain_create(spec, NULL);
  assert_non_null(K);
  return K;
}

static ofw_engine *about(const ofw_domain *K, int floats)
{
  ofw_error err = {0};
  ofw_engine *E = ofw_engine_open_cuda(K, 0, floats, &err);
  ofw_vec whole = ofw_vec_dense(cells, numbers);
  if (!E)
    fail_msg("%s", err.message);
  E->ops->pull(E, 0.0, 0.0, 1.0, (ofw_sum){1, &whole});
  return E;
}

/* Of the numbers that floats have, if they are to be floats:
 * Gaussian, with a top that is there twice, of rank one, with one entry alone, far too large, far too small, rows of very different
 * sizes, one entry that is large beside the others: sigma_1 */
static double make_matrix(chance *c, int kind, int floats)
{
  double scale = kind == 4 ? 1e200 : kind == 5 ? 1e-200 : 1.0, s[600];
  for (size_t i = 0; i < lesser(rows, cols); i++)
    s[i] = kind == 2 ? (double)(i == 0) : i < 2 ? 1.0 : 0.95 - 0.9 * (double)i / (double)lesser(rows, cols);
  memset(numbers, 0, sizeof numbers);
  if (kind == 3)
    numbers[cells - 2] = -3.0;
  else if (kind == 1 || kind == 2)
    with_spectrum(c, rows, cols, s, numbers);
  else
    chance_normals(c, cells, numbers);
  for (size_t i = 0; i < cells && kind == 6; i++)
    numbers[i] = ldexp(numbers[i], -(int)(i / cols % 40));
  if (kind == 7)
    numbers[cells / 2] = 200.0;
  for (size_t i = 0; i < cells && floats; i++)
    numbers[i] = (float)numbers[i];
  double sigma = largest_singular(rows, cols, numbers);
  for (size_t i = 0; i < cells; i++)
    numbers[i] *= scale;
  return scale * sigma;
}

static void ask_the_oracle(chance *c, int trial, int floats, stated *out)
{
  static const double relatives[] = {1e-2, 1e-3, 1e-4, 3e-3, 1e-10};
  ofw_domain *K = ball((size_t)trial / KINDS);
  double sigma = make_matrix(c, trial % KINDS, floats);
  ofw_engine *E = about(K, floats);
  ask_about(K, E, numbers, sigma, relatives, 10, atom, out);
  E->ops->close(E);
  ofw_domain_free(K);
}

static void what_the_oracle_finds(void **state)
{
  (void)state;
  chance c = {32};
  stated t = {0};
  for (int trial = 0; trial < SHAPES * KINDS; trial++)
    ask_the_oracle(&c, trial, 0, &t);
  assert_at_most(t.wrong, 3.0); /* of 640, where one in 1000 may be */
  assert_at_most(t.far, 18.0);
  assert_at_most(40.0, t.narrow);
}

static void what_it_finds_of_floats(void **state)
{
  (void)state;
  chance c = {35};
  stated t = {0};
  for (int kind = 0; kind < KINDS; kind++)
    if (kind != 4 && kind != 5) /* which no float has */
      ask_the_oracle(&c, kind, 1, &t);
  assert_at_most(t.wrong, 1.0); /* of 120 */
  assert_at_most(t.far, 4.0);
  assert_at_most(8.0, t.narrow);
}

/* The same bits every time. */
static void twice(void **state)
{
  (void)state;
  chance c = {34};
  ofw_domain *K = ball(0);
  double first[MOST];
  ofw_answer got[2];
  make_matrix(&c, 0, 0);
  for (size_t k = 0; k < 2; k++) {
    ofw_engine *E = about(K, 0);
    ofw_direction d = *E->ops->direction(E);
    void *work = NULL;
    d.wanted = (ofw_accuracy){1e-3, INFINITY, 0};
    assert_int_equal(K->ops->open(K, 5, &work, NULL), OFW_OK);
    assert_int_equal(K->ops->minimise(K, work, &d, &got[k], NULL), OFW_OK);
    ofw_sum_dense(got[k].atom, cells, k ? atom : first);
    K->ops->close(work);
    E->ops->close(E);
  }
  assert_true(got[0].value == got[1].value && got[0].error == got[1].error && got[0].passes == got[1].passes);
  assert_memory_equal(first, atom, cells * sizeof *atom);
  ofw_domain_free(K);
}

static void what_is_refused(void **state)
{
  (void)state;
  static const double bad[] = {(double)NAN, INFINITY};
  chance c = {33};
  for (size_t k = 0; k < 2; k++) {
    ofw_domain *K = ball(k);
    ofw_error err = {0};
    ofw_answer got;
    void *work = NULL;
    make_matrix(&c, 0, 0);
    numbers[cells / 2] = bad[k];
    ofw_engine *E = about(K, 0);
    ofw_direction d = *E->ops->direction(E);
    d.wanted = (ofw_accuracy){1e-2, INFINITY, 0};
    assert_int_equal(K->ops->open(K, 5, &work, NULL), OFW_OK);
    assert_int_equal(K->ops->minimise(K, work, &d, &got, &err), OFW_NUMERICAL);
    assert_string_equal(err.message, "the singular value is not a finite number");
    K->ops->close(work);
    E->ops->close(E);
    ofw_domain_free(K);
  }
}

static const ofw_cuda_table *table;
static ofw_cuda_share *share;
static pid_t server;

static int share_device(void **state)
{
  (void)state;
  table = ofw_cuda_library(NULL);
  share = table ? table->share(1) : NULL;
  if (!share)
    return -1;
  server = fork();
  if (server == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    table->serve(share);
    _exit(1);
  }
  while (server > 0 && !table->begun(share) && waitpid(server, NULL, WNOHANG) == 0)
    usleep(1000);
  table->join(share);
  return server > 0 ? 0 : -1;
}

static int end_share(void **state)
{
  (void)state;
  table->join(NULL);
  kill(server, SIGKILL);
  waitpid(server, NULL, 0);
  table->unshare(share);
  return 0;
}

/* A number of a copy may be off by half a unit, which the largest of its row sets. */
static void what_a_copy_may_lose(void **state)
{
  (void)state;
  ofw_domain *K = ball(0);
  numbers[0] = 1.0;
  ofw_engine *E = about(K, 0);
  const ofw_rough *rough = E->ops->direction(E)->krylov->rough;
  double root = sqrt((double)cols);
  assert_true(rough[OFW_ALL_DIGITS].apart == 0.0 && rough[OFW_ALL_DIGITS].grain == 0.0);
  assert_true(rough[OFW_16_BITS].apart >= 0x1p-16 * root && rough[OFW_16_BITS].apart <= 0x1.2p-16 * root);
  assert_true(rough[OFW_32_BITS].apart >= 0x1p-32 * root && rough[OFW_32_BITS].apart <= 0x1.2p-32 * root);
  E->ops->close(E);
  ofw_domain_free(K);
}

/* 1248 x 1439 is one whose rows take whole turns only with fewer blocks, which have no room. */
static void no_block_is_asked_for_more_than_it_has(void **state)
{
  (void)state;
  size_t some = 0, none = 0;
  for (uint32_t m = 1; m < 6000; m += m < 1300 ? 13 : 101)
    for (uint32_t n = 1; n <= OFW_NARROW_COLS + 1; n += 1 + n % 3)
      for (int wide = 0; wide < 2; wide++) {
        uint32_t blocks = ofw_narrow_blocks(m, n, wide, 128);
        *(blocks > 0 ? &some : &none) += 1;
        if (blocks > 0 &&
            (ofw_narrow_bytes(m, n, wide, blocks) > OFW_NARROW_BYTES || ofw_ceiling(m, blocks) > OFW_NARROW_ROWS ||
             ofw_ceiling(n, blocks) > OFW_NARROW_OWN || blocks > 128))
          fail_msg("%u x %u, wide %d: %u blocks of %zu bytes", m, n, wide, blocks,
                   ofw_narrow_bytes(m, n, wide, blocks));
      }
  assert_true(some > 1000 && none > 1000 && ofw_narrow_blocks(1248, 1439, 1, 128) > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_oracle_finds),
      cmocka_unit_test(what_it_finds_of_floats),
      cmocka_unit_test(twice),
      cmocka_unit_test(what_a_copy_may_lose),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(no_block_is_asked_for_more_than_it_has),
  };
  return cmocka_run_group_tests(tests, share_device, end_share);
}
