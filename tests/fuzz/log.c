/* log.c — logs: of any bytes; and of lines that were appended, then damaged
 *
 * A log that is accepted goes on: opened again it has the same lines, and one more once that is committed. Of a damaged
 * one all that is ever handed out is the beginning of what was appended.
 */
#include "fuzz.h"

#include "persist/log.h"

enum { MOST_LINES = 12, LONGEST = 700 };

/* Lines as they are handed out, against those that are expected; NULL: whatever comes. */
typedef struct seen {
  const char *const *expected;
  const size_t *length;
  uint64_t lines;
} seen;

static ofw_status see(void *ctx, uint64_t number, const char *line, size_t length, uint32_t sum, ofw_error *err)
{
  seen *s = ctx;
  (void)sum, (void)err;
  MUST(number == ++s->lines && !memchr(line, '\n', length));
  if (s->expected)
    MUST(number <= MOST_LINES && length == s->length[number - 1] && memcmp(line, s->expected[number - 1], length) == 0);
  return OFW_OK;
}

/* 1: it was opened, with s->lines of them. */
static int open_log(const fuzz_file *file, const char *config, seen *s, ofw_log **log)
{
  ofw_log_found found;
  ofw_error err = {0};
  s->lines = 0;
  ofw_status st = ofw_log_open(&ofw_real_disk, file->path, "build", config, see, s, log, &found, &err);
  if (st != OFW_OK) {
    MUST(st == OFW_BAD_DATA && !*log);
    must_explain(st, err.message);
    return 0;
  }
  MUST(found.lines == s->lines);
  ofw_log_found_free(&found);
  return 1;
}

/* It takes a line more, and has it when it is opened again. */
static void must_go_on(const fuzz_file *file, const char *config, ofw_log *log, uint64_t lines)
{
  ofw_error err = {0};
  seen s = {0};
  MUST(ofw_log_append(log, "one more", 8, &err) == OFW_OK && ofw_log_commit(log, &err) == OFW_OK);
  ofw_log_close(log);
  MUST(open_log(file, config, &s, &log) && s.lines == lines + 1);
  ofw_log_close(log);
}

static void read_any(const uint8_t *data, size_t size)
{
  fuzz_file file = fuzz_keep(data, size);
  ofw_log_found found;
  ofw_error err = {0};
  seen s = {0}, again = {0};
  ofw_log *log;
  ofw_status st = ofw_log_read(&ofw_real_disk, file.path, see, &s, &found, &err);
  if (st == OFW_OK) {
    MUST(found.lines == s.lines && found.bytes + found.torn >= size);
    MUST(open_log(&file, found.config, &again, &log) && again.lines == s.lines);
    must_go_on(&file, found.config, log, s.lines);
    ofw_log_found_free(&found);
  } else
    must_explain(st, err.message);
  fuzz_drop(file);
}

/* Bytes changed, zeroed or cut off. */
static void damage(const fuzz_file *file, fuzz_bytes *b)
{
  static const char zeros[600];
  off_t size = lseek(file->file, 0, SEEK_END);
  for (size_t n = fuzz_below(b, 4); n > 0; n--) {
    off_t at = (off_t)fuzz_below(b, (size_t)size);
    uint8_t byte = fuzz_byte(b);
    size_t zeroed = byte % 4 ? 0 : fuzz_below(b, sizeof zeros);
    zeroed = zeroed < (size_t)(size - at) ? zeroed : (size_t)(size - at);
    MUST(zeroed ? pwrite(file->file, zeros, zeroed, at) == (ssize_t)zeroed : pwrite(file->file, &byte, 1, at) == 1);
  }
  if (fuzz_byte(b) % 2)
    MUST(ftruncate(file->file, (off_t)fuzz_below(b, (size_t)size + 1)) == 0);
}

static void append_and_damage(fuzz_bytes *b)
{
  static char text[MOST_LINES][LONGEST];
  const char *expected[MOST_LINES];
  size_t length[MOST_LINES], lines = fuzz_below(b, MOST_LINES);
  fuzz_file file = fuzz_keep("", 0);
  seen s = {expected, length, 0};
  ofw_error err = {0};
  ofw_log *log;
  MUST(open_log(&file, "config", &s, &log) && s.lines == 0);
  for (size_t k = 0; k < lines; k++) {
    length[k] = fuzz_below(b, LONGEST);
    expected[k] = text[k];
    char fill = (char)('a' + fuzz_byte(b) % 26);
    memset(text[k], fill, length[k]);
    MUST(ofw_log_append(log, text[k], length[k], &err) == OFW_OK);
    if (fuzz_byte(b) % 2)
      MUST(ofw_log_commit(log, &err) == OFW_OK);
  }
  MUST(ofw_log_commit(log, &err) == OFW_OK);
  ofw_log_close(log);
  damage(&file, b);
  if (open_log(&file, "config", &s, &log)) {
    MUST(s.lines <= lines);
    must_go_on(&file, "config", log, s.lines);
  }
  fuzz_drop(file);
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
