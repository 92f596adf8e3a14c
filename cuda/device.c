/* device.c — libofw-cuda.so: the engine's operations on a machine (machine.h), as the table of engine/cuda_table.h */
#include "device.h"
#include "shared_gpu.h"

#include <stdio.h>
#include <stdlib.h>

/* The machine, for anything but a search: one that is on ends. */
ofw_machine *ofw_cuda_on(ofw_cuda *c)
{
  if (c->krylov.on)
    c->m->ops->grant(c->m, 0);
  c->krylov.on = c->krylov.early = 0;
  return c->m;
}

/* ---- opening and closing ---- */

static void close_device(ofw_cuda *c)
{
  void *rooms[] = {c->value.at,
                   c->places.there.at,
                   c->many.at,
                   c->turn.at,
                   c->left.at,
                   c->right.at,
                   c->pair_u,
                   c->pair_v,
                   c->parts,
                   c->counter,
                   c->krylov.basis,
                   c->krylov.image,
                   c->krylov.spare,
                   c->krylov.w,
                   c->krylov.shares,
                   c->krylov.products[0],
                   c->krylov.products[1],
                   c->krylov.products[2],
                   c->krylov.totals,
                   c->krylov.found};
  void *seen[] = {c->seen_u, c->seen_v, c->reply, c->stage};
  ofw_machine *m = ofw_cuda_on(c);
  for (size_t i = 0; i < OFW_ARRAYS; i++)
    m->ops->drop(m, c->array[i]);
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
    m->ops->drop(m, rooms[i]);
  for (size_t i = 0; i < sizeof seen / sizeof *seen; i++)
    m->ops->drop_seen(m, seen[i]);
  m->ops->close(m);
  free(c->places.here);
  free(c);
}

static void open_arrays(ofw_cuda *c)
{
  ofw_machine *m = ofw_cuda_on(c);
  ofw_cuda_array(c, OFW_ON_X);
  ofw_cuda_array(c, OFW_ON_D);
  c->pair_u = ofw_cuda_room(c, c->rows * sizeof(double));
  c->pair_v = ofw_cuda_room(c, c->cols * sizeof(double));
  c->parts = ofw_cuda_room(c, 2 * OFW_BLOCKS * sizeof(double));
  c->counter = ofw_cuda_room(c, sizeof *c->counter);
  c->seen_u = m->ops->seen(m, c->rows * sizeof(double));
  c->seen_v = m->ops->seen(m, c->cols * sizeof(double));
  c->reply = m->ops->seen(m, OFW_REPLIES * sizeof *c->reply);
  c->stage = m->ops->seen(m, OFW_STAGE_ROOM);
  c->stage_room = OFW_STAGE_ROOM;
  if (!c->seen_u || !c->seen_v || !c->reply || !c->stage)
    ofw_cuda_lose(c, (c->rows + (size_t)c->cols) * sizeof(double) + OFW_REPLIES * sizeof *c->reply + OFW_STAGE_ROOM);
}

static ofw_cuda *open_device(size_t rows, size_t cols, int floats, char why[OFW_CUDA_TEXT])
{
  if (cols == 0 || rows > OFW_CUDA_MOST / cols) {
    snprintf(why, OFW_CUDA_TEXT, "%zu x %zu is more than %u numbers", rows, cols, OFW_CUDA_MOST);
    return NULL;
  }
  ofw_cuda *c = calloc(1, sizeof *c);
  if (!c) {
    snprintf(why, OFW_CUDA_TEXT, "out of memory");
    return NULL;
  }
  c->rows = (uint32_t)rows;
  c->cols = (uint32_t)cols;
  c->dim = c->rows * c->cols;
  c->quads = c->dim / 4 + (c->dim % 4 > 0);
  c->floats = floats;
  ofw_cuda_share *share = ofw_share_joined();
  c->m = share ? ofw_share_machine(share, why, OFW_CUDA_TEXT) : ofw_machine_open(why, OFW_CUDA_TEXT);
  if (!c->m) {
    free(c);
    return NULL;
  }
  open_arrays(c);
  if (!ofw_cuda_failed(c) && c->m->ops->wait(c->m))
    return c;
  snprintf(why, OFW_CUDA_TEXT, "%s", ofw_cuda_failed(c));
  close_device(c);
  return NULL;
}

extern __attribute__((visibility("default"))) const ofw_cuda_table ofw_cuda_table_1;
const ofw_cuda_table ofw_cuda_table_1 = {.version = OFW_CUDA_VERSION,
                                         .open = open_device,
                                         .close = close_device,
                                         .failed = ofw_cuda_failed,
                                         .keep_y = ofw_cuda_keep_y,
                                         .read = ofw_cuda_read,
                                         .write = ofw_cuda_write,
                                         .entries = ofw_cuda_entries,
                                         .clear = ofw_cuda_clear,
                                         .blend = ofw_cuda_blend,
                                         .add = ofw_cuda_add,
                                         .segment = ofw_cuda_segment,
                                         .step = ofw_cuda_step,
                                         .lead = ofw_cuda_lead,
                                         .dot = ofw_cuda_dot,
                                         .inner = ofw_cuda_inner,
                                         .measure = ofw_cuda_measure,
                                         .pass = ofw_cuda_pass,
                                         .narrow = ofw_cuda_narrow,
                                         .begin = ofw_cuda_begin,
                                         .extend = ofw_cuda_extend,
                                         .accept = ofw_cuda_accept,
                                         .rotate = ofw_cuda_rotate,
                                         .compose = ofw_cuda_compose,
                                         .share = ofw_share_open,
                                         .unshare = ofw_share_close,
                                         .serve = ofw_share_serve,
                                         .begun = ofw_share_begun,
                                         .join = ofw_share_join};
