/* fuzz_replay.c — plays inputs to a target without libFuzzer: the files named and, of an archive NAME.tar, each file in it
 *
 * Such an archive is what tests/fuzz/corpus.py writes: plain files, with names of up to 100 bytes.
 */
#define OFW_FUZZ_DRIVER
#include "fuzz.h"

#include <sys/resource.h>

enum { TAR_BLOCK = 512, TAR_NAME = 100, TAR_SIZE = 124 }; /* POSIX ustar: where the size is in a header, in octal */

static size_t played;

/* The whole of a file, to be freed. */
static uint8_t *read_file(const char *path, size_t *size)
{
  FILE *in = fopen(path, "r");
  uint8_t *data = NULL;
  *size = 0;
  MUST(in);
  for (size_t got = 1; got > 0; *size += got) {
    data = realloc(data, *size + 65536);
    MUST(data);
    got = fread(data + *size, 1, 65536, in);
  }
  MUST(!ferror(in));
  fclose(in);
  return data;
}

/* A copy of its own size, so that a sanitizer sees a read beyond its end. */
static void play(const char *path, const char *name, const uint8_t *data, size_t size)
{
  uint8_t *input = malloc(size + !size);
  MUST(input);
  memcpy(input, data, size);
  fprintf(stderr, "%s%s%.*s\n", path, *name ? ": " : "", TAR_NAME,
          name); /* the last one named is the one that failed */
  LLVMFuzzerTestOneInput(input, size);
  free(input);
  played++;
}

/* Each file's header, then its bytes up to a whole block; an empty block ends the archive. */
static void play_archive(const char *path, const uint8_t *data, size_t size)
{
  size_t at = 0;
  while (MUST(at + TAR_BLOCK <= size), data[at]) {
    size_t of = strtoul((const char *)data + at + TAR_SIZE, NULL, 8);
    MUST(of <= size - at - TAR_BLOCK);
    play(path, (const char *)data + at, data + at + TAR_BLOCK, of);
    at += TAR_BLOCK + (of + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK;
  }
}

static void play_file(const char *path)
{
  size_t size, length = strlen(path);
  uint8_t *data = read_file(path, &size);
  if (length > 4 && strcmp(path + length - 4, ".tar") == 0)
    play_archive(path, data, size);
  else
    play(path, "", data, size);
  free(data);
}

/* As under libFuzzer, more memory than this is refused. A sanitizer needs terabytes for itself and has a limit of its
 * own (fuzz.h). */
static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const struct rlimit most = {(rlim_t)1 << 30, (rlim_t)1 << 30};
  MUST(setrlimit(RLIMIT_AS, &most) == 0);
#endif
}

int main(int argc, char **argv)
{
  limit_memory();
  for (int i = 1; i < argc; i++) /* a target may go to another folder */
    argv[i] = realpath(argv[i], NULL);
  for (int i = 1; i < argc; i++) {
    MUST(argv[i]);
    play_file(argv[i]);
    free(argv[i]);
  }
  printf("%zu inputs\n", played);
  return played ? 0 : 1;
}
