/* shared_gpu.h — a GPU that one process has and several play on: the memory by which they talk
 *
 * A GPU runs kernels of one process at a time, and a play alone leaves most of it idle. So the plays' processes write orders
 * into this memory (share_client.c), and the process that has the GPU does them, each play's in a stream of its own
 * (share_server.c). Replies need nobody: kernels write them into this memory themselves.
 *
 * It is mapped before the processes are forked, so that an address means the same in all of them. A lock says whether its
 * owner still lives: the kernel of the system gives up the locks of a process that ends in any way.
 */
#pragma once

#include "engine/cuda_table.h"
#include "machine.h"

#include <pthread.h>

enum {
  OFW_SHARE_ORDERS = 256,   /* of a play that were not taken yet */
  OFW_SHARE_ARGS = 1408,    /* bytes of a kernel's arguments */
  OFW_SHARE_COPY = 1 << 20, /* bytes that go to or from the GPU at once */
  OFW_SHARE_SEEN = 1 << 28  /* bytes of a play that it and the GPU see, at most; they are taken as they are needed */
};

typedef enum ofw_order_kind {
  OFW_ORDER_RUN,
  OFW_ORDER_STEPS,
  OFW_ORDER_COPY,
  OFW_ORDER_ROOM,
  OFW_ORDER_DROP,
  OFW_ORDER_SEE,
  OFW_ORDER_LEAVE
} ofw_order_kind;

typedef struct ofw_order {
  ofw_order_kind kind;
  ofw_kernel which; /* of OFW_ORDER_RUN */
  uint32_t blocks;
  uint32_t slots;   /* of OFW_ORDER_STEPS, unless it is narrow */
  void *room;       /* of OFW_ORDER_DROP, and where OFW_ORDER_COPY goes to */
  const void *from; /* of OFW_ORDER_COPY; NULL: zeros */
  size_t bytes;     /* of OFW_ORDER_ROOM and OFW_ORDER_COPY, and how many of OFW_ORDER_SEE the GPU is to see */
  char args[OFW_SHARE_ARGS] __attribute__((aligned(16)));
} ofw_order;

/* One play. */
typedef struct ofw_share_place {
  pthread_mutex_t owner;
  uint64_t asked, taken; /* orders, since ever */
  void *given;           /* the last room; NULL: there was none, or the GPU cannot see so many bytes */
  uint32_t narrow;       /* of the machine, when its first order was done */
  ofw_order order[OFW_SHARE_ORDERS];
  char seen[OFW_SHARE_SEEN] __attribute__((aligned(4096)));
} ofw_share_place;

struct ofw_cuda_share {
  pthread_mutex_t server;
  int begun;  /* the server has its lock */
  int failed; /* the GPU, by `why`: nothing is done any more */
  char why[OFW_CUDA_TEXT];
  size_t places;
  ofw_share_place place[];
};

/* Whether the lock's owner lives; if it does not, the lock is of no use from then on. */
int ofw_share_lives(pthread_mutex_t *lock);
/* The share that this process has joined; NULL: none. */
ofw_cuda_share *ofw_share_joined(void);

/* The table's functions for shares. */
ofw_cuda_share *ofw_share_open(size_t plays);
void ofw_share_close(ofw_cuda_share *share);
void ofw_share_join(ofw_cuda_share *share);
int ofw_share_begun(const ofw_cuda_share *share);
void ofw_share_serve(ofw_cuda_share *share);

/* A place of the share as a machine. NULL: why. */
ofw_machine *ofw_share_machine(ofw_cuda_share *share, char *why, size_t length);
