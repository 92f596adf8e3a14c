/* trace_columns.h — the columns of a trace: one table for the line of names, the rows, the saved account and the manual */
#ifndef OFW_SRC_TRACE_H
#define OFW_SRC_TRACE_H

#include <ofw/trace.h>

/* A number of a struct: a column of a trace's rows, or of metrics. */
typedef struct ofw_column {
  const char *name;
  ofw_option_kind kind; /* OFW_COUNT or OFW_REAL */
  size_t offset;
  const char *help;
} ofw_column;

extern const ofw_column ofw_trace_columns[];
extern const size_t ofw_trace_columns_count;

/* What follows a comma in a comment is quoted by a ' in front: it would be a formula where the file is opened as a table, or
 * begins with a ' itself. The reader takes that away. */
int ofw_trace_is_quoted(const char *cell);

#endif
