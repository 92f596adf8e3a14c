/* completion.c — which words may come next on the command line, for three shells
 *
 * Every script holds the same rows and looks them up by path:
 *
 *     commands                 run pipe ...              options/run        --learner --stream ... -q
 *     words/help               what is no option         takes/run/--domain spec domains (or names, set, file, text)
 *     domains                  box: counted: ...         domains/box        dim= lower= upper=
 *     learners/ofw-tvc/guess   scale paper track         streams/replay/file   <file>
 *     domains/counted/of       (, after which a spec begins
 *
 * A row that begins with <file> stands for files, and for what else is in it.
 */
#include "pages.h"

#include "lab/data/sets.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* ---- shells ---- */

/* Between single quotes; `escape` are the characters that take a backslash before them. */
static void put_quoted(FILE *out, const char *text, const char *escape, const char *quote)
{
  for (; *text; text++)
    if (*text == '\'')
      fputs(quote, out);
    else {
      if (strchr(escape, *text))
        fputc('\\', out);
      fputc(*text, out);
    }
}

void put_item(FILE *out, const shell *s, const char *word, const char *help)
{
  fputs(" '", out);
  put_quoted(out, word, s->escape, s->quote);
  if (s->between && (*help || !s->plain_help)) {
    fputs(s->between, out);
    put_quoted(out, help, s->plain_help ? "" : s->escape, s->quote);
  }
  fputc('\'', out);
}

/* zsh: word:help, as _describe takes it */
static const shell shells[] = {
    {"bash", "ofw.bash", "    ", ") reply=(", " ) ;;\n", "'\\''", "", NULL, 1},
    {"zsh", "_ofw", "    ", ") reply=(", " ) ;;\n", "'\\''", ":\\", ":", 1},
    {"fish", "ofw.fish", "        case ", "\n            __ofw_items", "\n", "\\'", "\\", "' '", 0},
};
enum { SHELLS = sizeof shells / sizeof *shells };

const shell *find_shell(const char *name)
{
  for (size_t i = 0; i < SHELLS; i++)
    if (strcmp(shells[i].name, name) == 0)
      return &shells[i];
  return NULL;
}

/* ---- rows ---- */

typedef struct script {
  const shell *s;
  FILE *out;
} script;

/* The path is up to three names. */
static void begin(const script *to, const char *a, const char *b, const char *c)
{
  fprintf(to->out, "%s%s%s%s%s%s%s", to->s->begin, a, b ? "/" : "", b ? b : "", c ? "/" : "", c ? c : "",
          to->s->middle);
}

static void item(const script *to, const char *word, const char *help)
{
  put_item(to->out, to->s, word, help);
}

static void end(const script *to)
{
  fputs(to->s->end, to->out);
}

static void add_commands(const script *to)
{
  for (size_t i = 0; i < commands_count; i++)
    item(to, commands[i].name, commands[i].summary);
}

static void add_parts(const script *to, const registry *r, const char *suffix)
{
  for (size_t i = 0; i < r->count(); i++) {
    char name[96];
    snprintf(name, sizeof name, "%s%s", r->get(i)->name, r->get(i)->options->name ? suffix : "");
    item(to, name, r->get(i)->summary);
  }
}

/* The registry that a word such as "domain" or "DOMAIN" names. */
static const registry *find_registry(const char *word, size_t length)
{
  for (size_t i = 0; i < registries_count; i++)
    if (strlen(registries[i].name) == length + 1 && strncasecmp(registries[i].name, word, length) == 0)
      return &registries[i];
  return NULL;
}

/* The next alternative of a usage text, before its options; 0: there is none. */
static size_t next_alternative(const char **at)
{
  for (; **at && strncmp(*at, "--", 2) != 0 && strncmp(*at, "option]", 7) != 0; ++*at) {
    size_t length = strspn(*at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    if (length)
      return length;
  }
  return 0;
}

static int is_word(const char *at, size_t length, const char *word)
{
  return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* What an alternative is: a word to be typed, or what a placeholder stands for. */
static void add_alternative(const script *to, const char *word, size_t length)
{
  char literal[64];
  const registry *r = find_registry(word, length);
  snprintf(literal, sizeof literal, "%.*s", (int)length, word);
  if (islower((unsigned char)*word))
    item(to, literal, "");
  else if (is_word(word, length, "COMMAND"))
    add_commands(to);
  else if (is_word(word, length, "NAME"))
    for (size_t i = 0; i < data_sets_count; i++)
      item(to, data_sets[i].name, data_sets[i].from);
  else if (r)
    add_parts(to, r, "");
}

/* Whether the usage text has had it before. */
static int is_known(const char *usage, const char *word, size_t length)
{
  for (size_t n; (n = next_alternative(&usage)) && usage < word; usage += n)
    if (n == length && strncmp(usage, word, n) == 0)
      return 1;
  return 0;
}

/* What a command takes that is no option: first whether files, then the other alternatives. */
static void write_words(const script *to, const command *c)
{
  int files = 0;
  size_t length;
  if (c->words == 0)
    return;
  begin(to, "words", c->name, NULL);
  for (const char *at = c->usage; (length = next_alternative(&at)); at += length)
    files |= is_word(at, length, "FILE") || is_word(at, length, "PATH");
  if (files)
    item(to, "<file>", "");
  for (const char *at = c->usage; (length = next_alternative(&at)); at += length)
    if (!is_known(c->usage, at, length))
      add_alternative(to, at, length);
  end(to);
}

static void write_command(const script *to, const command *c)
{
  begin(to, "options", c->name, NULL);
  for (const option_id *id = c->options; *id != OPTIONS; id++) {
    const option_row *row = &option_table[*id];
    char text[64];
    snprintf(text, sizeof text, "--%s", row->name);
    item(to, text, row->help);
    snprintf(text, sizeof text, "-%c", row->letter);
    if (row->letter)
      item(to, text, row->help);
  }
  end(to);
  write_words(to, c);
}

/* Whether its parts are chosen as name:key=value,... */
static int by_spec(const registry *r)
{
  for (int id = 0; id < OPTIONS; id++)
    if (find_registry(option_table[id].name, strlen(option_table[id].name)) == r)
      return strcmp(option_table[id].argument, "SPEC") == 0;
  return 0;
}

static void write_takes(const script *to, const command *c, const option_row *row)
{
  const registry *r = find_registry(row->name, strlen(row->name));
  char option[64];
  if (!row->argument)
    return;
  snprintf(option, sizeof option, "--%s", row->name);
  begin(to, "takes", c->name, option);
  if (r) {
    item(to, by_spec(r) ? "spec" : "names", "");
    item(to, r->name, "");
  } else if (strcmp(row->argument, "KEY=VALUE") == 0) {
    item(to, "set", "");
    item(to, "learners", "");
  } else
    item(to, strstr(row->argument, "FILE") || strcmp(row->argument, "DIR") == 0 ? "file" : "text", "");
  end(to);
}

static void add_keys(const script *to, const ofw_option *options)
{
  for (const ofw_option *o = options; o->name; o++) {
    char key[96];
    snprintf(key, sizeof key, "%s=", o->name);
    item(to, key, o->help);
  }
}

/* A text that is a spec itself is one in the part's example: of=(l1-ball:dim=4). */
static int is_nested(const ofw_type *type, const ofw_option *o)
{
  char text[96];
  snprintf(text, sizeof text, "%s=(", o->name);
  return type->example && strstr(type->example, text);
}

static void write_values(const script *to, const registry *r, const ofw_type *type, const ofw_option *options)
{
  for (const ofw_option *o = options; o->name; o++) {
    if (!o->words && o->kind != OFW_TEXT)
      continue;
    begin(to, r->name, type->name, o->name);
    if (o->kind == OFW_TEXT)
      item(to, is_nested(type, o) ? "(" : "<file>", "");
    for (const char *word = o->words; word; word = word[strcspn(word, "|")] ? word + strcspn(word, "|") + 1 : NULL) {
      char text[64];
      snprintf(text, sizeof text, "%.*s", (int)strcspn(word, "|"), word);
      item(to, text, "");
    }
    end(to);
  }
}

static void write_registry(const script *to, const registry *r)
{
  const ofw_option none = {.name = NULL}, *common = r->common ? r->common() : &none;
  begin(to, r->name, NULL, NULL);
  add_parts(to, r, by_spec(r) ? ":" : "");
  end(to);
  for (size_t i = 0; i < r->count(); i++) {
    const ofw_type *type = r->get(i);
    begin(to, r->name, type->name, NULL);
    add_keys(to, type->options);
    add_keys(to, common);
    end(to);
    write_values(to, r, type, type->options);
    write_values(to, r, type, common);
  }
}

static int write_rows(FILE *out, const char *mark, void *ctx)
{
  const script to = {ctx, out};
  if (strcmp(mark, "rows") != 0)
    return 0;
  begin(&to, "commands", NULL, NULL);
  add_commands(&to);
  item(&to, "--help", "what there is");
  item(&to, "-h", "what there is");
  item(&to, "--version", "which version this is");
  item(&to, "-V", "which version this is");
  end(&to);
  for (size_t i = 0; i < commands_count; i++)
    write_command(&to, &commands[i]);
  for (const command *c = commands; c < commands + commands_count; c++)
    for (const option_id *id = c->options; *id != OPTIONS; id++)
      write_takes(&to, c, &option_table[*id]);
  for (size_t i = 0; i < registries_count; i++)
    write_registry(&to, &registries[i]);
  return 1;
}

int write_completions(const char *templates, const char *folder)
{
  int done = 1;
  for (size_t i = 0; i < SHELLS && done; i++) {
    char name[32];
    snprintf(name, sizeof name, "ofw.%s", shells[i].name);
    FILE *template = open_file(templates, name, "r", 0);
    FILE *out = template ? open_file(folder, shells[i].file, "w", 0) : NULL;
    shell s = shells[i];
    done = out && expand(out, template, write_rows, &s);
    if (out)
      done = close_file(out, shells[i].file) && done;
    if (template)
      (void)fclose(template);
  }
  return done;
}
