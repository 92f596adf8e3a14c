/* mixing.c — recursive least squares for the weights of a prediction's parts */
#include "mixing.h"

#include <stddef.h>

static const double first[MIXED] = {0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
static const double variance = 0.1; /* V */

void mixing_open(mixing *m)
{
  *m = (mixing){0};
  for (size_t i = 0; i < MIXED; i++) {
    m->w[i] = first[i];
    m->S[i * MIXED + i] = variance;
  }
}

double mixing_of(const mixing *m, const double f[MIXED])
{
  double x = 0.0;
  for (size_t i = 0; i < MIXED; i++)
    x += m->w[i] * f[i];
  return x;
}

void mixing_learn(mixing *m, const double f[MIXED], double z)
{
  double Sf[MIXED], scale = 1.0, miss = z - mixing_of(m, f);
  for (size_t i = 0; i < MIXED; i++) {
    Sf[i] = 0.0;
    for (size_t j = 0; j < MIXED; j++)
      Sf[i] += m->S[i * MIXED + j] * f[j];
    scale += f[i] * Sf[i];
  }
  for (size_t i = 0; i < MIXED; i++) {
    m->w[i] += Sf[i] / scale * miss;
    for (size_t j = 0; j < MIXED; j++)
      m->S[i * MIXED + j] -= Sf[i] * Sf[j] / scale;
  }
}
