/* decimal.h — doubles to decimals and back, sooner than the C library and bit for bit the same
 *
 * Both work with whole numbers and round once, so they are exact; what they have no room for is left to the C library.
 */
#pragma once

#include "base/basics.h"

/* `x` as "%.17g" prints it in the C locale, without a 0 at its end. Returns its length; 0: it is neither 0 nor from 1e-37 to 1e17. */
size_t ofw_print_decimal(double x, char out[OFW_REAL_TEXT]);
/* The double nearest to a JSON number, as strtod reads it. 0: it has more than 19 digits, or is too large or too small. */
int ofw_read_decimal(const char *text, const char *end, double *out);
