/* contents.c — the first checksum of each kind, of each stream or arm, and all others beside it */
#include "lab/contents.h"

#include "base/basics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 3, DIGITS = 9 };

/* The words of a config, and whether all arms on a stream have the same. */
static const struct {
  const char *key;
  int by_stream;
} kinds[KINDS] = {{" checksum=", 1}, {" domain-content=", 1}, {" plugin=", 0}};

typedef struct content {
  const char *path; /* NULL: none was seen yet */
  char digits[DIGITS];
} content;

struct lab_contents {
  const lab_plan *plan;
  content (*of)[KINDS]; /* by arm; of a stream, by its first arm */
};

lab_contents *lab_contents_make(const lab_plan *plan)
{
  lab_contents *c = calloc(1, sizeof *c);
  if (c)
    *c = (lab_contents){plan, calloc(plan->arms + 1, sizeof *c->of)};
  if (c && c->of)
    return c;
  free(c);
  return NULL;
}

void lab_contents_free(lab_contents *c)
{
  if (c)
    free(c->of);
  free(c);
}

static size_t first_on_stream(const lab_plan *plan, size_t arm)
{
  while (arm > 0 && plan->arm[arm - 1].source == plan->arm[arm].source)
    arm--;
  return arm;
}

/* The digits behind a key; "": there are none. */
static void read_digits(const char *config, const char *key, char out[DIGITS])
{
  const char *at = strstr(config, key);
  snprintf(out, DIGITS, "%.*s", at ? (int)strcspn(at + strlen(key), " \n") : 0, at ? at + strlen(key) : "");
}

ofw_status lab_contents_check(lab_contents *c, const results_cell *cell, const char *path, ofw_error *err)
{
  size_t arm = (size_t)cell->arm - 1, first = first_on_stream(c->plan, arm);
  for (size_t k = 0; k < KINDS && cell->config; k++) {
    content *was = &c->of[kinds[k].by_stream ? first : arm][k];
    char digits[DIGITS];
    read_digits(cell->config, kinds[k].key, digits);
    if (!was->path)
      memcpy(was->digits, digits, sizeof digits);
    if (!was->path)
      was->path = path;
    if (strcmp(digits, was->digits) != 0)
      return ofw_fail(err, OFW_USAGE,
                      "%.110s has plays of %.50s on %.50s with%s%.9s, but %.110s with%s%.9s: %s differs", path,
                      c->plan->arm[arm].player->label, c->plan->arm[arm].source->label, kinds[k].key, digits, was->path,
                      kinds[k].key, was->digits, kinds[k].by_stream ? "what they read" : "the plugin");
  }
  return OFW_OK;
}
