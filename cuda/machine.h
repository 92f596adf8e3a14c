/* machine.h — where the kernels run: a GPU (gpu.cu) or, for tests, this processor (processor.c)
 *
 * Whatever is asked of a machine is done in the order in which it is asked. What fails is remembered, and nothing is done
 * after it.
 */
#pragma once

#include "bodies.h"

typedef struct ofw_machine ofw_machine;

/* NULL: why, in at most `length` characters. */
ofw_machine *ofw_machine_open(char *why, size_t length);
void ofw_machine_close(ofw_machine *m);
const char *ofw_machine_failed(const ofw_machine *m); /* why; NULL: nothing has */

/* Memory of the machine, zero, and memory that it and this program see alike. NULL: there is none. */
void *ofw_machine_room(ofw_machine *m, size_t bytes);
void *ofw_machine_seen(ofw_machine *m, size_t bytes);
void ofw_machine_drop(ofw_machine *m, void *room);
void ofw_machine_drop_seen(ofw_machine *m, void *seen);

/* From anywhere to anywhere. If one end is memory of this program alone, that end may be used again afterwards. */
void ofw_machine_copy(ofw_machine *m, void *to, const void *from, size_t bytes);
void ofw_machine_clear(ofw_machine *m, void *to, size_t bytes);
/* Until all is done; until a reply has this ticket or a later one. Whether it is. */
int ofw_machine_wait(ofw_machine *m);
int ofw_machine_await(ofw_machine *m, const ofw_reply *reply, uint64_t ticket);

/* A search, which does the steps of slots below `slots`, and those that are granted later; 0 ends it. While one is on,
 * nothing else may be asked of the machine but grants and its replies. */
void ofw_machine_search(ofw_machine *m, const ofw_search_args *k, uint32_t slots);
void ofw_machine_grant(ofw_machine *m, uint32_t slots);

/* ofw_run_NAME: so many blocks of that kernel */
#define OFW_SIMPLE(name, args)                             void ofw_run_##name(ofw_machine *m, uint32_t blocks, const args *k);
#define OFW_PHASED(name, args, shared, phases)             OFW_SIMPLE(name, args)
#define OFW_OWN(name, args, shared, mine, threads, phases) OFW_SIMPLE(name, args)
OFW_KERNELS(OFW_SIMPLE, OFW_PHASED, OFW_OWN)
#undef OFW_SIMPLE
#undef OFW_PHASED
#undef OFW_OWN
