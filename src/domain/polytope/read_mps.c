/* read_mps.c — MPS, fixed or free: words with blanks between them, so that no name may hold one
 *
 * Sections NAME, ROWS, COLUMNS, RHS, RANGES, BOUNDS, ENDATA; OBJSENSE is passed over, and so is the objective, with all
 * rows of type N. Coordinate i is the i-th column. Columns without bounds are >= 0, as MPS has it. Integer columns are
 * refused: what they leave is no polytope.
 *
 * Clp_readMps would do the same, but not for files that nobody vouches for: a NAME of 200 characters overflows a buffer, a
 * row without a type fails an assertion, and it prints. It also needs a file, reads it without limits, and gives no line
 * number to its caller. docs/performance.md has the commands.
 */
#include "domain/polytope/constraints.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 6 };

/* A row or a column. */
typedef struct item {
  const char *name;
  size_t number; /* from 0 on, in their order */
  char type;     /* of a row: N, L, G or E */
  double rhs, range;
  size_t seen; /* the last column that a row has, counted from 1 */
  int bounded; /* a column's lower bound has been given */
} item;

/* Items in the order of their numbers, and by their names. */
typedef struct items {
  item **at;
  size_t count, room;
  void *tree; /* of search.h */
} items;

typedef struct cell {
  size_t row;
  ofw_term term;
} cell;

typedef struct mps {
  ofw_constraints *c;
  ofw_source *s;
  items rows, cols;
  cell *entry;
  size_t entries, entry_room;
  char *word[MOST_WORDS];
  size_t words;
  int ranges; /* what pairs of sides are: ranges, or right-hand sides */
} mps;

static void drop(mps *m)
{
  tdestroy(m->rows.tree, free);
  tdestroy(m->cols.tree, free);
  free(m->rows.at), free(m->cols.at), free(m->entry);
}

/* ---- names ---- */

static int by_name(const void *a, const void *b)
{
  return strcmp(((const item *)a)->name, ((const item *)b)->name);
}

/* NULL: there is none of this name. */
static item *find(const items *all, const char *name)
{
  item key = {.name = name}, **found = tfind(&key, &all->tree, by_name);
  return found ? *found : NULL;
}

static ofw_status add_item(items *all, const char *name, item **out, ofw_error *err)
{
  size_t length = strlen(name) + 1;
  OFW_TRY(ofw_grow(&all->at, all->count, 1, &all->room, sizeof *all->at, err));
  item *fresh = calloc(1, sizeof *fresh + length);
  if (!fresh)
    return ofw_fail_memory(err, sizeof *fresh + length);
  *out = all->at[all->count] = fresh;
  fresh->name = memcpy(fresh + 1, name, length); /* behind it */
  fresh->number = all->count;
  if (!tsearch(fresh, &all->tree, by_name)) {
    free(fresh);
    return ofw_fail_memory(err, sizeof *fresh);
  }
  all->count++;
  return OFW_OK;
}

/* ---- what a data line is made of ---- */

/* "row value" or "row value row value" from word `first` on */
typedef ofw_status pair_reader(mps *m, item *row, double value, ofw_error *err);

static ofw_status read_pairs(mps *m, size_t first, pair_reader *reader, ofw_error *err)
{
  for (size_t k = first; k + 1 < m->words; k += 2) {
    item *row = find(&m->rows, m->word[k]);
    double value = 0.0;
    if (!row)
      return ofw_source_refuse(m->s, err, "there is no row '%.60s'", m->word[k]);
    OFW_TRY(ofw_source_number(m->s, m->word[k + 1], &value, err));
    OFW_TRY(ofw_constraints_check(m->s, value, err));
    OFW_TRY(reader(m, row, value, err));
  }
  return OFW_OK;
}

static ofw_status read_row(mps *m, ofw_error *err)
{
  char type = m->word[0][0];
  item *row;
  if (m->words != 2 || m->word[0][1] || !strchr("NLGE", type))
    return ofw_source_refuse(m->s, err, "expected a row: a type (N, L, G or E) and a name");
  if (find(&m->rows, m->word[1]))
    return ofw_source_refuse(m->s, err, "row '%.60s' appears twice", m->word[1]);
  if (m->rows.count == OFW_MOST_POLYTOPE_ROWS)
    return ofw_source_refuse(m->s, err, "more than %d constraints", OFW_MOST_POLYTOPE_ROWS);
  OFW_TRY(add_item(&m->rows, m->word[1], &row, err));
  row->type = type;
  row->range = NAN;
  return OFW_OK;
}

static ofw_status add_entry(mps *m, item *row, double value, ofw_error *err)
{
  if (row->seen == m->cols.count)
    return ofw_source_refuse(m->s, err, "column '%.60s' is in row '%.60s' twice", m->word[0], row->name);
  row->seen = m->cols.count;
  if (row->type == 'N' || value == 0.0)
    return OFW_OK;
  if (m->entries == OFW_MOST_POLYTOPE_NUMBERS)
    return ofw_source_refuse(m->s, err, "more than %d numbers", OFW_MOST_POLYTOPE_NUMBERS);
  OFW_TRY(ofw_grow(&m->entry, m->entries, 1, &m->entry_room, sizeof *m->entry, err));
  m->entry[m->entries++] = (cell){row->number, {m->cols.count - 1, value}};
  return OFW_OK;
}

static ofw_status begin_column(mps *m, ofw_error *err)
{
  item *col;
  if (find(&m->cols, m->word[0]))
    return ofw_source_refuse(m->s, err, "column '%.60s' appears again after another column; put its lines together",
                             m->word[0]);
  OFW_TRY(ofw_constraints_reach(m->c, m->s, m->cols.count + 1, err));
  return add_item(&m->cols, m->word[0], &col, err);
}

static ofw_status read_column(mps *m, ofw_error *err)
{
  size_t n = m->cols.count;
  if (m->words > 1 && strcmp(m->word[1], "'MARKER'") == 0)
    return ofw_source_refuse(m->s, err, "integer columns are not supported; remove the markers to get the relaxation");
  if (m->words != 3 && m->words != 5)
    return ofw_source_refuse(m->s, err, "expected a column's name and one or two pairs of a row and a number");
  if (n == 0 || strcmp(m->cols.at[n - 1]->name, m->word[0]) != 0)
    OFW_TRY(begin_column(m, err));
  return read_pairs(m, 1, add_entry, err);
}

static ofw_status set_side(mps *m, item *row, double value, ofw_error *err)
{
  (void)err;
  *(m->ranges ? &row->range : &row->rhs) = value;
  return OFW_OK;
}

/* With or without the name of the set that they are of. */
static ofw_status read_sides(mps *m, int ranges, ofw_error *err)
{
  m->ranges = ranges;
  if (m->words < 2)
    return ofw_source_refuse(m->s, err, "expected a name and one or two pairs of a row and a number");
  return read_pairs(m, m->words % 2, set_side, err);
}

/* ---- bounds ---- */

static ofw_status set_bound(mps *m, item *col, const char *type, double x, ofw_error *err)
{
  double *low = &m->c->low[col->number], *high = &m->c->high[col->number];
  int lower = strcmp(type, "UP") != 0 && strcmp(type, "PL") != 0,
      upper = strcmp(type, "LO") != 0 && strcmp(type, "MI") != 0;
  double infinite = OFW_NO_BOUND, least = -infinite, most = infinite;
  if (strcmp(type, "FX") == 0 || strcmp(type, "LO") == 0)
    least = x <= -OFW_LARGEST_COEFFICIENT ? -infinite : x;
  if (strcmp(type, "FX") == 0 || strcmp(type, "UP") == 0)
    most = x >= OFW_LARGEST_COEFFICIENT ? infinite : x;
  for (int k = 0; k < 2; k++)
    if (fabs(k ? most : least) != infinite)
      OFW_TRY(ofw_constraints_check(m->s, k ? most : least, err));
  if (lower) {
    *low = least;
    col->bounded = 1;
  }
  if (upper)
    *high = most;
  return OFW_OK;
}

/* "type [set] column [number]" */
static ofw_status read_bound(mps *m, ofw_error *err)
{
  static const char *const valued[] = {"UP", "LO", "FX"}, *const plain[] = {"FR", "MI", "PL"};
  const char *type = m->word[0];
  int is_valued = 0, is_plain = 0;
  double x = 0.0;
  for (size_t k = 0; k < 3; k++) {
    is_valued |= strcmp(type, valued[k]) == 0;
    is_plain |= strcmp(type, plain[k]) == 0;
  }
  if (!is_valued && !is_plain)
    return ofw_source_refuse(m->s, err, "unknown type of bound '%.20s'; expected UP, LO, FX, FR, MI or PL", type);
  size_t least = is_valued ? 3 : 2;
  if (m->words != least && m->words != least + 1)
    return ofw_source_refuse(m->s, err, "expected a bound: a type, a name, a column%s",
                             is_valued ? ", and a number" : "");
  const char *name = m->word[m->words - least + 1];
  item *col = find(&m->cols, name);
  if (!col)
    return ofw_source_refuse(m->s, err, "there is no column '%.60s'", name);
  if (is_valued)
    OFW_TRY(ofw_source_number(m->s, m->word[m->words - 1], &x, err));
  return set_bound(m, col, type, x, err);
}

/* ---- the whole ---- */

/* The bounds of a row, from its type, right-hand side and range. */
static void sides(const item *row, double *low, double *high)
{
  *low = row->type == 'L' ? -OFW_NO_BOUND : row->rhs;
  *high = row->type == 'G' ? OFW_NO_BOUND : row->rhs;
  if (isnan(row->range))
    return;
  if (row->type == 'L' || (row->type == 'E' && row->range < 0.0))
    *low = row->rhs - fabs(row->range);
  else
    *high = row->rhs + fabs(row->range);
}

static ofw_status check_bounds(mps *m, ofw_error *err)
{
  for (size_t j = 0; j < m->cols.count; j++) {
    const item *col = m->cols.at[j];
    double *low = &m->c->low[j], high = m->c->high[j];
    *low = col->bounded ? *low : 0.0;
    if (high < 0.0 && !col->bounded)
      return ofw_source_refuse(m->s, err,
                               "column '%.60s' is at most %g, below its default lower bound 0; give it LO or MI",
                               col->name, high);
    if (*low > high)
      return ofw_source_refuse(m->s, err, "column '%.60s' is at least %g and at most %g: there is no such point",
                               col->name, *low, high);
  }
  return OFW_OK;
}

/* Entries come by columns; a row's are put together, in the columns' order. */
static ofw_status end_rows(mps *m, ofw_error *err)
{
  size_t rows = m->rows.count, *begin = ofw_array(rows + 1, sizeof *begin);
  ofw_term *sorted = ofw_array(m->entries, sizeof *sorted);
  ofw_status st = begin && sorted ? OFW_OK : ofw_fail_memory(err, m->entries * sizeof *sorted);
  if (st == OFW_OK) {
    memset(begin, 0, (rows + 1) * sizeof *begin);
    for (size_t k = 0; k < m->entries; k++)
      begin[m->entry[k].row + 1]++;
    for (size_t i = 0; i < rows; i++)
      begin[i + 1] += begin[i];
    for (size_t k = 0; k < m->entries; k++)
      sorted[begin[m->entry[k].row]++] = m->entry[k].term;
  }
  for (size_t i = 0, k = 0; i < rows && st == OFW_OK; i++) {
    double low, high;
    sides(m->rows.at[i], &low, &high);
    for (; k < begin[i] && st == OFW_OK; k++) /* where the next row began is where this one ends now */
      st = ofw_constraints_add(m->c, m->s, sorted[k].index, sorted[k].value, err);
    if (st == OFW_OK && m->rows.at[i]->type != 'N')
      st = ofw_constraints_end_row(m->c, m->s, low, high, err);
  }
  free(begin);
  free(sorted);
  return st;
}

enum section { START, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, ENDATA, SECTIONS };
static const char *const section_name[SECTIONS] = {"",    "OBJSENSE", "ROWS",   "COLUMNS",
                                                   "RHS", "RANGES",   "BOUNDS", "ENDATA"};

static ofw_status read_data(mps *m, enum section in, ofw_error *err)
{
  switch (in) {
  case ROWS:
    return read_row(m, err);
  case COLUMNS:
    return read_column(m, err);
  case RHS:
  case RANGES:
    return read_sides(m, in == RANGES, err);
  case BOUNDS:
    return read_bound(m, err);
  case OBJSENSE:
    return OFW_OK;
  default:
    return ofw_source_refuse(m->s, err, "'%.60s' is not a section of MPS", m->word[0]);
  }
}

/* A section is a word alone; they come in the order above. */
static ofw_status read_line(mps *m, enum section *in, ofw_error *err)
{
  if (m->words == 1)
    for (int k = OBJSENSE; k < SECTIONS; k++)
      if (strcmp(m->word[0], section_name[k]) == 0) {
        if (k <= (int)*in || (k > ROWS && *in < ROWS) || (k > COLUMNS && *in < COLUMNS))
          return ofw_source_refuse(m->s, err, "section %s is in the wrong place", section_name[k]);
        *in = (enum section)k;
        return OFW_OK;
      }
  return read_data(m, *in, err);
}

static ofw_status split(mps *m, char *line, ofw_error *err)
{
  for (m->words = 0;;) {
    line += strspn(line, " \t");
    if (!*line)
      return OFW_OK;
    if (m->words == MOST_WORDS)
      return ofw_source_refuse(m->s, err, "more than %d words", MOST_WORDS);
    m->word[m->words++] = line;
    line += strcspn(line, " \t");
    if (*line)
      *line++ = 0;
  }
}

static ofw_status read_all(mps *m, char *line, ofw_error *err)
{
  enum section in = START;
  for (int first = 1; line && in != ENDATA; first = 0) {
    int named = first && strncmp(line, "NAME", 4) == 0;
    if (*line && *line != '*' && !named) {
      OFW_TRY(split(m, line, err));
      OFW_TRY(read_line(m, &in, err));
    }
    if (in != ENDATA)
      OFW_TRY(ofw_source_next(m->s, &line, err));
  }
  if (in != ENDATA)
    return ofw_source_refuse(m->s, err, "the file ends without ENDATA");
  OFW_TRY(check_bounds(m, err));
  return end_rows(m, err);
}

ofw_status ofw_constraints_read_mps(ofw_constraints *c, ofw_source *s, char *line, ofw_error *err)
{
  mps m = {.c = c, .s = s};
  ofw_status st = read_all(&m, line, err);
  drop(&m);
  return st;
}
