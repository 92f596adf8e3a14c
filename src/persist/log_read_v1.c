/* log_read_v1.c — logs of version 1: lines without marks
 *
 * Nothing tells which lines were committed together. So only a file that was cut within its last line, or that grew
 * without being written to, is taken for torn; a line that does not fit is damage, wherever it stands.
 */
#include "persist/log_read.h"

#include "base/lines.h"
#include "persist/log_format.h"

#include <errno.h>
#include <string.h>

enum { HEADER_LINES = 2 };

typedef struct source {
  const ofw_disk *disk;
  int file;
  uint64_t left; /* behind it there may be a torn tail */
} source;

static ssize_t read_source(void *ctx, void *bytes, size_t n)
{
  source *s = ctx;
  ssize_t got = ofw_disk_read(s->disk, s->file, bytes, n < s->left ? n : (size_t)s->left);
  s->left -= got > 0 ? (uint64_t)got : 0;
  return got;
}

/* The last line, which has no newline and does not fit. */
static int is_torn(const char *line, size_t length, uint64_t at, uint32_t sum)
{
  size_t zeros = 0;
  while (zeros < length && !line[length - 1 - zeros])
    zeros++;
  if (zeros == length)
    return at % OFW_LOG_SECTOR != 0; /* else a sector may have been lost long after it was written */
  return !memchr(line, 0, length) &&
         !ofw_log_line_fits(line, length - 1, &sum); /* if that fits, its newline has changed */
}

static ofw_status refuse_line(ofw_line_status got, ofw_error *err)
{
  if (got == OFW_LINE_UNREAD)
    return ofw_fail(err, OFW_FAILED, "cannot be read: %s", strerror(errno));
  return ofw_fail(err, OFW_FAILED, "out of memory");
}

static ofw_status read_lines(ofw_log_reading *how, ofw_lines *in, ofw_error *err)
{
  ofw_log_found *found = how->found;
  for (int k = 0;; k += k < HEADER_LINES) {
    char *line;
    size_t length;
    ofw_line_status got = ofw_lines_next(in, &line, &length);
    if (got == OFW_NO_LINE)
      return k < HEADER_LINES ? ofw_fail(err, OFW_BAD_DATA, "cut short within its header") : OFW_OK;
    if (got != OFW_LINE)
      return refuse_line(got, err);
    if (!ofw_log_line_fits(line, length, &how->sum)) {
      if (k == HEADER_LINES && !in->ended && is_torn(line, length, found->bytes, how->sum))
        return OFW_OK;
      return ofw_log_refuse(how, found->bytes, "this line does not match its checksum", err);
    }
    line += OFW_LOG_SUM;
    if (k < HEADER_LINES) {
      OFW_TRY(ofw_log_take_header(how, k, line, length - OFW_LOG_SUM, err));
      found->from_sum = how->sum;
    } else
      OFW_TRY(ofw_log_hand_out(how, line, length - OFW_LOG_SUM, how->sum, err));
    found->bytes += length + (in->ended ? 1 : 0);
  }
}

ofw_status ofw_log_scan_v1(const ofw_disk *disk, int file, uint64_t size, ofw_log_reading *how, ofw_error *err)
{
  char *line;
  size_t length;
  ofw_lines in = {.read = read_source,
                  .ctx = &(source){disk, file, size},
                  .limit = size < SIZE_MAX / 4 ? (size_t)size + 1 : SIZE_MAX / 4};
  ofw_line_status got = ofw_lines_next(&in, &line, &length);
  how->sum = ofw_log_chain(0, ofw_log_first_line_v1, strlen(ofw_log_first_line_v1) - 1);
  how->found->bytes = strlen(ofw_log_first_line_v1);
  ofw_status st = got == OFW_LINE ? read_lines(how, &in, err) : refuse_line(got, err);
  how->found->torn = st == OFW_OK && size > how->found->bytes ? size - how->found->bytes : 0;
  ofw_lines_free(&in);
  return st;
}
