/* mixing.h — how much each part of a prediction is worth, by least squares over all predictions so far
 *
 *     w_t = argmin  sum_{s<t} (z_s - <w, f_s>)^2 + |w - w_1|^2 / V        recursively: S = (I/V + sum f f')^-1
 *     k = S f / (1 + f' S f),    w += k (z - <w, f>),    S -= k (S f)'
 *
 * Parts that only fit what they have seen get a small weight, parts that are shrunk too much a large one.
 */
#pragma once

enum { MIXED = 7 };

typedef struct mixing {
  double w[MIXED], S[MIXED * MIXED];
} mixing;

void mixing_open(mixing *m);
double mixing_of(const mixing *m, const double f[MIXED]);
void mixing_learn(mixing *m, const double f[MIXED], double z);
