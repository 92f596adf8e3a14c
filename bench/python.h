/* python.h — peer_numpy.py as a program that answers questions, one thread */
#ifndef OFW_BENCH_PYTHON_H
#define OFW_BENCH_PYTHON_H

#include <ofw/base.h>

typedef struct peer_python peer_python;

enum { PYTHON_ARGS = 4 };

/* Starts it with a word and arguments (ending with NULL, if fewer), the first of which is the file that `fd` is open
 * on. NULL if there is no Python, no SciPy, or nothing to be answered; err says which. */
peer_python *peer_python_start(const char *what, int fd, const char *const args[PYTHON_ARGS], ofw_error *err);
/* Its answer to a number: n numbers. 0: there was none. */
int peer_python_ask(peer_python *p, size_t question, size_t n, double *answer);
/* Ends it; NULL is accepted. */
void peer_python_stop(peer_python *p);

#endif
