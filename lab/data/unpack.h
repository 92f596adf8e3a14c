/* unpack.h — one file out of a zip file or a folder, or as it is */
#ifndef OFW_DATA_UNPACK_H
#define OFW_DATA_UNPACK_H

#include "base/basics.h"

#include <stdio.h>

/* Copies `file`, for instance ml-100k/u.data, to `out`: from the zip file `path`, which may have u.data in any folder,
 * from the folder `path`, which may have u.data or ml-100k/u.data, or `path` itself where it is neither. *called becomes
 * what messages call it; the caller frees it, also after a failure. */
ofw_status data_unpack(const char *path, const char *file, FILE *out, char **called, ofw_error *err);

#endif
