/* machine.h — where the kernels run: a GPU (gpu.cu), another process's (share_client.c) or, for tests, this processor (processor.c)
 *
 * Whatever is asked of a machine is done in the order in which it is asked. What fails is remembered, and nothing is done
 * after it.
 */
#pragma once

#include "bodies.h"

typedef struct ofw_machine ofw_machine;

#define OFW_NUMBER(name, ...) OFW_KERNEL_##name,
typedef enum ofw_kernel {
  OFW_KERNELS(OFW_NUMBER, OFW_NUMBER, OFW_NUMBER, OFW_NUMBER, OFW_NUMBER, OFW_NUMBER) OFW_KERNEL_COUNT
} ofw_kernel;
#undef OFW_NUMBER

typedef struct ofw_machine_ops {
  void (*close)(ofw_machine *m);
  const char *(*failed)(const ofw_machine *m); /* why; NULL: nothing has */

  /* Memory of the machine, zero, and memory that it and this program see alike. NULL: there is none. */
  void *(*room)(ofw_machine *m, size_t bytes);
  void *(*seen)(ofw_machine *m, size_t bytes);
  int (*see)(ofw_machine *m, void *here, size_t bytes); /* memory of this program, until it ends; 0: it cannot */
  void (*drop)(ofw_machine *m, void *room);
  void (*drop_seen)(ofw_machine *m, void *seen);

  /* From memory of this program to the machine's, which may be used again afterwards; the other way, which is waited for. */
  void (*send)(ofw_machine *m, void *to, const void *from, size_t bytes);
  int (*fetch)(ofw_machine *m, void *to, const void *from, size_t bytes);
  /* Within the machine, memory that both see included; from NULL: zeros. */
  void (*copy)(ofw_machine *m, void *to, const void *from, size_t bytes);
  /* Until all is done; until a reply has this ticket or a later one. Whether it is. */
  int (*wait)(ofw_machine *m);
  int (*await)(ofw_machine *m, const ofw_reply *reply, uint64_t ticket);
  /* For one that nobody waits for: what has failed meanwhile is known afterwards. */
  void (*look)(ofw_machine *m);

  /* So many blocks of a kernel; args are read before the call returns. */
  void (*run)(ofw_machine *m, ofw_kernel which, uint32_t blocks, const void *args);
  /* A search, which does the steps of slots below `slots`, and those that are granted later; 0 ends it. While one is on,
   * nothing else may be asked of the machine but grants and its replies. */
  void (*search)(ofw_machine *m, const ofw_search_plan *plan, uint32_t slots);
  void (*grant)(ofw_machine *m, uint32_t slots);
  /* The steps of slots below `slots`, after which the search ends: it waits for nobody but its own blocks. A narrow one looks itself
   * for what plan->granted allows beyond them, and ends if it has to wait for that. No more of them at a time, of all machines of
   * this process together, than have room side by side. */
  void (*steps)(ofw_machine *m, const ofw_search_plan *plan, uint32_t slots);
} ofw_machine_ops;

struct ofw_machine {
  const ofw_machine_ops *ops;
  int shared;      /* other plays have it too */
  uint32_t narrow; /* blocks of narrow searches that it has room for at the same time; 0: it has none */
};

/* The machine of this process. NULL: why, in at most `length` characters. */
ofw_machine *ofw_machine_open(char *why, size_t length);

/* ofw_run_NAME: so many blocks of that kernel */
#define OFW_RUN(name, args_type, ...)                                                       \
  static inline void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args_type *args) \
  {                                                                                         \
    m->ops->run(m, OFW_KERNEL_##name, blocks, args);                                        \
  }
OFW_KERNELS(OFW_RUN, OFW_RUN, OFW_RUN, OFW_RUN, OFW_RUN, OFW_RUN)
#undef OFW_RUN
