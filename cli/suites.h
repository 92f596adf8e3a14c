/* suites.h — finds experiments: the user's files, and those inside the command */
#pragma once

#include "cli.h"

#include "lab/experiment.h"

/* Files by their paths; a file that includes another names it from its own folder. */
extern const lab_library file_library;
/* Those of experiments/ by their names, with or without ".ini". */
extern const lab_library suite_library;
/* 1: there is one of that name. */
int suite_is_there(const char *name);
/* One of a command's two suites, experiments/COMMAND-NAME.ini. 0, or an exit code after a complaint; lab_experiment_free
 * returns it in either case. */
int suite_read(const command *self, const char *name, const char *first, const char *second, lab_experiment *out);
