/* rate.c — T^p (log T)^q as text and as a number */
#include "lab/rate.h"

#include <math.h>
#include <stdio.h>

/* "3/4", "1", or "0.71" where no small fraction is meant. */
static void print_fraction(double x, char *out, size_t room)
{
  for (int below = 1; below <= 24; below++) {
    double above = round(x * below);
    if (fabs(x * below - above) < 1e-9) {
      snprintf(out, room, below > 1 ? "(%.0f/%d)" : "%.0f", above, below);
      return;
    }
  }
  snprintf(out, room, "%g", x);
}

const char *ofw_rate_text(ofw_rate rate, char out[OFW_RATE_TEXT])
{
  char power[24], log_power[24];
  print_fraction(rate.power, power, sizeof power);
  print_fraction(rate.log_power, log_power, sizeof log_power);
  if (rate.log_power == 0.0)
    snprintf(out, OFW_RATE_TEXT, "T^%s", power);
  else if (rate.log_power == 1.0)
    snprintf(out, OFW_RATE_TEXT, "T^%s log T", power);
  else if (rate.log_power == 0.5)
    snprintf(out, OFW_RATE_TEXT, "T^%s sqrt(log T)", power);
  else
    snprintf(out, OFW_RATE_TEXT, "T^%s (log T)^%s", power, log_power);
  return out;
}

double ofw_rate_at(ofw_rate rate, double T)
{
  return pow(T, rate.power) * pow(log(T), rate.log_power);
}
