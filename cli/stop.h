/* stop.h — SIGINT and SIGTERM: the program finishes the current step, then ends */
#pragma once

#include <stdatomic.h>

/* The signal that came; 0: none yet. */
extern atomic_int stop_signal;

/* From now on the first one of them is noted here; a second one ends the program at once. */
void stop_on_signals(void);
/* What it exits with: 130 or 143. */
int stop_code(void);
/* 1: the file is ready for it, POLLIN or POLLOUT; 0: it is not, and a signal has come. */
int wait_for(int file, short what);
