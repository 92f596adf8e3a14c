/* ratings_file.c — ratings from a file: `user item rating [time]`, a row per line
 *
 * The separator of the first row is that of all: in a file of blanks "3,5" is no rating, instead of a rating and a
 * time. Line 1 may be a header, recognised by having no number in it. Rows are kept as they come and sorted at the end
 * (rows.h), when it is known where ids begin and how many there are.
 */
#include "base/data_folder.h"
#include "ratings/ratings_reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = OFW_LONGEST_RATING, LEAST_FIELDS = 3, MOST_FIELDS = 4, LIMIT_TEXT = 40 };

typedef ofw_ratings_column column;
typedef ofw_ratings_reader reader;

/* ---- lines ---- */

static ofw_status bad(const reader *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
static ofw_status bad(const reader *in, const char *format, ...)
{
  char why[200];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  return ofw_fail(in->err, OFW_BAD_DATA, "%.240s:%llu: %s", in->path, (unsigned long long)in->line, why);
}

ofw_status ofw_reader_refuse(const reader *in, int why, const char *elsewhere)
{
  return ofw_fail(in->err, why == ENOMEM ? OFW_FAILED : OFW_BAD_DATA, "cannot read %.200s: %s%s%.200s", in->path,
                  strerror(why), elsewhere ? ", and it is not in " : "", elsewhere ? elsewhere : "");
}

/* What is not here may be in the data folder; in->path is then the path there. */
static ofw_status open_in(reader *in, const char *folder)
{
  char *path = ofw_format("%s/%s", folder, in->path);
  if (!path)
    return ofw_fail_memory(in->err, strlen(folder) + strlen(in->path));
  in->file = fopen(path, "r");
  if (!in->file && errno == ENOENT) {
    free(path);
    return ofw_reader_refuse(in, ENOENT, folder);
  }
  free(in->path);
  in->path = path;
  return in->file ? OFW_OK : ofw_reader_refuse(in, errno, NULL);
}

static ofw_status open_elsewhere(reader *in)
{
  char *folder = NULL;
  if (in->path[0] != '/')
    OFW_TRY(ofw_data_folder(&folder, in->err));
  ofw_status st = folder ? open_in(in, folder) : ofw_reader_refuse(in, ENOENT, NULL);
  free(folder);
  return st;
}

static ofw_status open_file(reader *in)
{
  in->path = ofw_copy_text(in->from->path);
  if (!in->path)
    return ofw_fail_memory(in->err, strlen(in->from->path) + 1);
  in->file = in->from->in ? in->from->in : fopen(in->path, "r");
  if (!in->file)
    OFW_TRY(errno == ENOENT ? open_elsewhere(in) : ofw_reader_refuse(in, errno, NULL));
  in->in = ofw_bytes_open(in->file);
  return in->in ? OFW_OK : ofw_fail_memory(in->err, sizeof *in->in);
}

static void close_file(reader *in)
{
  ofw_bytes_close(in->in);
  if (in->file && in->file != in->from->in)
    (void)fclose(in->file);
  free(in->path);
}

/* No further byte: is that the end? */
static ofw_status check_end(const reader *in)
{
  switch (in->in->why) {
  case OFW_BYTES_ALL:
    return OFW_OK;
  case OFW_BYTES_FAILED:
    return ofw_reader_refuse(in, errno, NULL);
  case OFW_BYTES_CUT:
    return bad(in, "the gzip data end too soon");
  case OFW_BYTES_DAMAGED:
    return bad(in, "the gzip data are damaged");
  default:
    return bad(in, "other bytes follow the gzip data");
  }
}

/* What the buffer has of the line, behind the `length` bytes there are; *ended: the line ends with it. */
static ofw_status take_bytes(reader *in, size_t *length, int *ended)
{
  ofw_bytes *b = in->in;
  const unsigned char *from = b->to + b->at;
  const unsigned char *end = memchr(from, '\n', b->end - b->at);
  size_t run = end ? (size_t)(end - from) : b->end - b->at, room = LONGEST - *length;
  if (memchr(from, 0, run <= room ? run : room + 1))
    return bad(in, "the line contains a NUL byte");
  if (run > room)
    return bad(in, "the line is longer than %d bytes", LONGEST);
  memcpy(in->text + *length, from, run);
  *length += run;
  b->at += run + (end != NULL);
  in->at += run + (end != NULL);
  *ended = end != NULL;
  return OFW_OK;
}

/* The next line without its end, into in->text; *more = 0: there is none. */
static ofw_status read_line(reader *in, int *more)
{
  size_t length = 0;
  int ended = 0;
  *more = 0;
  if (in->at >= in->end)
    return OFW_OK;
  if (in->line == OFW_MOST_LINES)
    return bad(in, "more than %lld lines", (long long)OFW_MOST_LINES);
  in->line++;
  while (!ended && (in->in->at < in->in->end || ofw_bytes_fill(in->in)))
    OFW_TRY(take_bytes(in, &length, &ended));
  if (!ended)
    OFW_TRY(check_end(in));
  *more = ended || length > 0;
  length -= length > 0 && in->text[length - 1] == '\r';
  in->text[length] = 0;
  return OFW_OK;
}

/* ---- fields ---- */

static char *trim(char *text)
{
  text += strspn(text, " \t");
  size_t length = strlen(text);
  while (length > 0 && strchr(" \t", text[length - 1]))
    text[--length] = 0;
  return text;
}

static const char *separator_of(const char *text)
{
  return strstr(text, "::") ? "::" : strchr(text, ',') ? "," : " ";
}

/* How many fields the line has; one more than MOST_FIELDS stands for more. */
static size_t split(char *text, const char *separator, char *field[MOST_FIELDS + 1])
{
  size_t n = 0;
  char *rest = trim(text);
  if (!rest[0])
    return 0;
  while (rest && n <= MOST_FIELDS) {
    char *end = separator[0] == ' ' ? strpbrk(rest, " \t") : strstr(rest, separator), *next = NULL;
    if (end) {
      next = trim(end + strlen(separator));
      *end = 0;
    }
    field[n++] = trim(rest);
    rest = next;
  }
  return n;
}

static int is_header(const reader *in, size_t n, char *const *field)
{
  double x;
  int header = in->line == 1 && n >= LEAST_FIELDS;
  for (size_t i = 0; i < n && header; i++)
    header = field[i][0] && !ofw_read_real(field[i], &x);
  return header;
}

/* "users=5", or the most that can be had. */
static const char *limit(const column *c, char text[LIMIT_TEXT])
{
  if (c->given)
    snprintf(text, LIMIT_TEXT, "%ss=%llu", c->name, (unsigned long long)c->most);
  else
    snprintf(text, LIMIT_TEXT, "%llu", (unsigned long long)c->most);
  return text;
}

static int in_range(const reader *in, const column *c, uint64_t n)
{
  return n <= c->most - (in->from->base == 0) && (n > 0 || in->from->base != 1);
}

static uint32_t take_id(const reader *in, column *c, uint64_t n)
{
  if (n > c->largest || !c->line) {
    c->largest = n;
    c->line = in->line;
  }
  c->zero |= n == 0;
  return (uint32_t)n;
}

static ofw_status read_id(const reader *in, column *c, const char *text, uint32_t *id)
{
  char most[LIMIT_TEXT];
  uint64_t n = 0;
  int read = ofw_read_count(text, &n);
  if (read == 0)
    return bad(in, "the %s '%.40s' is not a whole number >= 0", c->name, text);
  if (read > 0 && n == 0 && !in_range(in, c, n))
    return bad(in, "%s 0, but base=1 counts from 1", c->name);
  if (read < 0 || !in_range(in, c, n))
    return bad(in, "%s %.40s is out of range for %s", c->name, text, limit(c, most));
  *id = take_id(in, c, n);
  return OFW_OK;
}

static ofw_status read_row(reader *in, size_t n, char *const *field, ofw_row *out)
{
  static const char *const name[MOST_FIELDS] = {"user", "item", "rating", "time"};
  for (size_t i = 0; i < MOST_FIELDS && (i < LEAST_FIELDS || i < n); i++)
    if (i >= n || !field[i][0])
      return bad(in, "the %s is missing", name[i]);
  if (n > MOST_FIELDS)
    return bad(in, "more than %d fields", MOST_FIELDS);
  OFW_TRY(read_id(in, &in->user, field[0], &out->user));
  OFW_TRY(read_id(in, &in->item, field[1], &out->item));
  if (!ofw_read_real(field[2], &out->value) || fabs(out->value) > 1e100)
    return bad(in, "the rating '%.40s' is not a finite number of at most 1e100 in size", field[2]);
  if (n == MOST_FIELDS && !ofw_read_real(field[3], &out->time))
    return bad(in, "the time '%.40s' is not a finite number", field[3]);
  if (n < MOST_FIELDS && in->from->order == OFW_BY_TIME)
    return bad(in, "order=time needs a time in the fourth field, found none");
  return OFW_OK;
}

static int skip(const reader *in, const char **at)
{
  size_t length = strlen(in->separator);
  int blank = in->separator[0] == ' ' && **at == '\t', there = blank || strncmp(*at, in->separator, length) == 0;
  *at += there ? length : 0;
  return there;
}

/* A row as nearly all are: plain numbers and what separates them, nothing else. 0: it is another one, or wrong, and has to
 * be looked at field by field. */
static int read_plain_row(reader *in, ofw_row *out)
{
  const char *at = in->text;
  double user, item;
  if (!ofw_read_plain(&at, &user) || !skip(in, &at) || !ofw_read_plain(&at, &item) || !skip(in, &at) ||
      !ofw_read_plain(&at, &out->value))
    return 0;
  if (*at ? !skip(in, &at) || !ofw_read_plain(&at, &out->time) || *at : in->from->order == OFW_BY_TIME)
    return 0;
  if (user != floor(user) || item != floor(item) || signbit(user) || signbit(item) ||
      !in_range(in, &in->user, (uint64_t)user) || !in_range(in, &in->item, (uint64_t)item))
    return 0;
  out->user = take_id(in, &in->user, (uint64_t)user);
  out->item = take_id(in, &in->item, (uint64_t)item);
  return 1;
}

static ofw_status add(reader *in, const ofw_row *row)
{
  if (in->rows.count == OFW_MOST_RATINGS)
    return bad(in, "more than %d ratings", OFW_MOST_RATINGS);
  return ofw_rows_add(&in->rows, row, in->err);
}

ofw_status ofw_reader_rows(reader *in, size_t most)
{
  for (int more = 0; in->rows.count < most;) {
    char *field[MOST_FIELDS + 1];
    ofw_row row = {0};
    OFW_TRY(read_line(in, &more));
    if (!more)
      return OFW_OK;
    if (!in->separated)
      in->separator = separator_of(in->text);
    if (!read_plain_row(in, &row)) {
      size_t n = split(in->text, in->separator, field);
      if (n == 0 || is_header(in, n, field))
        continue;
      OFW_TRY(read_row(in, n, field, &row));
    }
    in->separated = 1;
    OFW_TRY(add(in, &row));
  }
  return OFW_OK;
}

/* Where a column's ids begin, and how many there are. */
static ofw_status settle(reader *in, const column *c, size_t *first, size_t *extent)
{
  char most[LIMIT_TEXT];
  *first = in->from->base == OFW_BASE_AUTO ? !c->zero : (size_t)in->from->base;
  *extent = c->given ? c->most : c->largest - *first + 1;
  if (c->largest - *first < c->most)
    return OFW_OK;
  in->line = c->line;
  return bad(in, "%s %llu is out of range for %s: an id is 0, so ids count from 0", c->name,
             (unsigned long long)c->largest, limit(c, most));
}

/* ---- the whole ---- */

static ofw_status fill(reader *in, int parts, ofw_ratings *r)
{
  OFW_TRY(settle(in, &in->user, &r->first_user, &r->users));
  OFW_TRY(settle(in, &in->item, &r->first_item, &r->items));
  return in->from->ranks ? ofw_reader_share(in, parts, r)
                         : ofw_rows_settle(&in->rows, r->first_user, r->first_item, r, in->err);
}

ofw_status ofw_ratings_read(ofw_ratings *r, const ofw_ratings_source *from, ofw_error *err)
{
  reader in = {.from = from,
               .user = {.name = "user", .most = from->users ? from->users : OFW_MOST_ROWS, .given = from->users != 0},
               .item = {.name = "item", .most = from->items ? from->items : OFW_MOST_ROWS, .given = from->items != 0},
               .rows.order = from->order,
               .end = UINT64_MAX,
               .err = err};
  *r = (ofw_ratings){0};
  uint64_t size = 0;
  ofw_status st = ofw_ranks_agree(from->ranks, open_file(&in), err);
  int parts = st == OFW_OK && from->ranks && ofw_reader_has_parts(&in, &size);
  if (st == OFW_OK)
    st = parts ? ofw_reader_part(&in, size) : ofw_ranks_agree(from->ranks, ofw_reader_rows(&in, SIZE_MAX), err);
  if (st == OFW_OK && ofw_ranks_total(from->ranks, in.rows.count, NULL) == 0)
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s: expected ratings, found none", in.path);
  if (st == OFW_OK)
    st = fill(&in, parts, r);
  close_file(&in);
  ofw_rows_free(&in.rows);
  return st;
}
