/* make_folder.c — a folder that may be there already */
#include "lab/make_folder.h"

#include "base/basics.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

ofw_status lab_folder_make(const char *folder, ofw_error *err)
{
  char *path = ofw_copy_text(folder);
  if (!path)
    return ofw_fail_memory(err, strlen(folder));
  int failed = 0;
  for (char *at = path + (*path != 0); !failed && *at; at++)
    if (*at == '/') {
      *at = 0;
      failed = mkdir(path, 0777) != 0 && errno != EEXIST;
      *at = '/';
    }
  failed = failed || (mkdir(path, 0777) != 0 && errno != EEXIST);
  free(path);
  return failed ? ofw_fail(err, OFW_FAILED, "cannot make the folder %.300s: %s", folder, strerror(errno)) : OFW_OK;
}
