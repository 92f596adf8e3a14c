/* shards.h — a sweep in parts: one part, the parts joined, and a script by which others run them all */
#pragma once

#include "analysis.h"

#include "lab/merge.h"

/* Which options of 'ofw sweep' go together. 0, or an exit code after a complaint. */
int check_shard_options(const command *self, const arguments *args);
/* --stage and --shard; all of it if neither is given. */
int read_stage(const command *self, const arguments *args, lab_stage *out);
int read_share(const command *self, const arguments *args, lab_share *out);

/* --merge DIR... */
int sweep_merge(const command *self, const arguments *args);

/* --shards N: the folder gets a script and the experiment's text, which --slurm submits. */
int sweep_by_script(const command *self, const arguments *args, const lab_experiment *x);

/* The script, and how many shards have anything to do in either stage. */
typedef struct shard_script {
  char *folder; /* with all of its path */
  char *path;   /* the script's */
  uint64_t shards, jobs;
  size_t tune, play;
} shard_script;
/* A step of it: "tune", "tuned", "play" or "merge". */
typedef struct shard_step {
  const char *name;
  size_t tasks; /* of its array; 0: it is one job */
  char job[32]; /* as Slurm numbers it */
} shard_step;
enum { SHARD_STEPS = 4 };
/* The steps that there are, in their order; how many. */
size_t shard_steps(const shard_script *s, shard_step out[SHARD_STEPS]);
/* Submits them, each after the one before has succeeded. */
int submit_steps(const command *self, const arguments *args, const shard_script *s, shard_step *step, size_t n);
