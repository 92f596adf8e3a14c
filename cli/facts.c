/* facts.c — names and values, as lines or as JSON; recognises kinds of files */
#include "facts.h"

#include "shown.h"

#include "persist/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

void facts_begin(json *j, const char *kind)
{
  if (j)
    json_open(j, NULL);
  facts_text(j, "kind", kind);
}

void facts_end(json *j)
{
  if (!j)
    return;
  json_close(j);
  putchar('\n');
}

void facts_text(json *j, const char *key, const char *text)
{
  if (j)
    json_text(j, key, text);
  else {
    printf("%-14s ", key);
    put_shown(stdout, text);
    putchar('\n');
  }
}

void facts_count(json *j, const char *key, uint64_t n)
{
  if (j)
    json_count(j, key, n);
  else
    printf("%-14s %" PRIu64 "\n", key, n);
}

void facts_real(json *j, const char *key, double x)
{
  if (j)
    json_real(j, key, x);
  else
    printf("%-14s %.17g\n", key, x);
}

int find_file_kind(const command *self, const char *path, file_kind *out)
{
  static const struct {
    const char *first;
    file_kind kind;
  } known[] = {{"ofwlog ", FILE_LOG}, {"ofwcheck", FILE_CHECKPOINT}, {"SQLite format 3", FILE_DATABASE}};
  char first[16] = "";
  uint64_t size;
  ofw_there there = ofw_real_disk.look(NULL, path, &size);
  if (there == OFW_SPECIAL)
    return complain(self, EXIT_BAD_DATA, "%s: expected a regular file", path);
  int file = there == OFW_REGULAR ? ofw_real_disk.open(NULL, path, O_RDONLY) : -1;
  ssize_t got = file < 0 ? -1 : ofw_disk_read(&ofw_real_disk, file, first, sizeof first);
  int why = errno;
  if (file >= 0)
    ofw_real_disk.close(NULL, file);
  *out = FILE_UNKNOWN;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (memcmp(first, known[k].first, strlen(known[k].first)) == 0)
      *out = known[k].kind;
  return got < 0 ? complain(self, EXIT_BAD_DATA, "cannot read %s: %s", path, strerror(why)) : 0;
}
