/* gauges.c — the counters as Prometheus reads them */
#include "server/gauges.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Upper ends of the buckets in seconds, and as a label; the last one has none. */
static const double ends[GAUGE_BUCKETS - 1] = {1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 2.5e-2, 0.1, 0.5, 2.5};
static const char *const labels[GAUGE_BUCKETS] = {"0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005",
                                                  "0.01",   "0.025",   "0.1",    "0.5",   "2.5",    "+Inf"};

void gauges_time(gauge_times *t, double seconds)
{
  size_t k = 0;
  while (k < GAUGE_BUCKETS - 1 && seconds > ends[k])
    k++;
  gauges_add(&t->bucket[k], 1);
  gauges_add(&t->nanoseconds, (uint64_t)(seconds * 1e9));
}

static void head(ofw_text *out, const char *name, const char *type, const char *help)
{
  ofw_text_add(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void one(ofw_text *out, const char *name, const char *type, const char *help, uint64_t value)
{
  head(out, name, type, help);
  ofw_text_add(out, "%s %" PRIu64 "\n", name, value);
}

static void times(ofw_text *out, const char *name, const char *help, const gauge_times *t)
{
  uint64_t count = 0;
  head(out, name, "histogram", help);
  for (size_t k = 0; k < GAUGE_BUCKETS; k++) {
    count += gauges_get(&t->bucket[k]);
    ofw_text_add(out, "%s_bucket{le=\"%s\"} %" PRIu64 "\n", name, labels[k], count);
  }
  ofw_text_add(out, "%s_sum ", name);
  ofw_text_add_number(out, (double)gauges_get(&t->nanoseconds) * 1e-9);
  ofw_text_add(out, "\n%s_count %" PRIu64 "\n", name, count);
}

uint64_t gauges_memory(void)
{
  unsigned long long all, there = 0;
  FILE *in = fopen("/proc/self/statm", "re");
  if (!in)
    return 0;
  if (fscanf(in, "%llu %llu", &all, &there) != 2)
    there = 0;
  (void)fclose(in);
  return there * (uint64_t)sysconf(_SC_PAGESIZE);
}

void gauges_print(const gauges *g, const gauges_seen *seen, ofw_text *out)
{
  head(out, "ofw_build_info", "gauge", "The build that runs.");
  ofw_text_add(out, "ofw_build_info{version=\"%s\"} 1\n", ofw_version());
  one(out, "ofw_sessions", "gauge", "Sessions that exist.", seen->sessions);
  one(out, "ofw_open_rounds", "gauge", "Rounds of sessions with a delay whose decision waits for its feedback.",
      seen->open_rounds);
  one(out, "ofw_rounds_total", "counter", "Rounds whose feedback is on the disk and played.", gauges_get(&g->rounds));
  head(out, "ofw_http_answers_total", "counter", "Answers by the first digit of their status.");
  for (unsigned k = 2; k < 6; k++)
    ofw_text_add(out, "ofw_http_answers_total{class=\"%uxx\"} %" PRIu64 "\n", k, gauges_get(&g->answers[k]));
  times(out, "ofw_request_seconds", "From the head of a request to the end of its answer.", &g->request_seconds);
  times(out, "ofw_commit_seconds", "One commit of the log, its sync included.", &g->commit_seconds);
  one(out, "ofw_commit_failures_total", "counter", "Commits that the disk refused.", gauges_get(&g->commit_failures));
  one(out, "ofw_storage_failed", "gauge", "1: the last commit failed, and feedback is answered by 507.",
      (uint64_t)seen->storage_failed);
  one(out, "ofw_log_bytes", "gauge", "Bytes of the log.", seen->log_bytes);
  one(out, "ofw_log_files", "gauge", "Files of the log.", seen->log_files);
  one(out, "ofw_checkpoints_total", "counter", "Checkpoints of sessions that were written.",
      gauges_get(&g->checkpoints));
  one(out, "ofw_checkpoint_failures_total", "counter", "Checkpoints that the disk refused.",
      gauges_get(&g->checkpoint_failures));
  one(out, "ofw_connections", "gauge", "Open connections.", gauges_get(&g->connections));
  one(out, "ofw_event_streams", "gauge", "Open streams of events.", gauges_get(&g->streams));
  one(out, "ofw_client_timeouts_total", "counter", "Connections that were shut because they took too long.",
      gauges_get(&g->timeouts));
  one(out, "process_resident_memory_bytes", "gauge", "Memory of the process that is there.", gauges_memory());
  head(out, "process_start_time_seconds", "gauge", "When the process began, in seconds since 1970.");
  ofw_text_add(out, "process_start_time_seconds ");
  ofw_text_add_number(out, g->started);
  ofw_text_add(out, "\n");
}
