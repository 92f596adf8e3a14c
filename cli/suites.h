/* suites.h — the experiments that the command brings along, files of experiments/ */
#ifndef OFW_CLI_SUITES_H
#define OFW_CLI_SUITES_H

#include "cli.h"

#include "lab/experiment.h"

/* The text of experiments/NAME.ini; NULL: there is none. */
const char *suite_text(const char *name);
/* One of a command's two suites, experiments/COMMAND-NAME.ini. 0, or an exit code after a complaint; lab_experiment_free
 * returns it in either case. */
int suite_read(const command *self, const char *name, const char *first, const char *second, lab_experiment *out);

#endif
