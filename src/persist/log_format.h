/* log_format.h — the bytes of a log: chained lines, and the marks of commits
 *
 * A mark has a checksum of its own, so that it can be recognised behind damage. It lies within one sector, and no commit
 * begins or ends within OFW_LOG_MARK bytes of a sector's edge. So if the disk never wrote a commit's first sector, there
 * are zeros from the commit's beginning to the sector's edge and whole bytes before them. A disk that lost the sector
 * later has zeros before them too.
 */
#pragma once

#include "base/basics.h"

enum {
  OFW_LOG_SUM = 9,       /* "9f0a3b7e " */
  OFW_LOG_SECTOR = 512,  /* which a disk writes whole or not at all */
  OFW_LOG_MARK = 64,     /* the longest mark, with its newline, and each end mark */
  OFW_LOG_END_MARKS = 74 /* of a log that was closed: more than a page, so that no lost page takes all of them */
};
extern const char ofw_log_first_line[], ofw_log_first_line_v1[];

typedef enum ofw_log_mark_kind { OFW_LOG_NO_MARK = 0, OFW_LOG_COMMIT = '=', OFW_LOG_END = '.' } ofw_log_mark_kind;

/*     9f0a3b7e=17 183 1b0e5f0c       commit 17: the 183 bytes behind this line; the checksum of all lines before
 *     77c1d2aa.17 5301 9f0a3b7e      the end: 17 was the last commit, and ended at byte 5301
 */
typedef struct ofw_log_mark {
  ofw_log_mark_kind kind;
  uint64_t number, bytes;
  uint32_t sum;
} ofw_log_mark;

/* Returns its length. */
size_t ofw_log_mark_write(const ofw_log_mark *mark, char out[OFW_LOG_MARK + 1]);
/* What n bytes begin with; returns its length, 0: they begin with no mark. */
size_t ofw_log_mark_read(const char *bytes, size_t n, ofw_log_mark *out);

/* How many bytes of padding, blanks and a newline, a commit needs that would end here. With them its mark may become a
 * byte longer. */
size_t ofw_log_padding(uint64_t end);

/* The checksum of all lines before goes on over one more, and its newline. */
uint32_t ofw_log_chain(uint32_t sum, const char *line, size_t length);
/* The eight digits of a checksum and a blank. */
void ofw_log_sum_write(uint32_t sum, char out[OFW_LOG_SUM]);
/* 1: a line of so many bytes, with its digits and without its newline, fits; then *sum has moved on. */
int ofw_log_line_fits(const char *line, size_t length, uint32_t *sum);
