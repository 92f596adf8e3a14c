/* terminal.c — how wide it is, and texts and progress that fit */
#include "terminal.h"

#include "base/basics.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { NARROWEST = 40, WIDEST = 200, WIDEST_TEXT = 120, TEXT_IN_FILES = 100, LEAST_BESIDE = 16 };

static size_t within(uint64_t columns)
{
  return columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : (size_t)columns;
}

size_t terminal_columns(int file)
{
  uint64_t told;
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  if (columns && ofw_read_count(columns, &told) > 0 && told > 0)
    return within(told);
  if (!isatty(file))
    return 0;
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? within(size.ws_col) : 80;
}

int terminal_moves(int file)
{
  const char *name = getenv("TERM");
  return isatty(file) && name && *name && strcmp(name, "dumb") != 0;
}

/* ---- texts ---- */

/* Where the next word goes. */
typedef struct lines {
  size_t from, limit; /* columns */
  size_t at;
  int fresh;            /* no word stands on the line yet */
  const char *break_by; /* stands at the end of a line that is broken */
} lines;

/* Columns of so many bytes of UTF-8. */
static size_t width_of(const char *text, size_t length)
{
  size_t width = 0;
  for (size_t i = 0; i < length; i++)
    width += ((unsigned char)text[i] & 0xc0) != 0x80;
  return width;
}

static void begin_line(lines *l)
{
  printf("\n%*s", (int)l->from, "");
  l->at = l->from;
  l->fresh = 1;
}

/* How many bytes of a word that is too long for a line go onto this one: up to a comma or the like, else all that fit. */
static size_t first_part(const char *word, size_t length, size_t room)
{
  size_t most = 0, good = 0;
  for (size_t i = 0; i < length && width_of(word, i + 1) <= room; i++) {
    most = i + 1;
    if (strchr(",;|/&:", word[i]))
      good = i + 1;
  }
  while (most > 1 && most < length && ((unsigned char)word[most] & 0xc0) == 0x80)
    most--;
  return good ? good : most;
}

static void put_word(lines *l, const char *word, size_t length)
{
  size_t marked = strlen(l->break_by), room = l->limit > l->from + marked ? l->limit - l->from - marked : 1;
  if ((!l->fresh || l->at > l->from) && l->at + !l->fresh + width_of(word, length) + marked > l->limit) {
    fputs(l->break_by, stdout);
    begin_line(l);
  }
  while (width_of(word, length) > room) {
    size_t part = first_part(word, length, room);
    printf("%.*s", (int)part, word);
    begin_line(l);
    word += part;
    length -= part;
  }
  printf("%s%.*s", l->fresh ? "" : " ", (int)length, word);
  l->at += width_of(word, length) + !l->fresh;
  l->fresh = 0;
}

static void put_words(lines *l, const char *text, size_t length)
{
  for (size_t i = 0; i < length;) {
    size_t word = strcspn(text + i, " \n");
    word = word < length - i ? word : length - i;
    if (word > 0)
      put_word(l, text + i, word);
    i += word + 1;
  }
}

/* A line that begins with spaces. A command that has to be broken can be pasted all the same. */
static void put_line(const lines *of, const char *text, size_t length)
{
  size_t spaces = strspn(text, " ");
  lines l = {of->from + spaces + 2, of->limit, of->from + spaces, 1,
             strncmp(text + spaces, "ofw", 3) == 0 ? " \\" : ""};
  printf("%*s", (int)spaces, "");
  put_words(&l, text + spaces, length - spaces);
}

void print_text(const char *text, size_t at, size_t from)
{
  size_t columns = terminal_columns(STDOUT_FILENO);
  lines l = {from, columns == 0 ? TEXT_IN_FILES : columns < WIDEST_TEXT ? columns : WIDEST_TEXT, at, 1, ""};
  while (*text) {
    size_t line = strcspn(text, "\n");
    if (line > 0 && text[0] != ' ')
      put_words(&l, text, line);
    else {
      if (!l.fresh)
        begin_line(&l);
      if (line > 0)
        put_line(&l, text, line);
      if (text[line])
        begin_line(&l);
    }
    text += line + (text[line] == '\n');
  }
  putchar('\n');
}

void print_line(const char *text, size_t at, size_t from)
{
  if (terminal_columns(STDOUT_FILENO) == 0)
    puts(text);
  else
    print_text(text, at, from);
}

void print_row(const char *name, size_t width, const char *text)
{
  enum { BELOW = 6 };
  size_t columns = terminal_columns(STDOUT_FILENO), beside = 2 + width + 1;
  if (columns == 0 || (strlen(name) <= width && beside + LEAST_BESIDE <= columns)) {
    printf("  %-*s ", (int)width, name);
    print_line(text, beside, beside);
  } else {
    printf("  %s\n%*s", name, BELOW, "");
    print_text(text, BELOW, BELOW);
  }
}

/* ---- progress ---- */

const char *time_left(double seconds, char out[LEFT_TEXT])
{
  if (seconds < 100.0)
    snprintf(out, LEFT_TEXT, "%.0f s left", seconds);
  else if (seconds < 6000.0)
    snprintf(out, LEFT_TEXT, "%.0f min left", seconds / 60.0);
  else
    snprintf(out, LEFT_TEXT, "%.1f h left", seconds / 3600.0);
  return out;
}

void show_progress(double share, const char *const text[], size_t texts)
{
  enum { LEAST = 8, MOST = 40, PERCENT = 5 };
  static const char full[] = "########################################";
  char rest[WIDEST + 1] = "";
  size_t room = terminal_columns(STDERR_FILENO) - 1, used = 2 + LEAST + PERCENT,
         end = 0; /* the last column stays free */
  for (size_t i = 0; i < texts && used + 2 + strlen(text[i]) <= room; i++) {
    end += (size_t)snprintf(rest + end, sizeof rest - end, "  %s", text[i]);
    used += 2 + strlen(text[i]);
  }
  size_t bar = room > used ? LEAST + room - used : LEAST;
  bar = bar < MOST ? bar : MOST;
  fprintf(stderr, "\r[%-*.*s] %3.0f%%%s\033[K", (int)bar, (int)(share * (double)bar), full, 100.0 * share, rest);
}
