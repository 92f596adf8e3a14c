/* How much of a pixel is covered, against counting points of a fine grid. */
#include "unit/base/check.h"

#include "lab/figure/raster.h"

enum { SIDE = 24, FINE = 16 };

/* Turns of a polygon around a point. */
static int winding(const xy *at, size_t n, xy p)
{
  int turns = 0;
  for (size_t i = 0; i < n; i++) {
    xy a = at[i], b = at[(i + 1) % n];
    double side = (b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y);
    if (a.y <= p.y && b.y > p.y && side > 0.0)
      turns++;
    if (a.y > p.y && b.y <= p.y && side < 0.0)
      turns--;
  }
  return turns;
}

/* Triangles, partly outside, both ways around. */
static void areas(void **state)
{
  (void)state;
  uint64_t seed = 13;
  for (int trial = 0; trial < 150; trial++) {
    raster r;
    xy at[3];
    size_t n = 3;
    assert_int_equal(raster_begin(&r, SIDE, SIDE), 0);
    for (size_t i = 0; i < n; i++)
      at[i] = (xy){SIDE * (1.6 * any_share(&seed) - 0.3), SIDE * (1.6 * any_share(&seed) - 0.3)};
    raster_area(&r, at, n);
    raster_paint_areas(&r, 0x000000, 1.0);
    for (size_t y = 0; y < SIDE; y++)
      for (size_t x = 0; x < SIDE; x++) {
        int inside = 0;
        for (int k = 0; k < FINE * FINE; k++)
          inside += winding(at, n, (xy){(double)x + (k % FINE + 0.5) / FINE, (double)y + (k / FINE + 0.5) / FINE}) != 0;
        assert_near(1.0 - r.rgb[3 * (y * SIDE + x)] / 255.0, inside / (double)(FINE * FINE), 0.06);
      }
    raster_free(&r);
  }
}

/* A square with a square hole, which turns the other way. */
static void holes(void **state)
{
  (void)state;
  raster r;
  assert_int_equal(raster_begin(&r, SIDE, SIDE), 0);
  raster_area(&r, (xy[]){{2, 2}, {20, 2}, {20, 20}, {2, 20}}, 4);
  raster_area(&r, (xy[]){{6, 6}, {6, 16}, {16, 16}, {16, 6}}, 4);
  raster_paint_areas(&r, 0xff0000, 1.0);
  const unsigned char *within = r.rgb + 3 * (10 * SIDE + 10), *ring = r.rgb + 3 * (4 * SIDE + 10);
  assert_true(within[0] == 255 && within[1] == 255 && ring[0] == 255 && ring[1] == 0);
  raster_free(&r);
}

static double ink_of(const raster *r)
{
  double sum = 0.0;
  for (size_t i = 0; i < r->width * r->height; i++)
    sum += 1.0 - r->rgb[3 * i] / 255.0;
  return sum;
}

/* A line's ink is its length times its width, and half a disc at each end; dashes have their share of it. */
static void lines(void **state)
{
  (void)state;
  uint64_t seed = 17;
  for (int trial = 0; trial < 200; trial++) {
    raster r;
    double angle = 6.28 * any_share(&seed), width = 1.5 + any_share(&seed), length = 60.0;
    xy a = {100.0, 100.0}, b = {100.0 + length * cos(angle), 100.0 + length * sin(angle)},
       middle = {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)};
    assert_int_equal(raster_begin(&r, 200, 200), 0);
    raster_line(&r, (xy[]){a, middle, b}, 3, width, (double[]){0.0});
    raster_paint_lines(&r, 0x000000, 1.0);
    double round = 0.25 * 3.14159 * width * width, whole = ink_of(&r);
    assert_near(whole, length * width + round, 0.06 * length * width);
    raster_free(&r);
    assert_int_equal(raster_begin(&r, 200, 200), 0);
    raster_line(&r, (xy[]){a, middle, b}, 3, width, (double[]){9.0, 6.0, 0.0});
    raster_paint_lines(&r, 0x000000, 1.0);
    assert_near(ink_of(&r), 0.6 * length * width + 5.0 * round, 0.16 * length * width);
    raster_free(&r);
  }
}

/* What lies outside of the picture is no harm, and what was painted is not painted again. */
static void edges(void **state)
{
  (void)state;
  raster r;
  assert_int_equal(raster_begin(&r, SIDE, SIDE), 0);
  raster_line(&r, (xy[]){{-50, -50}, {90, 70}, {10, 400}}, 3, 3.0, (double[]){4.0, 2.0, 0.0});
  raster_paint_lines(&r, 0x000000, 0.5);
  raster_area(&r, (xy[]){{-9, -9}, {99, -9}, {99, 99}, {-9, 99}}, 4);
  raster_paint_areas(&r, 0x00ff00, 1.0);
  raster_paint_areas(&r, 0x0000ff, 1.0); /* nothing has gathered */
  raster_paint_lines(&r, 0x0000ff, 1.0);
  for (size_t i = 0; i < SIDE * SIDE; i++)
    assert_true(r.rgb[3 * i] == 0 && r.rgb[3 * i + 1] == 255 && r.rgb[3 * i + 2] == 0);
  raster_free(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(areas), cmocka_unit_test(holes), cmocka_unit_test(lines),
                                     cmocka_unit_test(edges)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
