/* source.c — lines of a spec, in place or in a file, and the numbers that they list
 *
 * A file is read once and by lines with limits, since it may be a pipe, or no text at all. Its checksum is taken on the
 * way.
 */
#include "base/source.h"

#include "base/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

static ofw_status cannot_read(const ofw_source *s, ofw_error *err)
{
  return ofw_fail(err, errno == ENOMEM ? OFW_FAILED : OFW_BAD_DATA, "%s: cannot read %.200s: %s", s->owner, s->path,
                  strerror(errno));
}

ofw_status ofw_source_open(ofw_source *s, const char *owner, const char *text, ofw_error *err)
{
  size_t length = strlen(text);
  *s = (ofw_source){.owner = owner};
  if (text[0] == '@') {
    s->path = text + 1;
    s->in = fopen(s->path, "r");
    s->lines = (ofw_lines){.read = ofw_lines_from_file, .ctx = s->in, .limit = OFW_LONGEST_SET_LINE};
    return s->in ? OFW_OK : cannot_read(s, err);
  }
  s->text = s->rest = ofw_copy_text(text);
  if (!s->text)
    return ofw_fail_memory(err, length + 1);
  if (length >= 2 && text[0] == '(' && text[length - 1] == ')') {
    s->text[length - 1] = 0;
    s->rest++;
  }
  return OFW_OK;
}

static ofw_status next_of_file(ofw_source *s, char **line, ofw_error *err)
{
  size_t length;
  ofw_line_status found = ofw_lines_next(&s->lines, line, &length);
  s->number += found != OFW_NO_LINE;
  if (found == OFW_NO_LINE) {
    *line = NULL;
    return OFW_OK;
  }
  if (found == OFW_LINE_TOO_LONG)
    return ofw_source_refuse(s, err, "the line is longer than %d bytes", OFW_LONGEST_SET_LINE);
  if (found != OFW_LINE)
    return cannot_read(s, err);
  if (strlen(*line) != length) /* what follows a byte 0 would be hidden */
    return ofw_source_refuse(s, err, "the line contains a NUL byte");
  if (s->number > OFW_MOST_SET_LINES)
    return ofw_source_refuse(s, err, "more than %lld lines", (long long)OFW_MOST_SET_LINES);
  s->checksum = (uint32_t)crc32(s->checksum, (const Bytef *)*line, (uInt)length + 1); /* with the 0 at its end */
  return OFW_OK;
}

/* The next ';' that is not within parentheses: a line may be the spec of a set that has lines itself. */
static char *end_of_line(char *text)
{
  for (int depth = 0; *text && (depth > 0 || *text != ';'); text++)
    depth += (*text == '(') - (*text == ')');
  return *text ? text : NULL;
}

ofw_status ofw_source_next(ofw_source *s, char **line, ofw_error *err)
{
  if (s->path)
    OFW_TRY(next_of_file(s, line, err));
  else {
    *line = s->rest;
    s->number += s->rest != NULL;
    char *end = s->rest ? end_of_line(s->rest) : NULL;
    if (end)
      *end = 0;
    s->rest = end ? end + 1 : NULL;
  }
  if (!*line)
    return OFW_OK;
  *line += strspn(*line, " \t");
  for (char *end = *line + strlen(*line); end > *line && strchr(" \t\r", end[-1]);)
    *--end = 0;
  return OFW_OK;
}

ofw_status ofw_source_refuse(const ofw_source *s, ofw_error *err, const char *format, ...)
{
  char words[400];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  if (s->path)
    return ofw_fail(err, OFW_BAD_DATA, "%.200s:%llu: %s", s->path, (unsigned long long)s->number, words);
  return ofw_fail(err, OFW_USAGE, "%s: line %llu: %s", s->owner, (unsigned long long)s->number, words);
}

void ofw_content_add(uint32_t *content, uint32_t checksum)
{
  *content = 31 * *content + checksum;
  *content += *content == 0;
}

void ofw_source_close(ofw_source *s, uint32_t *content)
{
  if (s->path)
    ofw_content_add(content, s->checksum);
  if (s->in)
    (void)fclose(s->in);
  ofw_lines_free(&s->lines);
  free(s->text);
}

ofw_status ofw_source_read(const char *owner, const char *text, uint32_t *content, ofw_source_line *each, void *ctx,
                           ofw_error *err)
{
  ofw_source s;
  char *line = NULL;
  ofw_status st = ofw_source_open(&s, owner, text, err);
  do {
    if (st == OFW_OK)
      st = ofw_source_next(&s, &line, err);
    if (st == OFW_OK)
      st = each(ctx, &s, line, err);
  } while (st == OFW_OK && line);
  ofw_source_close(&s, content);
  return st;
}

char *ofw_source_word(char **rest)
{
  static const char gaps[] = " \t,";
  char *word = *rest + strspn(*rest, gaps);
  if (!*word)
    return NULL;
  char *end = word + strcspn(word, gaps);
  *rest = *end ? end + 1 : end;
  *end = 0;
  return word;
}

/* ---- numbers ---- */

ofw_status ofw_source_number(const ofw_source *s, const char *word, double *out, ofw_error *err)
{
  return ofw_read_real(word, out) ? OFW_OK : ofw_source_refuse(s, err, "'%.60s' is not a finite number", word);
}

ofw_status ofw_numbers_add(ofw_numbers *v, double x, ofw_error *err)
{
  OFW_TRY(ofw_grow(&v->x, v->count, 1, &v->room, sizeof x, err));
  v->x[v->count++] = x;
  return OFW_OK;
}

void ofw_numbers_free(ofw_numbers *v)
{
  free(v->x);
  *v = (ofw_numbers){0};
}

static ofw_status add_text(ofw_numbers *v, const ofw_source *s, const char *text, ofw_error *err)
{
  double x = 0.0;
  OFW_TRY(ofw_source_number(s, text, &x, err));
  if (v->count == OFW_MOST_DIM)
    return ofw_source_refuse(s, err, "more than %lld numbers", (long long)OFW_MOST_DIM);
  return ofw_numbers_add(v, x, err);
}

static ofw_status read_line(void *ctx, const ofw_source *s, char *line, ofw_error *err)
{
  ofw_numbers *out = ctx;
  if (!line && out->count == 0)
    return ofw_fail(err, s->path ? OFW_BAD_DATA : OFW_USAGE, "%s: expected numbers in %.200s, found none", s->owner,
                    out->name);
  if (s->path)
    return line ? add_text(out, s, line, err) : OFW_OK;
  for (char *word; line && (word = ofw_source_word(&line)) != NULL;)
    OFW_TRY(add_text(out, s, word, err));
  return OFW_OK;
}

ofw_status ofw_numbers_read(const char *owner, const char *key, const char *text, uint32_t *content, ofw_numbers *out,
                            ofw_error *err)
{
  double x;
  *out = (ofw_numbers){.name = text[0] == '@' ? text + 1 : key};
  if (text[0] != '@' && text[0] != '(') {
    if (!ofw_read_real(text, &x))
      return ofw_fail(err, OFW_USAGE, "%s: %s=%s: expected a finite number, (a,b,..) or @FILE", owner, key, text);
    out->one = 1;
    return ofw_numbers_add(out, x, err);
  }
  return ofw_source_read(owner, text, content, read_line, out, err);
}

/* As `dim` numbers. */
static ofw_status spread(const ofw_numbers *v, const char *owner, ofw_owned *own, size_t dim, double **out,
                         ofw_error *err)
{
  if (!v->one && v->count != dim)
    return ofw_fail(err, OFW_BAD_DATA, "%s: %.200s has %zu numbers, but the dimension is %zu", owner, v->name, v->count,
                    dim);
  *out = ofw_owned_doubles(own, dim);
  OFW_TRY(ofw_owned_check(own, err));
  for (size_t i = 0; i < dim; i++)
    (*out)[i] = v->x[v->one ? 0 : i];
  return OFW_OK;
}

enum { MOST_LISTS = 4 };

static ofw_status read_lists(const char *owner, size_t lists, ofw_list *list, uint32_t *content, size_t *dim,
                             ofw_numbers *read, ofw_error *err)
{
  for (size_t k = 0; k < lists; k++) {
    if (!list[k].text)
      continue;
    OFW_TRY(ofw_numbers_read(owner, list[k].key, list[k].text, content, &read[k], err));
    list[k].one = read[k].one;
    *dim = *dim || read[k].one ? *dim : read[k].count;
  }
  return OFW_OK;
}

ofw_status ofw_lists_read(const char *owner, size_t lists, ofw_list *list, const char *without, ofw_owned *own,
                          uint32_t *content, size_t *dim, ofw_error *err)
{
  ofw_numbers read[MOST_LISTS] = {{0}};
  ofw_status st = read_lists(owner, lists, list, content, dim, read, err);
  if (st == OFW_OK && !*dim)
    st = ofw_fail(err, OFW_USAGE, "%s: dim is required because %s", owner, without);
  for (size_t k = 0; k < lists; k++) {
    if (st == OFW_OK && list[k].text)
      st = spread(&read[k], owner, own, *dim, &list[k].x, err);
    ofw_numbers_free(&read[k]);
  }
  return st;
}
