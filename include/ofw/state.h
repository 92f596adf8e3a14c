/* state.h — what a learner remembers, saved to memory */
#ifndef OFW_STATE_H
#define OFW_STATE_H

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A saved state: memory that ofw_state_free returns. Start it as {0}; saving into a used one replaces it. */
typedef struct ofw_state {
  unsigned char *bytes; /* with a checksum: a damaged state is refused */
  size_t size;          /* how many */
} ofw_state;

/* Returns its memory and leaves it as {0}. */
OFW_API void ofw_state_free(ofw_state *state);

#ifdef __cplusplus
}
#endif
#endif
