/* sessions.c — a table of chains for the ids, and a list for the order */
#include "server/sessions.h"

#include <stdlib.h>
#include <string.h>

/* Ids are random: their first digits spread them. */
static session **bucket_of(sessions *t, const char *id)
{
  char digits[4] = {id[0], id[1], id[2], 0};
  return &t->bucket[strtoul(digits, NULL, 16) % SESSIONS_BUCKETS];
}

void sessions_open(sessions *t)
{
  *t = (sessions){0};
  pthread_rwlock_init(&t->lock, NULL);
}

void sessions_close(sessions *t)
{
  for (size_t k = 0; k < t->count; k++)
    session_release(t->ordered[k]);
  free(t->ordered);
  pthread_rwlock_destroy(&t->lock);
}

ofw_status sessions_add(sessions *t, session *s, ofw_error *err)
{
  session **bucket = bucket_of(t, s->id);
  pthread_rwlock_wrlock(&t->lock);
  ofw_status st = ofw_grow(&t->ordered, t->count, 1, &t->room, sizeof *t->ordered, err);
  if (st == OFW_OK) {
    t->ordered[t->count++] = s;
    s->next = *bucket;
    *bucket = s;
    atomic_fetch_add(&s->users, 1);
  }
  pthread_rwlock_unlock(&t->lock);
  return st;
}

session *sessions_find(sessions *t, const char *id)
{
  if (!session_id_fits(id))
    return NULL;
  pthread_rwlock_rdlock(&t->lock);
  session *s = *bucket_of(t, id);
  while (s && strcmp(s->id, id) != 0)
    s = s->next;
  if (s)
    atomic_fetch_add(&s->users, 1);
  pthread_rwlock_unlock(&t->lock);
  return s;
}

/* The place of the first session with a number above this one. */
static size_t place_above(const sessions *t, uint64_t number)
{
  size_t low = 0, high = t->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (t->ordered[middle]->number > number)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

int sessions_remove(sessions *t, session *s)
{
  session **link = bucket_of(t, s->id);
  pthread_rwlock_wrlock(&t->lock);
  while (*link && *link != s)
    link = &(*link)->next;
  int there = *link != NULL;
  if (there) {
    *link = s->next;
    size_t at = place_above(t, s->number) - 1;
    memmove(t->ordered + at, t->ordered + at + 1, (--t->count - at) * sizeof *t->ordered);
  }
  pthread_rwlock_unlock(&t->lock);
  if (there)
    session_release(s);
  return there;
}

size_t sessions_count(sessions *t)
{
  pthread_rwlock_rdlock(&t->lock);
  size_t count = t->count;
  pthread_rwlock_unlock(&t->lock);
  return count;
}

uint64_t sessions_open_rounds(sessions *t)
{
  uint64_t open = 0;
  pthread_rwlock_rdlock(&t->lock);
  for (size_t k = 0; k < t->count; k++) {
    const session *s = t->ordered[k];
    uint64_t answered = s->answered; /* first: both grow, and it stays the smaller */
    open += s->delay ? s->decided - answered : 0;
  }
  pthread_rwlock_unlock(&t->lock);
  return open;
}

size_t sessions_list(sessions *t, uint64_t after, session **out, size_t most)
{
  size_t n = 0;
  pthread_rwlock_rdlock(&t->lock);
  for (size_t k = place_above(t, after); k < t->count && n < most; k++) {
    out[n++] = t->ordered[k];
    atomic_fetch_add(&t->ordered[k]->users, 1);
  }
  pthread_rwlock_unlock(&t->lock);
  return n;
}
