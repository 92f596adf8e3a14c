/* fuzz_replay.c — plays files to a target without libFuzzer: those named, and all in the folders named */
#define OFW_FUZZ_DRIVER
#include "fuzz.h"

#include <dirent.h>

#include <sys/resource.h>

static size_t played;

static void play_file(const char *path)
{
  FILE *in = fopen(path, "r");
  uint8_t *data = NULL;
  size_t size = 0;
  MUST(in);
  for (size_t got = 1; got > 0; size += got) {
    data = realloc(data, size + 65536);
    MUST(data);
    got = fread(data + size, 1, 65536, in);
  }
  MUST(!ferror(in));
  fclose(in);
  fprintf(stderr, "%s\n", path); /* the last one named is the one that failed */
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  played++;
}

/* 0: it is none, or there is none */
static int play_folder(const char *path)
{
  struct dirent **entry;
  int n = scandir(path, &entry, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
    if (entry[i]->d_name[0] != '.')
      play_file(name);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
  return n >= 0;
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
    if (argv[i] && !play_folder(argv[i]))
      play_file(argv[i]);
    free(argv[i]);
  }
  printf("%zu inputs\n", played);
  return played ? 0 : 1;
}
