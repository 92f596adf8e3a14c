/* refusing_heap.h — an allocator that runs out on purpose
 *
 * The linker sends allocations here (tests/CMakeLists.txt has the list). Files count as memory, since opening one takes
 * some.
 */
#ifndef OFW_TEST_REFUSING_HEAP_H
#define OFW_TEST_REFUSING_HEAP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
  size_t calls, refuse; /* allocations so far; the first that is refused, 0: none */
  int lasting;          /* so are all after it */
  size_t refused;       /* since the last look */
  long held;            /* blocks and files not returned */
} heap;

static inline int refuses(void)
{
  heap.calls += heap.refuse > 0;
  if (!heap.refuse || (heap.lasting ? heap.calls < heap.refuse : heap.calls != heap.refuse))
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
ssize_t __wrap___getdelim(char **line, size_t *room, int end, FILE *in);
ssize_t __wrap_getline(char **line, size_t *room, FILE *in);

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

/* getline is a macro for it. Like the real one it has read a part of the line where there is no room for the rest. */
ssize_t __wrap___getdelim(char **line, size_t *room, int end, FILE *in)
{
  size_t used = 0;
  for (int ch = 0; ch != end;) {
    if (used + 2 > *room) {
      char *grown = __wrap_realloc(*line, 2 * *room + 16);
      if (!grown)
        return -1;
      *line = grown;
      *room = 2 * *room + 16;
    }
    if ((ch = getc(in)) == EOF)
      break;
    (*line)[used++] = (char)ch;
  }
  (*line)[used] = 0;
  return used ? (ssize_t)used : -1;
}

ssize_t __wrap_getline(char **line, size_t *room, FILE *in)
{
  return __wrap___getdelim(line, room, '\n', in);
}

#endif
