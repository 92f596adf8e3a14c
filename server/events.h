/* events.h — the account of a session as server-sent events, to whoever listens
 *
 * A stream sleeps, suspended, until the keeper finds that its session has played or that it has been silent for long. So
 * rounds cost nothing more if somebody listens, and a stream that cannot keep up misses rows instead of making any wait.
 */
#pragma once

#include "server/exchange.h"

/* The answer of x is a stream from now on. 0 after a problem: there are too many. */
int events_open(server *s, exchange *x);
/* Those that have something to say wake up. */
void events_wake(server *s);
