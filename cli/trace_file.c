/* trace_file.c — a run's trace, which a resumed run cuts back to its checkpoint and continues */
#include "trace_file.h"

#include "build.h"
#include "persist/disk.h"

#include <errno.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

int read_trace_file(const command *self, const arguments *args, trace_file *t)
{
  const char *every = args->value[OPT_TRACE_EVERY];
  *t = (trace_file){.path = args->value[OPT_TRACE], .every = 1};
  if (every && !t->path)
    return complain(self, EXIT_USAGE, "--trace-every needs --trace FILE");
  if (every && strcmp(every, "log") == 0)
    t->every = 0;
  else if (every && (ofw_read_count(every, &t->every) != 1 || t->every == 0))
    return complain(self, EXIT_USAGE, "--trace-every %s: expected a whole number >= 1 or 'log'", every);
  return 0;
}

static int cannot_write(const command *self, const trace_file *t, int why)
{
  return complain(self, EXIT_FAILED, "cannot write %s: %s", t->path, strerror(why));
}

/* The first failure is what is told, and nothing is written behind it: stdio drops what it could not write, and may well
 * succeed with what comes after. */
static void note_failure(trace_file *t)
{
  if (!t->failed)
    t->failed = errno ? errno : EIO;
  if (t->out)
    __fpurge(t->out);
}

/* A pipe has no place, and needs none: a play that is traced into one cannot be resumed. */
static void mark(trace_file *t, uint64_t round)
{
  off_t at = ftello(t->out);
  t->bytes = at < 0 ? 0 : (uint64_t)at;
  t->round = round;
}

int begin_trace(const command *self, trace_file *t, size_t threads, const ofw_learner *l, const ofw_stream *s)
{
  char version[BUILD_TEXT + 32], build[BUILD_TEXT], note[512];
  snprintf(version, sizeof version, "%s threads=%zu", build_text(build), threads);
  snprintf(note, sizeof note, "note=%s", ofw_stream_note(s));
  const char *header[] = {version, ofw_learner_config(l), ofw_stream_config(s), note};
  t->out = fopen(t->path, "w");
  if (!t->out || ofw_trace_begin(t->out, ofw_stream_note(s)[0] ? 4 : 3, header) != OFW_OK)
    return cannot_write(self, t, errno);
  mark(t, 0);
  return 0;
}

/* 1: the line that ends at this byte is the row of this round; 0 stands for the names of the columns. If it cannot be
 * read, ferror says so. */
static int ends_with(FILE *in, uint64_t bytes, uint64_t round)
{
  enum { LONGEST = 1024 };
  char text[LONGEST + 1], expected[32];
  uint64_t from = bytes > LONGEST ? bytes - LONGEST : 0;
  if (fseeko(in, (off_t)from, SEEK_SET) != 0 || fread(text, 1, (size_t)(bytes - from), in) != bytes - from)
    return 0;
  text[bytes - from] = 0;
  if (bytes == 0 || text[bytes - from - 1] != '\n')
    return 0;
  text[bytes - from - 1] = 0;
  const char *newline = strrchr(text, '\n'), *line = newline ? newline + 1 : text;
  snprintf(expected, sizeof expected, "%llu,", (unsigned long long)round);
  return strncmp(line, round ? expected : "round,", round ? strlen(expected) : 6) == 0;
}

int resume_trace(const command *self, trace_file *t, uint64_t bytes, uint64_t round)
{
  t->out = fopen(t->path, "r+");
  if (!t->out)
    return complain(self, errno == ENOENT ? EXIT_BAD_DATA : EXIT_FAILED, "the checkpoint belongs to the trace %s: %s",
                    t->path, strerror(errno));
  int fits = ends_with(t->out, bytes, round);
  if (ferror(t->out))
    return complain(self, EXIT_FAILED, "cannot read %s: %s", t->path, strerror(errno));
  if (!fits)
    return complain(self, EXIT_BAD_DATA,
                    "%s is not the trace of this checkpoint: it has no round %llu that ends at byte %llu", t->path,
                    (unsigned long long)round, (unsigned long long)bytes);
  if (ftruncate(fileno(t->out), (off_t)bytes) != 0 || fseeko(t->out, (off_t)bytes, SEEK_SET) != 0)
    return cannot_write(self, t, errno);
  t->written = round;
  mark(t, round);
  return 0;
}

void trace_row(trace_file *t, const ofw_trace_row *row, int due)
{
  if (!t->out || t->failed || row->round <= t->written)
    return;
  errno = 0;
  if (ofw_trace_write(t->out, row) != OFW_OK)
    note_failure(t);
  t->written = row->round;
  if (due)
    mark(t, row->round);
}

int sync_trace(const command *self, trace_file *t)
{
  if (!t->out)
    return 0;
  if (!t->failed && (fflush(t->out) != 0 || ofw_disk_sync(&ofw_real_disk, fileno(t->out)) != 0))
    note_failure(t);
  if (!t->failed && !t->named && ofw_real_disk.sync_folder(ofw_real_disk.ctx, t->path) != 0)
    note_failure(t);
  t->named = 1;
  return t->failed ? cannot_write(self, t, t->failed) : 0;
}

int end_trace(const command *self, trace_file *t, int code)
{
  if (!t->out)
    return code;
  int failed = fclose(t->out) != 0;
  t->out = NULL;
  if (failed)
    note_failure(t);
  return t->failed && !code ? cannot_write(self, t, t->failed) : code;
}
