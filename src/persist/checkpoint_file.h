/* checkpoint_file.h — checkpoints on any disk */
#ifndef OFW_SRC_CHECKPOINT_H
#define OFW_SRC_CHECKPOINT_H

#include "persist/disk.h"

#include <ofw/checkpoint.h>

enum { OFW_CHECKPOINT_VERSION = 1 };

ofw_status ofw_checkpoint_write_on(const ofw_disk *disk, const char *path, const ofw_state *state, const char *about,
                                   ofw_error *err);
ofw_status ofw_checkpoint_read_on(const ofw_disk *disk, const char *path, ofw_checkpoint *out, ofw_error *err);
/* The file at path itself, without a look at path.1. OFW_END: it is not there. */
ofw_status ofw_checkpoint_read_file(const ofw_disk *disk, const char *path, ofw_checkpoint *out, ofw_error *err);

#endif
