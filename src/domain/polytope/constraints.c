/* constraints.c — rows and bounds as the two readers hand them over: terms added up, limits kept, impossible ones refused
 *
 * A row with one coordinate becomes a bound here, so that both readers do the same with it and programs have fewer rows.
 */
#include "domain/polytope/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ofw_constraints_free(ofw_constraints *c)
{
  free(c->end), free(c->term), free(c->row_low), free(c->row_high), free(c->low), free(c->high);
  *c = (ofw_constraints){0};
}

ofw_status ofw_constraints_reach(ofw_constraints *c, const ofw_source *s, size_t dim, ofw_error *err)
{
  if (dim > OFW_MOST_POLYTOPE_DIM)
    return ofw_source_refuse(s, err, "more than %d coordinates", OFW_MOST_POLYTOPE_DIM);
  if (dim > c->dim_room) {
    size_t room = c->dim_room;
    OFW_TRY(ofw_grow(&c->low, c->dim, dim - c->dim, &room, sizeof *c->low, err));
    OFW_TRY(ofw_grow(&c->high, c->dim, dim - c->dim, &c->dim_room, sizeof *c->high, err));
  }
  for (; c->dim < dim; c->dim++) {
    c->low[c->dim] = -OFW_NO_BOUND;
    c->high[c->dim] = OFW_NO_BOUND;
  }
  return OFW_OK;
}

ofw_status ofw_constraints_check(const ofw_source *s, double x, ofw_error *err)
{
  double size = fabs(x);
  if (size == 0.0 || (size >= OFW_LEAST_COEFFICIENT && size <= OFW_LARGEST_COEFFICIENT))
    return OFW_OK;
  return ofw_source_refuse(s, err, "the number %g: expected 0, or a size between %g and %g", x, OFW_LEAST_COEFFICIENT,
                           OFW_LARGEST_COEFFICIENT);
}

ofw_status ofw_constraints_add(ofw_constraints *c, const ofw_source *s, size_t index, double value, ofw_error *err)
{
  OFW_TRY(ofw_constraints_check(s, value, err));
  OFW_TRY(ofw_constraints_reach(c, s, index + 1, err));
  if (c->terms == OFW_MOST_POLYTOPE_NUMBERS)
    return ofw_source_refuse(s, err, "more than %d numbers", OFW_MOST_POLYTOPE_NUMBERS);
  OFW_TRY(ofw_grow(&c->term, c->terms, 1, &c->term_room, sizeof *c->term, err));
  c->term[c->terms++] = (ofw_term){index, value};
  return OFW_OK;
}

/* The coordinate is within these as well. */
static ofw_status bound(ofw_constraints *c, const ofw_source *s, size_t index, double low, double high, ofw_error *err)
{
  double *least = &c->low[index], *most = &c->high[index];
  *least = fmax(*least, low);
  *most = fmin(*most, high);
  if (*least > *most)
    return ofw_source_refuse(s, err, "x%zu is at least %g and at most %g: there is no such point", index + 1, *least,
                             *most);
  return OFW_OK;
}

static int by_index(const void *a, const void *b)
{
  const ofw_term *x = a, *y = b;
  return (x->index > y->index) - (x->index < y->index);
}

/* Terms of one coordinate become one; those that become 0 are dropped. The number of what is left. */
static size_t merge(ofw_term *term, size_t n)
{
  size_t left = 0;
  qsort(term, n, sizeof *term, by_index);
  for (size_t i = 0; i < n;) {
    ofw_term sum = term[i];
    for (i++; i < n && term[i].index == sum.index; i++)
      sum.value += term[i].value;
    if (sum.value != 0.0)
      term[left++] = sum;
  }
  return left;
}

static double divided(double bound, double by)
{
  return fabs(bound) == OFW_NO_BOUND ? copysign(1.0, by) * bound : bound / by;
}

ofw_status ofw_constraints_end_row(ofw_constraints *c, const ofw_source *s, double low, double high, ofw_error *err)
{
  size_t first = c->rows ? c->end[c->rows - 1] : 0, n = 0;
  ofw_term *term = c->terms > first ? c->term + first : NULL; /* there may be none at all */
  if (term)
    n = merge(term, c->terms - first);
  c->terms = first;
  for (size_t i = 0; i < n; i++)
    OFW_TRY(ofw_constraints_check(s, term[i].value, err));
  for (int k = 0; k < 2; k++)
    if (fabs(k ? high : low) != OFW_NO_BOUND)
      OFW_TRY(ofw_constraints_check(s, k ? high : low, err));
  if (low > high || (n == 0 && (low > 0.0 || high < 0.0)))
    return ofw_source_refuse(s, err, "no point satisfies this constraint");
  if (n == 0)
    return OFW_OK;
  if (n == 1) {
    double a = divided(low, term->value), b = divided(high, term->value);
    return bound(c, s, term->index, fmin(a, b), fmax(a, b), err);
  }
  if (c->rows == OFW_MOST_POLYTOPE_ROWS)
    return ofw_source_refuse(s, err, "more than %d constraints", OFW_MOST_POLYTOPE_ROWS);
  size_t room[2] = {c->row_room, c->row_room};
  OFW_TRY(ofw_grow(&c->end, c->rows, 1, &room[0], sizeof *c->end, err));
  OFW_TRY(ofw_grow(&c->row_low, c->rows, 1, &room[1], sizeof *c->row_low, err));
  OFW_TRY(ofw_grow(&c->row_high, c->rows, 1, &c->row_room, sizeof *c->row_high, err));
  c->row_low[c->rows] = low;
  c->row_high[c->rows] = high;
  c->terms = first + n;
  c->end[c->rows++] = c->terms;
  return OFW_OK;
}

/* The word that the line begins with, as a section of MPS has it. */
static int begins_with(const char *line, const char *word)
{
  size_t n = strlen(word);
  return strncmp(line, word, n) == 0 && (!line[n] || line[n] == ' ' || line[n] == '\t');
}

static int is_mps(const ofw_source *s, const char *line)
{
  size_t length = s->path ? strlen(s->path) : 0;
  return (length > 4 && strcmp(s->path + length - 4, ".mps") == 0) || begins_with(line, "NAME") ||
         begins_with(line, "ROWS");
}

static ofw_status read_source(ofw_source *s, ofw_constraints *c, ofw_error *err)
{
  char *line;
  do
    OFW_TRY(ofw_source_next(s, &line, err));
  while (line && (!*line || *line == '#' || *line == '*'));
  if (line && is_mps(s, line))
    OFW_TRY(ofw_constraints_read_mps(c, s, line, err));
  else if (line)
    OFW_TRY(ofw_constraints_read_text(c, s, line, err));
  return c->dim ? OFW_OK
                : ofw_fail(err, s->path ? OFW_BAD_DATA : OFW_USAGE, "%s: %.200s names no coordinate", s->owner,
                           s->path ? s->path : "rows");
}

ofw_status ofw_constraints_read(const char *owner, const char *text, uint32_t *content, ofw_constraints *out,
                                ofw_error *err)
{
  ofw_source s;
  *out = (ofw_constraints){0};
  ofw_status st = ofw_source_open(&s, owner, text, err);
  if (st == OFW_OK)
    st = read_source(&s, out, err);
  ofw_source_close(&s, content);
  return st;
}
