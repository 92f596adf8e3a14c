/* directions.c — recorded directions, read from and written to a file that any machine can read */
#include "bench/directions/directions.h"

#include "base/basics.h"
#include "base/limits.h"
#include "linalg/kernels.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char magic[8] = {'o', 'f', 'w', 'd', 'i', 'r', 'e', 'c'};
enum { VERSION = 1, HEAD_WORDS = 4 };

/* ---- in memory ---- */

ofw_status directions_add(directions *all, uint64_t round, const double *d, ofw_error *err)
{
  size_t n = all->count, cells = all->rows * all->cols;
  uint64_t *rounds = realloc(all->round, (n + 1) * sizeof *rounds);
  if (rounds)
    all->round = rounds;
  double **at = realloc(all->at, (n + 1) * sizeof *at);
  if (at)
    all->at = at;
  double *copy = ofw_doubles(cells);
  if (!rounds || !at || !copy) {
    free(copy);
    return ofw_fail_memory(err, cells * sizeof *copy);
  }
  if (d)
    memcpy(copy, d, cells * sizeof *copy);
  rounds[n] = round;
  at[n] = copy;
  all->count++;
  return OFW_OK;
}

void directions_free(directions *all)
{
  for (size_t i = 0; i < all->count; i++)
    free(all->at[i]);
  free(all->at);
  free(all->round);
  *all = (directions){0};
}

/* ---- words ---- */

/* As many as could be written. */
static size_t write_words(FILE *file, const void *words, size_t n)
{
  enum { CHUNK = 512 };
  uint64_t chunk[CHUNK];
  size_t done = 0;
  while (done < n) {
    size_t some = n - done < CHUNK ? n - done : CHUNK;
    memcpy(chunk, (const char *)words + done * sizeof *chunk, some * sizeof *chunk);
    for (size_t i = 0; i < some; i++)
      chunk[i] = htole64(chunk[i]);
    size_t put = fwrite(chunk, sizeof *chunk, some, file);
    done += put;
    if (put < some)
      break;
  }
  return done;
}

/* As many as there were. */
static size_t read_words(FILE *file, void *words, size_t n)
{
  size_t got = fread(words, sizeof(uint64_t), n, file);
  for (size_t i = 0; i < got; i++) {
    uint64_t word;
    char *at = (char *)words + i * sizeof word;
    memcpy(&word, at, sizeof word);
    word = le64toh(word);
    memcpy(at, &word, sizeof word);
  }
  return got;
}

/* ---- reading ---- */

static ofw_status read_head(FILE *file, const char *path, directions *all, ofw_error *err)
{
  uint64_t head[HEAD_WORDS];
  char name[sizeof magic];
  if (fread(name, sizeof name, 1, file) != 1 || memcmp(name, magic, sizeof magic) != 0)
    return ofw_fail(err, OFW_BAD_DATA, "%s is not a file of directions: it does not begin with 'ofwdirec'", path);
  if (read_words(file, head, 3) != 3)
    return ofw_fail(err, OFW_BAD_DATA, "%s is cut short: it ends within its first %d bytes", path, HEAD_WORDS * 8);
  if (head[0] != VERSION)
    return ofw_fail(err, OFW_BAD_DATA, "%s has version %llu, expected %d", path, (unsigned long long)head[0], VERSION);
  if (head[1] < 1 || head[1] > OFW_MOST_SIDE || head[2] < 1 || head[2] > OFW_MOST_SIDE)
    return ofw_fail(err, OFW_BAD_DATA, "%s: a matrix of %llu x %llu", path, (unsigned long long)head[1],
                    (unsigned long long)head[2]);
  all->rows = (size_t)head[1];
  all->cols = (size_t)head[2];
  return OFW_OK;
}

/* No direction is longer than the file, whatever its head says; a pipe may have any length. */
static ofw_status check_length(FILE *file, const char *path, const directions *all, ofw_error *err)
{
  struct stat about;
  uint64_t needed = 8 * (HEAD_WORDS + 1 + (uint64_t)all->rows * all->cols);
  if (fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode) && (uint64_t)about.st_size < needed)
    return ofw_fail(err, OFW_BAD_DATA, "%s is cut short: it ends within its first direction", path);
  return OFW_OK;
}

static ofw_status check_numbers(const char *path, const directions *all, ofw_error *err)
{
  size_t cells = all->rows * all->cols;
  const double *d = all->at[all->count - 1];
  size_t bad = ofw_first_not_finite(cells, d);
  if (bad < cells)
    return ofw_fail(err, OFW_BAD_DATA, "%s: number %zu of direction %zu is not finite", path, bad + 1, all->count);
  if (ofw_largest(cells, d) == 0.0)
    return ofw_fail(err, OFW_BAD_DATA, "%s: direction %zu is 0", path, all->count);
  return OFW_OK;
}

/* The next direction; OFW_END if there is none. */
static ofw_status read_next(FILE *file, const char *path, directions *all, ofw_error *err)
{
  uint64_t round;
  size_t cells = all->rows * all->cols, bytes = fread(&round, 1, sizeof round, file);
  if (bytes == 0 && !ferror(file))
    return OFW_END;
  if (bytes > 0 && ((double)all->count + 1.0) * (double)cells * sizeof(double) > OFW_MOST_DIRECTIONS)
    return ofw_fail(err, OFW_BAD_DATA, "%s has directions of more than %lld bytes", path,
                    (long long)OFW_MOST_DIRECTIONS);
  if (bytes == sizeof round) {
    OFW_TRY(directions_add(all, le64toh(round), NULL, err));
    if (read_words(file, all->at[all->count - 1], cells) == cells)
      return check_numbers(path, all, err);
  }
  if (ferror(file))
    return ofw_fail(err, OFW_BAD_DATA, "cannot read %s: %s", path, strerror(errno));
  return ofw_fail(err, OFW_BAD_DATA, "%s is cut short: it ends within direction %zu", path,
                  all->count + (bytes < sizeof round));
}

static ofw_status read_all(FILE *file, const char *path, directions *all, ofw_error *err)
{
  OFW_TRY(read_head(file, path, all, err));
  OFW_TRY(check_length(file, path, all, err));
  ofw_status st = OFW_OK;
  while (st == OFW_OK)
    st = read_next(file, path, all, err);
  if (st != OFW_END || all->count)
    return st == OFW_END ? OFW_OK : st;
  return ofw_fail(err, OFW_BAD_DATA, "%s: expected directions, found none", path);
}

ofw_status directions_read(const char *path, directions *all, ofw_error *err)
{
  *all = (directions){0};
  FILE *file = fopen(path, "rb");
  if (!file)
    return ofw_fail(err, OFW_BAD_DATA, "cannot read %s: %s", path, strerror(errno));
  ofw_status st = read_all(file, path, all, err);
  (void)fclose(file);
  if (st != OFW_OK)
    directions_free(all);
  return st;
}

/* ---- writing ---- */

static int write_head(FILE *file, size_t rows, size_t cols)
{
  uint64_t head[] = {VERSION, rows, cols};
  return fwrite(magic, sizeof magic, 1, file) == 1 && write_words(file, head, 3) == 3;
}

static int write_one(FILE *file, uint64_t round, const double *d, size_t cells)
{
  return write_words(file, &round, 1) == 1 && write_words(file, d, cells) == cells;
}

ofw_status directions_write(const directions *all, FILE *file, ofw_error *err)
{
  int done = write_head(file, all->rows, all->cols);
  for (size_t i = 0; i < all->count && done; i++)
    done = write_one(file, all->round[i], all->at[i], all->rows * all->cols);
  if (!done || fflush(file) != 0)
    return ofw_fail(err, OFW_FAILED, "cannot write %zu directions: %s", all->count, strerror(errno));
  return OFW_OK;
}

struct directions_file {
  char *path, *part; /* the name, and the name until it is whole: the same for a device, a pipe or a link */
  size_t cells, count;
  int failed;
  FILE *file;
};

static ofw_status cannot_write(directions_file *f, const char *path, ofw_error *err)
{
  f->failed = 1;
  return ofw_fail(err, OFW_FAILED, "cannot write %s: %s", path, strerror(errno));
}

static ofw_status open_part(directions_file *f, const char *path, size_t rows, size_t cols, ofw_error *err)
{
  ofw_text part = {0};
  struct stat about;
  int replaced = lstat(path, &about) != 0 || S_ISREG(about.st_mode);
  ofw_text_add(&part, "%s%s", path, replaced ? ".part" : "");
  f->part = part.chars;
  f->path = ofw_copy_text(path);
  f->cells = rows * cols;
  if (part.failed || !f->path)
    return ofw_fail_memory(err, strlen(path));
  f->file = fopen(f->part, "wb");
  if (!f->file || !write_head(f->file, rows, cols))
    return cannot_write(f, f->part, err);
  return OFW_OK;
}

directions_file *directions_open(const char *path, size_t rows, size_t cols, ofw_error *err)
{
  directions_file *f = calloc(1, sizeof *f);
  if (!f)
    ofw_fail_memory(err, sizeof *f);
  else if (open_part(f, path, rows, cols, err) != OFW_OK) {
    directions_close(f, NULL);
    f = NULL;
  }
  return f;
}

ofw_status directions_put(directions_file *f, uint64_t round, const double *d, ofw_error *err)
{
  if (!write_one(f->file, round, d, f->cells))
    return cannot_write(f, f->part, err);
  f->count++;
  return OFW_OK;
}

static ofw_status end_file(directions_file *f, ofw_error *err)
{
  int replaced = strcmp(f->part, f->path) != 0;
  if (fclose(f->file) != 0 && !f->failed)
    cannot_write(f, f->part, err);
  if (replaced && !f->failed && f->count && rename(f->part, f->path) != 0)
    cannot_write(f, f->path, err);
  if (replaced && (f->failed || !f->count))
    (void)remove(f->part);
  return f->failed ? OFW_FAILED : f->count ? OFW_OK : OFW_END;
}

ofw_status directions_close(directions_file *f, ofw_error *err)
{
  if (!f)
    return OFW_OK;
  ofw_status st = f->file ? end_file(f, err) : OFW_FAILED;
  free(f->path);
  free(f->part);
  free(f);
  return st;
}
