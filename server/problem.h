/* problem.h — errors as documents (RFC 9457), with the message that the command would print */
#pragma once

#include "base/basics.h"

/* A kind is its status, but for two that share one. */
typedef enum problem_kind {
  HTTP_BAD_REQUEST = 400,
  HTTP_UNAUTHORIZED = 401,
  HTTP_FORBIDDEN = 403,
  HTTP_NOT_FOUND = 404,
  HTTP_METHOD = 405,
  HTTP_CONFLICT = 409,
  HTTP_TOO_LARGE = 413,
  HTTP_MEDIA_TYPE = 415,
  HTTP_TOO_MANY = 429,
  HTTP_UNAVAILABLE = 503,
  HTTP_NO_STORAGE = 507,
  HTTP_FAILED = 1409 /* 409: the learner has failed */
} problem_kind;

int problem_status(problem_kind kind);
/* What a refusal of the library is to a client. */
problem_kind problem_of(ofw_status status);
/* `round` 0: none; `accepted` below 0: none. */
void problem_print(problem_kind kind, const char *detail, uint64_t round, long accepted, ofw_text *out);
