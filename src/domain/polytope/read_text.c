/* read_text.c — lines as "3 x1 - 2 x2 + x5 <= 4": two or three sums of terms with a sign between them */
#include "domain/polytope/constraints.h"

#include <string.h>

enum { MOST_NUMBER = 400 }; /* characters */

typedef struct reader {
  ofw_constraints *c;
  const ofw_source *s;
  const char *at;
} reader;

static ofw_status refuse(const reader *r, const char *wanted, ofw_error *err)
{
  if (!*r->at)
    return ofw_source_refuse(r->s, err, "expected %s, found the end of the line", wanted);
  return ofw_source_refuse(r->s, err, "expected %s, found '%.20s'", wanted, r->at);
}

static void skip_blanks(reader *r)
{
  r->at += strspn(r->at, " \t");
}

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* How many characters the number has that stands here; 0: there is none. */
static size_t number_length(const char *at)
{
  size_t n = strspn(at, "0123456789.");
  if (n && (at[n] == 'e' || at[n] == 'E')) {
    size_t sign = at[n + 1] == '+' || at[n + 1] == '-';
    if (is_digit(at[n + 1 + sign]))
      n += 1 + sign + strspn(at + n + 1 + sign, "0123456789");
  }
  return n;
}

static ofw_status read_number(reader *r, size_t length, double *out, ofw_error *err)
{
  char text[MOST_NUMBER];
  if (length < sizeof text) {
    memcpy(text, r->at, length);
    text[length] = 0;
    if (ofw_read_real(text, out)) {
      r->at += length;
      return ofw_constraints_check(r->s, *out, err);
    }
  }
  return ofw_source_refuse(r->s, err, "'%.*s' is not a finite number", length < 60 ? (int)length : 60, r->at);
}

/* "x12" is coordinate 11. */
static ofw_status read_coordinate(reader *r, size_t *out, ofw_error *err)
{
  size_t number = 0;
  if (!is_digit(r->at[1]))
    return refuse(r, "a coordinate such as x1", err);
  for (r->at++; is_digit(*r->at); r->at++)
    if (number <= OFW_MOST_POLYTOPE_DIM)
      number = 10 * number + (size_t)(*r->at - '0');
  if (number == 0)
    return ofw_source_refuse(r->s, err, "there is no x0; coordinates are x1, x2, ..");
  if (number > OFW_MOST_POLYTOPE_DIM)
    return ofw_source_refuse(r->s, err, "more than %d coordinates", OFW_MOST_POLYTOPE_DIM);
  *out = number - 1;
  return OFW_OK;
}

/* "3", "x2", "3 x2" or "3*x2", without its sign. A number alone adds to the constant. */
static ofw_status read_term(reader *r, double sign, double *constant, ofw_error *err)
{
  size_t length = number_length(r->at), index = 0;
  double number = 1.0;
  if (!length && *r->at != 'x')
    return refuse(r, "a number or a coordinate", err);
  if (length) {
    OFW_TRY(read_number(r, length, &number, err));
    skip_blanks(r);
    if (*r->at == '*') {
      r->at++;
      skip_blanks(r);
      if (*r->at != 'x')
        return refuse(r, "a coordinate", err);
    }
  }
  if (*r->at != 'x') {
    *constant += sign * number;
    return OFW_OK;
  }
  OFW_TRY(read_coordinate(r, &index, err));
  return ofw_constraints_add(r->c, r->s, index, sign * number, err);
}

/* Terms with + or - between them, and perhaps in front. */
static ofw_status read_sum(reader *r, double *constant, ofw_error *err)
{
  *constant = 0.0;
  skip_blanks(r);
  for (int first = 1;; first = 0) {
    double sign = *r->at == '-' ? -1.0 : 1.0;
    if (*r->at == '-' || *r->at == '+') {
      r->at++;
      skip_blanks(r);
    } else if (!first)
      return OFW_OK;
    OFW_TRY(read_term(r, sign, constant, err));
    skip_blanks(r);
  }
}

/* '<', '>' or '=', the first of its characters. */
static ofw_status read_sign(reader *r, char *out, ofw_error *err)
{
  *out = *r->at;
  if (*out == '=' || ((*out == '<' || *out == '>') && r->at[1] == '=')) {
    r->at += *out == '=' ? 1 : 2;
    return OFW_OK;
  }
  return refuse(r, "<=, >= or =", err);
}

/* low <= terms <= high, its two signs alike and the terms in the middle */
static ofw_status end_range(reader *r, char sign, const double *constant, int misplaced, char first, ofw_error *err)
{
  int up = sign == '<';
  if (sign == '=' || sign != first)
    return ofw_source_refuse(r->s, err, "expected a range with <= twice or >= twice");
  if (misplaced)
    return ofw_source_refuse(r->s, err, "expected coordinates only in the middle of a range");
  return ofw_constraints_end_row(r->c, r->s, constant[up ? 0 : 2] - constant[1], constant[up ? 2 : 0] - constant[1],
                                 err);
}

static ofw_status read_constraint(reader *r, ofw_error *err)
{
  ofw_constraints *c = r->c;
  size_t first = c->rows ? c->end[c->rows - 1] : 0, mark[2];
  double constant[3];
  char sign, second;
  c->terms = first;
  OFW_TRY(read_sum(r, &constant[0], err));
  OFW_TRY(read_sign(r, &sign, err));
  mark[0] = c->terms;
  OFW_TRY(read_sum(r, &constant[1], err));
  mark[1] = c->terms;
  if (*r->at) {
    OFW_TRY(read_sign(r, &second, err));
    OFW_TRY(read_sum(r, &constant[2], err));
    if (*r->at)
      return refuse(r, "the end of the line", err);
    return end_range(r, second, constant, mark[0] > first || c->terms > mark[1], sign, err);
  }
  for (size_t i = mark[0]; i < mark[1]; i++) /* all terms to the left, all numbers to the right */
    c->term[i].value = -c->term[i].value;
  double bound = constant[1] - constant[0];
  return ofw_constraints_end_row(c, r->s, sign == '<' ? -OFW_NO_BOUND : bound, sign == '>' ? OFW_NO_BOUND : bound, err);
}

/* "dim 5" */
static ofw_status read_dim(reader *r, size_t *dim, ofw_error *err)
{
  uint64_t given;
  if (*dim)
    return ofw_source_refuse(r->s, err, "dim is given twice");
  r->at += 3;
  skip_blanks(r);
  if (ofw_read_count(r->at, &given) != 1 || given < 1 || given > OFW_MOST_POLYTOPE_DIM)
    return ofw_source_refuse(r->s, err, "dim '%.20s' is not a whole number from 1 to %d", r->at, OFW_MOST_POLYTOPE_DIM);
  *dim = (size_t)given;
  return ofw_constraints_reach(r->c, r->s, *dim, err);
}

static ofw_status read_line(reader *r, size_t *dim, ofw_error *err)
{
  if (strncmp(r->at, "dim", 3) == 0 && (r->at[3] == ' ' || r->at[3] == '\t'))
    OFW_TRY(read_dim(r, dim, err));
  else
    OFW_TRY(read_constraint(r, err));
  if (*dim && r->c->dim > *dim)
    return ofw_source_refuse(r->s, err, "x%zu is above the dimension, %zu", r->c->dim, *dim);
  return OFW_OK;
}

ofw_status ofw_constraints_read_text(ofw_constraints *c, ofw_source *s, char *line, ofw_error *err)
{
  size_t dim = 0;
  for (; line;) {
    reader r = {c, s, line};
    char *end = line + strcspn(line, "#");
    while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
      end--;
    *end = 0;
    if (*r.at)
      OFW_TRY(read_line(&r, &dim, err));
    OFW_TRY(ofw_source_next(s, &line, err));
  }
  return OFW_OK;
}
