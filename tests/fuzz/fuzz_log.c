/* fuzz_log.c — logs: of any bytes; and of lines that were appended, some of them dropped, then damaged
 *
 * A log that is accepted goes on: opened again it has the same lines, and one more once that is committed. Of a damaged
 * one all that is ever handed out is the beginning of what was appended; if it was closed and then damaged in one place,
 * all of it or nothing.
 */
#include "fuzz.h"

#include "persist/log.h"

#include <fcntl.h>

enum { MOST_LINES = 12, LONGEST = 700 };

/* ---- a folder of its own, since a log has files beside it ---- */

static char folder[] = "/dev/shm/ofw-fuzz-log-XXXXXX", path[64];

static void forget(void)
{
  static const char *const ends[] = {"", ".tmp", ".torn", ".torn.1", ".torn.tmp", ".new"};
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    char name[80];
    snprintf(name, sizeof name, "%s%s", path, ends[k]);
    unlink(name);
  }
}

static void leave(void)
{
  forget();
  rmdir(folder);
}

static void put(const uint8_t *data, size_t size)
{
  if (!path[0]) {
    MUST(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/log", folder);
    atexit(leave);
  }
  forget();
  if (!data)
    return;
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  MUST(file >= 0 && write(file, data, size) == (ssize_t)size && close(file) == 0);
}

/* ---- what is handed out ---- */

/* Lines as they are handed out, against those that are expected; NULL: whatever comes. */
typedef struct seen {
  const char *const *expected;
  const size_t *length;
  uint64_t lines; /* the number of the last one */
  int any;
} seen;

static ofw_status see(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  seen *s = ctx;
  (void)sum, (void)err;
  MUST(!s->any || number == s->lines + 1);
  s->lines = number;
  s->any = 1;
  MUST(!memchr(line, '\n', length));
  if (s->expected)
    MUST(number <= MOST_LINES && length == s->length[number - 1] && memcmp(line, s->expected[number - 1], length) == 0);
  return OFW_OK;
}

/* 1: it was opened, with lines up to s->lines, of which the first s->dropped are gone, and started. */
static int open_log(const char *config, seen *s, ofw_log **log)
{
  ofw_log_found found;
  ofw_error err = {0};
  s->lines = 0;
  s->any = 0;
  ofw_status st = ofw_log_open(&ofw_real_disk, path, "build", config, see, s, log, &found, &err);
  if (st != OFW_OK) {
    MUST(st == OFW_BAD_DATA && !*log);
    must_explain(st, err.message);
  } else {
    MUST(!s->any || found.lines == s->lines);
    s->lines = found.lines;
    MUST(ofw_log_start(*log, &err) == OFW_OK);
  }
  ofw_log_found_free(&found);
  return st == OFW_OK;
}

/* It takes a line more, and has it when it is opened again. */
static void must_go_on(const char *config, ofw_log *log, uint64_t lines)
{
  ofw_error err = {0};
  seen s = {0};
  MUST(ofw_log_append(log, "one more", 8, &err) == OFW_OK && ofw_log_commit(log, &err) == OFW_OK);
  ofw_log_close(log);
  MUST(open_log(config, &s, &log) && s.lines == lines + 1);
  ofw_log_close(log);
}

/* What is salvaged of it is a whole log of the same lines. */
static void must_be_salvaged(const seen *of, uint64_t lines)
{
  char name[80];
  ofw_log_found found, again;
  ofw_error err = {0};
  seen s = {.expected = of->expected, .length = of->length};
  snprintf(name, sizeof name, "%s.new", path);
  ofw_status st = ofw_log_salvage(&ofw_real_disk, path, name, &found, &err);
  if (st != OFW_OK)
    must_explain(st, err.message);
  else {
    MUST(found.lines >= lines);
    MUST(ofw_log_read(&ofw_real_disk, name, see, &s, &again, &err) == OFW_OK && again.closed &&
         again.lines == found.lines);
    ofw_log_found_free(&again);
  }
  ofw_log_found_free(&found);
}

static void read_any(const uint8_t *data, size_t size)
{
  ofw_log_found found;
  ofw_error err = {0};
  seen s = {0}, again = {0};
  ofw_log *log;
  put(data, size);
  ofw_status st = ofw_log_read(&ofw_real_disk, path, see, &s, &found, &err);
  must_be_salvaged(&again, st == OFW_OK ? found.lines : 0);
  if (st == OFW_OK) {
    MUST(found.bytes + found.torn <= size);
    if (found.lines < UINT64_MAX) {
      MUST(open_log(found.config, &again, &log) && again.lines == found.lines);
      must_go_on(found.config, log, found.lines);
    }
  } else
    must_explain(st, err.message);
  ofw_log_found_free(&found);
}

/* Bytes changed, zeroed or cut off; how many times. */
static int damage(fuzz_bytes *b)
{
  static const char zeros[600];
  int file = open(path, O_RDWR), times = 0;
  MUST(file >= 0);
  off_t size = lseek(file, 0, SEEK_END);
  for (size_t n = fuzz_below(b, 4); n > 0; n--, times++) {
    off_t at = (off_t)fuzz_below(b, (size_t)size);
    uint8_t byte = fuzz_byte(b);
    size_t zeroed = byte % 4 ? 0 : fuzz_below(b, sizeof zeros);
    zeroed = zeroed < (size_t)(size - at) ? zeroed : (size_t)(size - at);
    MUST(zeroed ? pwrite(file, zeros, zeroed, at) == (ssize_t)zeroed : pwrite(file, &byte, 1, at) == 1);
  }
  if (fuzz_byte(b) % 2) {
    MUST(ftruncate(file, (off_t)fuzz_below(b, (size_t)size + 1)) == 0);
    times += 2;
  }
  close(file);
  return times;
}

static void append_and_damage(fuzz_bytes *b)
{
  static char text[MOST_LINES][LONGEST];
  const char *expected[MOST_LINES];
  size_t length[MOST_LINES], lines = fuzz_below(b, MOST_LINES), dropped = 0;
  seen s = {expected, length, 0, 0};
  ofw_error err = {0};
  ofw_log *log;
  put(NULL, 0);
  MUST(open_log("config", &s, &log) && s.lines == 0);
  for (size_t k = 0; k < lines; k++) {
    length[k] = fuzz_below(b, LONGEST);
    expected[k] = text[k];
    char fill = (char)('a' + fuzz_byte(b) % 26);
    memset(text[k], fill, length[k]);
    MUST(ofw_log_append(log, text[k], length[k], &err) == OFW_OK);
    uint8_t then = fuzz_byte(b);
    if (then % 2)
      MUST(ofw_log_commit(log, &err) == OFW_OK);
    if (then % 16 == 1) {
      dropped = fuzz_below(b, k + 2);
      MUST(ofw_log_drop(log, dropped, &err) == OFW_OK && ofw_log_dropped(log) >= dropped);
    }
  }
  MUST(ofw_log_commit(log, &err) == OFW_OK);
  ofw_log_close(log);
  int times = damage(b);
  must_be_salvaged(&s, 0);
  if (open_log("config", &s, &log)) {
    MUST(s.lines <= lines && (times > 1 || s.lines == lines));
    must_go_on("config", log, s.lines);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_bytes b = {data, size};
  if (fuzz_byte(&b) % 2)
    append_and_damage(&b);
  else
    read_any(b.at, b.left);
  return 0;
}
