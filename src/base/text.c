/* text.c — numbers to text and back, and texts that grow
 *
 * All of it uses the C locale, whatever the caller's is: a decimal comma would make files that nobody else can read.
 */
#include "base/basics.h"
#include "base/decimal.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* newlocale(.., "C", ..) hands out a built-in object: it allocates nothing and needs no freeing. */
static locale_t c_locale(void)
{
  return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

int ofw_read_real(const char *text, double *out)
{
  if (!strchr("+-.0123456789", text[0]) || strpbrk(text, "xX"))
    return 0; /* strtod would take spaces, hexadecimal, "inf" and "nan" */
  char *end;
  double x = strtod_l(text, &end, c_locale());
  if (end == text || *end || !isfinite(x))
    return 0;
  *out = x;
  return 1;
}

static const char *read_digits(const char *text, uint64_t *n, int *digits)
{
  for (; *text >= '0' && *text <= '9' && *digits <= OFW_PLAIN_DIGITS; text++, ++*digits)
    *n = 10 * *n + (uint64_t)(*text - '0');
  return text;
}

int ofw_read_plain(const char **text, double *out)
{
  static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char *at = *text;
  uint64_t n = 0;
  int negative = *at == '-', digits = 0;
  at = read_digits(at + negative, &n, &digits);
  int whole = digits;
  if (whole > 0 && *at == '.')
    at = read_digits(at + 1, &n, &digits);
  if (whole == 0 || at[-1] == '.' || digits > OFW_PLAIN_DIGITS)
    return 0;
  double x = (double)n / power[digits - whole]; /* both exact, so that this rounds once, as strtod does */
  *out = negative ? -x : x;
  *text = at;
  return 1;
}

int ofw_read_count(const char *text, uint64_t *out)
{
  double x;
  if (text[0] && !text[strspn(text, "0123456789")]) {
    errno = 0;
    unsigned long long n = strtoull(text, NULL, 10);
    *out = n;
    return errno == ERANGE ? -1 : 1;
  }
  if (!ofw_read_real(text, &x) || x < 0.0 || x != floor(x))
    return 0;
  if (x > 9007199254740992.0)
    return -1;
  *out = (uint64_t)x;
  return 1;
}

const char *ofw_print_real(double x, char out[OFW_REAL_TEXT])
{
  size_t length = ofw_print_decimal(x, out);
  out[length] = 0;
  if (length > 0)
    return out;
  locale_t before = uselocale(c_locale());
  snprintf(out, OFW_REAL_TEXT, "%.17g", x);
  uselocale(before);
  return out;
}

int ofw_read_cell(const char *text, double *out)
{
  if (!*text)
    *out = NAN;
  else if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0)
    *out = *text == '-' ? -INFINITY : INFINITY;
  else
    return ofw_read_real(text, out);
  return 1;
}

/* Room for so many more characters and a 0; 0: there is none. */
static int make_room(ofw_text *text, size_t more)
{
  text->failed = text->failed || ofw_grow(&text->chars, text->length, more + 1, &text->room, 1, NULL) != OFW_OK;
  return !text->failed;
}

/* As it is. */
static void put(ofw_text *text, const char *chars, size_t n)
{
  if (!make_room(text, n))
    return;
  memcpy(text->chars + text->length, chars, n);
  text->length += n;
  text->chars[text->length] = 0;
}

/* printf is slow, the more so since some BLAS adds its own conversions to it: it is left out if the text has no conversion,
 * and called once if there is room. */
static void add(ofw_text *text, const char *format, va_list args)
{
  if (!strchr(format, '%')) {
    put(text, format, strlen(format));
    return;
  }
  va_list again;
  va_copy(again, args);
  size_t left = text->chars ? text->room - text->length : 0;
  int wanted = vsnprintf(left ? text->chars + text->length : NULL, left, format, again);
  va_end(again);
  text->failed |= wanted < 0; /* more than an int counts is too much, too */
  if (!make_room(text, wanted < 0 ? 0 : (size_t)wanted))
    return;
  if ((size_t)wanted >= left)
    vsnprintf(text->chars + text->length, text->room - text->length, format, args);
  text->length += (size_t)wanted;
}

void ofw_text_add(ofw_text *text, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add(text, format, args);
  va_end(args);
}

char *ofw_format(const char *format, ...)
{
  ofw_text text = {0};
  va_list args;
  va_start(args, format);
  add(&text, format, args);
  va_end(args);
  return text.chars; /* one piece: it is all there, or nothing is */
}

void ofw_text_add_count(ofw_text *text, uint64_t n)
{
  char digits[20];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + n % 10);
  while (n /= 10);
  put(text, digits + at, sizeof digits - at);
}

void ofw_text_add_number(ofw_text *text, double x)
{
  if (!isfinite(x))
    put(text, "null", 4);
  else if (make_room(text, OFW_REAL_TEXT))
    text->length += strlen(ofw_print_real(x, text->chars + text->length));
}

void ofw_text_add_numbers(ofw_text *text, size_t n, const double *x)
{
  put(text, "[", 1);
  for (size_t i = 0; i < n; i++) {
    put(text, ",", i > 0);
    ofw_text_add_number(text, x[i]);
  }
  put(text, "]", 1);
}
