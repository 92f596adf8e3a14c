/* raster.c — how much of each pixel an area or a line covers
 *
 * Areas: every edge adds to the pixels of its lines the area between itself and the right of the picture, upwards positive,
 * downwards negative, as differences between neighbours; their running sum along a line is the part of each pixel within.
 * Lines: a pixel is covered by what its centre lies within half the width of a piece, and half a pixel more fades; of several
 * pieces the most counts, so corners are not darker.
 */
#include "lab/figure/raster.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the part that is painted ---- */

static double within(double x, double most)
{
  return fmin(fmax(x, 0.0), most);
}

static void mark_clean(raster *r)
{
  r->left = r->width;
  r->top = r->height;
  r->right = r->bottom = 0;
}

/* What lies between two places, and `reach` around it, is going to be covered. */
static void mark_dirty(raster *r, xy a, xy b, double reach)
{
  size_t left = (size_t)within(fmin(a.x, b.x) - reach, (double)r->width);
  size_t top = (size_t)within(fmin(a.y, b.y) - reach, (double)r->height);
  size_t right = (size_t)within(fmax(a.x, b.x) + reach + 2.0, (double)r->width);
  size_t bottom = (size_t)within(fmax(a.y, b.y) + reach + 1.0, (double)r->height);
  r->left = left < r->left ? left : r->left;
  r->top = top < r->top ? top : r->top;
  r->right = right > r->right ? right : r->right;
  r->bottom = bottom > r->bottom ? bottom : r->bottom;
}

int raster_begin(raster *r, size_t width, size_t height)
{
  *r = (raster){.width = width, .height = height, .stride = width + 2};
  r->rgb = ofw_array(width * height, 3);
  r->cover = calloc(r->stride * height, sizeof *r->cover);
  mark_clean(r);
  if (!r->rgb || !r->cover)
    return -1;
  memset(r->rgb, 255, 3 * width * height);
  return 0;
}

void raster_free(raster *r)
{
  free(r->rgb);
  free(r->cover);
}

/* ---- areas ---- */

/* The part of an edge that lies in line y of pixels: from (x0, y) to (x1, y), dy of the line high. */
static void add_slice(float *line, double x0, double x1, double dy)
{
  double left = fmin(x0, x1), right = fmax(x0, x1);
  size_t first = (size_t)left, last = (size_t)ceil(right);
  if (last <= first + 1) { /* within one pixel: a trapezoid */
    double middle = 0.5 * (left + right) - (double)first;
    line[first] += (float)(dy * (1.0 - middle));
    line[first + 1] += (float)(dy * middle);
    return;
  }
  double per = 1.0 / (right - left), before = 0.0;
  for (size_t x = first; x < last; x++) { /* the share of dy that lies left of the end of pixel x, averaged over it */
    double a = fmax(left, (double)x), b = fmin(right, (double)x + 1.0);
    double passed = (fmax(a, left) - left) * per, here = (b - a) * per;
    double covered = passed * 1.0 + here * ((double)x + 1.0 - 0.5 * (a + b));
    line[x] += (float)(dy * (covered - before));
    before = covered;
  }
  line[last] += (float)(dy * (1.0 - before));
}

static void add_edge(raster *r, xy a, xy b)
{
  const double border[] = {0.0, (double)r->width};
  for (int i = 0; i < 2; i++) /* beside the picture an edge counts as if it were on its border: cut there */
    if ((a.x < border[i] && b.x > border[i]) || (a.x > border[i] && b.x < border[i])) {
      xy cut = {border[i], a.y + (border[i] - a.x) / (b.x - a.x) * (b.y - a.y)};
      add_edge(r, a, cut);
      add_edge(r, cut, b);
      return;
    }
  double turn = a.y < b.y ? 1.0 : -1.0;
  xy top = a.y < b.y ? a : b, bottom = a.y < b.y ? b : a;
  if (!(bottom.y > top.y))
    return;
  mark_dirty(r, a, b, 0.0);
  double slope = (bottom.x - top.x) / (bottom.y - top.y), from = within(top.y, (double)r->height),
         to = within(bottom.y, (double)r->height), wide = (double)r->width;
  for (size_t y = (size_t)from; (double)y < to; y++) {
    double y0 = fmax(from, (double)y), y1 = fmin(to, (double)y + 1.0);
    double x0 = within(top.x + (y0 - top.y) * slope, wide), x1 = within(top.x + (y1 - top.y) * slope, wide);
    if (fmin(x0, x1) < wide) /* what lies to the right of the picture covers nothing */
      add_slice(r->cover + y * r->stride, x0, x1, turn * (y1 - y0));
  }
}

void raster_area(raster *r, const xy *at, size_t n)
{
  for (size_t i = 0; i < n; i++)
    add_edge(r, at[i], at[(i + 1) % n]);
}

/* ---- lines ---- */

static double distance(xy p, xy a, xy b)
{
  double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  double t = square > 0.0 ? within(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 1.0) : 0.0;
  return hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

static void add_piece(raster *r, xy a, xy b, double half)
{
  double reach = half + 1.0, wide = (double)r->width, high = (double)r->height;
  size_t left = (size_t)within(fmin(a.x, b.x) - reach, wide), right = (size_t)within(fmax(a.x, b.x) + reach, wide);
  size_t top = (size_t)within(fmin(a.y, b.y) - reach, high), bottom = (size_t)within(fmax(a.y, b.y) + reach, high);
  mark_dirty(r, a, b, reach);
  for (size_t y = top; y < bottom; y++)
    for (size_t x = left; x < right; x++) {
      double off = distance((xy){(double)x + 0.5, (double)y + 0.5}, a, b);
      float *cover = &r->cover[y * r->stride + x];
      *cover = fmaxf(*cover, (float)within(half + 0.5 - off, 1.0));
    }
}

void raster_line(raster *r, const xy *at, size_t n, double width, const double *dash)
{
  double left = *dash > 0.0 ? *dash : INFINITY; /* of this dash or gap */
  size_t k = 0;
  for (size_t i = 0; i + 1 < n; i++) {
    double length = hypot(at[i + 1].x - at[i].x, at[i + 1].y - at[i].y), done = 0.0;
    do {
      double step = fmin(left, length - done), t0 = length > 0.0 ? done / length : 0.0,
             t1 = length > 0.0 ? (done + step) / length : 1.0;
      xy a = {at[i].x + t0 * (at[i + 1].x - at[i].x), at[i].y + t0 * (at[i + 1].y - at[i].y)};
      xy b = {at[i].x + t1 * (at[i + 1].x - at[i].x), at[i].y + t1 * (at[i + 1].y - at[i].y)};
      if (k % 2 == 0)
        add_piece(r, a, b, 0.5 * width);
      done += step;
      left -= step;
      if (!(left > 0.0)) {
        k = dash[k + 1] > 0.0 ? k + 1 : 0;
        left = dash[k];
      }
    } while (done < length);
  }
}

/* ---- colour ---- */

static void paint_pixel(unsigned char *rgb, unsigned colour, double share)
{
  for (int c = 0; c < 3; c++) {
    double wanted = colour >> (16 - 8 * c) & 255;
    rgb[c] = (unsigned char)lround(rgb[c] + share * (wanted - rgb[c]));
  }
}

void raster_paint_areas(raster *r, unsigned rgb, double opacity)
{
  for (size_t y = r->top; y < r->bottom; y++) {
    float *cover = r->cover + y * r->stride;
    double sum = 0.0;
    for (size_t x = r->left; x < r->right; x++) {
      sum += cover[x];
      if (fabs(sum) > 1e-3)
        paint_pixel(r->rgb + 3 * (y * r->width + x), rgb, opacity * fmin(fabs(sum), 1.0));
    }
    memset(cover + r->left, 0, (r->stride - r->left) * sizeof *cover);
  }
  mark_clean(r);
}

void raster_paint_lines(raster *r, unsigned rgb, double opacity)
{
  for (size_t y = r->top; y < r->bottom; y++) {
    float *cover = r->cover + y * r->stride;
    for (size_t x = r->left; x < r->right; x++)
      if (cover[x] > 0.0f)
        paint_pixel(r->rgb + 3 * (y * r->width + x), rgb, opacity * cover[x]);
    memset(cover + r->left, 0, (r->stride - r->left) * sizeof *cover);
  }
  mark_clean(r);
}
