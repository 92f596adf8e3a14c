/* sessions.h — the sessions by their ids and in the order of their creation */
#pragma once

#include "server/session.h"

enum { SESSIONS_BUCKETS = 4096 };

typedef struct sessions {
  pthread_rwlock_t lock;
  session *bucket[SESSIONS_BUCKETS];
  session **ordered;
  size_t count, room;
} sessions;

void sessions_open(sessions *t);
void sessions_close(sessions *t);
/* Its number must be higher than that of all others. One user is the table's from now on. */
ofw_status sessions_add(sessions *t, session *s, ofw_error *err);
/* With a user for the caller, who releases it; NULL: there is none. */
session *sessions_find(sessions *t, const char *id);
/* 0: it had been removed before. The table's user is released. */
int sessions_remove(sessions *t, session *s);
size_t sessions_count(sessions *t);
/* Decisions that wait for their feedback, of all sessions with a delay. */
uint64_t sessions_open_rounds(sessions *t);
/* Up to `most` of them with a number above `after`, each with a user for the caller; how many. */
size_t sessions_list(sessions *t, uint64_t after, session **out, size_t most);
