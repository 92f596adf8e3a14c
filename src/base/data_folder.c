/* data_folder.c — which folder holds data sets, by three environment variables */
#include "base/data_folder.h"

#include <stdlib.h>

ofw_status ofw_data_folder(char **out, ofw_error *err)
{
  const char *chosen = getenv("OFW_DATA_DIR"), *shared = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  ofw_text path = {0};
  *out = NULL;
  if (chosen && chosen[0])
    ofw_text_add(&path, "%s", chosen);
  else if (shared && shared[0] == '/')
    ofw_text_add(&path, "%s/ofw", shared);
  else if (home && home[0])
    ofw_text_add(&path, "%s/.local/share/ofw", home);
  if (path.failed) {
    free(path.chars);
    return ofw_fail(err, OFW_FAILED, "out of memory for the data folder's name");
  }
  *out = path.chars;
  return OFW_OK;
}
