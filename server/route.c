/* route.c — the table of routes, and the way through it */
#include "server/route.h"

#include <stdio.h>
#include <string.h>

const route routes[] = {
    {"POST", "/v1/sessions/{id}/feedback", on_feedback, BODY_LINES, 0},
    {"POST", "/v1/sessions/{id}/decide", on_decide, BODY_JSON, 0},
    {"GET", "/v1/sessions/{id}/decision", on_decision, BODY_NONE, 0},
    {"GET", "/v1/sessions/{id}/trace", on_trace, BODY_NONE, 0},
    {"GET", "/v1/sessions/{id}/events", on_events, BODY_NONE, 0},
    {"POST", "/v1/sessions/{id}/snapshot", on_snapshot, BODY_NONE, 0},
    {"GET", "/v1/sessions/{id}/export", on_export, BODY_NONE, 0},
    {"GET", "/v1/sessions/{id}", on_describe, BODY_NONE, 0},
    {"DELETE", "/v1/sessions/{id}", on_delete, BODY_NONE, 0},
    {"POST", "/v1/sessions", on_create, BODY_JSON, 0},
    {"GET", "/v1/sessions", on_list, BODY_NONE, 0},
    {"GET", "/v1/catalogue", on_catalogue, BODY_NONE, 0},
    {"GET", "/", on_page, BODY_NONE, 1},
    {"GET", "/healthz", on_health, BODY_NONE, 1},
    {"GET", "/readyz", on_ready, BODY_NONE, 1},
    {"GET", "/metrics", on_metrics, BODY_NONE, 0},
    {"GET", "/openapi.json", on_openapi, BODY_NONE, 1},
};
const size_t routes_count = sizeof routes / sizeof *routes;

/* 1: the path has the pattern's form; then *id is what stands for "{id}", if that is in it. */
static int fits(const char *pattern, const char *path, char id[SESSION_ID + 1])
{
  static const char place[] = "{id}";
  const char *gap = strstr(pattern, place);
  size_t before = gap ? (size_t)(gap - pattern) : 0;
  if (!gap)
    return strcmp(pattern, path) == 0;
  if (strncmp(pattern, path, before) != 0)
    return 0;
  size_t length = strcspn(path + before, "/");
  if (length != SESSION_ID || strcmp(gap + strlen(place), path + before + length) != 0)
    return 0;
  memcpy(id, path + before, SESSION_ID);
  id[SESSION_ID] = 0;
  if (!session_id_fits(id))
    id[0] = 0;
  return id[0] != 0;
}

const route *route_find(const char *method, const char *path, char id[SESSION_ID + 1], char allowed[ROUTE_METHODS])
{
  allowed[0] = id[0] = 0;
  for (const route *r = routes; r < routes + routes_count; r++) {
    size_t used = strlen(allowed);
    if (!fits(r->path, path, id))
      continue;
    if (strcmp(r->method, method) == 0)
      return r;
    snprintf(allowed + used, ROUTE_METHODS - used, "%s%s", used ? ", " : "", r->method);
  }
  return NULL;
}
