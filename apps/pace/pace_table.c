/* pace_table.c — cells of CSV and NDJSON lines by the names of their columns */
#include "pace_table.h"

#include "base/plain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- messages ---- */

static const char *place_text(const pace_table *t, char text[160])
{
  if (t->where)
    snprintf(text, 160, "%.100s: line %llu", t->where, (unsigned long long)t->number);
  else
    snprintf(text, 160, "line %llu", (unsigned long long)t->number);
  return text;
}

static ofw_status refuse_line(const pace_table *t, const char *what, size_t byte, ofw_error *err)
{
  char place[160];
  return ofw_fail(err, OFW_BAD_DATA, "%s, byte %zu: %s", place_text(t, place), byte + 1, what);
}

ofw_status pace_table_refuse(const pace_table *t, size_t column, const char *expected, ofw_error *err)
{
  char place[160], found[48];
  const char *cell = t->cell[column];
  snprintf(found, sizeof found, "%.40s", cell ? cell : "");
  ofw_make_plain(found, "");
  return ofw_fail(err, OFW_BAD_DATA, "%s, column \"%.40s\": expected %s, found %s%s%s", place_text(t, place),
                  t->name[column], expected, cell ? "\"" : "nothing", found, cell ? "\"" : "");
}

/* ---- CSV ---- */

/* The cell that begins at *at, without its quotes, as a text of its own; *at is the next one, or NULL behind the last. */
static ofw_status csv_cell(const pace_table *t, const char *line, char **at, char **out, ofw_error *err)
{
  char *from = *at, *to = from;
  *out = from;
  if (*from != '"') {
    char *comma = strchr(from, ',');
    if (comma)
      *comma = 0;
    *at = comma ? comma + 1 : NULL;
    return OFW_OK;
  }
  for (from++; *from != '"' || from[1] == '"'; from++) {
    if (!*from)
      return refuse_line(t, "expected a closing quote", (size_t)(*at - line), err);
    from += *from == '"';
    *to++ = *from;
  }
  if (from[1] && from[1] != ',')
    return refuse_line(t, "expected a comma after the closing quote", (size_t)(from + 1 - line), err);
  *at = from[1] ? from + 2 : NULL;
  *to = 0;
  return OFW_OK;
}

static size_t find_column(const pace_table *t, const char *name)
{
  size_t k = 0;
  while (k < t->columns && strcmp(t->name[k], name) != 0)
    k++;
  return k;
}

static ofw_status read_header(pace_table *t, char *line, ofw_error *err)
{
  char place[160], found[128];
  unsigned seen = 0;
  snprintf(found, sizeof found, "%.120s", line);
  ofw_make_plain(found, "");
  for (char *at = line, *cell; at;) {
    if (t->cells == PACE_MOST_CELLS)
      return refuse_line(t, "more than 1024 columns", (size_t)(at - line), err);
    OFW_TRY(csv_cell(t, line, &at, &cell, err));
    size_t k = find_column(t, cell);
    if (k < t->columns && seen >> k & 1u)
      return ofw_fail(err, OFW_BAD_DATA, "%s: two columns are called \"%.40s\"", place_text(t, place), t->name[k]);
    seen |= k < t->columns ? 1u << k : 0;
    t->place[t->cells++] = k;
  }
  for (size_t k = 0; k < t->columns; k++)
    if (t->needed >> k & ~seen >> k & 1u)
      return ofw_fail(err, OFW_BAD_DATA, "%s: expected a header with the column \"%.40s\", found %s%s",
                      place_text(t, place), t->name[k], found, t->hint ? t->hint : "");
  return OFW_END;
}

static ofw_status read_row(pace_table *t, char *line, ofw_error *err)
{
  char place[160], *at = line, *cell;
  size_t n = 0;
  for (; at && n < t->cells; n++) {
    OFW_TRY(csv_cell(t, line, &at, &cell, err));
    if (t->place[n] < t->columns && *cell)
      t->cell[t->place[n]] = cell;
  }
  if (at || n < t->cells)
    return ofw_fail(err, OFW_BAD_DATA, "%s: %s cells than the header, which has %zu", place_text(t, place),
                    at ? "more" : "fewer", t->cells);
  return OFW_OK;
}

/* ---- NDJSON ---- */

typedef struct scan {
  const pace_table *t;
  char *start, *at; /* the line ends with a 0 */
  ofw_error *err;
} scan;

static ofw_status scan_refuse(const scan *s, const char *what)
{
  return refuse_line(s->t, what, (size_t)(s->at - s->start), s->err);
}

static char next(scan *s)
{
  s->at += strspn(s->at, " \t\r");
  return *s->at;
}

static int accept(scan *s, char c)
{
  if (next(s) != c)
    return 0;
  s->at++;
  return 1;
}

/* Four hexadecimal digits; -1: they are none. */
static long hex4(const char *at)
{
  long x = 0;
  for (int i = 0; i < 4; i++) {
    const char *hex = "0123456789abcdef", *d = at[i] ? strchr(hex, at[i] | 0x20) : NULL;
    if (!d || (at[i] < 'A' && (at[i] < '0' || at[i] > '9')))
      return -1;
    x = 16 * x + (d - hex);
  }
  return x;
}

/* A code point as UTF-8; how many bytes. */
static size_t put_utf8(long x, char *to)
{
  size_t n = x < 0x80 ? 1 : x < 0x800 ? 2 : x < 0x10000 ? 3 : 4;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t i = n; i-- > 1; x >>= 6)
    to[i] = (char)(0x80 | (x & 0x3f));
  to[0] = (char)(lead[n] | x);
  return n;
}

/* What follows a backslash, at s->at, is written to `to`, which is behind it; how many bytes, or 0. */
static size_t unescape(scan *s, char *to)
{
  static const char from[] = "\"\\/bfnrt", as[] = "\"\\/\b\f\n\r\t";
  const char *simple = *s->at ? strchr(from, *s->at) : NULL;
  if (simple) {
    s->at++;
    *to = as[simple - from];
    return 1;
  }
  long x = *s->at == 'u' ? hex4(s->at + 1) : -1;
  if (x <= 0 || (x >= 0xdc00 && x < 0xe000))
    return 0;
  s->at += 5;
  if (x >= 0xd800 && x < 0xdc00) {
    long low = s->at[0] == '\\' && s->at[1] == 'u' ? hex4(s->at + 2) : -1;
    if (low < 0xdc00 || low >= 0xe000)
      return 0;
    s->at += 6;
    x = 0x10000 + (x - 0xd800) * 0x400 + (low - 0xdc00);
  }
  return put_utf8(x, to);
}

/* A text in quotes, of which the first has been read, in its own place: it only ever gets shorter. */
static ofw_status scan_text(scan *s, char **out)
{
  char *to = *out = s->at;
  while (*s->at != '"') {
    if (!*s->at)
      return scan_refuse(s, "expected a closing quote");
    if (*s->at != '\\') {
      *to++ = *s->at++;
      continue;
    }
    s->at++;
    size_t n = unescape(s, to);
    if (n == 0)
      return scan_refuse(s, "expected an escape of JSON");
    to += n;
  }
  s->at++;
  *to = 0;
  return OFW_OK;
}

/* Any value; its text if it is one: a text, a number, true or false. NULL: null, a list or an object. */
static ofw_status scan_value(scan *s, char **out, char *end)
{
  *out = NULL;
  *end = 0;
  if (accept(s, '"'))
    return scan_text(s, out);
  int depth = 0;
  uint64_t lists = 0; /* a bit per open bracket: it is a list's */
  char *from = s->at;
  do {
    char c = next(s);
    if (!c)
      return scan_refuse(s, "expected a value");
    if (accept(s, '"')) {
      char *skipped;
      OFW_TRY(scan_text(s, &skipped));
    } else if (c == '{' || c == '[') {
      if (++depth > PACE_MOST_NESTING)
        return scan_refuse(s, "expected fewer nested brackets");
      lists = lists << 1 | (c == '[');
      s->at++;
    } else if (depth > 0 && c == (lists & 1 ? ']' : '}')) {
      depth--;
      lists >>= 1;
      s->at++;
    } else if (depth > 0 && (c == ',' || c == ':'))
      s->at++;
    else {
      size_t n = strcspn(s->at, " \t\r,:{}[]\"");
      if (n == 0)
        return scan_refuse(s, "expected a value");
      s->at += n;
    }
  } while (depth > 0);
  if (*from == '{' || *from == '[')
    return OFW_OK;
  *end = *s->at; /* which its 0 is written over */
  *s->at = 0;
  *out = strcmp(from, "null") == 0 ? NULL : from;
  return OFW_OK;
}

static ofw_status read_object(pace_table *t, char *line, ofw_error *err)
{
  scan s = {t, line, line, err};
  unsigned seen = 0;
  if (!accept(&s, '{'))
    return scan_refuse(&s, "expected a JSON object");
  if (accept(&s, '}'))
    return next(&s) ? scan_refuse(&s, "expected the end of the line after the object") : OFW_OK;
  for (char comma = ','; comma == ',';) {
    char *key, *value, end;
    if (!accept(&s, '"'))
      return scan_refuse(&s, "expected a field's name in quotes");
    OFW_TRY(scan_text(&s, &key));
    if (!accept(&s, ':'))
      return scan_refuse(&s, "expected a colon");
    next(&s);
    size_t k = find_column(t, key);
    OFW_TRY(scan_value(&s, &value, &end));
    if (k < t->columns && seen >> k & 1u)
      return scan_refuse(&s, "found a second field of the same name");
    if (k < t->columns) {
      seen |= 1u << k;
      t->cell[k] = value && *value ? value : NULL;
    }
    if (end == ' ' || end == '\t' || end == '\r') {
      s.at++;
      end = 0;
    }
    comma = end ? end : next(&s);
    if (comma != ',' && comma != '}')
      return scan_refuse(&s, "expected a comma or }");
    s.at++;
  }
  return next(&s) ? scan_refuse(&s, "expected the end of the line after the object") : OFW_OK;
}

/* ---- either ---- */

ofw_status pace_table_line(pace_table *t, char *line, size_t length, ofw_error *err)
{
  memset(t->cell, 0, sizeof t->cell);
  if (t->format == PACE_FORMAT_OPEN && strncmp(line, "\x1f\x8b", 2) == 0)
    return refuse_line(t, "expected text, found a file compressed by gzip; unpack it first", 0, err);
  if (memchr(line, 0, length))
    return refuse_line(t, "found a NUL byte", strlen(line), err);
  if (length > 0 && line[length - 1] == '\r')
    line[--length] = 0;
  if (t->format == PACE_FORMAT_OPEN && strncmp(line, "\xef\xbb\xbf", 3) == 0) /* what spreadsheets begin a file with */
    line += 3;
  if (!line[strspn(line, " \t")])
    return OFW_END;
  if (t->format == PACE_FORMAT_OPEN) {
    t->format = line[strspn(line, " \t")] == '{' ? PACE_NDJSON : PACE_CSV;
    if (t->format == PACE_CSV)
      return read_header(t, line, err);
  }
  return t->format == PACE_CSV ? read_row(t, line, err) : read_object(t, line, err);
}

ofw_status pace_table_number(const pace_table *t, size_t column, double least, double most, double *out, ofw_error *err)
{
  char expected[80], low[OFW_REAL_TEXT], high[OFW_REAL_TEXT];
  const char *cell = t->cell[column];
  if (cell && ofw_read_real(cell, out) && *out >= least && *out <= most)
    return OFW_OK;
  snprintf(expected, sizeof expected, "a number from %s to %s", ofw_print_real(least, low), ofw_print_real(most, high));
  return pace_table_refuse(t, column, expected, err);
}

ofw_status pace_table_text(const pace_table *t, size_t column, size_t longest, const char **out, ofw_error *err)
{
  char expected[80];
  const char *cell = t->cell[column];
  if (cell && strlen(cell) <= longest && !*ofw_plain_end(cell, "")) {
    *out = cell;
    return OFW_OK;
  }
  snprintf(expected, sizeof expected, "a text of at most %zu bytes of UTF-8 without control characters", longest);
  return pace_table_refuse(t, column, expected, err);
}

/* ---- time ---- */

/* n digits at *at, which moves behind them; -1: they are none. */
static int digits(const char **at, int n)
{
  int x = 0;
  for (int i = 0; i < n; i++, (*at)++) {
    if (**at < '0' || **at > '9')
      return -1;
    x = 10 * x + (**at - '0');
  }
  return x;
}

static int character(const char **at, char c)
{
  int is = **at == c;
  *at += is;
  return is;
}

/* Days since 1970 of a day of the Gregorian calendar; years begin in March, so that a leap day is a year's last. */
static int64_t days_from(int year, int month, int day)
{
  int64_t y = month > 2 ? year : year - 1, era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
  int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int read_date_at(const char **at, int64_t *days)
{
  static const int longest[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int year = digits(at, 4), dash = character(at, '-'), month = digits(at, 2);
  int second = character(at, '-'), day = digits(at, 2);
  if (year < 0 || !dash || month < 1 || month > 12 || !second || day < 1 || day > longest[month - 1])
    return 0;
  if (month == 2 && day == 29 && (year % 4 != 0 || (year % 100 == 0 && year % 400 != 0)))
    return 0;
  *days = days_from(year, month, day);
  return 1;
}

int pace_read_date(const char *text, int64_t *days)
{
  return read_date_at(&text, days) && !*text;
}

/* +01:00, -0530, Z or nothing, in seconds east. 0: none of them. */
static int read_zone(const char *at, double *east)
{
  *east = 0.0;
  if (!*at || (at[0] == 'Z' && !at[1]))
    return 1;
  double sign = *at == '-' ? -60.0 : 60.0;
  if (!character(&at, '+') && !character(&at, '-'))
    return 0;
  int hours = digits(&at, 2);
  (void)character(&at, ':');
  int minutes = digits(&at, 2);
  *east = sign * (60.0 * hours + minutes);
  return hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && !*at;
}

static int read_date_time(const char *at, double *out)
{
  int64_t days;
  double fraction = 0.0, east;
  if (!read_date_at(&at, &days) || (!character(&at, 'T') && !character(&at, ' ')))
    return 0;
  int hour = digits(&at, 2), first = character(&at, ':'), minute = digits(&at, 2);
  int second = character(&at, ':') ? digits(&at, 2) : 0;
  if (hour < 0 || hour > 23 || !first || minute < 0 || minute > 59 || second < 0 || second > 60)
    return 0;
  if (character(&at, '.'))
    for (double unit = 0.1; *at >= '0' && *at <= '9'; at++, unit /= 10.0)
      fraction += unit * (*at - '0');
  if (!read_zone(at, &east))
    return 0;
  *out = 86400.0 * (double)days + 3600.0 * hour + 60.0 * minute + second + fraction - east;
  return 1;
}

ofw_status pace_table_time(const pace_table *t, size_t column, double *out, ofw_error *err)
{
  const char *cell = t->cell[column];
  if (cell && ((ofw_read_real(cell, out) && fabs(*out) <= 1e12) || read_date_time(cell, out)))
    return OFW_OK;
  return pace_table_refuse(t, column, "seconds, or a time as 2026-11-17T10:30:00Z", err);
}
