/* drawing_pdf.c — a drawing as one page of PDF 1.4
 *
 * Letters are outlines, so that the file asks for no font; opacities are states of the page's resources. The page is
 * compressed, and no date or path is in it.
 */
#include "lab/figure/drawing.h"
#include "lab/figure/font.h"

#include "base/basics.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { OPACITIES = 100 };         /* /g50 is an opacity of 0.5 */
static const double POINT = 0.75; /* a pixel, in points: 72 per inch */

static void put_two(FILE *out, xy p)
{
  drawing_put_number(out, p.x);
  fputc(' ', out);
  drawing_put_number(out, p.y);
}

static void put_ink(FILE *out, unsigned which, const char *operator)
{
  unsigned rgb = drawing_rgb(which, 0);
  for (int shift = 16; shift >= 0; shift -= 8) {
    drawing_put_number(out, (rgb >> shift & 255) / 255.0);
    fputc(' ', out);
  }
  fprintf(out, "%s\n", operator);
}

static void put_contour(void *to, const xy *at, size_t n)
{
  FILE *out = to;
  for (size_t i = 0; i < n; i++) {
    put_two(out, at[i]);
    fputs(i == 0 ? " m " : " l ", out);
  }
}

static void put_dashes(FILE *out, unsigned dash)
{
  fputc('[', out);
  for (const double *at = drawing_dashes[dash % DRAWING_DASHES]; *at > 0.0; at++) {
    drawing_put_number(out, *at);
    fputc(' ', out);
  }
  fputs("] 0 d\n", out);
}

static void put_path(FILE *out, const drawing *d, const mark *m)
{
  int is_line = m->pen.width > 0.0;
  fprintf(out, "/g%d gs\n", (int)(OPACITIES * m->pen.opacity + 0.5));
  put_ink(out, m->pen.ink, is_line ? "RG" : "rg");
  if (is_line) {
    drawing_put_number(out, m->pen.width);
    fputs(" w\n", out);
    put_dashes(out, m->pen.dash);
  }
  put_contour(out, d->place + m->first, m->n);
  fputs(is_line ? "S\n" : "h f\n", out);
}

static void put_text(FILE *out, const drawing *d, const mark *m)
{
  const char *text = d->chars + m->first;
  double wide = font_width(text, m->as.size);
  xy from = {m->at.x - (m->as.anchor == ANCHOR_START    ? 0.0
                        : m->as.anchor == ANCHOR_MIDDLE ? 0.5 * wide
                                                        : wide),
             m->at.y};
  fprintf(out, "/g%d gs\n", OPACITIES);
  put_ink(out, m->as.ink, "rg");
  font_trace(text, from, m->as.size, put_contour, out);
  fputs("f\n", out);
}

/* The page's commands; free() returns them. NULL: no memory. */
static char *page_of(const drawing *d, size_t *length)
{
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  if (!out)
    return NULL;
  drawing_put_number(out, POINT);
  fputs(" 0 0 -", out); /* y downwards */
  drawing_put_number(out, POINT);
  fputs(" 0 ", out);
  drawing_put_number(out, POINT * d->height);
  fputs(" cm 1 j\n", out);
  for (const mark *m = d->mark; m < d->mark + d->marks; m++)
    if (m->is_text)
      put_text(out, d, m);
    else
      put_path(out, d, m);
  if (fclose(out) == 0)
    return text;
  free(text);
  return NULL;
}

/* Objects one after the other, and where each begins. */
typedef struct pdf {
  FILE *out;
  ofw_text *text;
  size_t begins[8], objects;
} pdf;

static void begin_object(pdf *p)
{
  p->begins[p->objects++] = p->text->length;
  ofw_text_add(p->text, "%zu 0 obj\n", p->objects);
}

static void add_opacities(ofw_text *text, const drawing *d)
{
  int used[OPACITIES + 1] = {[OPACITIES] = 1};
  for (size_t i = 0; i < d->marks; i++)
    used[d->mark[i].is_text ? OPACITIES : (int)(OPACITIES * d->mark[i].pen.opacity + 0.5)] = 1;
  for (int k = 0; k <= OPACITIES; k++)
    if (used[k])
      ofw_text_add(text, "/g%d<</ca %d.%02d/CA %d.%02d>>", k, k / OPACITIES, k % OPACITIES, k / OPACITIES,
                   k % OPACITIES);
}

/* In parentheses, with a backslash before what would end them; ASCII alone. */
static void add_title(ofw_text *text, const char *title)
{
  ofw_text_add(text, "<</Producer(ofw)/Title(");
  for (const char *at = title; *at; at++)
    ofw_text_add(text, strchr("()\\", *at) ? "\\%c" : "%c",
                 (unsigned char)*at < 32 || (unsigned char)*at > 126 ? '?' : *at);
  ofw_text_add(text, ")>>\nendobj\n");
}

/* All before the page's commands. */
static void add_head(pdf *p, const drawing *d, const char *title, size_t length)
{
  ofw_text_add(p->text, "%%PDF-1.4\n%%\xc3\xa9\xc3\xa9\n");
  begin_object(p);
  ofw_text_add(p->text, "<</Type/Catalog/Pages 2 0 R>>\nendobj\n");
  begin_object(p);
  ofw_text_add(p->text, "<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n");
  begin_object(p);
  ofw_text_add(p->text, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 %.0f %.0f]/Contents 5 0 R/Resources<</ExtGState<<",
               POINT * d->width, POINT * d->height);
  add_opacities(p->text, d);
  ofw_text_add(p->text, ">>>>>>\nendobj\n");
  begin_object(p);
  add_title(p->text, title);
  begin_object(p);
  ofw_text_add(p->text, "<</Length %zu/Filter/FlateDecode>>\nstream\n", length);
}

static int write_file(const drawing *d, const char *title, const unsigned char *page, size_t length, FILE *out)
{
  ofw_text head = {0}, tail = {0};
  pdf p = {.out = out, .text = &head};
  add_head(&p, d, title, length);
  size_t before = head.length + length;
  ofw_text_add(&tail, "\nendstream\nendobj\n");
  size_t table = before + tail.length;
  ofw_text_add(&tail, "xref\n0 %zu\n0000000000 65535 f \n", p.objects + 1);
  for (size_t i = 0; i < p.objects; i++)
    ofw_text_add(&tail, "%010zu 00000 n \n", p.begins[i]);
  ofw_text_add(&tail, "trailer\n<</Size %zu/Root 1 0 R/Info 4 0 R>>\nstartxref\n%zu\n%%%%EOF\n", p.objects + 1, table);
  int failed = head.failed || tail.failed;
  if (!failed) {
    fwrite(head.chars, 1, head.length, out);
    fwrite(page, 1, length, out);
    fwrite(tail.chars, 1, tail.length, out);
  }
  free(head.chars);
  free(tail.chars);
  return failed ? -1 : 0;
}

int drawing_write_pdf(const drawing *d, const char *title, FILE *out)
{
  size_t length = 0;
  char *page = page_of(d, &length);
  uLongf packed_length = compressBound((uLong)length);
  unsigned char *packed = page ? ofw_array(packed_length, 1) : NULL;
  int failed =
      !packed || compress2(packed, &packed_length, (const unsigned char *)page, (uLong)length, 9) != Z_OK ? -1 : 0;
  if (!failed)
    failed = write_file(d, title, packed, packed_length, out);
  free(page);
  free(packed);
  return failed;
}
