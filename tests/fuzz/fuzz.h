/* fuzz.h — what the targets share: a check that aborts, bytes as choices, bytes as a file
 *
 * A target is one file tests/fuzz/fuzz_NAME.c that defines LLVMFuzzerTestOneInput. Under the preset `fuzz` libFuzzer calls it;
 * elsewhere fuzz_replay.c does, once for each input of corpus/NAME.tar and crashes/NAME.
 */
#ifndef OFW_TEST_FUZZ_H
#define OFW_TEST_FUZZ_H

#include "learner/method.h"
#include "run/metrics.h"
#include "run/run_state.h"
#include "stream/generator.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* More memory than this is refused, as a system does at some point; refusals must be clean. Once a program. */
#ifndef OFW_FUZZ_DRIVER
const char *__asan_default_options(void);
__attribute__((used, visibility("default"))) const char *__asan_default_options(void)
{
  return "allocator_may_return_null=1:max_allocation_size_mb=64";
}
#endif

/* An assert that no build leaves out. */
#define MUST(truth) ((truth) ? (void)0 : must_failed(__FILE__, __LINE__, #truth))

static inline _Noreturn void must_failed(const char *file, int line, const char *truth)
{
  fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, truth);
  abort();
}

/* A refusal has a line of words. */
static inline void must_explain(ofw_status st, const char *message)
{
  MUST(st > OFW_OK && st <= OFW_END);
  MUST(message[0] && !strchr(message, '\n'));
}

/* The input as choices; where it is used up, all are 0. */
typedef struct fuzz_bytes {
  const uint8_t *at;
  size_t left;
} fuzz_bytes;

static inline uint8_t fuzz_byte(fuzz_bytes *b)
{
  if (!b->left)
    return 0;
  b->left--;
  return *b->at++;
}

static inline size_t fuzz_below(fuzz_bytes *b, size_t n)
{
  size_t x = fuzz_byte(b);
  if (n > 256)
    x = x << 8 | fuzz_byte(b);
  return x % n;
}

/* The input as a text of its own, so that reading beyond its end is seen. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  MUST(text);
  if (size)
    memcpy(text, data, size);
  text[size] = 0;
  return text;
}

/* A regular file in memory; fuzz_drop closes it. */
typedef struct fuzz_file {
  int file;
  char path[32];
} fuzz_file;

static inline fuzz_file fuzz_keep(const void *data, size_t size)
{
  fuzz_file f = {.file = memfd_create("fuzz", 0)};
  MUST(f.file >= 0 && write(f.file, data, size) == (ssize_t)size);
  snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.file);
  return f;
}

static inline void fuzz_drop(fuzz_file f)
{
  close(f.file);
}

#endif
