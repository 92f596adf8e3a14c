/* log_format.c — marks, padding and checksums of a log; log_format.h says why they are so */
#include "persist/log_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

const char ofw_log_first_line[] = "ofwlog 2\n", ofw_log_first_line_v1[] = "ofwlog 1\n";

enum { DIGITS = 8 };

static uint32_t checksum(uint32_t sum, const char *bytes, size_t n)
{
  return (uint32_t)crc32_z(sum, (const Bytef *)bytes, n);
}

uint32_t ofw_log_chain(uint32_t sum, const char *line, size_t length)
{
  return checksum(checksum(sum, line, length), "\n", 1);
}

void ofw_log_sum_write(uint32_t sum, char out[OFW_LOG_SUM])
{
  for (int k = DIGITS; k-- > 0; sum >>= 4)
    out[k] = "0123456789abcdef"[sum & 15];
  out[DIGITS] = ' ';
}

int ofw_log_line_fits(const char *line, size_t length, uint32_t *sum)
{
  char digits[OFW_LOG_SUM];
  if (length < OFW_LOG_SUM)
    return 0;
  uint32_t next = ofw_log_chain(*sum, line + OFW_LOG_SUM, length - OFW_LOG_SUM);
  ofw_log_sum_write(next, digits);
  if (memcmp(digits, line, OFW_LOG_SUM) != 0)
    return 0;
  *sum = next;
  return 1;
}

size_t ofw_log_mark_write(const ofw_log_mark *mark, char out[OFW_LOG_MARK + 1])
{
  char text[OFW_LOG_MARK], digits[DIGITS + 1];
  int width = mark->kind == OFW_LOG_END ? OFW_LOG_MARK - DIGITS - 1 : 0; /* an end mark is as long as any */
  snprintf(text, sizeof text, "%c%" PRIu64 " %" PRIu64 " %08" PRIx32, (char)mark->kind, mark->number, mark->bytes,
           mark->sum);
  int n = snprintf(out + DIGITS, OFW_LOG_MARK + 1 - DIGITS, "%-*s\n", width, text);
  snprintf(digits, sizeof digits, "%08" PRIx32, checksum(0, out + DIGITS, (size_t)n));
  memcpy(out, digits, DIGITS);
  return DIGITS + (size_t)n;
}

size_t ofw_log_mark_read(const char *bytes, size_t n, ofw_log_mark *out)
{
  char text[OFW_LOG_MARK + 1] = "", again[OFW_LOG_MARK + 1];
  char kind = 0;
  memcpy(text, bytes, n < OFW_LOG_MARK ? n : OFW_LOG_MARK);
  *out = (ofw_log_mark){0};
  if (sscanf(text, "%*8x%c%20" SCNu64 " %20" SCNu64 " %8" SCNx32, &kind, &out->number, &out->bytes, &out->sum) != 4 ||
      (kind != OFW_LOG_COMMIT && kind != OFW_LOG_END))
    return 0;
  out->kind = kind == OFW_LOG_COMMIT ? OFW_LOG_COMMIT : OFW_LOG_END;
  size_t length = ofw_log_mark_write(out, again); /* which also holds it to its only spelling */
  return memcmp(text, again, length) == 0 ? length : 0;
}

size_t ofw_log_padding(uint64_t end)
{
  const size_t low = OFW_LOG_MARK + 2, high = OFW_LOG_SECTOR - OFW_LOG_MARK - 2;
  size_t at = (size_t)(end % OFW_LOG_SECTOR);
  if (at >= low && at <= high)
    return 0;
  return at < low ? low - at : OFW_LOG_SECTOR - at + low;
}
