/* data_folder.c — which folder holds data sets, by three environment variables */
#include "base/data_folder.h"

#include <stdlib.h>

ofw_status ofw_data_folder(char **out, ofw_error *err)
{
  const char *chosen = getenv("OFW_DATA_DIR"), *shared = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  *out = NULL;
  if (chosen && chosen[0])
    *out = ofw_copy_text(chosen);
  else if (shared && shared[0] == '/')
    *out = ofw_format("%s/ofw", shared);
  else if (home && home[0])
    *out = ofw_format("%s/.local/share/ofw", home);
  else
    return OFW_OK;
  return *out ? OFW_OK : ofw_fail(err, OFW_FAILED, "out of memory for the data folder's name");
}
