/* gauges.h — what the server counts, for Prometheus: atomics that any thread adds to */
#pragma once

#include "base/basics.h"

#include <stdatomic.h>

enum { GAUGE_BUCKETS = 12 };

/* How long something took, each time. */
typedef struct gauge_times {
  _Atomic(uint64_t) bucket[GAUGE_BUCKETS];
  _Atomic(uint64_t) nanoseconds;
} gauge_times;

typedef struct gauges {
  _Atomic(uint64_t) rounds, answers[6]; /* answers by the first digit of their status */
  _Atomic(uint64_t) commit_failures, checkpoints, checkpoint_failures, timeouts;
  _Atomic(uint64_t) connections, streams, requests; /* now */
  gauge_times commit_seconds, request_seconds;
  double started; /* Unix time */
} gauges;

static inline void gauges_add(_Atomic(uint64_t) *counter, uint64_t n)
{
  atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static inline void gauges_sub(_Atomic(uint64_t) *counter, uint64_t n)
{
  atomic_fetch_sub_explicit(counter, n, memory_order_relaxed);
}

static inline uint64_t gauges_get(const _Atomic(uint64_t) *counter)
{
  return atomic_load_explicit(counter, memory_order_relaxed);
}

void gauges_time(gauge_times *t, double seconds);

/* Bytes of this process that are in memory; 0: nobody says. */
uint64_t gauges_memory(void);
/* What is not counted but seen when somebody asks. */
typedef struct gauges_seen {
  uint64_t sessions, open_rounds, log_bytes, log_files;
  int storage_failed;
} gauges_seen;
/* Prometheus' text format 0.0.4. */
void gauges_print(const gauges *g, const gauges_seen *seen, ofw_text *out);
