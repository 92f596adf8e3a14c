/* rank_files.c — writes, reads and clears away the files of a checkpoint that ranks share */
#include "rank_files.h"

#include "persist/walk.h"
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

static void remove_own(const ofw_ranks *ranks, const char *path, uint64_t round)
{
  char *name = name_of(path, round, ranks->rank, ranks->count);
  if (name)
    ofw_real_disk.remove(ofw_real_disk.ctx, name);
  free(name);
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

/* ---- files that are there ---- */

/* Goes over the files of ranks beside `path`, until one says 1. */
static void each_file(const char *path, int (*see)(void *ctx, const char *name, uint64_t round), void *ctx)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = strlen(name);
  char *folder = slash ? strndup(path, (size_t)(name - path)) : strdup("./");
  DIR *in = folder ? opendir(folder) : NULL;
  int enough = 0;
  for (struct dirent *file; in && !enough && (file = readdir(in));) {
    const char *more = file->d_name + length;
    unsigned long long round;
    size_t rank, ranks;
    int end = 0;
    if (strncmp(file->d_name, name, length) != 0 ||
        sscanf(more, ".r%llu.%zuof%zu%n", &round, &rank, &ranks, &end) != 3 || more[end])
      continue;
    char *full = ofw_format("%s%s", slash ? folder : "", file->d_name);
    enough = !full || see(ctx, full, round);
    free(full);
  }
  if (in)
    closedir(in);
  free(folder);
}

typedef struct kept_rounds {
  uint64_t round, before;
} kept_rounds;

static int remove_older(void *ctx, const char *name, uint64_t round)
{
  const kept_rounds *kept = ctx;
  if (round != kept->round && round != kept->before)
    ofw_real_disk.remove(ofw_real_disk.ctx, name);
  return 0;
}

typedef struct left_over {
  char *name;
  uint64_t round;
  int rounds;
} left_over;

static int note_round(void *ctx, const char *name, uint64_t round)
{
  left_over *found = ctx;
  if (!found->name)
    *found = (left_over){ofw_copy_text(name), round, 1};
  found->rounds += round != found->round;
  return found->rounds > 1;
}

char *rank_files_left(const char *path, int *many)
{
  left_over found = {0};
  each_file(path, note_round, &found);
  *many = found.rounds > 1;
  return found.name;
}

/* ---- writing them all ---- */

ofw_status rank_files_write(const ofw_split *split, const char *path, uint64_t round, uint64_t before, ofw_status st,
                            const ofw_state *state, const char *about, ofw_error *err)
{
  const ofw_ranks *ranks = split->ranks;
  rank_file own, file[OFW_MOST_ROW_BANDS];
  size_t got[OFW_MOST_ROW_BANDS];
  if (st == OFW_OK)
    st = write_own(ranks, path, round, state, err);
  st = ofw_ranks_agree(ranks, st, err);
  if (st != OFW_OK) {
    remove_own(ranks, path, round); /* the disk may be full */
    return st;
  }
  for (size_t rank = 0; rank < ranks->count; rank++)
    got[rank] = 2;
  own = describe(state);
  ranks->collect(ranks, &own.bytes, &file->bytes, got);
  if (ranks->rank == 0)
    st = write_manifest(split, path, round, file, about, err);
  OFW_TRY(ofw_ranks_agree(ranks, st, err));
  if (ranks->rank == 0) /* one that stays is in nobody's way */
    each_file(path, remove_older, &(kept_rounds){round, before});
  return OFW_OK;
}

/* ---- reading ---- */

/* What a manifest says. */
typedef struct manifest {
  const char *path; /* of the checkpoint; its files are beside it */
  size_t ranks, rows;
  unsigned long long round;
  const char *files; /* its lines about them */
} manifest;

int is_of_ranks(const ofw_checkpoint *c)
{
  return c->state.size == 0 && strstr(c->about, head_mark) != NULL;
}

/* The caller's text ends where its own lines begin. */
static ofw_status read_manifest(ofw_checkpoint *c, size_t most, manifest *m, ofw_error *err)
{
  char *head = is_of_ranks(c) ? strstr(c->about, head_mark) + 1 : NULL, *line = head ? strchr(head, '\n') : NULL;
  if (!line || sscanf(head, head_form, &m->ranks, &m->rows, &m->round) != 3 || m->ranks < 1 || m->ranks > most)
    return ofw_fail(err, OFW_BAD_DATA, "%.200s: not a checkpoint of ofw-mpi", m->path);
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

ofw_status rank_files_check(const char *path, ofw_checkpoint *c, rank_files_found *out, ofw_error *err)
{
  manifest m = {.path = path};
  OFW_TRY(read_manifest(c, OFW_MOST_ROW_BANDS, &m, err));
  *out = (rank_files_found){.ranks = m.ranks};
  for (size_t rank = 0; rank < m.ranks; rank++) {
    ofw_state state = {0};
    ofw_status st = read_file(&m, rank, &state, err);
    out->bytes += state.size;
    ofw_state_free(&state);
    OFW_TRY(st);
  }
  return OFW_OK;
}

/* The states of the files that have some of this rank's rows; piece has room for all. */
static ofw_status read_pieces(const ofw_split *split, const manifest *m, ofw_piece *piece, size_t *n, ofw_error *err)
{
  for (size_t rank = 0; rank < m->ranks; rank++) {
    size_t first, here;
    ofw_split_rows(split, rank, m->ranks, &first, &here);
    int has_none = first >= split->first + split->here || first + here <= split->first;
    if (has_none && (split->here > 0 || *n > 0)) /* whoever has no rows needs a file for the rest */
      continue;
    piece[*n].first = first;
    piece[*n].here = here;
    OFW_TRY(read_file(m, rank, &piece[(*n)++].state, err));
  }
  return OFW_OK;
}

static ofw_status join(const ofw_split *split, size_t cols, const manifest *m, const ofw_state *own,
                       const ofw_piece *piece, size_t n, ofw_state *out, ofw_error *err)
{
  ofw_error why = {0};
  ofw_status st = ofw_state_same_config(&piece->state, own, &why);
  if (st == OFW_OK)
    st = ofw_run_join(split, cols, n, piece, out, &why);
  return st == OFW_OK ? st : ofw_fail(err, st, "%.200s: %s", m->path, why.message);
}

/* The manifest; that of the checkpoint before, if a rank has died between the two renames that write it. */
static ofw_status read_either(const char *path, const char *before, ofw_checkpoint *out, ofw_error *err)
{
  ofw_status st = ofw_checkpoint_read_file(&ofw_real_disk, path, out, err);
  return st == OFW_END ? ofw_checkpoint_read_file(&ofw_real_disk, before, out, err) : st;
}

/* Whether the checkpoint before could be had instead. */
static void tell_of_older(const char *path, const char *before, ofw_error *err)
{
  ofw_checkpoint older = {0};
  rank_files_found found;
  ofw_error why = *err;
  if (ofw_checkpoint_read_file(&ofw_real_disk, before, &older, NULL) == OFW_OK &&
      rank_files_check(path, &older, &found, NULL) == OFW_OK)
    ofw_fail(err, why.status, "%s; the checkpoint before is whole: rename %.100s to go back to it", why.message,
             before);
  ofw_checkpoint_free(&older);
}

/* What all ranks say of the files that they have read. */
static ofw_status agree_on_files(const ofw_ranks *ranks, ofw_status st, const char *path, const char *before,
                                 ofw_error *err)
{
  st = ofw_ranks_agree(ranks, st, err);
  if (st == OFW_BAD_DATA && ranks->rank == 0)
    tell_of_older(path, before, err);
  return st;
}

static ofw_status read_manifests(const ofw_split *split, const char *before, manifest *m, ofw_checkpoint *out,
                                 ofw_error *err)
{
  const ofw_ranks *ranks = split->ranks;
  ofw_status st = read_either(m->path, before, out, err);
  if (ofw_ranks_any(ranks, st != OFW_END) && st == OFW_END)
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s is not there for all ranks; they need one folder", m->path);
  if (st == OFW_OK)
    st = read_manifest(out, OFW_MOST_ROW_BANDS, m, err);
  OFW_TRY(agree_on_files(ranks, st, m->path, before, err));
  if (m->rows != split->rows)
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s is of a matrix of %zu rows, but this play has %zu", m->path, m->rows,
                  split->rows);
  OFW_TRY(ofw_ranks_agree(ranks, st, err));
  if (ofw_ranks_largest(ranks, (double)m->round) != -ofw_ranks_largest(ranks, -(double)m->round))
    return ofw_fail(err, OFW_BAD_DATA, "%.200s is of another round for some ranks; they need one folder", m->path);
  return OFW_OK;
}

static ofw_status read_all(const ofw_split *split, size_t cols, const char *path, const char *before,
                           const ofw_state *own, ofw_checkpoint *out, ofw_error *err)
{
  manifest m = {.path = path};
  const ofw_ranks *ranks = split->ranks;
  size_t n = 0;
  OFW_TRY(read_manifests(split, before, &m, out, err));
  ofw_piece *piece = calloc(m.ranks, sizeof *piece);
  ofw_status st = piece ? read_pieces(split, &m, piece, &n, err) : ofw_fail_memory(err, m.ranks * sizeof *piece);
  st = agree_on_files(ranks, st, path, before, err);
  if (st == OFW_OK)
    st = ofw_ranks_agree(ranks, join(split, cols, &m, own, piece, n, &out->state, err), err);
  for (size_t k = 0; k < n; k++)
    ofw_state_free(&piece[k].state);
  free(piece);
  return st;
}

ofw_status rank_files_read(const ofw_split *split, size_t cols, const char *path, const ofw_state *own,
                           ofw_checkpoint *out, ofw_error *err)
{
  char *before = ofw_format("%s.1", path);
  ofw_status st = ofw_ranks_agree(split->ranks, before ? OFW_OK : ofw_fail_memory(err, strlen(path)), err);
  if (st == OFW_OK)
    st = read_all(split, cols, path, before, own, out, err);
  free(before);
  return st;
}
