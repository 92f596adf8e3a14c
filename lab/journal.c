#include "lab/journal.h"

#include "base/basics.h"
#include "base/limits.h"
#include "lab/folder.h"
#include "persist/disk.h"
#include "run/metrics_rows.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
  char *key;
  lab_result result;
  struct entry *next; /* of those added before it */
} entry;

struct lab_journal {
  int file; /* -1: memory alone */
  char *path;
  off_t end; /* of the last whole line */
  entry *last;
  entry **slot; /* by the key's hash; the room is a power of two, and half of it at most is used */
  size_t used, room;
};

static uint64_t hash(const char *text, size_t n)
{
  uint64_t h = 14695981039346656037u; /* FNV-1a */
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)text[i]) * 1099511628211u;
  return h;
}

/* ---- by key ---- */

static entry **find_slot(const lab_journal *j, const char *key)
{
  size_t at = (size_t)hash(key, strlen(key)) & (j->room - 1);
  while (j->slot[at] && strcmp(j->slot[at]->key, key) != 0)
    at = (at + 1) & (j->room - 1);
  return &j->slot[at];
}

const lab_result *lab_journal_find(const lab_journal *j, const char *key)
{
  entry **slot = j->room ? find_slot(j, key) : NULL;
  return slot && *slot ? &(*slot)->result : NULL;
}

static ofw_status grow(lab_journal *j)
{
  lab_journal wider = *j;
  if (2 * (j->used + 1) <= j->room)
    return OFW_OK;
  wider.room = j->room ? 2 * j->room : 256;
  wider.slot = calloc(wider.room, sizeof(entry *));
  if (!wider.slot)
    return OFW_FAILED;
  for (size_t i = 0; i < j->room; i++)
    if (j->slot[i])
      *find_slot(&wider, j->slot[i]->key) = j->slot[i];
  free(j->slot);
  j->slot = wider.slot; /* and nothing else: another thread may be syncing the file */
  j->room = wider.room;
  return OFW_OK;
}

/* Takes the result's error over where it succeeds. */
static ofw_status keep(lab_journal *j, const char *key, lab_result *r, ofw_error *err)
{
  entry *e = calloc(1, sizeof *e);
  if (!e || !(e->key = ofw_copy_text(key)) || grow(j) != OFW_OK) {
    if (e)
      free(e->key);
    free(e);
    return ofw_fail_memory(err, sizeof *e + strlen(key));
  }
  e->result = *r;
  *r = (lab_result){0};
  e->next = j->last;
  j->last = e;
  entry **slot = find_slot(j, key);
  j->used += *slot == NULL;
  *slot = e;
  return OFW_OK;
}

/* ---- lines ---- */

static void add_cell(ofw_text *line, double x)
{
  char number[OFW_REAL_TEXT];
  ofw_text_add(line, "\t%s", isnan(x) ? "" : ofw_print_real(x, number));
}

static void write_result(ofw_text *line, const lab_result *r)
{
  add_cell(line, r->G);
  add_cell(line, r->D);
  for (size_t i = 0; i < ofw_metric_count; i++) {
    const void *at = (const char *)&r->metrics + ofw_metric_table[i].offset;
    if (ofw_metric_table[i].kind == OFW_COUNT)
      ofw_text_add(line, "\t%llu", (unsigned long long)*(const uint64_t *)at);
    else
      add_cell(line, *(const double *)at);
  }
}

/* The line with its end, or NULL. */
static char *make_line(const char *key, const lab_result *r)
{
  ofw_text line = {0};
  ofw_text_add(&line, "%s\t%s", key, r->status == OFW_OK ? "ok" : "failed");
  if (r->status == OFW_OK)
    write_result(&line, r);
  else {
    char *escaped = lab_escape(r->error);
    line.failed |= !escaped;
    ofw_text_add(&line, "\t%d\t%s", (int)r->status, escaped ? escaped : "");
    free(escaped);
  }
  if (!line.failed)
    ofw_text_add(&line, "\t%016llx\n", (unsigned long long)hash(line.chars, line.length));
  if (!line.failed)
    return line.chars;
  free(line.chars);
  return NULL;
}

static char *next_field(char **rest)
{
  return *rest ? strsep(rest, "\t") : NULL;
}

static int read_real(char **rest, double *out)
{
  const char *field = next_field(rest);
  return field && ofw_read_cell(field, out);
}

static int read_count(char **rest, uint64_t *out)
{
  const char *field = next_field(rest);
  return field && ofw_read_count(field, out) == 1;
}

static int read_result(char **rest, lab_result *r)
{
  int good = read_real(rest, &r->G) && read_real(rest, &r->D);
  r->metrics.size = sizeof r->metrics;
  for (size_t i = 0; i < ofw_metric_count && good; i++) {
    void *at = (char *)&r->metrics + ofw_metric_table[i].offset;
    good = ofw_metric_table[i].kind == OFW_COUNT ? read_count(rest, at) : read_real(rest, at);
  }
  return good;
}

static int read_failure(char **rest, char **message, lab_result *r)
{
  uint64_t status;
  if (!read_count(rest, &status) || status == OFW_OK || status > OFW_END)
    return 0;
  r->status = (ofw_status)status;
  *message = next_field(rest);
  return *message != NULL;
}

/* A line without its end; 1: it is whole and says something. A failure's message stays in the line, as it is there: a
 * line is not damaged because there is no memory for a copy. */
static int read_line(char *line, char **key, char **message, lab_result *r)
{
  char *check = strrchr(line, '\t'), wanted[20];
  *r = (lab_result){0};
  *message = NULL;
  if (!check)
    return 0;
  snprintf(wanted, sizeof wanted, "%016llx", (unsigned long long)hash(line, (size_t)(check - line)));
  if (strcmp(check + 1, wanted) != 0)
    return 0;
  *check = 0;
  char *rest = line;
  *key = next_field(&rest);
  const char *what = next_field(&rest);
  int good = what && (strcmp(what, "ok") == 0       ? read_result(&rest, r)
                      : strcmp(what, "failed") == 0 ? read_failure(&rest, message, r)
                                                    : 0);
  return good && !rest;
}

/* ---- the file ---- */

static ofw_status file_error(const lab_journal *j, const char *what, ofw_error *err)
{
  return ofw_fail(err, OFW_FAILED, "cannot %s %.300s: %s", what, j->path, strerror(errno));
}

/* All of the file, with a 0 behind it. */
static ofw_status read_file(lab_journal *j, char **out, size_t *size, ofw_error *err)
{
  struct stat st;
  *size = 0;
  if (fstat(j->file, &st) != 0 || lseek(j->file, 0, SEEK_SET) != 0)
    return file_error(j, "read", err);
  if (st.st_size > OFW_MOST_JOURNAL)
    return ofw_fail(err, OFW_BAD_DATA, "%.300s has %lld bytes, more than %lld", j->path, (long long)st.st_size,
                    (long long)OFW_MOST_JOURNAL);
  char *text = *out = ofw_array((size_t)st.st_size + 1, 1);
  if (!text)
    return ofw_fail_memory(err, (size_t)st.st_size + 1);
  ssize_t got = ofw_disk_read(&ofw_real_disk, j->file, text, (size_t)st.st_size);
  if (got != st.st_size)
    return file_error(j, "read", err);
  *size = (size_t)got;
  text[*size] = 0;
  return OFW_OK;
}

/* In one write where the system takes it so; a part of a line is taken back. */
static ofw_status append(lab_journal *j, const char *line, ofw_error *err)
{
  size_t n = strlen(line);
  if (ofw_disk_write(&ofw_real_disk, j->file, line, n) == 0) {
    j->end += (off_t)n;
    return OFW_OK;
  }
  file_error(j, "write", err);
  if (ftruncate(j->file, j->end) != 0)
    return OFW_FAILED; /* then the torn line is dropped when the journal is next opened */
  return OFW_FAILED;
}

ofw_status lab_journal_sync(const lab_journal *j, ofw_error *err)
{
  return j->file < 0 || ofw_disk_sync(&ofw_real_disk, j->file) == 0 ? OFW_OK : file_error(j, "sync", err);
}

static ofw_status check_head(const lab_journal *j, const char *found, const char *head, ofw_error *err)
{
  if (strcmp(found, head) == 0)
    return OFW_OK;
  return ofw_fail(err, OFW_USAGE, "%.200s was written by '%.80s', this is '%.80s': choose another folder", j->path,
                  found, head);
}

static ofw_status keep_read(lab_journal *j, const char *key, char *message, lab_result *r, ofw_error *err)
{
  if (message) {
    lab_unescape(message);
    r->error = ofw_copy_text(message);
    if (!r->error)
      return ofw_fail_memory(err, strlen(message));
  }
  ofw_status st = keep(j, key, r, err);
  lab_result_free(r);
  return st;
}

/* Every line but a torn last one, which is cut off. */
static ofw_status read_lines(lab_journal *j, char *text, size_t size, const char *head, ofw_error *err)
{
  unsigned long long number = 0;
  for (char *line = text, *end; line < text + size; line = end + 1) {
    char *key, *message;
    lab_result r;
    end = memchr(line, '\n', (size_t)(text + size - line));
    number++;
    if (!end) /* torn */
      break;
    int is_last = end + 1 == text + size;
    *end = 0;
    if (number == 1)
      OFW_TRY(check_head(j, line, head, err));
    else if (read_line(line, &key, &message, &r))
      OFW_TRY(keep_read(j, key, message, &r, err));
    else if (is_last)
      break;
    else
      return ofw_fail(err, OFW_BAD_DATA, "%.300s:%llu: damaged; delete the line to have its cell played again", j->path,
                      number);
    j->end = end + 1 - text;
  }
  if ((size_t)j->end < size && ftruncate(j->file, j->end) != 0)
    return file_error(j, "write", err);
  return OFW_OK;
}

/* The head of a new journal, and the file's name in its folder, on the disk. */
static ofw_status write_head(lab_journal *j, const char *head, ofw_error *err)
{
  ofw_text line = {0};
  ofw_text_add(&line, "%s\n", head);
  ofw_status st = line.failed ? ofw_fail_memory(err, strlen(head)) : append(j, line.chars, err);
  free(line.chars);
  OFW_TRY(st);
  if (ofw_real_disk.sync_folder(NULL, j->path) != 0)
    return file_error(j, "sync the folder of", err);
  return OFW_OK;
}

static ofw_status open_file(lab_journal *j, const char *folder, const char *head, ofw_error *err)
{
  ofw_text path = {0};
  ofw_text_add(&path, "%s/cells.tsv", folder);
  j->path = path.chars;
  if (path.failed)
    return ofw_fail_memory(err, strlen(folder));
  OFW_TRY(lab_make_folder(folder, err));
  j->file = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (j->file < 0)
    return file_error(j, "open", err);
  if (flock(j->file, LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? ofw_fail(err, OFW_USAGE, "%.300s is in use by another ofw", j->path)
                                : file_error(j, "lock", err);
  size_t size;
  char *text = NULL;
  ofw_status st = read_file(j, &text, &size, err);
  if (st == OFW_OK)
    st = read_lines(j, text, size, head, err);
  free(text);
  return st == OFW_OK && j->end == 0 ? write_head(j, head, err) : st;
}

ofw_status lab_journal_open(const char *folder, const char *head, lab_journal **out, ofw_error *err)
{
  lab_journal *j = *out = calloc(1, sizeof *j);
  if (!j)
    return ofw_fail_memory(err, sizeof *j);
  j->file = -1;
  ofw_status st = folder ? open_file(j, folder, head, err) : OFW_OK;
  if (st != OFW_OK) {
    lab_journal_close(j);
    *out = NULL;
  }
  return st;
}

void lab_journal_close(lab_journal *j)
{
  if (!j)
    return;
  if (j->file >= 0)
    close(j->file);
  for (entry *e = j->last, *next; e; e = next) {
    next = e->next;
    lab_result_free(&e->result);
    free(e->key);
    free(e);
  }
  free(j->slot);
  free(j->path);
  free(j);
}

ofw_status lab_journal_add(lab_journal *j, const char *key, lab_result *r, ofw_error *err)
{
  if (j->file >= 0) {
    char *line = make_line(key, r);
    ofw_status st = line ? append(j, line, err) : ofw_fail_memory(err, strlen(key));
    free(line);
    OFW_TRY(st);
  }
  return keep(j, key, r, err);
}
