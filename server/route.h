/* route.h — which handler a method and a path lead to: one table */
#pragma once

#include "server/exchange.h"

/* Answers x, or suspends it; it is called again when x is resumed. */
typedef void route_handler(server *s, exchange *x);

typedef enum route_body { BODY_NONE, BODY_JSON, BODY_LINES } route_body; /* nothing; JSON; JSON or lines of it */

typedef struct route {
  const char *method, *path; /* "{id}" in a path is a session */
  route_handler *handle;
  route_body body;
  int is_open; /* no token is needed */
} route;
extern const route routes[];
extern const size_t routes_count;

/* NULL: there is none. Then *allowed has the methods of the path, separated by commas, "" if there is no such path. */
enum { ROUTE_METHODS = 64 };
const route *route_find(const char *method, const char *path, char id[SESSION_ID + 1], char allowed[ROUTE_METHODS]);

/* on_sessions.c, on_decisions.c, on_rounds.c, on_watch.c */
route_handler on_create, on_list, on_describe, on_delete, on_export, on_snapshot, on_catalogue, on_decision, on_decide,
    on_feedback, on_trace, on_events, on_health, on_ready, on_metrics, on_openapi, on_page;
