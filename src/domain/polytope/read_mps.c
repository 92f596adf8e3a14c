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
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 6, NO_SLOT = -1 };

/* Names in the order of their numbers, found by their hashes. */
typedef struct names {
  char **name;
  size_t count, room;
  int *slot; /* of twice as many as there is room for, or more; NO_SLOT: empty */
} names;

typedef struct entry {
  size_t row;
  ofw_term term;
} entry;

typedef struct mps {
  ofw_constraints *c;
  ofw_source *s;
  names rows, cols;
  char *type; /* of a row: N, L, G or E */
  double *rhs, *range;
  size_t *seen;  /* the last column that a row has, counted from 1 */
  char *bounded; /* a column's lower bound has been given */
  size_t row_room, col_room;
  entry *entry;
  size_t entries, entry_room;
  char *word[MOST_WORDS];
  size_t words;
} mps;

static void drop(mps *m)
{
  names *both[] = {&m->rows, &m->cols};
  for (int k = 0; k < 2; k++) {
    for (size_t i = 0; i < both[k]->count; i++)
      free(both[k]->name[i]);
    free(both[k]->name);
    free(both[k]->slot);
  }
  free(m->type), free(m->rhs), free(m->range), free(m->seen), free(m->bounded), free(m->entry);
}

/* ---- names ---- */

static size_t slot_of(const names *n, const char *name)
{
  size_t hash = 14695981039346656037u, mask = 2 * n->room - 1;
  for (const char *c = name; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  size_t at = (hash ^ hash >> 29) & mask;
  while (n->slot[at] != NO_SLOT && strcmp(n->name[n->slot[at]], name) != 0)
    at = (at + 1) & mask;
  return at;
}

static int find(const names *n, const char *name)
{
  return n->room ? n->slot[slot_of(n, name)] : NO_SLOT;
}

static ofw_status make_room(names *n, ofw_error *err)
{
  size_t room = n->room ? 2 * n->room : 64;
  char **name = realloc(n->name, room * sizeof *name);
  if (name)
    n->name = name;
  int *slot = name ? ofw_array(2 * room, sizeof *slot) : NULL;
  if (!slot)
    return ofw_fail_memory(err, room * (sizeof *name + 2 * sizeof *slot));
  free(n->slot);
  n->slot = slot;
  n->room = room;
  for (size_t i = 0; i < 2 * room; i++)
    slot[i] = NO_SLOT;
  for (size_t i = 0; i < n->count; i++)
    slot[slot_of(n, n->name[i])] = (int)i;
  return OFW_OK;
}

static ofw_status add_name(names *n, const char *name, ofw_error *err)
{
  if (n->count == n->room)
    OFW_TRY(make_room(n, err));
  char *copy = ofw_copy_text(name);
  if (!copy)
    return ofw_fail_memory(err, strlen(name) + 1);
  n->slot[slot_of(n, name)] = (int)n->count;
  n->name[n->count++] = copy;
  return OFW_OK;
}

/* ---- what a data line is made of ---- */

static ofw_status number_of(const mps *m, const char *word, double *out, ofw_error *err)
{
  if (!ofw_read_real(word, out))
    return ofw_source_refuse(m->s, err, "'%.60s' is not a finite number", word);
  return OFW_OK;
}

static ofw_status row_of(const mps *m, const char *word, size_t *out, ofw_error *err)
{
  int found = find(&m->rows, word);
  if (found == NO_SLOT)
    return ofw_source_refuse(m->s, err, "there is no row '%.60s'", word);
  *out = (size_t)found;
  return OFW_OK;
}

/* "row value" or "row value row value" from word `first` on */
typedef ofw_status pair_reader(mps *m, size_t row, double value, ofw_error *err);

static ofw_status read_pairs(mps *m, size_t first, pair_reader *reader, ofw_error *err)
{
  for (size_t k = first; k + 1 < m->words; k += 2) {
    size_t row = 0;
    double value;
    OFW_TRY(row_of(m, m->word[k], &row, err));
    OFW_TRY(number_of(m, m->word[k + 1], &value, err));
    OFW_TRY(ofw_constraints_check(m->s, value, err));
    OFW_TRY(reader(m, row, value, err));
  }
  return OFW_OK;
}

#define GROW(array, room)                                                                                          \
  do {                                                                                                             \
    void *larger = ofw_fits((double)(room) * sizeof *(array)) ? realloc((array), (room) * sizeof *(array)) : NULL; \
    if (!larger)                                                                                                   \
      return ofw_fail_memory(err, (room) * sizeof *(array));                                                       \
    (array) = larger;                                                                                              \
  } while (0)

static ofw_status read_row(mps *m, ofw_error *err)
{
  char type = m->word[0][0];
  size_t at = m->rows.count;
  if (m->words != 2 || m->word[0][1] || !strchr("NLGE", type))
    return ofw_source_refuse(m->s, err, "a row is a type, N, L, G or E, and a name");
  if (find(&m->rows, m->word[1]) != NO_SLOT)
    return ofw_source_refuse(m->s, err, "row '%.60s' is there twice", m->word[1]);
  if (at == OFW_MOST_POLYTOPE_ROWS)
    return ofw_source_refuse(m->s, err, "more than %d constraints", OFW_MOST_POLYTOPE_ROWS);
  if (at == m->row_room) {
    size_t room = 2 * at + 16;
    GROW(m->type, room);
    GROW(m->rhs, room);
    GROW(m->range, room);
    GROW(m->seen, room);
    m->row_room = room;
  }
  OFW_TRY(add_name(&m->rows, m->word[1], err));
  m->type[at] = type;
  m->rhs[at] = 0.0;
  m->range[at] = NAN;
  m->seen[at] = 0;
  return OFW_OK;
}

static ofw_status add_entry(mps *m, size_t row, double value, ofw_error *err)
{
  if (m->seen[row] == m->cols.count)
    return ofw_source_refuse(m->s, err, "column '%.60s' is in row '%.60s' twice", m->word[0], m->rows.name[row]);
  m->seen[row] = m->cols.count;
  if (m->type[row] == 'N' || value == 0.0)
    return OFW_OK;
  if (m->entries == OFW_MOST_POLYTOPE_NUMBERS)
    return ofw_source_refuse(m->s, err, "more than %d numbers", OFW_MOST_POLYTOPE_NUMBERS);
  if (m->entries == m->entry_room) {
    size_t room = 2 * m->entries + 64;
    GROW(m->entry, room);
    m->entry_room = room;
  }
  m->entry[m->entries++] = (entry){row, {m->cols.count - 1, value}};
  return OFW_OK;
}

static ofw_status begin_column(mps *m, ofw_error *err)
{
  size_t at = m->cols.count;
  if (find(&m->cols, m->word[0]) != NO_SLOT)
    return ofw_source_refuse(m->s, err, "column '%.60s' is in two places", m->word[0]);
  OFW_TRY(ofw_constraints_reach(m->c, m->s, at + 1, err));
  if (at == m->col_room) {
    size_t room = 2 * at + 16;
    GROW(m->bounded, room);
    m->col_room = room;
  }
  m->bounded[at] = 0;
  return add_name(&m->cols, m->word[0], err);
}

static ofw_status read_column(mps *m, ofw_error *err)
{
  size_t n = m->cols.count;
  if (m->words > 1 && strcmp(m->word[1], "'MARKER'") == 0)
    return ofw_source_refuse(m->s, err,
                             "integer columns are no polytope; without its markers this is their relaxation");
  if (m->words != 3 && m->words != 5)
    return ofw_source_refuse(m->s, err, "a column is a name and one or two pairs of a row and a number");
  if (n == 0 || strcmp(m->cols.name[n - 1], m->word[0]) != 0)
    OFW_TRY(begin_column(m, err));
  return read_pairs(m, 1, add_entry, err);
}

static ofw_status set_rhs(mps *m, size_t row, double value, ofw_error *err)
{
  (void)err;
  m->rhs[row] = value;
  return OFW_OK;
}

static ofw_status set_range(mps *m, size_t row, double value, ofw_error *err)
{
  (void)err;
  m->range[row] = value;
  return OFW_OK;
}

/* With or without the name of the set that they are of. */
static ofw_status read_rhs(mps *m, pair_reader *reader, ofw_error *err)
{
  if (m->words < 2)
    return ofw_source_refuse(m->s, err, "a line here is a name and one or two pairs of a row and a number");
  return read_pairs(m, m->words % 2, reader, err);
}

/* ---- bounds ---- */

static ofw_status set_bound(mps *m, size_t col, const char *type, double x, ofw_error *err)
{
  double *low = &m->c->low[col], *high = &m->c->high[col];
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
    m->bounded[col] = 1;
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
    return ofw_source_refuse(m->s, err, "a bound of type '%.20s' is not known: there are UP, LO, FX, FR, MI, PL", type);
  size_t least = is_valued ? 3 : 2;
  if (m->words != least && m->words != least + 1)
    return ofw_source_refuse(m->s, err, "a bound is a type, a name, a column%s", is_valued ? ", and a number" : "");
  const char *name = m->word[m->words - least + 1];
  int col = find(&m->cols, name);
  if (col == NO_SLOT)
    return ofw_source_refuse(m->s, err, "there is no column '%.60s'", name);
  if (is_valued)
    OFW_TRY(number_of(m, m->word[m->words - 1], &x, err));
  return set_bound(m, (size_t)col, type, x, err);
}

/* ---- the whole ---- */

/* What a row's type, right-hand side and range come to. */
static void sides(const mps *m, size_t row, double *low, double *high)
{
  double b = m->rhs[row], range = m->range[row];
  *low = m->type[row] == 'L' ? -OFW_NO_BOUND : b;
  *high = m->type[row] == 'G' ? OFW_NO_BOUND : b;
  if (isnan(range))
    return;
  if (m->type[row] == 'L' || (m->type[row] == 'E' && range < 0.0))
    *low = b - fabs(range);
  else
    *high = b + fabs(range);
}

static ofw_status check_bounds(mps *m, ofw_error *err)
{
  for (size_t j = 0; j < m->cols.count; j++) {
    double *low = &m->c->low[j], high = m->c->high[j];
    *low = m->bounded[j] ? *low : 0.0;
    if (high < 0.0 && !m->bounded[j])
      return ofw_source_refuse(m->s, err, "column '%.60s' is at most %g and has no lower bound but 0; give it LO or MI",
                               m->cols.name[j], high);
    if (*low > high)
      return ofw_source_refuse(m->s, err, "column '%.60s' is at least %g and at most %g: there is no such point",
                               m->cols.name[j], *low, high);
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
    sides(m, i, &low, &high);
    for (; k < begin[i] && st == OFW_OK; k++) /* where the next row began is where this one ends now */
      st = ofw_constraints_add(m->c, m->s, sorted[k].index, sorted[k].value, err);
    if (st == OFW_OK && m->type[i] != 'N')
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
    return read_rhs(m, set_rhs, err);
  case RANGES:
    return read_rhs(m, set_range, err);
  case BOUNDS:
    return read_bound(m, err);
  case OBJSENSE:
    return OFW_OK;
  default:
    return ofw_source_refuse(m->s, err, "'%.60s' is no section of MPS", m->word[0]);
  }
}

/* A section is a word alone; they come in the order above. */
static ofw_status read_line(mps *m, enum section *in, ofw_error *err)
{
  if (m->words == 1)
    for (int k = OBJSENSE; k < SECTIONS; k++)
      if (strcmp(m->word[0], section_name[k]) == 0) {
        if (k <= (int)*in || (k > ROWS && *in < ROWS) || (k > COLUMNS && *in < COLUMNS))
          return ofw_source_refuse(m->s, err, "%s stands in the wrong place", section_name[k]);
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
    return ofw_source_refuse(m->s, err, "it ends without ENDATA");
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
