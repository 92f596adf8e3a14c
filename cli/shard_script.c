/* shard_script.c — ofw sweep --shards: a shell script whose steps play the shards and merge them
 *
 * Slurm and GNU parallel run the same script: what differs is who starts its steps. The folder gets the experiment as one text, so
 * that shards which start hours apart play the same, whatever has become of the file. A path may hold any byte: each is one word
 * in single quotes.
 */
#include "phase.h"
#include "shards.h"
#include "shown.h"
#include "whole_file.h"

#include "lab/make_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the script ---- */

static void put_quoted(FILE *out, const char *text)
{
  fputc('\'', out);
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", out);
    else
      fputc(*text, out);
  fputc('\'', out);
}

/* NAME='text' */
static void put_variable(FILE *out, const char *name, const char *text)
{
  fprintf(out, "%s=", name);
  put_quoted(out, text);
  fputc('\n', out);
}

static void put_plugins(FILE *out, const arguments *args)
{
  const char *plugin[MOST_REPEATED];
  size_t n = repeated_values(args, OPT_PLUGIN, plugin);
  for (size_t i = 0; i < n; i++) {
    fputs(" --plugin ", out);
    put_quoted(out, plugin[i]);
  }
}

/* A step that plays a share. */
static void put_stage(FILE *out, const arguments *args, const shard_script *s, const char *stage, int tuned)
{
  fprintf(out, "%s)\n  exec \"$ofw\" sweep \"$out/shards.ini\" --stage %s --shard \"$shard/%llu\" --jobs %llu", stage,
          stage, (unsigned long long)s->shards, (unsigned long long)s->jobs);
  if (tuned)
    fputs(" --tuned \"$out/tuned\"", out);
  put_plugins(out, args);
  fprintf(out, "%s -o \"$out/%s-$shard\" --quiet\n  ;;\n", args->value[OPT_DROP] ? " --drop" : "", stage);
}

/* A step that merges the folders of a stage, with what was merged before. */
static void put_merge(FILE *out, const arguments *args, const shard_script *s, const char *step, const char *stage)
{
  int last = strcmp(step, "merge") == 0;
  size_t n = last ? s->play : s->tune;
  fprintf(out, "%s)\n  exec \"$ofw\" sweep --merge", step);
  if (last && s->tune)
    fputs(" \"$out/tuned\"", out);
  for (size_t i = 1; i <= n; i++)
    fprintf(out, " \"$out/%s-%zu\"", stage, i);
  fprintf(out, " --stage %s%s -o \"$out%s\" --quiet\n  ;;\n", last && s->play ? "play" : "tune",
          args->value[OPT_DROP] ? " --drop" : "", last ? "" : "/tuned");
}

/* GNU parallel quotes what comes after ::: for the shells that it starts, here and on other hosts; with -0 also an end of line. */
static void put_parallel(FILE *out, const shard_script *s)
{
  shard_step step[SHARD_STEPS];
  size_t n = shard_steps(s, step);
  fputs("parallel)\n  shift\n", out);
  for (size_t i = 0; i < n; i++)
    if (step[i].tasks)
      fprintf(out, "  parallel -0 \"$@\" sh {1} %s {2} ::: \"$out/shards.sh\" ::: $(seq %zu)\n", step[i].name,
              step[i].tasks);
    else
      fprintf(out, "  sh \"$out/shards.sh\" %s\n", step[i].name);
  fputs("  ;;\n", out);
}

static const char mark[] = "#!/bin/sh\n# Written by 'ofw sweep --shards'.";

static void put_script(FILE *out, const arguments *args, const shard_script *s, const char *ofw, const char *here)
{
  const char *data = getenv("OFW_DATA_DIR");
  fputs(mark, out);
  fputs(" Steps: tune SHARD, tuned, play SHARD, merge; Slurm gives the shard as the task of an array.\n# 'sh shards.sh "
        "parallel [option]...' does them all by GNU parallel, with these "
        "options.\nset -eu\n",
        out);
  put_variable(out, "ofw", ofw);
  put_variable(out, "out", s->folder);
  put_variable(out, "here", here);
  if (data) {
    put_variable(out, "OFW_DATA_DIR", data);
    fputs("export OFW_DATA_DIR\n", out);
  }
  fputs("step=${1:-} shard=${2:-${SLURM_ARRAY_TASK_ID:-}}\n"
        "cd \"$here\"\n"
        "[ \"$step\" != parallel ] || unset SLURM_JOB_ID\n"
        "[ -z \"${SLURM_JOB_ID:-}\" ] || exec >> \"$out/$step${shard:+-$shard}.log\" 2>&1\n"
        "case $step in\n",
        out);
  if (s->tune) {
    put_stage(out, args, s, "tune", 0);
    put_merge(out, args, s, "tuned", "tune");
  }
  if (s->play)
    put_stage(out, args, s, "play", s->tune > 0);
  put_merge(out, args, s, "merge", "play");
  put_parallel(out, s);
  fputs("*)\n  echo \"shards.sh: expected a step, found '$step'\" >&2\n  exit 2\n  ;;\nesac\n", out);
}

size_t shard_steps(const shard_script *s, shard_step out[SHARD_STEPS])
{
  size_t n = 0;
  if (s->tune) {
    out[n++] = (shard_step){.name = "tune", .tasks = s->tune};
    out[n++] = (shard_step){.name = "tuned"};
  }
  if (s->play)
    out[n++] = (shard_step){.name = "play", .tasks = s->play};
  out[n++] = (shard_step){.name = "merge"};
  return n;
}

/* ---- the files ---- */

static int write_script(const command *self, const arguments *args, const shard_script *s)
{
  char ofw[PATH_MAX] = "", here[PATH_MAX];
  FILE *out;
  if (readlink("/proc/self/exe", ofw, sizeof ofw - 1) < 0 || !getcwd(here, sizeof here))
    return complain(self, EXIT_FAILED, "cannot find the program of ofw, or this folder: %s", strerror(errno));
  int code = open_result(self, s->path, &out);
  if (code)
    return code;
  put_script(out, args, s, ofw, here);
  return close_result(self, s->path, out);
}

static int write_text(const command *self, const shard_script *s, const char *text)
{
  FILE *out = NULL;
  char *path = ofw_format("%s/shards.ini", s->folder);
  int code = path ? open_result(self, path, &out) : no_memory(self);
  if (!code) {
    fputs(text, out);
    code = close_result(self, path, out);
  }
  free(path);
  return code;
}

/* How many shards have anything to do. */
static int count_shards(const command *self, const lab_experiment *x, shard_script *s)
{
  lab_plan plan;
  ofw_error err = {0};
  ofw_status st = lab_plan_make(x, &plan, &err);
  if (st == OFW_OK) {
    s->tune = lab_shards_used(&plan, LAB_TUNE, (size_t)s->shards);
    s->play = lab_shards_used(&plan, LAB_PLAY, (size_t)s->shards);
  }
  lab_plan_free(&plan);
  return st == OFW_OK ? 0 : refuse(self, &err);
}

/* Whether the two files of this folder may be written: there are none, or they are of an earlier call. */
static int may_write(const command *self, const shard_script *s)
{
  char *text = ofw_format("%s/shards.ini", s->folder), found[sizeof mark] = "";
  if (!text)
    return no_memory(self);
  FILE *script = fopen(s->path, "r");
  int is_other = script ? fread(found, 1, sizeof mark - 1, script) < sizeof mark - 1 || strcmp(found, mark) != 0
                        : access(text, F_OK) == 0;
  int code = is_other
                 ? complain(self, EXIT_USAGE,
                            "%s is there already and not of 'ofw sweep --shards'; choose another folder for --output",
                            script ? s->path : text)
                 : 0;
  if (script)
    fclose(script);
  free(text);
  return code;
}

static int make_folder(const command *self, const char *folder, shard_script *s)
{
  ofw_error err = {0};
  if (lab_folder_make(folder, &err) != OFW_OK)
    return refuse(self, &err);
  s->folder = realpath(folder, NULL);
  s->path = s->folder ? ofw_format("%s/shards.sh", s->folder) : NULL;
  return s->path ? may_write(self, s)
                 : complain(self, EXIT_FAILED, "cannot find the folder %s: %s", folder, strerror(errno));
}

/* ---- what is printed ---- */

/* A path, which may hold any byte, in a line. */
static void print_path(const char *before, const char *path, const char *after)
{
  fputs(before, stdout);
  put_shown(stdout, path);
  fputs(after, stdout);
}

static void print_steps(const arguments *args, const shard_script *s, const shard_step *step, size_t n)
{
  for (size_t i = 0; i < n && args->value[OPT_SLURM]; i++)
    if (step[i].tasks)
      printf("%-5s  job %s, an array of %zu\n", step[i].name, step[i].job, step[i].tasks);
    else
      printf("%-5s  job %s\n", step[i].name, step[i].job);
  if (args->value[OPT_SLURM]) {
    print_path("The last one writes ", s->folder, "/results.db. ");
    puts("Its folder has the script, and a log per job.");
  } else
    print_path("sh ", s->path, " parallel [--sshlogin HOST,HOST]\n");
}

static void print_json(const arguments *args, const shard_script *s, const shard_step *step, size_t n)
{
  json j = {0};
  json_open(&j, NULL);
  json_text(&j, "script", s->path);
  json_count(&j, "shards", s->shards);
  json_open_list(&j, "steps");
  for (const shard_step *at = step; at < step + n; at++) {
    json_open(&j, NULL);
    json_text(&j, "step", at->name);
    json_count(&j, "tasks", at->tasks ? at->tasks : 1);
    json_text(&j, "job", args->value[OPT_SLURM] ? at->job : NULL);
    json_close(&j);
  }
  json_close_list(&j);
  json_close(&j);
  putchar('\n');
}

/* ---- all of it ---- */

static int prepare(const command *self, const arguments *args, const lab_experiment *x, shard_script *s)
{
  ofw_error err = {0};
  int code = read_count_in(self, args, OPT_SHARDS, 1, 1, OFW_MOST_SHARDS, &s->shards);
  if (!code)
    code = read_count_in(self, args, OPT_JOBS, 1, 1, OFW_MOST_JOBS, &s->jobs);
  if (!code)
    code = count_shards(self, x, s);
  if (code)
    return code;
  phase_begin(self, args, "nothing was submitted", "checking the experiment");
  if (lab_experiment_check(x, &err) != OFW_OK)
    code = refuse(self, &err);
  phase_end();
  if (!code)
    code = make_folder(self, args->value[OPT_OUTPUT], s);
  if (!code)
    code = write_text(self, s, x->text);
  return code ? code : write_script(self, args, s);
}

int sweep_by_script(const command *self, const arguments *args, const lab_experiment *x)
{
  shard_script s = {0};
  shard_step step[SHARD_STEPS];
  int code = prepare(self, args, x, &s);
  size_t n = shard_steps(&s, step);
  if (!code && args->value[OPT_SLURM])
    code = submit_steps(self, args, &s, step, n);
  if (!code)
    (args->value[OPT_JSON] ? print_json : print_steps)(args, &s, step, n);
  free(s.folder);
  free(s.path);
  return code;
}
