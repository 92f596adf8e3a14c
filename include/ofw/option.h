/* option.h — the options of a learner or a set: one table feeds the parser, the help, the manual and the configuration
 *
 * A table is an array of rows that ends with {0}. Each row has the offset of its value in a struct of the part:
 *
 *     typedef struct leader_options { double step; uint64_t every; } leader_options;
 *     static const ofw_option options[] = {
 *         OFW_POSITIVE_ROW(offsetof(leader_options, step), "step", "1", NULL, "multiplies the step"),
 *         OFW_COUNT_ROW(offsetof(leader_options, every), "every", "1", NULL, 1, 1e6, "rounds between two steps"),
 *         {0}};
 *
 * Every field of the struct has a row.
 */
#ifndef OFW_OPTION_H
#define OFW_OPTION_H

#include <ofw/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an option's value is. */
typedef enum ofw_option_kind {
  OFW_REAL,   /* a double in [lower, upper]; may also take one of `words`, stored as -1, -2, ... in their order */
  OFW_COUNT,  /* a uint64_t in [lower, upper], or one of `words`, stored as 2^64 - 1, 2^64 - 2, ... in their order */
  OFW_CHOICE, /* an int, the index of one of `words` */
  OFW_TEXT    /* a file name or a nested spec; a char * owned by the options */
} ofw_option_kind;

/* One option of a registered part. The same table feeds --set, the domain and stream specs, the API and the help. */
typedef struct ofw_option {
  const char *name;     /* NULL ends a table */
  ofw_option_kind kind; /* what its value is */
  const char *value;    /* the default, or NULL: computed by `formula`, or required if that is NULL too */
  const char *formula;  /* how the default is computed, for readers */
  const char *words;    /* "scale|paper|track" */
  double lower, upper;  /* the allowed range, both ends included */
  const char *help;     /* what it does, for readers */
  size_t offset;        /* of the value in the part's struct */
} ofw_option;

/* How fast something grows at most: T^power (log T)^log_power. */
typedef struct ofw_rate {
  double power;     /* 0: nothing is proved */
  double log_power; /* 0: no logarithm */
} ofw_rate;

/* What is proved of a learner with the constants of its theorem, and which options a user may tune. */
typedef struct ofw_promise {
  ofw_rate regret;      /* of the regret */
  ofw_rate ccv;         /* of the cumulative constraint violation */
  const char *theorem;  /* the option that sets the theorem's constants; NULL: they are the default */
  const char *tuned[2]; /* two options that are numbers, whose defaults are to be multiplied; NULL: none */
  int anytime;          /* 1: it uses neither the horizon nor the Lipschitz constant */
} ofw_promise;

/* A row of a table; `at` is offsetof(the struct, the field). The default is a value, or the formula that computes it.
 * This row is a double from `lower` to `upper`. */
#define OFW_REAL_ROW(at, name, value, formula, lower, upper, help) \
  {                                                                \
    name, OFW_REAL, value, formula, NULL, lower, upper, help, at   \
  }
/* The same above 0. */
#define OFW_POSITIVE_ROW(at, name, value, formula, help) OFW_REAL_ROW(at, name, value, formula, 1e-300, 1e300, help)
/* A uint64_t from `lower` to `upper`. */
#define OFW_COUNT_ROW(at, name, value, formula, lower, upper, help) \
  {                                                                 \
    name, OFW_COUNT, value, formula, NULL, lower, upper, help, at   \
  }
/* The same, or one of `words`. */
#define OFW_COUNT_OR_ROW(at, name, value, words, lower, upper, help) \
  {                                                                  \
    name, OFW_COUNT, value, NULL, words, lower, upper, help, at      \
  }
/* One of `words`, "a|b|c", as an int: 0, 1, 2. */
#define OFW_CHOICE_ROW(at, name, value, formula, words, help) \
  {                                                           \
    name, OFW_CHOICE, value, formula, words, 0, 0, help, at   \
  }
/* A required text. */
#define OFW_TEXT_ROW(at, name, help) OFW_TEXT_OR_ROW(at, name, NULL, help)
/* A text; `formula` says what holds without it. */
#define OFW_TEXT_OR_ROW(at, name, formula, help)        \
  {                                                     \
    name, OFW_TEXT, NULL, formula, NULL, 0, 0, help, at \
  }

#ifdef __cplusplus
}
#endif
#endif
