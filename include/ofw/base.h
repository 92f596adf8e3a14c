/* base.h — status codes, error values, and the description of anything that is registered by name
 *
 * The library never prints, exits or keeps global state. A function that can fail returns a status; the words that
 * go with it are in an ofw_error that the caller passed in, or on the handle (ofw_learner_error and its kind).
 */
#ifndef OFW_BASE_H
#define OFW_BASE_H

#include <stddef.h>
#include <stdint.h>

/* Marks what the shared library exports. */
#define OFW_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* What a call came to. OFW_OK is 0, so a status is also a truth value: did it fail? */
typedef enum ofw_status {
  OFW_OK = 0,      /* done */
  OFW_FAILED,      /* the system refused: memory, a file, a clock */
  OFW_USAGE,       /* a call, a name or an option that makes no sense; nothing changed */
  OFW_BAD_DATA,    /* feedback or a file that cannot be accepted; nothing changed */
  OFW_NUMERICAL,   /* arithmetic or an oracle failed; the handle can only be saved, asked and freed */
  OFW_UNSUPPORTED, /* sensible, but this part cannot do it; nothing changed */
  OFW_END          /* a stream has no further round */
} ofw_status;

/* What went wrong, in one line. Functions that take an ofw_error accept NULL. */
typedef struct ofw_error {
  ofw_status status; /* OFW_OK: nothing went wrong */
  char message[480]; /* ends with 0 */
} ofw_error;

/* What an option's value is. */
typedef enum ofw_option_kind {
  OFW_REAL,   /* a double in [lower, upper]; may also take one of `words`, stored as -1, -2, ... in their order */
  OFW_COUNT,  /* a uint64_t in [lower, upper] */
  OFW_CHOICE, /* an int, the index of one of `words` */
  OFW_TEXT    /* a file name or a nested spec; a char * owned by the options */
} ofw_option_kind;

/* One option of a registered part. The same table feeds --set, the domain and stream specs, the API and the help. */
typedef struct ofw_option {
  const char *name;     /* NULL ends a table */
  ofw_option_kind kind; /* what its value is */
  const char *value;    /* the default, or NULL: worked out by `formula`, or required where that is NULL too */
  const char *formula;  /* how a default is worked out, for readers */
  const char *words;    /* "scale|paper|track" */
  double lower, upper;  /* what is allowed, both included */
  const char *help;     /* what it does, for readers */
  size_t offset;        /* of the value in the part's own structure */
} ofw_option;

/* How fast something grows at most: T^power (log T)^log_power. */
typedef struct ofw_rate {
  double power;     /* 0: nothing is proved */
  double log_power; /* 0: no logarithm */
} ofw_rate;

/* What is proved of a learner with the constants of its theorem, and what it leaves to a user to tune. */
typedef struct ofw_promise {
  ofw_rate regret;      /* of the regret */
  ofw_rate ccv;         /* of the cumulative constraint violation */
  const char *theorem;  /* the option that sets the theorem's constants; NULL: they are the default */
  const char *tuned[2]; /* two options that are numbers, whose defaults are to be multiplied; NULL: none */
  int anytime;          /* 1: it uses neither the horizon nor the Lipschitz constant, and need not be told them */
} ofw_promise;

/* A registered domain, learner or stream, as help and tests see it. */
typedef struct ofw_type {
  const char *name;    /* as specs have it */
  const char *summary; /* one line */
  const char *source;  /* where it is published, or NULL */
  const char *example; /* a small spec that works, for help and for tests that walk the registry; NULL: none needed */
  const ofw_option *options;  /* ends with a NULL name */
  const ofw_promise *promise; /* of a learner; NULL: nothing is known */
} ofw_type;

/* The version of the library that is running, such as "0.1.0". */
OFW_API const char *ofw_version(void);
/* In words, such as "bad data". */
OFW_API const char *ofw_status_name(ofw_status status);

/* Of the names, the one most like `word`, or NULL where none is near enough for "did you mean". */
OFW_API const char *ofw_nearest(const char *word, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif
#endif
