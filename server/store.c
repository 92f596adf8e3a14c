/* store.c — the server's folder: locked, and with a checkpoint per session that is written, read, removed */
#include "server/store.h"

#include "server/feedback_lines.h"
#include "server/sessions.h"

#include "persist/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char checkpoints[] = "checkpoints";

char *store_path(const store *t, const char *name)
{
  return ofw_format("%s/%s", t->folder, name);
}

static char *checkpoint_path(const store *t, const char *id, const char *suffix)
{
  return ofw_format("%s/%s/%s%s", t->folder, checkpoints, id, suffix);
}

/* A folder that only its owner may read: it has the clients' data. */
static ofw_status make_folder(const char *path, ofw_error *err)
{
  if (!path)
    return ofw_fail_memory(err, 64);
  return mkdir(path, 0700) == 0 || errno == EEXIST
             ? OFW_OK
             : ofw_fail(err, OFW_FAILED, "cannot make the folder %.200s: %s", path, strerror(errno));
}

static ofw_status take_lock(store *t, ofw_error *err)
{
  char *path = store_path(t, "lock");
  if (!path)
    return ofw_fail_memory(err, 64);
  t->lock = t->disk->open(t->disk->ctx, path, O_RDWR | O_CREAT);
  ofw_status st = OFW_OK;
  if (t->lock < 0)
    st = ofw_fail(err, OFW_FAILED, "cannot open %.200s: %s", path, strerror(errno));
  else if (t->disk->lock(t->disk->ctx, t->lock) != 0)
    st = ofw_fail(err, OFW_FAILED, "%.200s: %s", t->folder,
                  errno == EWOULDBLOCK ? "another server has it open; stop that one, or choose another folder"
                                       : strerror(errno));
  free(path);
  return st;
}

ofw_status store_open(store *t, const ofw_disk *disk, const char *folder, const char *build, ofw_error *err)
{
  *t = (store){.disk = disk, .folder = folder, .build = build, .lock = -1};
  char *inner = store_path(t, checkpoints);
  ofw_status st = make_folder(folder, err);
  if (st == OFW_OK)
    st = make_folder(inner, err);
  if (st == OFW_OK && disk->sync_folder(disk->ctx, inner) != 0)
    st = ofw_fail(err, OFW_FAILED, "%.200s: %s", folder, strerror(errno));
  free(inner);
  return st == OFW_OK ? take_lock(t, err) : st;
}

void store_close(store *t)
{
  if (t->lock >= 0)
    t->disk->close(t->disk->ctx, t->lock);
}

/* ---- checkpoints ---- */

char *store_about(const store *t, uint64_t rounds)
{
  return ofw_format("%s\nserve rounds=%" PRIu64 "\n", t->build, rounds);
}

static ofw_status write_checkpoint(const store *t, session *s, uint64_t rounds, const ofw_state *state, ofw_error *err)
{
  char *path = checkpoint_path(t, s->id, ""), *about = store_about(t, rounds);
  ofw_status st =
      path && about ? ofw_checkpoint_write(t->disk, path, state, about, err) : ofw_fail_memory(err, strlen(t->folder));
  free(path);
  free(about);
  return st;
}

/* The same while nobody else is at its files. */
static ofw_status save(const store *t, session *s, uint64_t *round, ofw_error *err)
{
  ofw_state state = {0};
  if (s->gone)
    return ofw_fail(err, OFW_END, "there is no session %s", s->id);
  pthread_mutex_lock(&s->lock);
  feedback_settle(s);
  uint64_t answered = s->answered, changes = session_changes(s);
  int is_new = s->kept != changes;
  ofw_status st = is_new ? session_save(s, &state, err) : OFW_OK;
  pthread_mutex_unlock(&s->lock);
  if (st == OFW_OK && is_new)
    st = write_checkpoint(t, s, answered, &state, err);
  if (st == OFW_OK)
    s->kept = changes;
  ofw_state_free(&state);
  *round = answered;
  return st;
}

ofw_status store_save(const store *t, session *s, uint64_t *round, ofw_error *err)
{
  pthread_mutex_lock(&s->saving);
  ofw_status st = save(t, s, round, err);
  pthread_mutex_unlock(&s->saving);
  return st;
}

ofw_status store_load(const store *t, session *s, ofw_error *err)
{
  ofw_checkpoint found = {0};
  char *path = checkpoint_path(t, s->id, "");
  if (!path)
    return ofw_fail_memory(err, strlen(t->folder));
  ofw_status st = ofw_checkpoint_read(t->disk, path, &found, err);
  ofw_error why = {0};
  if (st == OFW_OK && (st = session_load(s, &found.state, &why)) != OFW_OK)
    ofw_fail(err, st, "%.200s: %s", path, why.message);
  if (st == OFW_OK)
    s->kept = session_changes(s);
  ofw_checkpoint_free(&found);
  free(path);
  return st == OFW_END ? OFW_OK : st;
}

/* The files of an id, whoever has it. */
static void remove_files(const store *t, const char *id)
{
  static const char *const suffixes[] = {"", ".1", ".tmp"};
  for (size_t k = 0; k < 3; k++) {
    char *path = checkpoint_path(t, id, suffixes[k]);
    if (path)
      t->disk->remove(t->disk->ctx, path);
    free(path);
  }
}

void store_forget(const store *t, session *s)
{
  pthread_mutex_lock(&s->saving);
  remove_files(t, s->id);
  pthread_mutex_unlock(&s->saving);
}

void store_sweep(const store *t, sessions *of)
{
  const struct dirent *entry;
  char *inner = store_path(t, checkpoints);
  DIR *folder = inner ? opendir(inner) : NULL;
  while (folder && (entry = readdir(folder))) {
    char id[SESSION_ID + 1] = "";
    for (size_t k = 0; k < SESSION_ID && entry->d_name[k]; k++)
      id[k] = entry->d_name[k];
    if (!session_id_fits(id))
      continue;
    session *s = sessions_find(of, id);
    if (!s)
      remove_files(t, id);
    session_release(s);
  }
  if (folder)
    closedir(folder);
  free(inner);
}
