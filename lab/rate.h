/* rate.h — rates of growth T^p (log T)^q: in words, and as the slope that they have over given horizons */
#ifndef OFW_SRC_RATE_H
#define OFW_SRC_RATE_H

#include "base/option_table.h"

enum { OFW_RATE_TEXT = 64 };
/* "T^(3/4) log T", "T^(2/3)", "T^0.7 sqrt(log T)" */
const char *ofw_rate_text(ofw_rate rate, char out[OFW_RATE_TEXT]);
/* The rate at T. */
double ofw_rate_at(ofw_rate rate, double T);

#endif
