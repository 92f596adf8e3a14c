/* No text covers another or leaves the sheet, and no line leaves its panel, whatever is drawn. */
#include "unit/base/check.h"

#include "lab/figure/figure.h"
#include "lab/figure/font.h"

#include <stdlib.h>

/* ---- boxes of texts ---- */

typedef struct box {
  double left, right, top, bottom;
} box;

/* A text reaches from its baseline up by 0.73 of its size, and below it by 0.22: the font's letters do. */
static box box_of(const drawing *d, const mark *m)
{
  double wide = font_width(d->chars + m->first, m->as.size), left = m->at.x - 0.5 * (double)m->as.anchor * wide;
  return (box){left, left + wide, m->at.y - 0.73 * m->as.size, m->at.y + 0.22 * m->as.size};
}

static int overlap(box a, box b)
{
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

static void nothing_overlaps(const drawing *d)
{
  for (size_t i = 0; i < d->marks; i++) {
    if (!d->mark[i].is_text)
      continue;
    box a = box_of(d, &d->mark[i]);
    if (!(a.left >= 0.0 && a.right <= d->width && a.top >= 0.0 && a.bottom <= d->height))
      fail_msg("'%s' leaves the sheet of %g x %g: %g to %g, %g to %g", d->chars + d->mark[i].first, d->width, d->height,
               a.left, a.right, a.top, a.bottom);
    for (size_t k = 0; k < i; k++)
      if (d->mark[k].is_text && overlap(a, box_of(d, &d->mark[k])))
        fail_msg("'%s' covers '%s'", d->chars + d->mark[i].first, d->chars + d->mark[k].first);
  }
  for (size_t i = 0; i < d->places; i++)
    assert_true(d->place[i].x >= -8.0 && d->place[i].x <= d->width + 8.0 && d->place[i].y >= 0.0 &&
                d->place[i].y <= d->height);
}

static size_t count_text(const drawing *d, const char *text)
{
  size_t n = 0;
  for (size_t i = 0; i < d->marks; i++)
    n += d->mark[i].is_text && strcmp(d->chars + d->mark[i].first, text) == 0;
  return n;
}

static size_t count_paths(const drawing *d, unsigned ink, int filled)
{
  size_t n = 0;
  for (size_t i = 0; i < d->marks; i++)
    n += !d->mark[i].is_text && d->mark[i].pen.ink == ink && (d->mark[i].pen.width > 0.0) != filled;
  return n;
}

/* ---- figures ---- */

static figure one_panel(int log)
{
  figure f;
  figure_begin(&f, "a test", 1, 480, 330);
  figure_add_panel(&f, "stream", (figure_axis){"round", log, 1}, (figure_axis){"loss", log, 1}, "nothing above 0");
  return f;
}

static void drawn(figure *f, drawing *d)
{
  assert_int_equal(figure_draw(f, d), 0);
  nothing_overlaps(d);
  figure_free(f);
}

/* Any size of numbers, any number of curves, names of any length, bands, gaps. */
static void any_figure(void **state)
{
  (void)state;
  static const char *const names[] = {
      "a",
      "OFW-TVC line search",
      "日本語の名前",
      "été <&> \"'",
      "ofw-tvc gamma-scale=0.31622776601683794 step=10",
      "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"};
  uint64_t seed = 11;
  for (int trial = 0; trial < 400; trial++) {
    figure f;
    drawing d;
    size_t panels = 1 + any_below(&seed, 5), curves = any_below(&seed, trial % 10 ? 9 : 60);
    double unit = pow(10.0, (double)any_below(&seed, 30) - 15.0), base = any_below(&seed, 2) ? 0.0 : 1e4 * unit;
    figure_begin(&f, "a test", 1 + any_below(&seed, 3), 480, 330);
    for (size_t p = 0; p < panels; p++) {
      int log = (int)any_below(&seed, 2);
      figure_add_panel(&f, names[any_below(&seed, 6)], (figure_axis){"round", log && p % 2, 1},
                       (figure_axis){"cumulative loss", log, 1}, "no");
      for (size_t k = 0; k < curves; k++) {
        figure_add_series(&f, names[any_below(&seed, 6)], figure_look(k));
        for (int i = 1; i <= 40; i++) {
          figure_point at = figure_point_at(i, base + unit * any_real(&seed));
          at.low = at.y - unit * any_share(&seed);
          at.high = at.y + unit;
          if (any_below(&seed, 9) == 0)
            at.y = any_below(&seed, 2) ? (double)NAN : INFINITY;
          figure_add_point(&f, at);
        }
      }
    }
    for (size_t k = 0; k < any_below(&seed, 9); k++)
      figure_add_key(&f, names[any_below(&seed, 6)], figure_look(k));
    drawn(&f, &d);
    drawing_free(&d);
  }
}

static void names_stand_at_the_ends(void **state)
{
  (void)state;
  figure f = one_panel(0);
  drawing d;
  for (size_t k = 0; k < 3; k++) {
    figure_add_series(&f, k == 0 ? "low" : k == 1 ? "high" : "none", figure_look(k));
    for (int i = 0; i <= 10; i++)
      figure_add_point(&f, figure_point_at(i, k == 2 ? (double)NAN : (k ? 9.0 : 1.0) * i));
  }
  drawn(&f, &d);
  double low = NAN, high = NAN;
  for (size_t i = 0; i < d.marks; i++) {
    if (d.mark[i].is_text && strcmp(d.chars + d.mark[i].first, "low") == 0)
      low = d.mark[i].at.y;
    if (d.mark[i].is_text && strcmp(d.chars + d.mark[i].first, "high") == 0)
      high = d.mark[i].at.y;
  }
  assert_true(high < low);
  assert_int_equal(count_text(&d, "none"), 0);
  drawing_free(&d);
}

static void one_point_is_a_dot(void **state)
{
  (void)state;
  for (int log = 0; log < 2; log++) {
    figure f = one_panel(log);
    drawing d;
    figure_add_series(&f, "alone", figure_look(0));
    figure_add_point(&f, figure_point_at(7.0, 3.0));
    drawn(&f, &d);
    assert_int_equal(count_paths(&d, INK_COLOUR, 1), 1);
    assert_int_equal(count_text(&d, "alone"), 1);
    drawing_free(&d);
  }
}

static void nothing_to_draw_is_said(void **state)
{
  (void)state;
  for (int kind = 0; kind < 3; kind++) {
    figure f = one_panel(kind == 2);
    drawing d;
    if (kind > 0)
      figure_add_series(&f, "none", figure_look(0));
    if (kind > 0)
      figure_add_point(&f, figure_point_at(1.0, kind == 1 ? (double)NAN : -1.0));
    drawn(&f, &d);
    assert_int_equal(count_text(&d, "nothing above 0"), 1);
    assert_int_equal(count_text(&d, "none"), 0);
    drawing_free(&d);
  }
}

static void unknown_numbers_interrupt(void **state)
{
  (void)state;
  figure f = one_panel(0);
  drawing d;
  figure_add_series(&f, NULL, figure_look(0));
  for (int i = 0; i < 9; i++)
    figure_add_point(&f, figure_point_at(i, i == 3 ? (double)NAN : i == 6 ? (double)INFINITY : i));
  drawn(&f, &d);
  assert_int_equal(count_paths(&d, INK_COLOUR, 0), 3);
  drawing_free(&d);
}

/* Of a band that reaches below what a logarithm can show, the edge lies on the frame. */
static void bands_end_at_the_frame(void **state)
{
  (void)state;
  figure f = one_panel(1);
  drawing d;
  double bottom = 0.0;
  figure_add_series(&f, NULL, figure_look(0));
  for (int i = 1; i < 9; i++) {
    figure_point at = figure_point_at(i, i);
    at.low = -5.0;
    at.high = 2.0 * i;
    figure_add_point(&f, at);
  }
  drawn(&f, &d);
  assert_int_equal(count_paths(&d, INK_COLOUR, 1), 1);
  for (size_t i = 0; i < d.marks; i++)
    if (!d.mark[i].is_text && d.mark[i].pen.ink == INK_FRAME)
      bottom = d.place[d.mark[i].first].y; /* the last one is the lower frame */
  for (size_t i = 0; i < d.marks; i++)
    if (!d.mark[i].is_text && d.mark[i].pen.ink == INK_COLOUR && d.mark[i].pen.width == 0.0)
      for (size_t k = 0; k < 8; k++)
        assert_near(d.place[d.mark[i].first + k].y, bottom, 1e-9);
  drawing_free(&d);
}

static void long_names_are_cut(void **state)
{
  (void)state;
  figure f = one_panel(0);
  drawing d;
  char name[3001] = {0};
  memset(name, 'm', 3000);
  figure_add_series(&f, name, figure_look(0));
  figure_add_point(&f, figure_point_at(0.0, 0.0));
  figure_add_point(&f, figure_point_at(1.0, 1.0));
  drawn(&f, &d);
  size_t cut = 0;
  for (size_t i = 0; i < d.marks; i++)
    if (d.mark[i].whole_n) {
      cut++;
      assert_string_equal(d.chars + d.mark[i].whole, name);
      assert_string_equal(d.chars + d.mark[i].first + d.mark[i].n - strlen("…"), "…");
    }
  assert_int_equal(cut, 1);
  drawing_free(&d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_figure),
      cmocka_unit_test(names_stand_at_the_ends),
      cmocka_unit_test(one_point_is_a_dot),
      cmocka_unit_test(nothing_to_draw_is_said),
      cmocka_unit_test(unknown_numbers_interrupt),
      cmocka_unit_test(bands_end_at_the_frame),
      cmocka_unit_test(long_names_are_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
