/* basics.h — for every source file: errors, memory, numbers as text */
#pragma once

#include <stdarg.h>

#include <ofw/base.h>

/* Leave at once with the status of a step that failed. */
#define OFW_TRY(call)               \
  do {                              \
    ofw_status try_status = (call); \
    if (try_status != OFW_OK)       \
      return try_status;            \
  } while (0)

/* Fills err (may be NULL) and returns the status, so that a refusal is one line. */
ofw_status ofw_fail(ofw_error *err, ofw_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));
ofw_status ofw_fail_memory(ofw_error *err, size_t bytes);
#if defined(OFW_ANALYSE) || defined(__clang_analyzer__) /* what analysers cannot see: a refusal is never OFW_OK */
#define ofw_fail(err, status, ...)  ((ofw_fail)(err, status, __VA_ARGS__), (ofw_status)(status))
#define ofw_fail_memory(err, bytes) ((ofw_fail_memory)(err, bytes), (ofw_status)OFW_FAILED)
#endif

/* Copies a caller's struct, whose first member is its size, to `out`, the same struct of `size` bytes. Fields that the
 * caller's version does not have are 0, the default of each. Refuses a larger one, or none; `what` is the struct's name. */
ofw_status ofw_take_sized(void *out, size_t size, const void *given, const char *what, ofw_error *err);

/* Zeroed doubles on a 64-byte boundary, so that kernels see the same alignment in every run; NULL if there is no
 * memory, also if the system would lend more than it has, or if n is too large to count. free() returns them. */
double *ofw_doubles(size_t n);
/* The same without the zeros, for what is written before it is read: what never is takes no memory. */
double *ofw_doubles_unset(size_t n);
/* Whether so many bytes are no more than the machine has, memory and swap together. Asked for all that a part will need
 * before any of it is taken: Linux hands out more than there is, and ends the program when it is written to. */
int ofw_fits(double bytes);
/* malloc(n * item) that fails instead of wrapping around, and if the machine has less; n = 0 still gives memory. */
void *ofw_array(size_t n, size_t item);
/* Room for `more` items behind the `used` ones of the array at *(T **)array, which may move; *room is how many it holds. */
ofw_status ofw_grow(void *array, size_t used, size_t more, size_t *room, size_t item, ofw_error *err);
char *ofw_copy_text(const char *text);
/* What printf would write, the caller's to free; NULL: no memory. */
char *ofw_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As fmin and fmax, for a limit that is a number: NaN gives the limit. These are no calls. */
static inline double ofw_at_most(double x, double limit)
{
  return x < limit ? x : limit;
}

static inline double ofw_at_least(double x, double limit)
{
  return x > limit ? x : limit;
}

/* Seconds of a clock that nobody sets: differences count. */
double ofw_now(void);

/* Of the names, the one most like `word`, or NULL if none is near enough for "did you mean". */
const char *ofw_nearest(const char *word, const char *const *names, size_t n);

/* Numbers as text, whatever the locale. Reading is strict: the whole text must be one finite number. */
enum { OFW_REAL_TEXT = 32 };
int ofw_read_real(const char *text, double *out);
/* The number that *text begins with, if it is plain: at most OFW_PLAIN_DIGITS digits, perhaps a point between two of
 * them and a '-' in front. *text then is what follows. What it reads is what ofw_read_real does, sooner; 0: nothing of
 * that kind is there, or more digits are. */
enum { OFW_PLAIN_DIGITS = 15 };
int ofw_read_plain(const char **text, double *out);
/* A whole number from 0 on: digits, all of 64 bits, or any other spelling up to 2^53. 1: read; 0: it is none; -1: too
 * large. */
int ofw_read_count(const char *text, uint64_t *out);
/* The number so that it reads back to the same bits. */
const char *ofw_print_real(double x, char out[OFW_REAL_TEXT]);
/* A cell of a table: what ofw_print_real writes, also of infinity; "" is NaN, not known. */
int ofw_read_cell(const char *text, double *out);

/* A text that grows. A failure to grow is remembered: check `failed` once at the end. */
typedef struct ofw_text {
  char *chars;
  size_t length, room;
  int failed;
} ofw_text;

void ofw_text_add(ofw_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* What "%" PRIu64 prints, sooner. */
void ofw_text_add_count(ofw_text *text, uint64_t n);
/* Numbers as JSON, whatever the locale: as ofw_print_real writes them, null if one is not finite; a list of them. */
void ofw_text_add_number(ofw_text *text, double x);
void ofw_text_add_numbers(ofw_text *text, size_t n, const double *x);
