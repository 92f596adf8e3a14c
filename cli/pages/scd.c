/* scd.c — any text in scdoc's language */
#include "pages.h"

#include <ctype.h>
#include <string.h>

static void put(FILE *out, char c)
{
  if (strchr("\\*_+", c))
    fputc('\\', out);
  fputc(c, out);
}

/* At the beginning of a line these would begin a heading, a list, a comment, a table or a literal block. An empty bold
 * text before them makes the line a plain one; a backslash would not do, since scdoc hands a full stop on to roff. */
static void begin_line(FILE *out, char c)
{
  if (c && strchr("#-.;|[]` ", c))
    fputs("**", out);
}

void scd_text(FILE *out, const char *text)
{
  begin_line(out, *text);
  for (; *text; text++)
    put(out, *text);
}

/* How many characters at `text` are an option (--set, -q), a placeholder (KEY, N), or something else. */
static size_t option(const char *text)
{
  size_t n = strspn(text, "-abcdefghijklmnopqrstuvwxyz");
  return *text == '-' && n > 1 ? n : 0;
}

static size_t placeholder(const char *text)
{
  size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return isalnum((unsigned char)text[n]) ? 0 : n;
}

static size_t other(const char *text)
{
  size_t n = 1;
  while (isalnum((unsigned char)text[0]) && (isalnum((unsigned char)text[n]) || text[n] == '-'))
    n++;
  return n;
}

void scd_usage(FILE *out, const char *text)
{
  while (*text) {
    size_t n;
    if ((n = option(text)))
      fprintf(out, "*%.*s*", (int)n, text);
    else if ((n = placeholder(text)))
      fprintf(out, "_%.*s_", (int)n, text);
    else {
      n = other(text);
      for (size_t i = 0; i < n; i++)
        put(out, text[i]);
    }
    text += n;
  }
}

void scd_paragraphs(FILE *out, const char *text)
{
  int literal = 0;
  while (*text) {
    size_t n = strcspn(text, "\n");
    int is_literal = *text == ' ';
    if (is_literal != literal)
      fputs(is_literal ? "\n```\n" : "```\n\n", out);
    literal = is_literal;
    if (!literal)
      begin_line(out, *text);
    for (size_t i = literal ? strspn(text, " ") : 0; i < n; i++)
      put(out, text[i]);
    fputc('\n', out);
    text += n + (text[n] == '\n');
  }
  if (literal)
    fputs("```\n", out);
}
