/* cmd_check.c — ofw check: how much of a log, a checkpoint or a database is whole; repairs into a new file; checks a set */
#include "facts.h"
#include "phase.h"
#include "rank_files.h"

#include "lab/results.h"
#include "persist/checkpoint.h"
#include "persist/log.h"
#include "persist/walk.h"

#include <stdlib.h>
#include <string.h>

const option_id check_options[] = {OPT_REPAIR, OPT_OUTPUT_FILE, OPT_DOMAIN, OPT_SEED,
                                   OPT_PLUGIN, OPT_JSON,        OPT_HELP,   OPTIONS};

/* What was found, for those who read: whole, torn (which opening mends), or damaged. */
static int say_state(json *j, const ofw_error *err, uint64_t torn)
{
  int damaged = err->status != OFW_OK;
  facts_text(j, "state", damaged ? "damaged" : torn > 0 ? "torn" : "whole");
  if (damaged)
    facts_text(j, "why", err->message);
  return damaged ? EXIT_BAD_DATA : 0;
}

/* ---- logs ---- */

static int check_log(const command *self, const char *path, const char *repaired, json *j)
{
  ofw_log_found found;
  ofw_error err = {0}, why = {0};
  if (ofw_log_read(&ofw_real_disk, path, NULL, NULL, &found, &err) != OFW_OK && err.status != OFW_BAD_DATA) {
    ofw_log_found_free(&found);
    return refuse(self, &err);
  }
  facts_begin(j, "log");
  int code = say_state(j, &err, found.torn);
  facts_count(j, "format", (uint64_t)found.version);
  facts_count(j, "rounds", found.lines);
  facts_count(j, "dropped", found.dropped);
  facts_count(j, "whole_bytes", found.bytes);
  facts_count(j, "torn_bytes", found.torn);
  facts_text(j, "closed", found.closed ? "yes" : "no");
  ofw_log_found_free(&found);
  if (repaired) {
    code = ofw_log_salvage(&ofw_real_disk, path, repaired, &found, &why) == OFW_OK
               ? 0
               : complain(self, exit_code(why.status), "nothing was written: %s", why.message);
    if (!code)
      facts_text(j, "repaired", repaired);
    ofw_log_found_free(&found);
  }
  facts_end(j);
  return code;
}

/* ---- checkpoints ---- */

/* One file of a checkpoint, and the state in it, or in the files of ranks that it names. */
typedef struct checked {
  ofw_checkpoint c;
  rank_files_found of_ranks; /* ranks = 0: the state is in the file itself */
  ofw_status status;
  ofw_error err;
} checked;

/* The files of ranks are beside `path`, or, if that is the one before, beside the name without .1. */
static ofw_status check_ranks(const char *path, checked *out)
{
  size_t length = strlen(path);
  int many, is_before = length > 2 && strcmp(path + length - 2, ".1") == 0;
  char *beside = rank_files_left(path, &many), *stem = strndup(path, !beside && is_before ? length - 2 : length);
  ofw_status st =
      stem ? rank_files_check(stem, &out->c, &out->of_ranks, &out->err) : ofw_fail_memory(&out->err, length);
  free(beside);
  free(stem);
  return st;
}

/* `path` is the checkpoint's name. */
static void read_checkpoint(const char *path, const char *file, checked *out)
{
  ofw_state_texts texts;
  out->status = ofw_checkpoint_read_file(&ofw_real_disk, file, &out->c, &out->err);
  if (out->status == OFW_OK && is_of_ranks(&out->c))
    out->status = check_ranks(path, out);
  else if (out->status == OFW_OK)
    out->status = ofw_state_describe(&out->c.state, &texts, &out->err);
}

/* Writes the newest whole one of the two to a new file. */
static int repair_checkpoint(const command *self, const char *path, const char *repaired, const checked *whole)
{
  ofw_error err = {0};
  uint64_t size;
  if (!whole)
    return complain(self, EXIT_BAD_DATA, "nothing was written: neither %s nor %s.1 is whole", path, path);
  if (whole->of_ranks.ranks > 0)
    return complain(self, EXIT_USAGE,
                    "nothing was written: a checkpoint of ofw-mpi is several files; if %s.1 is whole, rename it to %s",
                    path, path);
  if (ofw_disk_find(&ofw_real_disk, repaired, &size, &err) != OFW_END)
    return complain(self, EXIT_FAILED, "nothing was written: %s already exists; choose another name", repaired);
  if (ofw_checkpoint_write(&ofw_real_disk, repaired, &whole->c.state, whole->c.about, &err) != OFW_OK)
    return refuse(self, &err);
  return 0;
}

static int check_checkpoint(const command *self, const char *path, const char *repaired, json *j)
{
  checked now = {0}, older = {0};
  char *name = ofw_format("%s.1", path);
  if (!name)
    return no_memory(self);
  read_checkpoint(path, path, &now);
  read_checkpoint(path, name, &older);
  facts_begin(j, "checkpoint");
  int code = say_state(j, &now.err, 0);
  if (now.of_ranks.ranks > 0)
    facts_count(j, "ranks", now.of_ranks.ranks);
  facts_count(j, "state_bytes", now.c.state.size + now.of_ranks.bytes);
  facts_text(j, "one_before", older.status == OFW_OK ? "whole" : older.status == OFW_END ? "none" : "damaged");
  if (repaired) {
    code = repair_checkpoint(self, path, repaired,
                             now.status == OFW_OK     ? &now
                             : older.status == OFW_OK ? &older
                                                      : NULL);
    if (!code)
      facts_text(j, "repaired", repaired);
  }
  facts_end(j);
  ofw_checkpoint_free(&now.c);
  ofw_checkpoint_free(&older.c);
  free(name);
  return code;
}

/* ---- databases ---- */

/* A sweep plays again what its database lacks, so nothing is salvaged from one. */
static int check_database(const command *self, const char *path, const char *repaired, json *j)
{
  results_found found;
  ofw_error err = {0};
  if (repaired)
    return complain(self, EXIT_USAGE,
                    "%s: a database cannot be repaired; move it away, and 'ofw sweep' plays the experiment again",
                    path);
  if (results_check(path, &found, &err) != OFW_OK && err.status != OFW_BAD_DATA)
    return refuse(self, &err);
  facts_begin(j, "database");
  int code = say_state(j, &err, 0);
  facts_count(j, "arms", found.arms);
  facts_count(j, "plays", found.plays);
  facts_count(j, "tunings", found.tunings);
  facts_count(j, "failed", found.failed);
  facts_end(j);
  return code;
}

/* ---- sets ---- */

static int check_domain(const command *self, const arguments *args, json *j)
{
  ofw_domain_report report = {.size = sizeof report};
  ofw_error err = {0};
  uint64_t seed;
  int code = read_count(self, args, OPT_SEED, 1, &seed);
  if (code)
    return code;
  phase_begin(self, args, "the set is not checked", "checking the set %s", args->value[OPT_DOMAIN]);
  ofw_domain *K = ofw_registry_domain(&args->own, args->value[OPT_DOMAIN], &err);
  ofw_status st = K ? ofw_domain_check(K, seed, &report, &err) : err.status;
  phase_end();
  if (!K || (st != OFW_OK && st != OFW_BAD_DATA)) {
    ofw_domain_free(K);
    return refuse(self, &err);
  }
  facts_begin(j, "domain");
  facts_text(j, "state", st == OFW_OK ? "sound" : "wrong");
  if (st != OFW_OK) {
    facts_text(j, "failed", report.failed);
    facts_text(j, "why", err.message);
  }
  facts_count(j, "dimension", ofw_domain_dim(K));
  facts_count(j, "directions", report.directions);
  facts_end(j);
  ofw_domain_free(K);
  return st == OFW_OK ? 0 : EXIT_BAD_DATA;
}

int check_main(const command *self, const arguments *args)
{
  json object = {0}, *j = args->value[OPT_JSON] ? &object : NULL;
  file_kind kind;
  const char *path = args->words ? args->word[0] : NULL, *repaired = args->value[OPT_OUTPUT_FILE];
  if (!path == !args->value[OPT_DOMAIN])
    return complain(self, EXIT_USAGE, "expected FILE or --domain SPEC, and not both; see 'ofw help check'");
  if (args->value[OPT_DOMAIN] && (args->value[OPT_REPAIR] || repaired))
    return complain(self, EXIT_USAGE, "--repair works on files, not on --domain");
  if (!path)
    return check_domain(self, args, j);
  if (!args->value[OPT_REPAIR] != !repaired)
    return complain(self, EXIT_USAGE, "--repair and --output FILE need each other: a repair writes a new file");
  int code = find_file_kind(self, path, &kind);
  if (code)
    return code;
  switch (kind) {
  case FILE_LOG:
    return check_log(self, path, repaired, j);
  case FILE_CHECKPOINT:
    return check_checkpoint(self, path, repaired, j);
  case FILE_DATABASE:
    return check_database(self, path, repaired, j);
  case FILE_UNKNOWN:
    break;
  }
  return complain(self, EXIT_BAD_DATA, "%s: expected a log, a checkpoint or a database of ofw, found another file",
                  path);
}
