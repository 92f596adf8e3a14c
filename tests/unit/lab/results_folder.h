/* results_folder.h — a folder of its own for each test of a results database */
#ifndef OFW_TEST_RESULTS_FOLDER_H
#define OFW_TEST_RESULTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64], file[96];

static int begin(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "/tmp/ofw-results-XXXXXX");
  if (!mkdtemp(folder))
    return 1;
  snprintf(file, sizeof file, "%s/results.db", folder);
  return 0;
}

static int end(void **state)
{
  (void)state;
  unlink(file);
  return rmdir(folder); /* which also says that no other file was left */
}

#endif
