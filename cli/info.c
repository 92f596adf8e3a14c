/* info.c — ofw info: what a checkpoint or a log holds */
#include "cli.h"

#include "persist/checkpoint.h"
#include "persist/log.h"
#include "persist/state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

const option_id info_options[] = {OPT_JSON, OPT_HELP, OPTIONS};

/* Where it goes: a name and a value a line, or the fields of an object. */
typedef struct page {
  json *j; /* NULL: lines */
} page;

static void begin(const page *p, const char *kind)
{
  if (p->j) {
    json_open(p->j, NULL);
    json_text(p->j, "kind", kind);
  } else
    printf("%-14s %s\n", "kind", kind);
}

static void end(const page *p)
{
  if (!p->j)
    return;
  json_close(p->j);
  putchar('\n');
}

static void say(const page *p, const char *key, const char *text)
{
  if (p->j)
    json_text(p->j, key, text);
  else
    printf("%-14s %s\n", key, text);
}

static void say_count(const page *p, const char *key, uint64_t n)
{
  if (p->j)
    json_count(p->j, key, n);
  else
    printf("%-14s %llu\n", key, (unsigned long long)n);
}

static void say_real(const page *p, const char *key, double x)
{
  if (p->j)
    json_real(p->j, key, x);
  else
    printf("%-14s %.17g\n", key, x);
}

/* The configurations, a text a part. */
static void say_configs(const page *p, const char *config, const char *end)
{
  if (p->j)
    json_open_list(p->j, "config");
  for (; config && config < end; config += strlen(config) + 1)
    say(p, p->j ? NULL : "config", config);
  if (p->j)
    json_close_list(p->j);
}

static int is_called(const ofw_state_item *item, const char *name)
{
  return item->length == strlen(name) && memcmp(item->name, name, item->length) == 0 && item->count == 1;
}

/* The few numbers that tell where the play was. */
static void say_account(const page *p, const ofw_state *state, size_t at)
{
  static const struct {
    const char *name, *shown;
    int real;
  } told[] = {{"t", "rounds", 0}, {"Q", "ccv", 1}, {"loss_sum", "loss", 1}};
  ofw_state_item item;
  while (ofw_state_next(state, &at, &item))
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
      double x;
      uint64_t n;
      if (!is_called(&item, told[i].name))
        continue;
      memcpy(&x, item.words, sizeof x);
      memcpy(&n, item.words, sizeof n);
      if (told[i].real)
        say_real(p, told[i].shown, x);
      else
        say_count(p, told[i].shown, n);
    }
}

static void say_items(const page *p, const ofw_state *state, size_t at)
{
  ofw_state_item item;
  char name[64];
  if (p->j)
    json_open_list(p->j, "items");
  while (ofw_state_next(state, &at, &item)) {
    snprintf(name, sizeof name, "%.*s", (int)(item.length < sizeof name ? item.length : sizeof name - 1), item.name);
    if (p->j) {
      json_open(p->j, NULL);
      json_text(p->j, "name", name);
      json_count(p->j, "count", item.count);
      json_close(p->j);
    } else
      printf("%-14s %zu %s\n", "item", item.count, name);
  }
  if (p->j)
    json_close_list(p->j);
}

/* A line of what the writer said: its build, then where the trace or the log was. */
static void say_about(const page *p, char *about)
{
  for (char *line = about, *rest = about; (line = strtok_r(rest, "\n", &rest)) != NULL;)
    if (strncmp(line, "trace ", 6) == 0)
      say(p, "trace", line + 6);
    else
      say(p, strncmp(line, "line=", 5) == 0 ? "log" : "build", line);
}

static int describe_checkpoint(const command *self, const char *path, const page *p)
{
  ofw_checkpoint c = {0};
  ofw_state_texts texts;
  ofw_error err = {0};
  ofw_status st = ofw_checkpoint_read(path, &c, &err);
  if (st == OFW_OK)
    st = ofw_state_describe(&c.state, &texts, &err);
  if (st != OFW_OK) {
    ofw_checkpoint_free(&c);
    return complain(self, exit_code(st), "%s", err.message);
  }
  begin(p, "checkpoint");
  say_count(p, "format", OFW_CHECKPOINT_VERSION);
  say_about(p, c.about);
  say_account(p, &c.state, texts.items);
  say_configs(p, texts.config, texts.config_end);
  say_count(p, "state_version", texts.version);
  say_count(p, "state_bytes", c.state.size);
  say_items(p, &c.state, texts.items);
  end(p);
  ofw_checkpoint_free(&c);
  return 0;
}

static int describe_log(const command *self, const char *path, const page *p)
{
  ofw_log_found found;
  ofw_error err = {0};
  if (ofw_log_read(&ofw_real_disk, path, NULL, NULL, &found, &err) != OFW_OK)
    return complain(self, exit_code(err.status), "%s", err.message);
  begin(p, "log");
  say_count(p, "format", OFW_LOG_VERSION);
  say(p, "build", found.build);
  say_count(p, "rounds", found.lines);
  say_configs(p, found.config, found.config + 1);
  say_count(p, "bytes", found.bytes);
  say_count(p, "torn_bytes", found.torn);
  end(p);
  ofw_log_found_free(&found);
  return 0;
}

/* What a file begins with; 0, or an exit code after a complaint. */
static int read_first(const command *self, const char *path, char first[8])
{
  uint64_t size;
  ofw_there there = ofw_real_disk.look(NULL, path, &size);
  if (there == OFW_SPECIAL)
    return complain(self, EXIT_BAD_DATA, "%s: not a regular file", path);
  int file = there == OFW_REGULAR ? ofw_real_disk.open(NULL, path, O_RDONLY) : -1;
  ssize_t got = file < 0 ? -1 : ofw_disk_read(&ofw_real_disk, file, first, 8);
  int why = errno;
  if (file >= 0)
    ofw_real_disk.close(NULL, file);
  return got < 0 ? complain(self, EXIT_BAD_DATA, "cannot read %s: %s", path, strerror(why)) : 0;
}

int info_main(const command *self, const arguments *args)
{
  char first[8] = "";
  json j = {0};
  page p = {args->value[OPT_JSON] ? &j : NULL};
  if (args->words < 1)
    return complain(self, EXIT_USAGE, "a file is needed; see 'ofw help info'");
  int code = read_first(self, args->word[0], first);
  if (code)
    return code;
  if (memcmp(first, "ofwlog ", 7) == 0)
    return describe_log(self, args->word[0], &p);
  if (memcmp(first, "ofwcheck", 8) == 0)
    return describe_checkpoint(self, args->word[0], &p);
  return complain(self, EXIT_BAD_DATA, "%s: neither a checkpoint nor a log of ofw", args->word[0]);
}
