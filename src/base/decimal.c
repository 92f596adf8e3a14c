/* decimal.c — doubles to decimals and back by whole numbers
 *
 * Print   x = m 2^e, so x 10^q = m 5^q 2^(e+q): for q <= 54 a product of 53 and 128 bits, which is shifted and rounded
 * Read    n 10^-p = n / 5^p 2^-p: for p <= 27 a quotient of 64 bits and a remainder, which is rounded to 53 bits
 */
#include "base/decimal.h"

#include <math.h>
#include <string.h>

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 uint128;

enum { DIGITS = 17, MOST_POWER = 27, MOST_EXACT = 22, MOST_DIGITS = 19, MANTISSA = 52, BIAS = 1023 };
static const uint64_t ten_to_16 = 10000000000000000, ten_to_17 = 100000000000000000, mantissa_end = UINT64_C(1) << 53;

static const uint64_t power_of_5[MOST_POWER + 1] = {1,
                                                    5,
                                                    25,
                                                    125,
                                                    625,
                                                    3125,
                                                    15625,
                                                    78125,
                                                    390625,
                                                    1953125,
                                                    9765625,
                                                    48828125,
                                                    244140625,
                                                    1220703125,
                                                    6103515625,
                                                    30517578125,
                                                    152587890625,
                                                    762939453125,
                                                    3814697265625,
                                                    19073486328125,
                                                    95367431640625,
                                                    476837158203125,
                                                    2384185791015625,
                                                    11920928955078125,
                                                    59604644775390625,
                                                    298023223876953125,
                                                    1490116119384765625,
                                                    7450580596923828125};

static double power_of_2(int e)
{
  uint64_t bits = (uint64_t)(BIAS + e) << MANTISSA;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* ---- printing ---- */

/* A whole number of 192 bits. */
typedef struct wide {
  uint128 high;
  uint64_t low;
} wide;

/* m 5^q for q from 0 to 2 MOST_POWER */
static wide times_power_of_5(uint64_t m, int q)
{
  int first = q < MOST_POWER ? q : MOST_POWER;
  uint128 power = (uint128)power_of_5[first] * power_of_5[q - first];
  uint128 low = (uint128)m * (uint64_t)power, high = (uint128)m * (uint64_t)(power >> 64);
  return (wide){high + (low >> 64), (uint64_t)low};
}

static uint64_t shift_right(wide n, int bits)
{
  if (bits >= 64)
    return (uint64_t)(n.high >> (bits - 64));
  return bits > 0 ? (uint64_t)(n.high << (64 - bits)) | n.low >> bits : n.low << -bits;
}

/* 1: what the shift has dropped is above one half of the last bit, or is one half and the number odd. */
static int rounds_up(wide n, int bits, uint64_t shifted)
{
  if (bits <= 0)
    return 0;
  int half = (int)(shift_right(n, bits - 1) & 1);
  uint128 high = bits > 65 ? n.high & (((uint128)1 << (bits - 65)) - 1) : 0;
  uint64_t low = bits > 64 ? n.low : n.low & ((UINT64_C(1) << (bits - 1)) - 1);
  return half && (high || low || (shifted & 1));
}

/* |x| = D 10^(k - 16), D of 17 digits. 0: there is no room. */
static int take_digits(uint64_t m, int e, uint64_t *D, int *k)
{
  *k = (int)floor((e + MANTISSA) * 0.30102999566398120) - 1; /* below the leading digit by one or two */
  wide n;
  int q;
  do {
    q = DIGITS - 1 - ++*k;
    if (q < 0 || q > 2 * MOST_POWER)
      return 0;
    n = times_power_of_5(m, q);
    *D = shift_right(n, -(e + q));
  } while (*D >= ten_to_17);
  *D += (uint64_t)rounds_up(n, -(e + q), *D);
  if (*D == ten_to_17) {
    *D = ten_to_16;
    ++*k;
  }
  return 1;
}

/* "d.ddde-05" from digits without zeros at their end, the first of which is that of 10^k. */
static char *put_scientific(char *at, const char *digit, int n, int k)
{
  unsigned size = (unsigned)(k < 0 ? -k : k);
  *at++ = digit[0];
  if (n > 1) {
    *at++ = '.';
    memcpy(at, digit + 1, (size_t)(n - 1));
    at += n - 1;
  }
  *at++ = 'e';
  *at++ = k < 0 ? '-' : '+';
  *at++ = (char)('0' + size / 10);
  *at++ = (char)('0' + size % 10);
  return at;
}

static char *put_fixed(char *at, const char *digit, int n, int k)
{
  int whole = k + 1;
  if (whole <= 0)
    *at++ = '0';
  for (int i = 0; i < whole; i++)
    *at++ = i < n ? digit[i] : '0';
  if (n <= whole)
    return at;
  *at++ = '.';
  for (int i = whole; i < 0; i++)
    *at++ = '0';
  int from = whole > 0 ? whole : 0;
  memcpy(at, digit + from, (size_t)(n - from));
  return at + n - from;
}

size_t ofw_print_decimal(double x, char out[OFW_REAL_TEXT])
{
  uint64_t bits, D = 0;
  char digit[DIGITS], *at = out;
  int k = 0, n = DIGITS;
  memcpy(&bits, &x, sizeof bits);
  int biased = (int)(bits >> MANTISSA) & 0x7ff;
  uint64_t m = bits & ((UINT64_C(1) << MANTISSA) - 1);
  if (biased == 0 ? m != 0 : !take_digits(m | UINT64_C(1) << MANTISSA, biased - BIAS - MANTISSA, &D, &k))
    return 0;
  if (bits >> 63)
    *at++ = '-';
  for (int i = DIGITS; i-- > 0; D /= 10)
    digit[i] = (char)('0' + D % 10);
  while (n > 1 && digit[n - 1] == '0')
    n--;
  at = k < -4 || k >= DIGITS ? put_scientific(at, digit, n, k) : put_fixed(at, digit, n, k);
  return (size_t)(at - out);
}

/* ---- reading ---- */

/* n / 5^p 2^-p, for n > 0 */
static double divide(uint64_t n, int p)
{
  int from_n = __builtin_clzll(n), from_d = __builtin_clzll(power_of_5[p]);
  uint64_t a = n << from_n, b = power_of_5[p] << from_d;
  int more = a >= b ? 63 : 64; /* so that the quotient has 64 bits */
  uint128 over = (uint128)a << more;
  uint64_t quotient = (uint64_t)(over / b), m = quotient >> 11, rest = quotient & 2047;
  int inexact = (uint128)quotient * b != over;
  m += rest > 1024 || (rest == 1024 && (inexact || (m & 1)));
  return (double)m * power_of_2(11 - more + from_d - from_n - p);
}

/* 1: n 10^-p, rounded once. */
static int scale(uint64_t n, int p, double *out)
{
  static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (n < mantissa_end && p >= -MOST_EXACT && p <= MOST_EXACT)
    *out = p < 0 ? (double)n * power[-p] : (double)n / power[p]; /* both are exact */
  else if (p >= 0 && p <= MOST_POWER)
    *out = divide(n, p);
  else
    return 0;
  return 1;
}

/* 1: the exponent that begins behind the 'e'. */
static int read_exponent(const char *at, const char *end, int *out)
{
  int negative = at < end && *at == '-', e = 0;
  at += at < end && (*at == '-' || *at == '+');
  if (end - at > 3)
    return 0;
  for (; at < end; at++)
    e = 10 * e + (*at - '0');
  *out = negative ? -e : e;
  return 1;
}

int ofw_read_decimal(const char *text, const char *end, double *out)
{
  const char *at = text;
  uint64_t n = 0;
  int negative = at < end && *at == '-', digits = 0, decimals = 0, behind = 0, e = 0;
  for (at += negative; at < end && *at != 'e' && *at != 'E'; at++) {
    if (*at == '.') {
      behind = 1;
      continue;
    }
    if (digits == MOST_DIGITS)
      return 0;
    n = 10 * n + (uint64_t)(*at - '0');
    digits += n > 0;
    decimals += behind;
  }
  if ((at < end && !read_exponent(at + 1, end, &e)) || (n > 0 && !scale(n, decimals - e, out)))
    return 0;
  *out = n > 0 ? *out : 0.0;
  *out = negative ? -*out : *out;
  return 1;
}

#else

size_t ofw_print_decimal(double x, char out[OFW_REAL_TEXT])
{
  (void)x, (void)out;
  return 0;
}

int ofw_read_decimal(const char *text, const char *end, double *out)
{
  (void)text, (void)end, (void)out;
  return 0;
}

#endif
