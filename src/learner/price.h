/* price.h — prices and guesses of the gradient bound that cannot overflow, for the methods that share them
 *
 * rho = w / gamma, the price of violation relative to the loss, by its logarithm.
 */
#ifndef OFW_SRC_PRICE_H
#define OFW_SRC_PRICE_H

#include "learner/learner.h"

/* 1/(1 + rho) and rho/(1 + rho), and log2(1 + rho) */
void ofw_shares(double log_rho, double *f, double *g, double *log2_total);

/* size / 2^exponent for a method that carries d over 2^exponent, after raising the exponent (and lowering d) where the
 * size of what is added to d has outgrown it; the size is given by its logarithm. The exponent is whole, and a double
 * because it may exceed any integer. */
double ofw_scaled(ofw_learner *l, double log_size, double *exponent);

#endif
