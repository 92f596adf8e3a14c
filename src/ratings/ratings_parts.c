/* ratings_parts.c — a file of ratings read by ranks: each reads the lines that begin in its part of the bytes
 *
 * Then every row goes to the rank that has its user (rows_shared.c). A compressed file, or a pipe, has no parts: every rank reads
 * all of it and keeps its own. Messages have the line of the whole file, so lines are counted first.
 */
#include "ratings/ratings_reader.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

typedef ofw_ratings_column column;
typedef ofw_ratings_reader reader;

/* How many lines begin between `at`, where one does, and `end`. */
static uint64_t count_lines(FILE *file, uint64_t at, uint64_t end)
{
  unsigned char bytes[OFW_BYTES_CHUNK];
  uint64_t lines = at < end;
  for (end -= at < end; at < end;) { /* the line behind a last byte '\n' begins at the end */
    size_t got = fread(bytes, 1, end - at < sizeof bytes ? (size_t)(end - at) : sizeof bytes, file);
    if (got == 0)
      return lines;
    for (const unsigned char *from = bytes, *to = bytes + got; (from = memchr(from, '\n', (size_t)(to - from))); from++)
      lines++;
    at += got;
  }
  return lines;
}

/* The next byte to be read is the one at `to`. */
static ofw_status go_to(reader *in, uint64_t to)
{
  ofw_bytes_close(in->in);
  in->in = NULL;
  if (fseeko(in->file, (off_t)to, SEEK_SET) != 0)
    return ofw_reader_refuse(in, errno, NULL);
  in->in = ofw_bytes_open(in->file);
  in->at = to;
  return in->in ? OFW_OK : ofw_fail_memory(in->err, sizeof *in->in);
}

/* Behind the end of the line that has the byte before `from`. */
static ofw_status begin_line(reader *in, uint64_t from)
{
  if (from == 0)
    return go_to(in, 0);
  OFW_TRY(go_to(in, from - 1));
  for (ofw_bytes *b = in->in; b->at < b->end || ofw_bytes_fill(b);) {
    const unsigned char *end = memchr(b->to + b->at, '\n', b->end - b->at);
    size_t run = end ? (size_t)(end - (b->to + b->at)) + 1 : b->end - b->at;
    b->at += run;
    in->at += run;
    if (end)
      break;
  }
  return OFW_OK;
}

/* This rank's lines are those that begin in its part of the bytes. The first row of the file, which all look
 * at, has the separator. */
static ofw_status take_part(reader *in, uint64_t size, uint64_t *end)
{
  const ofw_ranks *r = in->from->ranks;
  uint64_t from = size / r->count * r->rank, to = r->rank + 1 == r->count ? size : size / r->count * (r->rank + 1);
  OFW_TRY(ofw_reader_rows(in, 1));
  in->rows.count = 0;
  OFW_TRY(begin_line(in, from));
  *end = to;
  return OFW_OK;
}

/* The number of the line before this rank's first one. */
static ofw_status find_line(reader *in)
{
  uint64_t at = in->at, lines;
  size_t before;
  ofw_status st = go_to(in, at);
  lines = st == OFW_OK ? count_lines(in->file, at, in->end) : 0;
  ofw_ranks_total(in->from->ranks, (size_t)lines, &before);
  in->line = before;
  return st == OFW_OK ? go_to(in, at) : st;
}

int ofw_reader_has_parts(reader *in, uint64_t *size)
{
  struct stat is;
  int plain = in->file != in->from->in && fstat(fileno(in->file), &is) == 0 && S_ISREG(is.st_mode) &&
              ofw_bytes_fill(in->in) && !in->in->zipped;
  *size = plain ? (uint64_t)is.st_size : 0;
  return !ofw_ranks_any(in->from->ranks, !plain);
}

/* What all ranks have seen of a column. */
static void agree_on(const ofw_ranks *r, column *c)
{
  double largest = ofw_ranks_largest(r, (double)c->largest);
  double line = c->line && (double)c->largest == largest ? (double)c->line : INFINITY;
  line = -ofw_ranks_largest(r, -line);
  c->line = isfinite(line) ? (uint64_t)line : 0;
  c->largest = (uint64_t)largest;
  c->zero = ofw_ranks_any(r, c->zero);
}

ofw_status ofw_reader_part(reader *in, uint64_t size)
{
  const ofw_ranks *r = in->from->ranks;
  uint64_t end = 0;
  if (ofw_ranks_largest(r, (double)size) != -ofw_ranks_largest(r, -(double)size))
    return ofw_fail(in->err, OFW_BAD_DATA, "%.200s does not have the same size for all ranks", in->path);
  OFW_TRY(ofw_ranks_agree(r, take_part(in, size, &end), in->err));
  in->end = end;
  OFW_TRY(ofw_ranks_agree(r, find_line(in), in->err));
  OFW_TRY(ofw_ranks_agree(r, ofw_reader_rows(in, SIZE_MAX), in->err));
  if (ofw_ranks_total(r, in->rows.count, NULL) > OFW_MOST_RATINGS)
    return ofw_fail(in->err, OFW_BAD_DATA, "%.200s: more than %d ratings", in->path, OFW_MOST_RATINGS);
  agree_on(r, &in->user);
  agree_on(r, &in->item);
  return OFW_OK;
}

ofw_status ofw_reader_share(reader *in, int parts, ofw_ratings *r)
{
  ofw_owned own = {0};
  const ofw_split *split = NULL;
  ofw_status st = ofw_split_open(&own, in->from->ranks, r->users, &split, in->err);
  size_t all = r->users;
  st = ofw_ranks_agree(in->from->ranks, st, in->err);
  if (st == OFW_OK && parts)
    st = ofw_rows_share(&in->rows, split, r->first_user, in->err);
  if (st == OFW_OK && parts) {
    r->users = split->here;
    st = ofw_rows_settle(&in->rows, r->first_user + split->first, r->first_item, r, in->err);
    st = ofw_ranks_agree(in->from->ranks, st, in->err);
    if (st == OFW_OK)
      ofw_rows_agree(split, r);
  } else if (st == OFW_OK) {
    st = ofw_rows_settle(&in->rows, r->first_user, r->first_item, r, in->err);
    st = ofw_ranks_agree(in->from->ranks, st, in->err);
    if (st == OFW_OK)
      ofw_ratings_share(r, split);
  }
  r->all_users = all;
  r->split = NULL; /* whoever asked has one that lasts */
  ofw_owned_free(&own);
  return st;
}
