/* state.h — the saved state of a learner, in memory */
#ifndef OFW_STATE_H
#define OFW_STATE_H

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A saved state; free it with ofw_state_free. Start with {0}; saving into a used one replaces it. */
typedef struct ofw_state {
  unsigned char *bytes; /* with a checksum: loading refuses a damaged state */
  size_t size;          /* number of bytes */
} ofw_state;

/* Frees the memory and leaves {0}. */
OFW_API void ofw_state_free(ofw_state *state);

#ifdef __cplusplus
}
#endif
#endif
