/* kernels.h — the loops over dense numbers that everything else is made of */
#ifndef OFW_SRC_KERNELS_H
#define OFW_SRC_KERNELS_H

#include <stddef.h>

/* The name of the variant in use, for the trace's header. */
const char *ofw_kernel_name(void);

double ofw_dot(size_t n, const double *a, const double *b);
void ofw_axpy(size_t n, double c, const double *a, double *y); /* y += c a */
/* |a| without overflow or underflow on the way */
double ofw_norm(size_t n, const double *a);
double ofw_largest(size_t n, const double *a); /* max |a_i| */
/* the position of the first NaN or infinity; n: none */
size_t ofw_first_not_finite(size_t n, const double *a);

/* slope += <d, v - x>, length2 += |v - x|^2 */
void ofw_segment(size_t n, const double *x, const double *d, const double *v, double *slope, double *length2);
/* e = v - x: x += sig e, d += curv e */
void ofw_step(size_t n, double *x, double *d, const double *v, double sig, double curv);

/* With A = 2^-exponent * a, rows x cols by rows:  u = A v,  w = A' u, in one read of a. */
void ofw_pass(size_t rows, size_t cols, const double *a, int exponent, const double *v, double *u, double *w);

#endif
