/* access.h — who may do what: tokens of a file, compared in constant time
 *
 * A line of the file is "read TOKEN" or "write TOKEN", at least 16 characters each; empty lines and those that begin with '#'
 * do not count. Only hashes are kept. Without a file there are no tokens, and whoever reaches this machine's own address may
 * do everything, except from a page of another site: the Host header must name this machine.
 */
#pragma once

#include "base/basics.h"

enum { ACCESS_HASH = 32, ACCESS_SHORTEST = 16, ACCESS_MOST = 64 };

typedef enum access_right { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE } access_right;

typedef struct access_tokens {
  size_t count; /* 0: none are needed */
  struct {
    unsigned char hash[ACCESS_HASH];
    access_right right;
  } token[ACCESS_MOST];
} access_tokens;

/* OFW_BAD_DATA with the file's line; a file that others may read is refused. */
ofw_status access_read(const char *path, access_tokens *out, ofw_error *err);
/* What the value of an Authorization header allows; NULL: there is none. */
access_right access_allows(const access_tokens *t, const char *authorization);
/* 1: a Host header that names this machine: localhost, 127.x.x.x or [::1], with any port. NULL, from an old client, does. */
int access_host_is_local(const char *host);
/* 1: the address, without a port, is one that only this machine reaches. */
int access_is_loopback(const char *address);
