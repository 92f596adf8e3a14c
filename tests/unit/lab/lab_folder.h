/* lab_folder.h — a folder for a test's files, and cells to play */
#ifndef OFW_TEST_FOLDER_H
#define OFW_TEST_FOLDER_H

#include "unit/base/check.h"

#include "lab/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], journal_file[96];
static const char head[] = "ofw test";

static inline int begin_folder(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/ofw-lab-XXXXXX");
  if (!mkdtemp(folder))
    return 1;
  snprintf(journal_file, sizeof journal_file, "%s/cells.tsv", folder);
  return 0;
}

static inline int end_folder(void **state)
{
  (void)state;
  unlink(journal_file);
  return rmdir(folder);
}

static inline lab_journal *opened(void)
{
  lab_journal *j;
  ofw_error err = {0};
  if (lab_journal_open(folder, head, &j, &err) != OFW_OK)
    fail_msg("%s", err.message);
  return j;
}

/* The file's bytes, with a 0 behind them. */
static inline char *contents(size_t *size)
{
  FILE *in = fopen(journal_file, "r");
  assert_non_null(in);
  char *text = calloc(1, 1 << 20);
  *size = fread(text, 1, (1 << 20) - 1, in);
  fclose(in);
  return text;
}

static inline void put_contents(const char *text, size_t size)
{
  FILE *out = fopen(journal_file, "w");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, size, out), size);
  assert_int_equal(fclose(out), 0);
}

#endif
