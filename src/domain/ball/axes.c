/* axes.c — gauge and projection of an ellipsoid along its axes, whose lengths may differ by 10^100
 *
 * Every product is scaled first, so that neither squares nor quotients leave the range of doubles.
 */
#include "domain/ball/axes.h"

#include "linalg/kernels.h"

#include <float.h>
#include <math.h>

#define MOST_RATIO 1e100 /* of two half lengths */

ofw_status ofw_axes_measure(ofw_axes *axes, const char *owner, ofw_error *err)
{
  axes->least = INFINITY;
  axes->most = 0.0;
  for (size_t i = 0; i < axes->n; i++) {
    double half = axes->half[i];
    if (!(half >= OFW_LEAST_RADIUS && half <= OFW_LARGEST_RADIUS))
      return ofw_fail(err, OFW_USAGE, "%s: axis %zu is %g, which is not in [%g, %g]", owner, i + 1, half,
                      OFW_LEAST_RADIUS, OFW_LARGEST_RADIUS);
    axes->least = fmin(axes->least, half);
    axes->most = fmax(axes->most, half);
  }
  if (axes->most / axes->least > MOST_RATIO)
    return ofw_fail(err, OFW_USAGE,
                    "%s: the axes range from %g to %g; the largest may be at most %g times the smallest", owner,
                    axes->least, axes->most, MOST_RATIO);
  return OFW_OK;
}

double *ofw_axes_along(const ofw_axes *axes, double *x, double *room)
{
  if (!axes->turn)
    return x;
  for (size_t i = 0; i < axes->n; i++)
    room[i] = ofw_dot(axes->n, axes->turn + i * axes->n, x);
  return room;
}

void ofw_axes_add(const ofw_axes *axes, const double *y, double *x)
{
  for (size_t i = 0; i < axes->n; i++)
    if (axes->turn)
      ofw_axpy(axes->n, y[i], axes->turn + i * axes->n, x);
    else
      x[i] += y[i];
}

/* With w_i = least/s_i in (0, 1] and u_i = y_i w_i / max |y_i w_i|: the gauge is max |y_i w_i| |u| / (scale least), and
 * the length of its gradient |u w| / (least |u|). */
double ofw_axes_excess(const ofw_axes *axes, const double *y, double scale)
{
  double most = 0.0, square = 0.0, slope = 0.0;
  for (size_t i = 0; i < axes->n; i++)
    most = fmax(most, fabs(y[i]) * (axes->least / axes->half[i]));
  if (most == 0.0)
    return 0.0;
  for (size_t i = 0; i < axes->n; i++) {
    double w = axes->least / axes->half[i], u = y[i] * w / most;
    square += u * u;
    slope += u * w * (u * w);
  }
  double gauge = most * sqrt(square) / axes->least / scale;
  return gauge <= 1.0 ? 0.0 : fmin((gauge - 1.0) * (axes->least * sqrt(square / slope)), DBL_MAX);
}

/* |u| and sum u_i^2 / (k s_i^2 + v) for u_i = y_i / (k s_i + v/s_i), all s_i times unit. */
static double length_at(const ofw_axes *axes, const double *y, double unit, double k, double v, double *sum)
{
  double square = 0.0;
  *sum = 0.0;
  for (size_t i = 0; i < axes->n; i++) {
    double s = axes->half[i] * unit, u = y[i] / (k * s + v / s);
    square += u * u;
    *sum += u * u / (k * s * s + v);
  }
  return sqrt(square);
}

/* The nearest point has s_i u_i along axis i, u_i = s_i z_i / (s_i^2 + m) and |u| = 1, for an m >= 0. With s times unit
 * and z = y/scale this is u_i = y_i / (k s_i + v/s_i), k = scale/unit and v = m scale unit. As a function of v, 1/|u| is
 * concave and grows, so that Newton's steps on it approach v from below, wherever the first one starts; it starts from
 * the least v that lets no |u_i| be above 1. */
void ofw_axes_project(const ofw_axes *axes, double *y, double scale)
{
  enum { MOST_STEPS = 100 }; /* a handful do */
  double unit = ofw_unit_scale(1, &axes->most), k = scale / unit, v = 0.0, sum, length;
  for (size_t i = 0; i < axes->n; i++) {
    double s = axes->half[i] * unit;
    v = fmax(v, s * (fabs(y[i]) - k * s));
  }
  for (int step = 0; step < MOST_STEPS; step++) {
    length = length_at(axes, y, unit, k, v, &sum);
    double next = fmax(0.0, v + (length - 1.0) * length * length / sum);
    if (step > 0 && !(next > v))
      break;
    v = next;
  }
  length = length_at(axes, y, unit, k, v, &sum);
  for (size_t i = 0; i < axes->n; i++) {
    double s = axes->half[i] * unit;
    y[i] = axes->half[i] * (y[i] / (k * s + v / s) / length);
  }
}
