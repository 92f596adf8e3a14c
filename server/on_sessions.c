/* on_sessions.c — sessions are made, listed, described, saved and removed */
#include "server/document.h"
#include "server/route.h"

#include "persist/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char json_type[] = "application/json";
enum { LIST_MOST = 1000, LIST_DEFAULT = 100 };

/* ---- making ---- */

static int has_memory(server *of, exchange *x)
{
  if (gauges_memory() < of->limits.memory)
    return 1;
  exchange_problem(x, HTTP_UNAVAILABLE, 0,
                   "the limit of %" PRIu64 " bytes of memory is reached; remove a session first", of->limits.memory);
  return 0;
}

static int has_place(server *of, exchange *x)
{
  if (sessions_count(&of->sessions) < of->limits.sessions)
    return 1;
  exchange_problem(x, HTTP_UNAVAILABLE, 0, "the limit of %" PRIu64 " sessions is reached; remove one first",
                   of->limits.sessions);
  return 0;
}

/* The learner's state that came with the document goes into the session, and onto the disk before the roster has it. */
static ofw_status import(server *of, session *s, const document *d, ofw_error *err)
{
  ofw_checkpoint found = {0};
  ofw_error why = {0};
  uint64_t round;
  if (!d->state)
    return OFW_OK;
  ofw_status st = ofw_checkpoint_unpack(d->state, d->state_size, &found, &why);
  if (st == OFW_OK)
    st = session_import(s, &found.state, &why);
  ofw_checkpoint_free(&found);
  if (st != OFW_OK)
    return ofw_fail(err, OFW_BAD_DATA, "state: %s", why.message);
  st = store_save(&of->store, s, &round, &why);
  return st == OFW_OK ? st : ofw_fail(err, OFW_FAILED, "%s", why.message);
}

/* With a user for the caller; NULL after a problem. */
static session *create(server *of, exchange *x, document *d)
{
  char id[SESSION_ID + 1];
  ofw_error err = {0};
  ofw_status st = session_id_draw(id, &err);
  session *s = st == OFW_OK ? session_make(id, &d->spec, of->limits.dim, &err) : NULL;
  if (!s || (st = import(of, s, d, &err)) == OFW_BAD_DATA) {
    exchange_problem(x, problem_of(err.status), 0, "%s", err.message);
    session_release(s);
    return NULL;
  }
  if (st == OFW_OK)
    st = roster_add(of->roster, s, &err);
  if (st == OFW_OK)
    st = sessions_add(&of->sessions, s, &err);
  if (st == OFW_OK)
    return s;
  s->gone = 1;
  store_forget(&of->store, s);
  exchange_problem(x, HTTP_NO_STORAGE, 0, "%s", err.message);
  session_release(s);
  return NULL;
}

void on_create(server *of, exchange *x)
{
  document d;
  ofw_error err = {0};
  if (!has_place(of, x) || !has_memory(of, x))
    return;
  if (document_read(x->body.length ? x->body.chars : "", x->body.length, &d, &err) != OFW_OK) {
    exchange_problem(x, problem_of(err.status), 0, "%s", err.message);
    return;
  }
  session *s = create(of, x, &d);
  if (s) {
    session_print(s, 1, &x->reply);
    ofw_text_add(&x->reply, "\n");
    x->extra_name = "Location";
    snprintf(x->extra, sizeof x->extra, "/v1/sessions/%s", s->id);
    exchange_answer(x, 201, json_type);
    session_release(s);
  }
  document_free(&d);
}

/* ---- looking at them ---- */

static void print_locked(session *s, int whole, ofw_text *out)
{
  pthread_mutex_lock(&s->lock);
  feedback_settle(s);
  session_print(s, whole, out);
  pthread_mutex_unlock(&s->lock);
}

void on_describe(server *of, exchange *x)
{
  (void)of;
  print_locked(x->s, 1, &x->reply);
  ofw_text_add(&x->reply, "\n");
  exchange_answer(x, 200, json_type);
}

static void print_list(server *of, exchange *x, uint64_t after, size_t limit)
{
  session **list = ofw_array(limit + 1, sizeof *list);
  if (!list) {
    exchange_problem(x, HTTP_UNAVAILABLE, 0, "out of memory");
    return;
  }
  size_t n = sessions_list(&of->sessions, after, list, limit + 1);
  ofw_text_add(&x->reply, "{\"sessions\":[");
  for (size_t k = 0; k < n; k++) {
    if (k < limit) {
      ofw_text_add(&x->reply, "%s", k ? "," : "");
      print_locked(list[k], 0, &x->reply);
    }
    session_release(list[k]);
  }
  ofw_text_add(&x->reply, "],\"more\":%s}\n", n > limit ? "true" : "false");
  free(list);
  exchange_answer(x, 200, json_type);
}

void on_list(server *of, exchange *x)
{
  uint64_t limit, number = 0;
  const char *after = exchange_query(x, "after");
  session *s = after ? sessions_find(&of->sessions, after) : NULL;
  if (s)
    number = s->number;
  session_release(s);
  if (after && !number)
    exchange_problem(x, HTTP_BAD_REQUEST, 0, "after: there is no session '%.40s'", after);
  else if (exchange_query_count(x, "limit", 1, LIST_MOST, LIST_DEFAULT, &limit))
    print_list(of, x, number, (size_t)limit);
}

void on_catalogue(server *of, exchange *x)
{
  ofw_text_add(&x->reply, "%s", of->catalogue);
  exchange_answer(x, 200, json_type);
}

/* ---- removing ---- */

void on_delete(server *of, exchange *x)
{
  ofw_error err = {0};
  if (roster_remove(of->roster, x->s->id, &err) != OFW_OK) {
    exchange_problem(x, HTTP_NO_STORAGE, 0, "%s", err.message);
    return;
  }
  x->s->gone = 1;
  sessions_remove(&of->sessions, x->s);
  store_forget(&of->store, x->s);
  exchange_answer(x, 204, NULL);
}

/* ---- their states ---- */

void on_snapshot(server *of, exchange *x)
{
  ofw_error err = {0};
  uint64_t round;
  ofw_status st = store_save(&of->store, x->s, &round, &err);
  if (st != OFW_END)
    gauges_add(st == OFW_OK ? &of->gauges.checkpoints : &of->gauges.checkpoint_failures, 1);
  if (st != OFW_OK) {
    exchange_problem(x, st == OFW_END ? HTTP_NOT_FOUND : HTTP_NO_STORAGE, 0, "%s", err.message);
    return;
  }
  ofw_text_add(&x->reply, "{\"round\":%" PRIu64 "}\n", round);
  exchange_answer(x, 200, json_type);
}

/* The bytes of a checkpoint file with the learner's state, to be freed. */
static ofw_status pack(server *of, session *s, unsigned char **bytes, size_t *size, ofw_error *err)
{
  ofw_state state = {0};
  pthread_mutex_lock(&s->lock);
  feedback_settle(s);
  uint64_t rounds = s->answered;
  ofw_status st = session_export(s, &state, err);
  pthread_mutex_unlock(&s->lock);
  char *about = store_about(&of->store, rounds);
  if (st == OFW_OK)
    st = about ? ofw_checkpoint_pack(&state, about, bytes, size, err) : ofw_fail_memory(err, 64);
  free(about);
  ofw_state_free(&state);
  return st;
}

/* A file, in the reply as it is. */
static ofw_status print_bytes(const unsigned char *bytes, size_t size, ofw_text *out, ofw_error *err)
{
  OFW_TRY(ofw_grow(&out->chars, out->length, size, &out->room, 1, err));
  memcpy(out->chars + out->length, bytes, size);
  out->length += size;
  return OFW_OK;
}

void on_export(server *of, exchange *x)
{
  const char *as = exchange_query(x, "as");
  int file = as && strcmp(as, "checkpoint") == 0;
  unsigned char *bytes = NULL;
  size_t size = 0;
  ofw_error err = {0};
  if (as && !file && strcmp(as, "json") != 0) {
    exchange_problem(x, HTTP_BAD_REQUEST, 0, "as: expected json or checkpoint, found '%.40s'", as);
    return;
  }
  ofw_status st = pack(of, x->s, &bytes, &size, &err);
  if (st == OFW_OK)
    st = file ? print_bytes(bytes, size, &x->reply, &err) : document_print(&x->s->spec, bytes, size, &x->reply, &err);
  free(bytes);
  if (st == OFW_OK)
    exchange_answer(x, 200, file ? "application/octet-stream" : json_type);
  else
    exchange_problem(x, problem_of(st), 0, "%s", err.message);
}
