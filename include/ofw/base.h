/* base.h — status codes, errors, and registered names
 *
 * The library never prints, exits or keeps global state. A function that can fail returns a status; the message is in the
 * caller's ofw_error, or on the handle (ofw_learner_error, ofw_run_error).
 */
#ifndef OFW_BASE_H
#define OFW_BASE_H

#include <stddef.h>
#include <stdint.h>

/* The version of these headers, when a program is compiled; ofw_version says which library it runs with. */
#define OFW_VERSION_MAJOR 0
/* The second number. */
#define OFW_VERSION_MINOR 3
/* The third. */
#define OFW_VERSION_PATCH 0
/* All three as one number to compare: 300 is 0.3.0, and 10203 is 1.2.3. */
#define OFW_VERSION_NUMBER (OFW_VERSION_MAJOR * 10000 + OFW_VERSION_MINOR * 100 + OFW_VERSION_PATCH)

/* Marks what the shared library exports. */
#define OFW_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. OFW_OK is 0, so a status is also a truth value: did it fail? */
typedef enum ofw_status {
  OFW_OK = 0,      /* done */
  OFW_FAILED,      /* the system refused: memory, a file, a clock */
  OFW_USAGE,       /* a wrong call, name or option; nothing changed */
  OFW_BAD_DATA,    /* feedback or a file that cannot be accepted; nothing changed */
  OFW_NUMERICAL,   /* arithmetic or an oracle failed; you can only save, ask and free the handle */
  OFW_UNSUPPORTED, /* this part does not support the call; nothing changed */
  OFW_END          /* a stream has no further round */
} ofw_status;

/* What went wrong, in one line. Functions that take an ofw_error accept NULL. */
typedef struct ofw_error {
  ofw_status status; /* OFW_OK: nothing went wrong */
  char message[480]; /* ends with 0 */
} ofw_error;

/* A registered learner, domain or stream. `ofw help NAME` prints its options. */
typedef struct ofw_type {
  const char *name;                  /* as in specs */
  const char *summary;               /* one line */
  const char *source;                /* its publication, or NULL */
  const char *example;               /* a small spec that works; NULL: the name alone works */
  const struct ofw_option *options;  /* option.h; ends with {0} */
  const struct ofw_promise *promise; /* what is proved of a learner and what it needs (option.h); NULL: nothing */
} ofw_type;

/* The version of the library that is running, such as "0.1.0". */
OFW_API const char *ofw_version(void);

#ifdef __cplusplus
}
#endif
#endif
