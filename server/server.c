/* server.c — a server is opened, which recovers its sessions, and closed, which leaves nothing to recover */
#include "server/server.h"

#include "base/limits.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const server_limits server_default_limits = {.body = 8 << 20,
                                             .dim = 10000000,
                                             .sessions = 10000,
                                             .connections = 1024,
                                             .streams = 100,
                                             .timeout = 30,
                                             .log = 64 << 20};

const char *server_address(const server *s)
{
  return s->address;
}

size_t server_sessions(server *s)
{
  return sessions_count(&s->sessions);
}

/* ---- recovery ---- */

static ofw_status recover_session(void *ctx, const char *id, uint64_t number, session_spec *spec, ofw_error *err)
{
  server *s = ctx;
  ofw_error why = {0};
  session *one = session_make(id, spec, OFW_MOST_DIM, &why); /* it exists, whatever the limits are now */
  if (!one)
    return ofw_fail(err, why.status, "session %s: %s", id, why.message);
  one->number = number;
  ofw_status st = store_load(&s->store, one, &why);
  if (st == OFW_OK)
    st = sessions_add(&s->sessions, one, &why);
  session_release(one);
  return st == OFW_OK ? st : ofw_fail(err, st, "session %s: %s", id, why.message);
}

static ofw_status replay_line(void *ctx, const char *id, const char *line, size_t length, ofw_error *err)
{
  session *one = sessions_find(&((server *)ctx)->sessions, id);
  ofw_status st = one ? session_replay(one, line, length, err) : OFW_OK; /* none: it was removed */
  session_release(one);
  return st;
}

static ofw_status recover(server *s, ofw_error *err)
{
  OFW_TRY(store_open(&s->store, &ofw_real_disk, s->folder, s->build, err));
  char *path = store_path(&s->store, "roster.db");
  ofw_status st = path ? roster_open(path, &s->roster, err) : ofw_fail_memory(err, strlen(s->folder));
  free(path);
  if (st == OFW_OK)
    st = roster_each(s->roster, recover_session, s, err);
  if (st == OFW_OK)
    st = journal_open(&ofw_real_disk, s->folder, s->build, replay_line, s, &s->gauges, &s->journal, err);
  if (st == OFW_OK)
    store_sweep(&s->store, &s->sessions);
  return st;
}

/* ---- opening and closing ---- */

static ofw_status copy_texts(server *s, const server_settings *settings, ofw_error *err)
{
  s->folder = ofw_copy_text(settings->folder);
  s->build = ofw_copy_text(settings->build);
  s->catalogue = ofw_copy_text(settings->catalogue);
  s->page = settings->page ? settings->page : "";
  return s->folder && s->build && s->catalogue ? OFW_OK : ofw_fail_memory(err, strlen(settings->catalogue));
}

static ofw_status open_all(server *s, const server_settings *settings, ofw_error *err)
{
  OFW_TRY(copy_texts(s, settings, err));
  if (settings->token_file)
    OFW_TRY(access_read(settings->token_file, &s->tokens, err));
  OFW_TRY(recover(s, err));
  keeper_shorten_log(s); /* so that a server which is killed again and again does not start ever more slowly */
  OFW_TRY(http_open(s, settings->address, err));
  return keeper_open(s, err);
}

server *server_open(const server_settings *settings, ofw_error *err)
{
  server *s = calloc(1, sizeof *s);
  if (!s) {
    ofw_fail_memory(err, sizeof *s);
    return NULL;
  }
  s->limits = settings->limits;
  if (s->limits.memory == 0)
    s->limits.memory = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
  s->say = settings->say;
  s->ctx = settings->ctx;
  s->gauges.started = (double)time(NULL);
  s->listens = s->store.lock = -1;
  pthread_mutex_init(&s->connected, NULL);
  pthread_mutex_init(&s->streaming, NULL);
  pthread_mutex_init(&s->resting, NULL);
  pthread_cond_init(&s->rest, NULL);
  sessions_open(&s->sessions);
  if (open_all(s, settings, err) == OFW_OK)
    return s;
  server_close(s);
  return NULL;
}

void server_close(server *s)
{
  if (!s)
    return;
  int served = s->daemon != NULL;
  atomic_store(&s->stopping, 1);
  http_close(s);
  keeper_close(s);
  if (served)
    keeper_save_all(s);
  journal_close(s->journal);
  roster_close(s->roster);
  sessions_close(&s->sessions);
  store_close(&s->store);
  pthread_mutex_destroy(&s->connected);
  pthread_mutex_destroy(&s->streaming);
  pthread_mutex_destroy(&s->resting);
  pthread_cond_destroy(&s->rest);
  free(s->folder);
  free(s->build);
  free(s->catalogue);
  free(s->address);
  free(s);
}
