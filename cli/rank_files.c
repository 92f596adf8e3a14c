/* rank_files.c — writes, reads and clears away the files of a checkpoint that ranks share */
#include "rank_files.h"

#include "run/join.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* What the manifest says behind the caller's text. */
static const char head_form[] = "ranks=%zu rows=%zu round=%llu\n", head_mark[] = "\nranks=";
static const char file_form[] = "rank=%zu bytes=%llu checksum=%llx\n";

/* A rank's file as the manifest has it. */
typedef struct rank_file {
  double bytes, checksum; /* of the state; both are whole numbers */
} rank_file;

static rank_file describe(const ofw_state *state)
{
  return (rank_file){(double)state->size, (double)crc32_z(0, state->bytes, state->size)};
}

static char *name_of(const char *path, uint64_t round, size_t rank, size_t ranks)
{
  return ofw_format("%s.r%llu.%zuof%zu", path, (unsigned long long)round, rank, ranks);
}

/* ---- writing ---- */

static ofw_status write_own(const ofw_ranks *ranks, const char *path, uint64_t round, const ofw_state *state,
                            ofw_error *err)
{
  unsigned char *bytes = NULL;
  size_t size;
  char *name = name_of(path, round, ranks->rank, ranks->count);
  ofw_status st = name ? ofw_checkpoint_pack(state, "", &bytes, &size, err) : ofw_fail_memory(err, strlen(path));
  if (st == OFW_OK)
    st = ofw_disk_replace(&ofw_real_disk, name, NULL, bytes, size, err);
  free(bytes);
  free(name);
  return st;
}

static ofw_status write_manifest(const ofw_split *split, const char *path, uint64_t round, const rank_file *file,
                                 const char *about, ofw_error *err)
{
  ofw_text text = {0};
  ofw_text_add(&text, "%s", about);
  ofw_text_add(&text, head_form, split->ranks->count, split->rows, (unsigned long long)round);
  for (size_t rank = 0; rank < split->ranks->count; rank++)
    ofw_text_add(&text, file_form, rank, (unsigned long long)file[rank].bytes, (unsigned long long)file[rank].checksum);
  ofw_status st = text.failed ? ofw_fail_memory(err, text.length)
                              : ofw_checkpoint_write(&ofw_real_disk, path, &(ofw_state){0}, text.chars, err);
  free(text.chars);
  return st;
}

/* Whether `file` is one of a rank, of a round other than these two. */
static int is_left_over(const char *file, const char *name, uint64_t round, uint64_t before)
{
  unsigned long long of;
  size_t rank, ranks, length = strlen(name);
  int end = 0;
  if (strncmp(file, name, length) != 0 || sscanf(file + length, ".r%llu.%zuof%zu%n", &of, &rank, &ranks, &end) != 3)
    return 0;
  return file[length + (size_t)end] == 0 && of != round && of != before;
}

/* Files of older checkpoints, and of those that no manifest was written for. One that stays is in nobody's way. */
static void clear_away(const char *path, uint64_t round, uint64_t before)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char *folder = slash ? strndup(path, (size_t)(name - path)) : strdup("./");
  DIR *in = folder ? opendir(folder) : NULL;
  for (struct dirent *file; in && (file = readdir(in));)
    if (is_left_over(file->d_name, name, round, before)) {
      char *full = ofw_format("%s%s", folder, file->d_name);
      if (full)
        ofw_real_disk.remove(ofw_real_disk.ctx, full);
      free(full);
    }
  if (in)
    closedir(in);
  free(folder);
}

ofw_status rank_files_write(const ofw_split *split, const char *path, uint64_t round, uint64_t before, ofw_status st,
                            const ofw_state *state, const char *about, ofw_error *err)
{
  const ofw_ranks *ranks = split->ranks;
  rank_file own, file[OFW_MOST_ROW_BANDS];
  size_t got[OFW_MOST_ROW_BANDS];
  if (st == OFW_OK)
    st = write_own(ranks, path, round, state, err);
  OFW_TRY(ofw_ranks_agree(ranks, st, err));
  for (size_t rank = 0; rank < ranks->count; rank++)
    got[rank] = 2;
  own = describe(state);
  ranks->collect(ranks, &own.bytes, &file->bytes, got);
  if (ranks->rank == 0)
    st = write_manifest(split, path, round, file, about, err);
  OFW_TRY(ofw_ranks_agree(ranks, st, err));
  if (ranks->rank == 0)
    clear_away(path, round, before);
  return OFW_OK;
}

/* ---- reading ---- */

/* What a manifest says. */
typedef struct manifest {
  const char *path;
  size_t ranks, rows;
  unsigned long long round;
  const char *files; /* its lines about them */
} manifest;

int is_of_ranks(const ofw_checkpoint *c)
{
  return c->state.size == 0 && strstr(c->about, head_mark) != NULL;
}

/* The caller's text ends where its own lines begin. */
static ofw_status read_manifest(const ofw_split *split, ofw_checkpoint *c, manifest *m, ofw_error *err)
{
  char *head = is_of_ranks(c) ? strstr(c->about, head_mark) + 1 : NULL, *line = head ? strchr(head, '\n') : NULL;
  if (!line || sscanf(head, head_form, &m->ranks, &m->rows, &m->round) != 3 || m->ranks < 1 || m->ranks > split->bands)
    return ofw_fail(err, OFW_BAD_DATA, "%.200s: not a checkpoint of ofw-mpi", m->path);
  if (m->rows != split->rows)
    return ofw_fail(err, OFW_BAD_DATA, "%.200s is of a matrix of %zu rows, but this play has %zu", m->path, m->rows,
                    split->rows);
  m->files = line + 1;
  *head = 0;
  return OFW_OK;
}

/* What it says of a rank's file; 0: nothing. */
static int find_file(const manifest *m, size_t rank, rank_file *out)
{
  size_t found;
  unsigned long long bytes, checksum;
  const char *line = m->files;
  for (size_t k = 0; k < rank && line; k++)
    line = (line = strchr(line, '\n')) ? line + 1 : NULL;
  if (!line || sscanf(line, file_form, &found, &bytes, &checksum) != 3 || found != rank)
    return 0;
  *out = (rank_file){(double)bytes, (double)checksum};
  return 1;
}

static ofw_status read_file(const manifest *m, size_t rank, ofw_state *out, ofw_error *err)
{
  char *name = name_of(m->path, m->round, rank, m->ranks);
  ofw_checkpoint c = {0};
  rank_file there;
  ofw_status st =
      name ? ofw_checkpoint_read_file(&ofw_real_disk, name, &c, err) : ofw_fail_memory(err, strlen(m->path));
  if (st == OFW_END)
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s: the checkpoint %.150s needs this file, and it is not there", name,
                  m->path);
  if (st == OFW_OK) {
    rank_file here = describe(&c.state);
    if (!find_file(m, rank, &there) || there.bytes != here.bytes || there.checksum != here.checksum)
      st = ofw_fail(err, OFW_BAD_DATA, "%.200s is not the file that the checkpoint %.150s was written with", name,
                    m->path);
  }
  *out = c.state;
  c.state = (ofw_state){0};
  ofw_checkpoint_free(&c);
  free(name);
  return st;
}

static ofw_status read_rows(const ofw_split *split, size_t cols, const manifest *m, ofw_state *out, ofw_error *err)
{
  ofw_piece *piece = calloc(m->ranks, sizeof *piece);
  ofw_status st = piece ? OFW_OK : ofw_fail_memory(err, m->ranks * sizeof *piece);
  size_t n = 0;
  for (size_t rank = 0; rank < m->ranks && st == OFW_OK; rank++) {
    size_t first, here;
    ofw_split_rows(split, rank, m->ranks, &first, &here);
    int has_none = first >= split->first + split->here || first + here <= split->first;
    if (has_none && (split->here > 0 || n > 0)) /* whoever has no rows needs a file for the rest */
      continue;
    st = read_file(m, rank, &piece[n].state, err);
    piece[n].first = first;
    piece[n++].here = here;
  }
  if (st == OFW_OK)
    st = ofw_run_join(split, cols, n, piece, out, err);
  for (size_t k = 0; k < n; k++)
    ofw_state_free(&piece[k].state);
  free(piece);
  return st;
}

ofw_status rank_files_read(const ofw_split *split, size_t cols, const char *path, ofw_checkpoint *out, ofw_error *err)
{
  manifest m = {.path = path};
  const ofw_ranks *ranks = split->ranks;
  ofw_status st = ofw_checkpoint_read(&ofw_real_disk, path, out, err);
  if (ofw_ranks_any(ranks, st != OFW_END) && st == OFW_END)
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s is not there for all ranks; they need one folder", path);
  OFW_TRY(ofw_ranks_agree(ranks, st, err));
  OFW_TRY(ofw_ranks_agree(ranks, read_manifest(split, out, &m, err), err));
  if (ofw_ranks_largest(ranks, (double)m.round) != -ofw_ranks_largest(ranks, -(double)m.round))
    return ofw_fail(err, OFW_BAD_DATA, "%.200s is of another round for some ranks; they need one folder", path);
  return ofw_ranks_agree(ranks, read_rows(split, cols, &m, &out->state, err), err);
}
