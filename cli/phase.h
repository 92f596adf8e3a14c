/* phase.h — what a command is doing before it has progress to show, and what is left if it is interrupted there
 *
 * If a phase takes longer than a moment, a terminal says what it is; files and pipes are not told. One phase at a time.
 */
#pragma once

#include "cli.h"

/* `kept`: what SIGINT and SIGTERM leave, "nothing is kept"; they end the program and say so. NULL: the caller takes them. The phase before
 * ends. */
void phase_begin(const command *self, const arguments *args, const char *kept, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void phase_end(void); /* the terminal's line is free again; without a phase it does nothing */
