/* checkpoint.h — a saved state on disk: whole, or refused
 *
 * A checkpoint is written to a temporary file beside its place, synced, and renamed; the one before it stays as path.1.
 * So there is always a whole one, whatever moment the machine stops at. Every part of it has a checksum:
 *
 *     "ofwcheck"  version, byte order  size  sections, checksum  then per section: name, size, bytes, checksum
 */
#pragma once

#include "persist/disk.h"

#include <ofw/state.h>

enum { OFW_CHECKPOINT_VERSION = 1 };

/* What a checkpoint holds. Start it as {0}; reading into a used one replaces it. */
typedef struct ofw_checkpoint {
  ofw_state state; /* of a learner or a run */
  char *about;     /* what the writer wants to find again, any text */
} ofw_checkpoint;

/* Durable when it returns; the previous file is then path.1. If it fails, the old file is unchanged. */
ofw_status ofw_checkpoint_write(const ofw_disk *disk, const char *path, const ofw_state *state, const char *about,
                                ofw_error *err);
/* Also those of older versions. OFW_BAD_DATA: it is cut short, damaged, or none, and err says in what and whether path.1
 * is whole. OFW_END: neither path nor path.1 is there. If path is not there and path.1 is, as after a power cut
 * between two renames, that one is read. */
ofw_status ofw_checkpoint_read(const ofw_disk *disk, const char *path, ofw_checkpoint *out, ofw_error *err);
/* The file at path itself, without a look at path.1. OFW_END: it is not there. */
ofw_status ofw_checkpoint_read_file(const ofw_disk *disk, const char *path, ofw_checkpoint *out, ofw_error *err);
/* The bytes of such a file in memory, to be freed, and what such bytes hold. */
ofw_status ofw_checkpoint_pack(const ofw_state *state, const char *about, unsigned char **bytes, size_t *size,
                               ofw_error *err);
ofw_status ofw_checkpoint_unpack(const unsigned char *bytes, size_t size, ofw_checkpoint *out, ofw_error *err);
/* Returns its memory and leaves it as {0}. */
void ofw_checkpoint_free(ofw_checkpoint *checkpoint);
