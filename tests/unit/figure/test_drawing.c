/* The three formats of one drawing: what is in them, byte for byte the same each time, and valid whatever the texts. */
#include "unit/base/check.h"

#include "lab/figure/drawing.h"

#include <stdlib.h>
#include <zlib.h>

static void any_drawing(drawing *d)
{
  *d = (drawing){.width = 40.0, .height = 20.0};
  drawing_path(d, (xy[]){{4.0, 4.0}, {36.0, 4.0}, {36.0, 8.0}, {4.0, 8.0}}, 4, (pen){INK_COLOUR, 0.0, 1.0, 0});
  drawing_path(d, (xy[]){{0.0, 12.0}, {40.0, 12.0}}, 2, (pen){INK_COLOUR + 1, 2.0, 0.5, 1});
  drawing_path(d, (xy[]){{1.0, 1.0}}, 1, (pen){INK_TEXT, 1.0, 1.0, 0}); /* nothing */
  drawing_text(d, (xy){20.0, 19.0}, "I", 0.0, (lettering){INK_TEXT, 8.0, ANCHOR_MIDDLE});
  assert_int_equal(d->failed, 0);
}

typedef int (*writer)(const drawing *d, const char *title, FILE *out);

static int write_png(const drawing *d, const char *title, FILE *out)
{
  (void)title;
  return drawing_write_png(d, out);
}

/* free() returns it. */
static unsigned char *written(const drawing *d, writer write, size_t *length)
{
  FILE *out = tmpfile();
  assert_non_null(out);
  assert_int_equal(write(d, "a (title) \\ <&> \x01", out), 0);
  *length = (size_t)ftell(out);
  unsigned char *bytes = calloc(*length + 1, 1);
  rewind(out);
  assert_int_equal(fread(bytes, 1, *length, out), *length);
  assert_int_equal(fclose(out), 0);
  return bytes;
}

static void the_same_bytes_each_time(void **state)
{
  (void)state;
  static const writer writers[] = {drawing_write_svg, drawing_write_pdf, write_png};
  for (size_t i = 0; i < 3; i++) {
    drawing a, b;
    size_t n, m;
    any_drawing(&a);
    any_drawing(&b);
    unsigned char *first = written(&a, writers[i], &n), *second = written(&b, writers[i], &m);
    assert_int_equal(n, m);
    assert_memory_equal(first, second, n);
    free(first);
    free(second);
    drawing_free(&a);
    drawing_free(&b);
  }
}

static void texts_of_svg_are_escaped(void **state)
{
  (void)state;
  drawing d = {.width = 100.0, .height = 20.0};
  size_t n;
  drawing_text(&d, (xy){0.0, 10.0}, "<b>&\"]]>\x1b\xff\u00e9", 0.0, (lettering){INK_TEXT, 10.0, ANCHOR_START});
  char *svg = (char *)written(&d, drawing_write_svg, &n);
  assert_non_null(strstr(svg, ">&lt;b&gt;&amp;\"]]&gt;??\u00e9</text>"));
  assert_null(strstr(svg, "\x1b"));
  free(svg);
  drawing_free(&d);
}

/* ---- PDF ---- */

/* Every object begins where the table says, and the page is what was drawn. */
static void pdf_is_whole(void **state)
{
  (void)state;
  drawing d;
  size_t n;
  any_drawing(&d);
  char *pdf = (char *)written(&d, drawing_write_pdf, &n);
  assert_memory_equal(pdf, "%PDF-1.4\n", 9);
  assert_memory_equal(pdf + n - 6, "%%EOF\n", 6);
  char *at = pdf + n - 10;
  while (memcmp(at, "startxref\n", 10) != 0)
    at--;
  const char *table = pdf + strtoul(at + 10, NULL, 10);
  assert_memory_equal(table, "xref\n0 6\n", 9);
  for (unsigned long i = 1; i <= 5; i++) {
    char head[16];
    snprintf(head, sizeof head, "%lu 0 obj\n", i);
    assert_memory_equal(pdf + strtoul(table + 9 + 20 * i, NULL, 10), head, strlen(head));
  }
  const char *stream = pdf + strtoul(table + 9 + 20 * 5, NULL, 10), *begin = strstr(stream, "stream\n") + 7;
  unsigned char page[4096];
  uLongf length = sizeof page - 1;
  assert_int_equal(
      uncompress(page, &length, (const unsigned char *)begin, strtoul(strstr(stream, "/Length ") + 8, NULL, 10)), Z_OK);
  page[length] = 0;
  assert_non_null(strstr((char *)page, "4 4 m 36 4 l 36 8 l 4 8 l h f\n"));
  assert_non_null(strstr((char *)page, "/g50 gs\n"));
  assert_non_null(strstr((char *)page, "[9 4 ] 0 d\n"));
  assert_non_null(strstr(pdf, "/g50<</ca 0.50/CA 0.50>>"));
  assert_non_null(strstr(pdf, "/Title(a \\(title\\) \\\\ <&> ?)"));
  free(pdf);
  drawing_free(&d);
}

/* ---- PNG ---- */

static uint32_t word_at(const unsigned char *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

enum { WIDE = 80, HIGH = 40 };

/* The pixels, from chunks whose check sums are right. */
static void read_png(const unsigned char *png, size_t n, unsigned char out[HIGH][WIDE][3])
{
  static unsigned char plain[HIGH * (3 * WIDE + 1)];
  size_t at = 8;
  assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
  for (int seen = 0; at < n; at += 12 + word_at(png + at), seen++) {
    uint32_t length = word_at(png + at);
    assert_int_equal(word_at(png + at + 8 + length), crc32(0, png + at + 4, length + 4));
    if (seen == 0)
      assert_true(word_at(png + at + 8) == WIDE && word_at(png + at + 12) == HIGH);
    uLongf whole = sizeof plain;
    if (memcmp(png + at + 4, "IDAT", 4) == 0)
      assert_true(uncompress(plain, &whole, png + at + 8, length) == Z_OK && whole == sizeof plain);
  }
  assert_int_equal(at, n);
  for (size_t y = 0; y < HIGH; y++) {
    const unsigned char *line = plain + y * (3 * WIDE + 1);
    assert_int_equal(*line, 2);
    for (size_t i = 0; i < 3 * WIDE; i++)
      out[y][i / 3][i % 3] = (unsigned char)(line[1 + i] + (y ? out[y - 1][i / 3][i % 3] : 0));
  }
}

static void pixels_are_where_they_belong(void **state)
{
  (void)state;
  static unsigned char pixel[HIGH][WIDE][3];
  static const unsigned char white[] = {255, 255, 255}, blue[] = {0, 0x72, 0xb2};
  drawing d;
  size_t n, ink = 0;
  any_drawing(&d);
  unsigned char *png = written(&d, write_png, &n);
  read_png(png, n, pixel);
  assert_memory_equal(pixel[12][40], blue, 3);
  assert_memory_equal(pixel[8][8], blue, 3);
  assert_memory_equal(pixel[15][71], blue, 3);
  assert_memory_equal(pixel[7][40], white, 3);
  assert_memory_equal(pixel[16][40], white, 3);
  assert_memory_equal(pixel[12][7], white, 3);
  assert_near(pixel[24][4][1], 0.5 * (255 + 0x5e), 1.0); /* half covers white */
  assert_memory_equal(pixel[24][22], white, 3);          /* in the first gap, from 18 to 26 */
  for (size_t y = 26; y < HIGH; y++)                     /* the letter: a stem of 0.1 by 0.73 of its size, in pixels */
    for (size_t x = 0; x < WIDE; x++)
      ink += 255u - pixel[y][x][1];
  assert_near((double)ink / (255.0 - 0x1d), 0.0986 * 0.729 * 16.0 * 16.0, 1.5);
  free(png);
  drawing_free(&d);
}

static void numbers_have_two_decimals(void **state)
{
  (void)state;
  static const struct {
    double x;
    const char *text;
  } cases[] = {{0.0, "0"},     {-0.001, "0"},  {1.5, "1.5"},  {-12.346, "-12.35"},
               {0.05, "0.05"}, {100.0, "100"}, {-0.5, "-0.5"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[32] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    drawing_put_number(out, cases[i].x);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_same_bytes_each_time),
      cmocka_unit_test(texts_of_svg_are_escaped),
      cmocka_unit_test(pdf_is_whole),
      cmocka_unit_test(pixels_are_where_they_belong),
      cmocka_unit_test(numbers_have_two_decimals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
