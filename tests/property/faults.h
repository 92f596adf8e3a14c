/* faults.h — an allocator that runs out on purpose, and how a call has to take that
 *
 * The linker sends allocations here (tests/CMakeLists.txt has the list). Files count as memory, since opening one takes
 * some.
 */
#ifndef OFW_TEST_FAULTS_H
#define OFW_TEST_FAULTS_H

#include "property/everything.h"

#include <errno.h>
#include <stdlib.h>

static struct {
  size_t calls, refuse; /* allocations so far; the first that is refused, 0: none */
  int lasting;          /* so are all after it */
  int paused;           /* nothing is refused or counted for a while */
  size_t refused;       /* since the last look */
  long held;            /* blocks and files not returned */
} heap;

static inline int refuses(void)
{
  if (!heap.refuse || heap.paused)
    return 0;
  heap.calls++;
  if (heap.lasting ? heap.calls < heap.refuse : heap.calls != heap.refuse)
    return 0;
  heap.refused++;
  errno = ENOMEM;
  return 1;
}

static inline void *held(void *at)
{
  heap.held += at != NULL;
  return at;
}

#define WRAP(type, name, parameters, arguments) \
  type __real_##name parameters;                \
  type __wrap_##name parameters;                \
  type __wrap_##name parameters                 \
  {                                             \
    return refuses() ? NULL : held arguments;   \
  }
WRAP(void *, malloc, (size_t n), (__real_malloc(n)))
WRAP(void *, calloc, (size_t n, size_t item), (__real_calloc(n, item)))
WRAP(void *, aligned_alloc, (size_t boundary, size_t n), (__real_aligned_alloc(boundary, n)))
WRAP(FILE *, fopen, (const char *path, const char *mode), (__real_fopen(path, mode)))

void *__real_realloc(void *at, size_t n);
void __real_free(void *at);
int __real_fclose(FILE *file);
void *__wrap_realloc(void *at, size_t n);
void __wrap_free(void *at);
int __wrap_fclose(FILE *file);

void *__wrap_realloc(void *at, size_t n)
{
  void *to = refuses() ? NULL : __real_realloc(at, n);
  heap.held += to && !at;
  return to;
}

void __wrap_free(void *at)
{
  heap.held -= at != NULL;
  __real_free(at);
}

int __wrap_fclose(FILE *file)
{
  heap.held--;
  return __real_fclose(file);
}

/* ---- how a call takes it ---- */

static char playing[800]; /* for messages */
static int silent;        /* nobody asks why */
static ofw_error err;
static uint64_t outcome; /* of all that was seen */

static inline void must(int truth, const char *what)
{
  if (!truth)
    fail_msg("%s, allocation %zu%s refused: %s", playing, heap.refuse, heap.lasting ? " and on" : "", what);
}

static inline uint64_t hash(uint64_t from, const void *bytes, size_t n)
{
  for (size_t i = 0; i < n; i++)
    from = (from ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
  return from;
}

static inline void note(const void *bytes, size_t n)
{
  outcome = hash(outcome, bytes, n);
}

static inline ofw_error *told(void)
{
  err = (ofw_error){0};
  return silent ? NULL : &err;
}

/* 1: it worked; 0: it was refused memory and said so. */
static inline int worked(ofw_status st, const char *message)
{
  size_t refused = heap.refused;
  heap.refused = 0;
  if (!refused)
    must(st == OFW_OK, message ? message : "a call failed for no reason");
  else {
    must(st == OFW_FAILED, st == OFW_OK ? "the refusal was hidden" : message);
    must(!message || (strstr(message, "memory") && !strchr(message, '\n')), "the message does not say so in a line");
  }
  return !refused;
}

/* Asks again after a refusal; where memory is gone for good, everything is given up at the second. */
#define INSIST(call, message, intact)                         \
  for (int asked = 0; !worked((call), (message));) {          \
    must((intact), "what was there before is not as it was"); \
    if (asked++ && heap.lasting)                              \
      return 0;                                               \
  }
#define MAKE(object, call) \
  INSIST(((object) = (call)) ? OFW_OK : silent ? OFW_FAILED : err.status, silent ? NULL : err.message, 1)

#endif
