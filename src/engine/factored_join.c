/* factored_join.c — cuts saved factors at other rows: U and S are taken row by row, all else is in every piece
 *
 * factored_state.c has the order of the words, and sparse.c that of the two parts of S.
 */
#include "engine/factored_join.h"

#include "engine/factored.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS = 6, HEAD = COUNTS + 3 + OFW_CORES, PARTS = 2 };

/* A part of S: the starts of its rows, their columns, two a word, and values. */
typedef struct part {
  const uint64_t *start, *value;
  const uint32_t *col;
} part;

/* A piece, and which of its rows are wanted. */
typedef struct cut {
  const uint64_t *u, *rest, *scale; /* rest: V and the cores */
  size_t left, rest_words;
  part s[PARTS];
  size_t from, to;
} cut;

static size_t col_words(size_t count)
{
  return (count + 1) / 2;
}

/* The part at *at, of `left` words. How many words it has; 0: it is none. */
static size_t read_part(const uint64_t *at, size_t left, size_t rows, part *out)
{
  if (left < rows + 1 || at[0] != 0)
    return 0;
  for (size_t i = 0; i < rows; i++)
    if (at[i + 1] < at[i])
      return 0;
  size_t count = (size_t)at[rows], words = rows + 1 + col_words(count) + count;
  if (count > left || words > left)
    return 0;
  *out = (part){at, at + rows + 1 + col_words(count), (const uint32_t *)(at + rows + 1)};
  return words;
}

/* S, which is all that is left of the piece. */
static int read_sparse(const uint64_t *at, size_t left, size_t rows, cut *out)
{
  out->scale = at++;
  left--;
  for (size_t k = 0; k < PARTS; k++) {
    size_t words = read_part(at, left, rows, &out->s[k]);
    if (words == 0)
      return 0;
    at += words;
    left -= words;
  }
  return left == 0;
}

/* There are two cores or three, which its length tells. */
static int read_piece(const ofw_factored_piece *p, size_t cols, cut *out)
{
  if (p->count < HEAD || p->words[0] > p->count || p->words[1] > p->count)
    return 0;
  size_t left = (size_t)p->words[0], right = (size_t)p->words[1];
  if ((left && p->here > p->count / left) || (right && (cols > p->count / right || left > p->count / right)))
    return 0;
  for (size_t cores = OFW_CORE_Y; cores <= OFW_CORES; cores++) {
    *out = (cut){.u = p->words + HEAD, .left = left, .rest_words = cols * right + cores * left * right};
    size_t before = HEAD + p->here * left + out->rest_words;
    out->rest = out->u + p->here * left;
    if (before < p->count && read_sparse(p->words + before, p->count - before, p->here, out))
      return 1;
  }
  return 0;
}

static void choose_rows(const ofw_split *to, const ofw_factored_piece *p, cut *c)
{
  size_t last = to->first + to->here;
  c->from = to->first > p->first ? to->first - p->first : 0;
  c->to = last > p->first ? last - p->first : 0;
  c->from = c->from < p->here ? c->from : p->here;
  c->to = c->to < p->here ? c->to : p->here;
}

static size_t entries(const cut *c, size_t k)
{
  return (size_t)(c->s[k].start[c->to] - c->s[k].start[c->from]);
}

/* One part of S, of all pieces one after the other. */
static uint64_t *write_part(size_t n, const cut *c, size_t k, size_t rows, size_t count, uint64_t *out)
{
  uint64_t *start = out, *value = out + rows + 1 + col_words(count);
  uint32_t *col = (uint32_t *)(out + rows + 1);
  uint64_t at = 0;
  *start = 0;
  if (count)
    out[rows + col_words(count)] = 0; /* what pads the last column */
  for (size_t i = 0; i < n; i++) {
    const part *s = &c[i].s[k];
    size_t from = (size_t)s->start[c[i].from], more = entries(&c[i], k);
    for (size_t row = c[i].from; row < c[i].to; row++)
      *++start = at + (s->start[row + 1] - from);
    if (more > 0) {
      memcpy(col + at, s->col + from, more * sizeof *col);
      memcpy(value + at, s->value + from, more * sizeof *value);
    }
    at += more;
  }
  return value + count;
}

static void write_all(size_t n, const cut *c, const uint64_t *head, size_t rows, const size_t count[PARTS],
                      uint64_t *out)
{
  memcpy(out, head, HEAD * sizeof *out);
  out += HEAD;
  for (size_t i = 0; i < n; i++) {
    size_t words = (c[i].to - c[i].from) * c[i].left;
    memcpy(out, c[i].u + c[i].from * c[i].left, words * sizeof *out);
    out += words;
  }
  memcpy(out, c->rest, c->rest_words * sizeof *out);
  out += c->rest_words;
  *out++ = *c->scale;
  for (size_t k = 0; k < PARTS; k++)
    out = write_part(n, c, k, rows, count[k], out);
}

ofw_status ofw_factored_join(const ofw_split *to, size_t cols, size_t n, const ofw_factored_piece *piece,
                             uint64_t **words, size_t *count, ofw_error *err)
{
  cut *c = ofw_array(n, sizeof *c);
  size_t entry[PARTS] = {0};
  ofw_status st = c ? OFW_OK : ofw_fail_memory(err, n * sizeof *c);
  for (size_t i = 0; i < n && st == OFW_OK; i++) {
    if (!read_piece(&piece[i], cols, &c[i]) || c[i].left != c->left || c[i].rest_words != c->rest_words)
      st = ofw_fail(err, OFW_BAD_DATA, "the states of the ranks do not fit together");
    else
      choose_rows(to, &piece[i], &c[i]);
    for (size_t k = 0; k < PARTS && st == OFW_OK; k++)
      entry[k] += entries(&c[i], k);
  }
  if (st == OFW_OK) {
    *count = HEAD + to->here * c->left + c->rest_words + 1 + PARTS * (to->here + 1);
    for (size_t k = 0; k < PARTS; k++)
      *count += entry[k] + col_words(entry[k]);
    *words = ofw_array(*count, sizeof **words);
    if (*words)
      write_all(n, c, piece->words, to->here, entry, *words);
    else
      st = ofw_fail_memory(err, *count * sizeof **words);
  }
  free(c);
  return st;
}
