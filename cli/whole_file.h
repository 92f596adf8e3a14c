/* whole_file.h — files that are whole or not there */
#pragma once

#include "cli.h"

#include <stdio.h>

/* Opens FILE.part; close_result gives it its name, or takes it away if writing failed; drop_result takes it away. Without a path it is
 * stdout, and what is no plain file is written to as it is. 0, or an exit code after a complaint. */
int open_result(const command *self, const char *path, FILE **out);
int close_result(const command *self, const char *path, FILE *file);
void drop_result(const char *path, FILE *file);
