/* option_table.c — options by their table: defaults, "key=value", checks, and the text of a configuration
 *
 * A value that nobody gave is kept as "unset" (NaN, 0, -1 or NULL by kind), so that a part can tell it from a given one
 * and work out its default later.
 */
#include "base/option_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 64, SHORT_TEXT = 64 };

static void *field(ofw_options o, const ofw_option *opt)
{
  return (char *)o.values + opt->offset;
}

/* The position of the word in "a|b|c", or -1. */
static int word_index(const char *words, const char *text)
{
  size_t length = strlen(text);
  for (int i = 0; words; i++) {
    size_t w = strcspn(words, "|");
    if (w == length && memcmp(words, text, w) == 0)
      return i;
    words = words[w] ? words + w + 1 : NULL;
  }
  return -1;
}

static void add_word(ofw_text *text, const char *words, int i)
{
  while (i-- > 0)
    words += strcspn(words, "|") + 1;
  ofw_text_add(text, "%.*s", (int)strcspn(words, "|"), words);
}

static ofw_status out_of_range(const ofw_option *opt, const char *owner, const char *text, ofw_error *err)
{
  return ofw_fail(err, OFW_USAGE, "%s: %s=%s is not in [%g, %g]", owner, opt->name, text, opt->lower, opt->upper);
}

static ofw_status read_real(const ofw_option *opt, void *at, const char *owner, const char *text, ofw_error *err)
{
  double x;
  int word = word_index(opt->words, text);
  if (word >= 0) {
    *(double *)at = -1.0 - word;
    return OFW_OK;
  }
  if (!ofw_read_real(text, &x))
    return ofw_fail(err, OFW_USAGE, "%s: %s=%s is not a number%s%s", owner, opt->name, text, opt->words ? " or " : "",
                    opt->words ? opt->words : "");
  if (x < opt->lower || x > opt->upper)
    return out_of_range(opt, owner, text, err);
  *(double *)at = x;
  return OFW_OK;
}

static ofw_status read_count(const ofw_option *opt, void *at, const char *owner, const char *text, ofw_error *err)
{
  uint64_t n;
  int word = word_index(opt->words, text), read = ofw_read_count(text, &n);
  if (word >= 0) {
    *(uint64_t *)at = UINT64_MAX - (uint64_t)word;
    return OFW_OK;
  }
  if (read == 0)
    return ofw_fail(err, OFW_USAGE, "%s: %s=%s is not a whole number >= 0%s%s", owner, opt->name, text,
                    opt->words ? " or " : "", opt->words ? opt->words : "");
  if (read < 0 || (double)n < opt->lower || (double)n > opt->upper)
    return out_of_range(opt, owner, text, err);
  *(uint64_t *)at = n;
  return OFW_OK;
}

/* But for tabs. Other bytes that are not UTF-8 are no harm: they may be a file's name. */
static int has_control(const char *text)
{
  for (const unsigned char *c = (const unsigned char *)text; *c; c++)
    if ((*c < ' ' && *c != '\t') || *c == 127 || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)) /* U+0080 to U+009F */
      return 1;
  return 0;
}

static ofw_status read_value(const ofw_option *opt, void *at, const char *owner, const char *text, ofw_error *err)
{
  switch (opt->kind) {
  case OFW_REAL:
    return read_real(opt, at, owner, text, err);
  case OFW_COUNT:
    return read_count(opt, at, owner, text, err);
  case OFW_CHOICE: {
    int i = word_index(opt->words, text);
    if (i < 0)
      return ofw_fail(err, OFW_USAGE, "%s: %s=%s is not one of %s", owner, opt->name, text, opt->words);
    *(int *)at = i;
    return OFW_OK;
  }
  case OFW_TEXT: {
    if (has_control(text)) /* a trace and a log keep it in one line */
      return ofw_fail(err, OFW_USAGE, "%s: %s=%.200s contains a control character, such as a line break; remove it",
                      owner, opt->name, text);
    char *copy = ofw_copy_text(text);
    if (!copy)
      return ofw_fail_memory(err, strlen(text) + 1);
    free(*(char **)at);
    *(char **)at = copy;
    return OFW_OK;
  }
  }
  return OFW_FAILED;
}

void ofw_options_default(ofw_options o)
{
  for (const ofw_option *opt = o.table; opt->name; opt++) {
    void *at = field(o, opt);
    if (opt->kind == OFW_REAL)
      *(double *)at = NAN;
    else if (opt->kind == OFW_COUNT)
      *(uint64_t *)at = 0;
    else if (opt->kind == OFW_CHOICE)
      *(int *)at = -1;
    else
      *(char **)at = NULL;
    if (opt->value && opt->kind != OFW_TEXT)
      read_value(opt, at, "", opt->value, NULL);
  }
}

void ofw_options_free(ofw_options o)
{
  for (const ofw_option *opt = o.table; opt->name; opt++)
    if (opt->kind == OFW_TEXT) {
      free(*(char **)field(o, opt));
      *(char **)field(o, opt) = NULL;
    }
}

static ofw_status unknown_key(const ofw_options *o, size_t n, const char *owner, const char *key, ofw_error *err)
{
  const char *names[MOST_NAMES] = {0};
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    for (const ofw_option *opt = o[i].table; opt->name && count < MOST_NAMES; opt++)
      names[count++] = opt->name;
  const char *near = ofw_nearest(key, names, count);
  if (near)
    return ofw_fail(err, OFW_USAGE, "%s: no option '%s'; did you mean '%s'?", owner, key, near);
  ofw_text all = {0};
  for (size_t i = 0; i < count; i++)
    ofw_text_add(&all, "%s%s", i ? ", " : "", names[i]);
  ofw_fail(err, OFW_USAGE, "%s: no option '%s'; its options: %s", owner, key, count && all.chars ? all.chars : "none");
  free(all.chars);
  return OFW_USAGE;
}

ofw_status ofw_options_set(ofw_options *o, size_t n, const char *owner, const char *pair, size_t length, ofw_error *err)
{
  const char *equals = memchr(pair, '=', length);
  if (!equals || equals == pair)
    return ofw_fail(err, OFW_USAGE, "%s: expected key=value, found '%.*s'", owner, (int)length, pair);
  char key[SHORT_TEXT];
  size_t key_length = (size_t)(equals - pair);
  if (key_length >= sizeof key)
    return ofw_fail(err, OFW_USAGE, "%s: no option '%.*s...'", owner, SHORT_TEXT - 1, pair);
  memcpy(key, pair, key_length);
  key[key_length] = 0;

  for (size_t i = 0; i < n; i++)
    for (const ofw_option *opt = o[i].table; opt->name; opt++)
      if (strcmp(opt->name, key) == 0) {
        uint64_t bit = (uint64_t)1 << (opt - o[i].table);
        if (o[i].given & bit)
          return ofw_fail(err, OFW_USAGE, "%s: %s is given twice", owner, key);
        o[i].given |= bit;
        size_t text_length = length - key_length - 1;
        char *text = ofw_array(text_length + 1, 1);
        if (!text)
          return ofw_fail_memory(err, text_length + 1);
        memcpy(text, equals + 1, text_length);
        text[text_length] = 0;
        ofw_status st = read_value(opt, field(o[i], opt), owner, text, err);
        free(text);
        return st;
      }
  return unknown_key(o, n, owner, key, err);
}

ofw_status ofw_pair_length(const char *pairs, const char *owner, size_t *length, ofw_error *err)
{
  size_t n = 0;
  for (int depth = 0; pairs[n] && (depth > 0 || pairs[n] != ','); n++)
    depth += (pairs[n] == '(') - (pairs[n] == ')');
  *length = n;
  return n > 0 && pairs[n] && !pairs[n + 1]
             ? ofw_fail(err, OFW_USAGE, "%s: expected key=value after the last comma, found nothing", owner)
             : OFW_OK;
}

ofw_status ofw_options_set_all(ofw_options *o, size_t n, const char *owner, const char *pairs, ofw_error *err)
{
  while (*pairs) {
    size_t length;
    OFW_TRY(ofw_pair_length(pairs, owner, &length, err));
    OFW_TRY(ofw_options_set(o, n, owner, pairs, length, err));
    pairs += length + (pairs[length] == ',');
  }
  return OFW_OK;
}

static int is_set(ofw_options o, const ofw_option *opt)
{
  const void *at = field(o, opt);
  switch (opt->kind) {
  case OFW_REAL:
    return !isnan(*(const double *)at);
  case OFW_COUNT:
    return *(const uint64_t *)at != 0 || opt->lower == 0.0;
  case OFW_CHOICE:
    return *(const int *)at >= 0;
  case OFW_TEXT:
    return *(char *const *)at != NULL;
  }
  return 0;
}

ofw_status ofw_options_require(ofw_options o, const char *owner, ofw_error *err)
{
  for (const ofw_option *opt = o.table; opt->name; opt++)
    if (!opt->value && !opt->formula && !is_set(o, opt))
      return ofw_fail(err, OFW_USAGE, "%s: %s is required (%s)", owner, opt->name, opt->help);
  return OFW_OK;
}

ofw_status ofw_options_check(ofw_options o, const char *owner, ofw_error *err)
{
  for (const ofw_option *opt = o.table; opt->name; opt++) {
    if (opt->kind != OFW_REAL || !is_set(o, opt))
      continue;
    double x = *(const double *)field(o, opt);
    if (!(x >= opt->lower && x <= opt->upper))
      return ofw_fail(err, OFW_USAGE, "%s: %s is computed as %g, which is not in [%g, %g]; set it yourself", owner,
                      opt->name, x, opt->lower, opt->upper);
  }
  return OFW_OK;
}

void ofw_options_print(ofw_options o, ofw_text *text)
{
  for (const ofw_option *opt = o.table; opt->name; opt++) {
    const void *at = field(o, opt);
    char number[OFW_REAL_TEXT];
    if (!is_set(o, opt))
      continue;
    ofw_text_add(text, " %s=", opt->name);
    if (opt->kind == OFW_REAL && opt->words && *(const double *)at < 0.0)
      add_word(text, opt->words, (int)(-1.0 - *(const double *)at));
    else if (opt->kind == OFW_REAL)
      ofw_text_add(text, "%s", ofw_print_real(*(const double *)at, number));
    else if (opt->kind == OFW_COUNT && opt->words && (double)*(const uint64_t *)at > opt->upper)
      add_word(text, opt->words, (int)(UINT64_MAX - *(const uint64_t *)at));
    else if (opt->kind == OFW_COUNT)
      ofw_text_add(text, "%llu", (unsigned long long)*(const uint64_t *)at);
    else if (opt->kind == OFW_CHOICE)
      add_word(text, opt->words, *(const int *)at);
    else
      ofw_text_add(text, "%s", *(char *const *)at);
  }
}

void ofw_resolve(double *option, double value)
{
  if (isnan(*option))
    *option = value;
}

void ofw_resolve_count(uint64_t *option, double value)
{
  if (*option == 0)
    *option = value < 1.0 ? 1 : (uint64_t)round(value);
}

const char *ofw_spec_split(const char *spec, size_t *length)
{
  *length = strcspn(spec, ":");
  return spec[*length] ? spec + *length + 1 : "";
}

int ofw_type_find(const char *name, size_t length, size_t n, const ofw_type *(*get)(size_t), const char *what,
                  ofw_error *err)
{
  const char *names[MOST_NAMES];
  char word[SHORT_TEXT];
  for (size_t i = 0; i < n; i++) {
    if (i < MOST_NAMES)
      names[i] = get(i)->name;
    if (strlen(get(i)->name) == length && memcmp(get(i)->name, name, length) == 0)
      return (int)i;
  }
  size_t keep = length < sizeof word ? length : sizeof word - 1;
  memcpy(word, name, keep);
  word[keep] = 0;
  const char *near = ofw_nearest(word, names, n < MOST_NAMES ? n : MOST_NAMES);
  ofw_fail(err, OFW_USAGE, "no %s '%s'%s%s%s", what, word, near ? "; did you mean '" : "; see 'ofw list'",
           near ? near : "", near ? "'?" : "");
  return -1;
}

size_t ofw_options_size(const ofw_option *table)
{
  size_t end = 1;
  for (const ofw_option *o = table; o->name; o++)
    end = o->offset + sizeof(uint64_t) > end ? o->offset + sizeof(uint64_t) : end;
  return end;
}

ofw_status ofw_options_make(const ofw_type *type, const char *pairs, ofw_options *out, ofw_error *err)
{
  size_t size = ofw_options_size(type->options);
  *out = (ofw_options){type->options, calloc(1, size), 0};
  if (!out->values)
    return ofw_fail_memory(err, size);
  ofw_options_default(*out);
  OFW_TRY(ofw_options_set_all(out, 1, type->name, pairs, err));
  return ofw_options_require(*out, type->name, err);
}

void ofw_options_drop(ofw_options *o)
{
  if (o->values)
    ofw_options_free(*o);
  free(o->values);
}

/* ---- types from outside ---- */

/* Letters, digits and '-', from a letter on: no spec, path or line can take it for something else. */
static int is_name(const char *name)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz", all[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return name && *name && strchr(letters, *name) && !name[strspn(name, all)] && strlen(name) < SHORT_TEXT / 2;
}

static const ofw_option *find_row(const ofw_option *table, const char *name)
{
  while (table && table->name && strcmp(table->name, name) != 0)
    table++;
  return table && table->name ? table : NULL;
}

/* What is wrong with a row; NULL: nothing. */
static const char *row_fault(const ofw_option *table, const ofw_option *row, const ofw_option *besides)
{
  enum { LARGEST = 1 << 16 };
  size_t bytes = row->kind == OFW_CHOICE ? sizeof(int) : sizeof(uint64_t);
  uint64_t value = 0;
  if (!is_name(row->name))
    return "expected a name of small letters, digits and '-', beginning with a letter";
  if (find_row(table, row->name) != row)
    return "the table has this name twice";
  if (find_row(besides, row->name))
    return "every learner has an option of this name; choose another";
  if ((unsigned)row->kind > OFW_TEXT)
    return "its kind is not one of ofw_option_kind";
  if (row->kind == OFW_CHOICE && !row->words)
    return "a choice needs words";
  if (!row->help)
    return "it has no help";
  if (!(row->lower <= row->upper))
    return "its lower bound is above its upper bound";
  if (row->offset % bytes || row->offset > LARGEST)
    return "its offset is not that of a field";
  if (row->value && row->kind == OFW_TEXT)
    return "a text has no default value; describe its default by `formula`";
  if (row->value && read_value(row, &value, "", row->value, NULL) != OFW_OK)
    return "its default is not an allowed value";
  return NULL;
}

ofw_status ofw_type_check(const ofw_type *type, const ofw_option *besides, const char *what, ofw_error *err)
{
  if (!is_name(type->name))
    return ofw_fail(err, OFW_USAGE,
                    "own %s: the name '%.40s': expected 1 to %d small letters, digits and '-', beginning with a letter",
                    what, type->name ? type->name : "", SHORT_TEXT / 2 - 1);
  for (const ofw_option *row = type->options; row && row->name; row++) {
    const char *fault =
        row - type->options < MOST_NAMES - 1 ? row_fault(type->options, row, besides) : "there are too many options";
    if (fault)
      return ofw_fail(err, OFW_USAGE, "own %s %s: option '%.40s': %s", what, type->name, row->name, fault);
  }
  return OFW_OK;
}
