/* problem.c — the table of problems, and one as JSON */
#include "server/problem.h"

#include "server/json_text.h"

#include <inttypes.h>

static const struct {
  problem_kind kind;
  const char *type, *title;
} problems[] = {
    {HTTP_BAD_REQUEST, "bad-request", "Bad Request"},
    {HTTP_UNAUTHORIZED, "unauthorized", "Unauthorized"},
    {HTTP_FORBIDDEN, "forbidden", "Forbidden"},
    {HTTP_NOT_FOUND, "not-found", "Not Found"},
    {HTTP_METHOD, "method-not-allowed", "Method Not Allowed"},
    {HTTP_CONFLICT, "conflict", "Conflict"},
    {HTTP_FAILED, "failed", "Learner Failed"},
    {HTTP_TOO_LARGE, "too-large", "Content Too Large"},
    {HTTP_MEDIA_TYPE, "unsupported-media-type", "Unsupported Media Type"},
    {HTTP_TOO_MANY, "too-many-requests", "Too Many Requests"},
    {HTTP_UNAVAILABLE, "unavailable", "Service Unavailable"},
    {HTTP_NO_STORAGE, "no-storage", "Insufficient Storage"},
};

int problem_status(problem_kind kind)
{
  return (int)kind % 1000;
}

problem_kind problem_of(ofw_status status)
{
  return status == OFW_FAILED ? HTTP_UNAVAILABLE : status == OFW_NUMERICAL ? HTTP_FAILED : HTTP_BAD_REQUEST;
}

void problem_print(problem_kind kind, const char *detail, uint64_t round, long accepted, ofw_text *out)
{
  size_t k = 0;
  while (k + 1 < sizeof problems / sizeof *problems && problems[k].kind != kind)
    k++;
  ofw_text_add(out, "{\"type\":\"urn:ofw:problem:%s\",\"title\":\"%s\",\"status\":%d,\"detail\":", problems[k].type,
               problems[k].title, problem_status(kind));
  json_text_add(out, detail);
  if (round > 0)
    ofw_text_add(out, ",\"round\":%" PRIu64, round);
  if (accepted >= 0)
    ofw_text_add(out, ",\"accepted\":%ld", accepted);
  ofw_text_add(out, "}\n");
}
