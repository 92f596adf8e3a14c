/* cmd_info.c — ofw info: what a checkpoint or a log holds */
#include "facts.h"
#include "shown.h"

#include "persist/checkpoint.h"
#include "persist/log.h"
#include "persist/walk.h"

#include <string.h>

const option_id info_options[] = {OPT_JSON, OPT_HELP, OPTIONS};

/* The configurations, a text a part. */
static void say_configs(const facts *p, const char *config, const char *end)
{
  if (p->j)
    json_open_list(p->j, "config");
  for (; config && config < end; config += strlen(config) + 1)
    facts_text(p, p->j ? NULL : "config", config);
  if (p->j)
    json_close_list(p->j);
}

static int is_called(const ofw_state_item *item, const char *name)
{
  return item->length == strlen(name) && memcmp(item->name, name, item->length) == 0 && item->count == 1;
}

/* The few numbers that tell where the play was. */
static void say_account(const facts *p, const ofw_state *state, size_t at)
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
        facts_real(p, told[i].shown, x);
      else
        facts_count(p, told[i].shown, n);
    }
}

static void say_items(const facts *p, const ofw_state *state, size_t at)
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
    } else {
      printf("%-14s %zu ", "item", item.count);
      put_shown(stdout, name);
      putchar('\n');
    }
  }
  if (p->j)
    json_close_list(p->j);
}

/* A line of what the writer said: its build, then where the trace or the log was. */
static void say_about(const facts *p, char *about)
{
  for (char *line = about, *rest = about; (line = strtok_r(rest, "\n", &rest)) != NULL;)
    if (strncmp(line, "trace ", 6) == 0)
      facts_text(p, "trace", line + 6);
    else
      facts_text(p, strncmp(line, "line=", 5) == 0 ? "log" : "build", line);
}

static int describe_checkpoint(const command *self, const char *path, const facts *p)
{
  ofw_checkpoint c = {0};
  ofw_state_texts texts;
  ofw_error err = {0};
  ofw_status st = ofw_checkpoint_read(&ofw_real_disk, path, &c, &err);
  if (st == OFW_OK)
    st = ofw_state_describe(&c.state, &texts, &err);
  if (st != OFW_OK) {
    ofw_checkpoint_free(&c);
    return refuse(self, &err);
  }
  facts_begin(p, "checkpoint");
  facts_count(p, "format", OFW_CHECKPOINT_VERSION);
  say_about(p, c.about);
  say_account(p, &c.state, texts.items);
  say_configs(p, texts.config, texts.config_end);
  facts_count(p, "state_version", texts.version);
  facts_count(p, "state_bytes", c.state.size);
  say_items(p, &c.state, texts.items);
  facts_end(p);
  ofw_checkpoint_free(&c);
  return 0;
}

static int describe_log(const command *self, const char *path, const facts *p)
{
  ofw_log_found found;
  ofw_error err = {0};
  if (ofw_log_read(&ofw_real_disk, path, NULL, NULL, &found, &err) != OFW_OK) {
    ofw_log_found_free(&found);
    return refuse(self, &err);
  }
  facts_begin(p, "log");
  facts_count(p, "format", (uint64_t)found.version);
  facts_text(p, "build", found.build);
  facts_count(p, "rounds", found.lines);
  facts_count(p, "dropped", found.dropped);
  facts_count(p, "commits", found.commits);
  say_configs(p, found.config, found.config + 1);
  facts_count(p, "bytes", found.bytes);
  facts_count(p, "torn_bytes", found.torn);
  facts_end(p);
  ofw_log_found_free(&found);
  return 0;
}

int info_main(const command *self, const arguments *args)
{
  json j = {0};
  facts p = {args->value[OPT_JSON] ? &j : NULL};
  file_kind kind;
  if (args->words < 1)
    return complain(self, EXIT_USAGE, "a file is needed; see 'ofw help info'");
  int code = find_file_kind(self, args->word[0], &kind);
  if (code)
    return code;
  if (kind == FILE_LOG)
    return describe_log(self, args->word[0], &p);
  if (kind == FILE_CHECKPOINT)
    return describe_checkpoint(self, args->word[0], &p);
  return complain(self, EXIT_BAD_DATA, "%s: neither a checkpoint nor a log of ofw", args->word[0]);
}
