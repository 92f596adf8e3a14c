/* on_device.c — --device: an experiment that includes the one that was asked for, and puts every learner on the GPU
 *
 * So a play's key has its storage: plays of a GPU and of processors differ by rounding, and a database keeps them apart.
 */
#include "on_device.h"

#include "base/basics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYER "--device" /* its name in errors */

/* The experiment below the layer, and what every learner is to play on. */
typedef struct below {
  const char *name, *storage;
  const lab_library *library;
} below;

static ofw_status read_layer(void *ctx, const char *from, const char *name, char **file, char **text, ofw_error *err)
{
  const below *b = ctx;
  if (from)
    return b->library->read(b->library->ctx, strcmp(from, LAYER) == 0 ? NULL : from,
                            strcmp(from, LAYER) == 0 ? b->name : name, file, text, err);
  char layer[80];
  snprintf(layer, sizeof layer, "include = experiment\n[every learner]\nstorage = %s\n", b->storage);
  *file = ofw_copy_text(LAYER);
  *text = ofw_copy_text(layer);
  return *file && *text ? OFW_OK : ofw_fail_memory(err, sizeof LAYER);
}

int open_on_device(const command *self, const arguments *args, const char *name, const lab_library *library,
                   lab_experiment *out)
{
  const char *device = args->value[OPT_DEVICE];
  int cuda = device && (strcmp(device, "cuda") == 0 || strcmp(device, "cuda-float") == 0);
  below b = {name, device, library};
  const lab_library layered = {read_layer, &b};
  ofw_error err = {0};
  *out = (lab_experiment){0};
  if (device && !cuda && strcmp(device, "cpu") != 0)
    return complain(self, EXIT_USAGE, "--device: expected cpu, cuda or cuda-float, found '%s'", device);
  return lab_experiment_open_own(name, cuda ? &layered : library, &args->own, out, &err) == OFW_OK ? 0
                                                                                                   : refuse(self, &err);
}
