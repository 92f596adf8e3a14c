/* figure.c — the description of a figure: what a caller has said of it so far */
#include "lab/figure/figure.h"

#include "base/basics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

figure_style figure_look(size_t i)
{
  return (figure_style){.ink = INK_COLOUR + (unsigned)(i % DRAWING_COLOURS),
                        .dash = (unsigned)(i % DRAWING_DASHES),
                        .line = FIGURE_STRAIGHT,
                        .width = 2.0};
}

figure_point figure_point_at(double x, double y)
{
  return (figure_point){x, y, NAN, NAN, NAN, NAN};
}

/* A copy of a text, NULL of NULL. */
static char *kept(figure *f, const char *text)
{
  char *copy = text ? ofw_copy_text(text) : NULL;
  f->failed |= text && !copy;
  return copy;
}

void figure_begin(figure *f, const char *title, size_t columns, double width, double height)
{
  *f = (figure){.columns = columns, .width = width, .height = height};
  f->title = kept(f, title);
}

static void free_panel(figure_panel *p)
{
  for (size_t i = 0; i < p->count; i++) {
    free(p->series[i].name);
    free(p->series[i].point);
  }
  free(p->series);
  free(p->title);
  free(p->empty);
  free((char *)p->x.name);
  free((char *)p->y.name);
}

void figure_free(figure *f)
{
  for (size_t i = 0; i < f->panels; i++)
    free_panel(&f->panel[i]);
  for (size_t i = 0; i < f->keys; i++)
    free(f->key[i].name);
  free(f->panel);
  free(f->key);
  free(f->title);
}

/* Room for one more; 0: there is no memory. */
static int grow(figure *f, void *array, size_t used, size_t *room, size_t item)
{
  if (!f->failed && ofw_grow(array, used, 1, room, item, NULL) != OFW_OK)
    f->failed = 1;
  return !f->failed;
}

void figure_add_panel(figure *f, const char *title, figure_axis x, figure_axis y, const char *empty)
{
  if (!grow(f, &f->panel, f->panels, &f->panel_room, sizeof *f->panel))
    return;
  x.name = kept(f, x.name);
  y.name = kept(f, y.name);
  f->panel[f->panels++] = (figure_panel){.title = kept(f, title), .x = x, .y = y, .empty = kept(f, empty)};
}

void figure_add_series(figure *f, const char *name, figure_style style)
{
  figure_panel *p = f->panels ? &f->panel[f->panels - 1] : NULL;
  if (p && grow(f, &p->series, p->count, &p->room, sizeof *p->series))
    p->series[p->count++] = (figure_series){.name = kept(f, name), .style = style};
}

void figure_add_point(figure *f, figure_point point)
{
  figure_panel *p = f->panels ? &f->panel[f->panels - 1] : NULL;
  figure_series *s = p && p->count ? &p->series[p->count - 1] : NULL;
  if (s && grow(f, &s->point, s->points, &s->room, sizeof *s->point))
    s->point[s->points++] = point;
}

void figure_add_key(figure *f, const char *name, figure_style style)
{
  if (grow(f, &f->key, f->keys, &f->key_room, sizeof *f->key))
    f->key[f->keys++] = (figure_key){kept(f, name), style};
}
