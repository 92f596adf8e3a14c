/* sweep_merge.c — ofw sweep --merge: the shards of a sweep joined, and what is still missing */
#include "phase.h"
#include "shards.h"

#include <sys/resource.h>

/* Every database stays open until the end, and a system allows few files unless it is asked. */
static void allow_files(void)
{
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) != 0)
    return;
  most.rlim_cur = most.rlim_max;
  (void)setrlimit(RLIMIT_NOFILE, &most); /* if it is refused, opening says so */
}

/* What it says in the end. A tuning that failed is told again by the merge of the plays. */
static int judge(const command *self, const char *folder, const lab_merged *m)
{
  if (m->missing_tunings && m->tunings == 0 && m->plays > 0)
    return complain(self, EXIT_FAILED,
                    "%s/results.db lacks %zu of %zu plays, among them all tuning runs; merge the folder of those, too",
                    folder, m->missing, m->tally.cells);
  if (m->missing)
    return complain(self, EXIT_FAILED,
                    "%s/results.db lacks %zu of %zu plays; play their shards again, then merge into the same folder",
                    folder, m->missing, m->tally.cells);
  if (!m->plays_asked)
    return complain(self, 0, "%s/results.db has all %zu tuning runs; --stage play --tuned %s is next", folder,
                    m->tunings, folder);
  return m->tally.failed ? complain_of_failures(self, &m->tally, EXIT_FAILED) : 0;
}

int sweep_merge(const command *self, const arguments *args)
{
  const char *folder = args->value[OPT_OUTPUT];
  lab_merge ask = {.from = args->word, .n = args->words, .folder = folder, .drop = args->value[OPT_DROP] != NULL};
  lab_merged merged = {0};
  ofw_error err = {0};
  int code = read_stage(self, args, &ask.stage);
  if (!code && ask.n > OFW_MOST_SHARDS + 1)
    code = complain(self, EXIT_USAGE, "at most %d databases can be merged at once; merge some of them first",
                    OFW_MOST_SHARDS + 1);
  if (code)
    return code;
  allow_files();
  phase_begin(self, args, "the same command resumes", "merging into %s", folder);
  ofw_status st = lab_merge_into(&ask, &merged, &err);
  phase_end();
  complain_lines(self, merged.tally.refused);
  complain_lines(self, merged.gaps);
  if (st != OFW_OK)
    return refuse(self, &err);
  code = judge(self, folder, &merged);
  int printed = merged.missing ? 0 : print_sweep(self, args, folder);
  if (!code && !printed && merged.plays_asked)
    name_report(self, args, folder);
  return code ? code : printed;
}
