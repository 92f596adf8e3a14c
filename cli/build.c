/* build.c — the line that names a build, and a warning if a file was written by another */
#include "build.h"

#include "linalg/kernels.h"
#include "linalg/libraries.h"

#include <string.h>

const char *build_text(char text[BUILD_TEXT])
{
  char libraries[OFW_LIBRARIES_TEXT];
  snprintf(text, BUILD_TEXT, "ofw %s kernel=%s %s", ofw_version(), ofw_kernels_chosen()->name,
           ofw_libraries_text(libraries));
  return text;
}

void warn_build(const command *self, const char *path, const char *there)
{
  char here[BUILD_TEXT];
  int n = (int)strcspn(there, "\n");
  build_text(here);
  if (strlen(here) != (size_t)n || strncmp(there, here, (size_t)n) != 0)
    complain(self, 0,
             "warning: %.200s was written by '%.*s', but this is '%s'; the next rounds may differ in the last bits",
             path, n < BUILD_TEXT ? n : BUILD_TEXT, there, here);
}
