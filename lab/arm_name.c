/* arm_name.c — a label alone, or with the options that a grid varies: "OPDP step=0.5" */
#include "lab/arm_name.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>

/* Whether the options "key=value key=value" have this word. */
static int has_word(const char *options, const char *word, size_t length)
{
  for (const char *at = options; *at;) {
    size_t here = strcspn(at, " ");
    if (here == length && strncmp(at, word, length) == 0)
      return 1;
    at += here + (at[here] == ' ');
  }
  return 0;
}

/* Whether an arm of the same label lacks this word. */
static int varies(const results_arm *arm, size_t n, size_t i, const char *word, size_t length)
{
  for (size_t k = 0; k < n; k++)
    if (strcmp(arm[k].label, arm[i].label) == 0 && !has_word(arm[k].options, word, length))
      return 1;
  return 0;
}

char *lab_arm_name(const results_arm *arm, size_t n, size_t i)
{
  ofw_text name = {0};
  ofw_text_add(&name, "%s", arm[i].label);
  for (const char *at = arm[i].options; *at;) {
    size_t here = strcspn(at, " ");
    if (here && varies(arm, n, i, at, here))
      ofw_text_add(&name, " %.*s", (int)here, at);
    at += here + (at[here] == ' ');
  }
  if (name.failed) {
    free(name.chars);
    return NULL;
  }
  return name.chars;
}
