/* cmd_info.c — ofw info: describes a checkpoint or a log */
#include "facts.h"
#include "shown.h"

#include "persist/checkpoint.h"
#include "persist/log.h"
#include "persist/walk.h"

#include <string.h>

const option_id info_options[] = {OPT_JSON, OPT_HELP, OPTIONS};

/* The configurations, a text per part. */
static void say_configs(json *j, const char *config, const char *end)
{
  if (j)
    json_open_list(j, "config");
  for (; config && config < end; config += strlen(config) + 1)
    facts_text(j, j ? NULL : "config", config);
  if (j)
    json_close_list(j);
}

static int is_called(const ofw_state_item *item, const char *name)
{
  return item->length == strlen(name) && memcmp(item->name, name, item->length) == 0 && item->count == 1;
}

/* A few numbers that tell how far the play was. */
static void say_account(json *j, const ofw_state *state, size_t at)
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
        facts_real(j, told[i].shown, x);
      else
        facts_count(j, told[i].shown, n);
    }
}

static void say_items(json *j, const ofw_state *state, size_t at)
{
  ofw_state_item item;
  char name[64];
  if (j)
    json_open_list(j, "items");
  while (ofw_state_next(state, &at, &item)) {
    snprintf(name, sizeof name, "%.*s", (int)(item.length < sizeof name ? item.length : sizeof name - 1), item.name);
    if (j) {
      json_open(j, NULL);
      json_text(j, "name", name);
      json_count(j, "count", item.count);
      json_close(j);
    } else {
      printf("%-14s %zu ", "item", item.count);
      put_shown(stdout, name);
      putchar('\n');
    }
  }
  if (j)
    json_close_list(j);
}

/* A line of what the writer said: its build, then how far the trace or the log was. */
static void say_about(json *j, char *about)
{
  for (char *line = about, *rest = about; (line = strtok_r(rest, "\n", &rest)) != NULL;)
    if (strncmp(line, "trace ", 6) == 0)
      facts_text(j, "trace", line + 6);
    else
      facts_text(j, strncmp(line, "line=", 5) == 0 ? "log" : "build", line);
}

static int describe_checkpoint(const command *self, const char *path, json *j)
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
  facts_begin(j, "checkpoint");
  facts_count(j, "format", OFW_CHECKPOINT_VERSION);
  say_about(j, c.about);
  say_account(j, &c.state, texts.items);
  say_configs(j, texts.config, texts.config_end);
  facts_count(j, "state_version", texts.version);
  facts_count(j, "state_bytes", c.state.size);
  say_items(j, &c.state, texts.items);
  facts_end(j);
  ofw_checkpoint_free(&c);
  return 0;
}

static int describe_log(const command *self, const char *path, json *j)
{
  ofw_log_found found;
  ofw_error err = {0};
  if (ofw_log_read(&ofw_real_disk, path, NULL, NULL, &found, &err) != OFW_OK) {
    ofw_log_found_free(&found);
    return refuse(self, &err);
  }
  facts_begin(j, "log");
  facts_count(j, "format", (uint64_t)found.version);
  facts_text(j, "build", found.build);
  facts_count(j, "rounds", found.lines);
  facts_count(j, "dropped", found.dropped);
  facts_count(j, "commits", found.commits);
  say_configs(j, found.config, found.config + 1);
  facts_count(j, "bytes", found.bytes);
  facts_count(j, "torn_bytes", found.torn);
  facts_end(j);
  ofw_log_found_free(&found);
  return 0;
}

int info_main(const command *self, const arguments *args)
{
  json object = {0}, *j = args->value[OPT_JSON] ? &object : NULL;
  file_kind kind;
  if (args->words < 1)
    return complain(self, EXIT_USAGE, "FILE is missing; see 'ofw help info'");
  int code = find_file_kind(self, args->word[0], &kind);
  if (code)
    return code;
  if (kind == FILE_LOG)
    return describe_log(self, args->word[0], j);
  if (kind == FILE_CHECKPOINT)
    return describe_checkpoint(self, args->word[0], j);
  return complain(self, EXIT_BAD_DATA, "%s: expected a checkpoint or a log of ofw, found another file", args->word[0]);
}
