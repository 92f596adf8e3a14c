/* access.c — tokens are read, hashed and compared; names of this machine are recognised */
#include "server/access.h"

#include "base/lines.h"

#include <arpa/inet.h>
#include <errno.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { LONGEST_LINE = 1024 };

static void hash_of(const char *token, unsigned char hash[ACCESS_HASH])
{
  struct sha256_ctx ctx;
  sha256_init(&ctx);
  sha256_update(&ctx, strlen(token), (const uint8_t *)token);
  sha256_digest(&ctx, ACCESS_HASH, hash);
}

/* ---- the file ---- */

static ofw_status read_line(access_tokens *t, char *line, ofw_error *err)
{
  static const struct {
    const char *word;
    access_right right;
  } rights[] = {{"read", ACCESS_READ}, {"write", ACCESS_WRITE}};
  char *rest, *word = strtok_r(line, " \t\r", &rest), *token = strtok_r(NULL, " \t\r", &rest);
  if (!word || word[0] == '#')
    return OFW_OK;
  size_t k = 0;
  while (k < 2 && strcmp(word, rights[k].word) != 0)
    k++;
  if (k == 2 || !token || strtok_r(NULL, " \t\r", &rest))
    return ofw_fail(err, OFW_BAD_DATA, "expected 'read TOKEN' or 'write TOKEN'");
  if (strlen(token) < ACCESS_SHORTEST)
    return ofw_fail(err, OFW_BAD_DATA, "a token of %zu characters, expected at least %d", strlen(token),
                    ACCESS_SHORTEST);
  if (t->count == ACCESS_MOST)
    return ofw_fail(err, OFW_BAD_DATA, "more than %d tokens", ACCESS_MOST);
  hash_of(token, t->token[t->count].hash);
  t->token[t->count++].right = rights[k].right;
  return OFW_OK;
}

static ofw_status read_lines(access_tokens *t, const char *path, FILE *in, ofw_error *err)
{
  ofw_lines lines = {.read = ofw_lines_from_file, .ctx = in, .limit = LONGEST_LINE};
  ofw_line_status got;
  char *line;
  size_t length;
  ofw_status st = OFW_OK;
  ofw_error why = {0};
  while (st == OFW_OK && (got = ofw_lines_next(&lines, &line, &length)) != OFW_NO_LINE)
    st = got == OFW_LINE ? read_line(t, line, &why) : ofw_fail(&why, OFW_BAD_DATA, "the line cannot be read");
  if (st != OFW_OK)
    ofw_fail(err, st, "%.200s:%llu: %s", path, (unsigned long long)lines.number, why.message);
  else if (t->count == 0)
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s: expected a line 'read TOKEN' or 'write TOKEN', found none", path);
  ofw_lines_free(&lines);
  return st;
}

/* By the group's bits a mode also shows the mask of an ACL: systemd's credentials have one, for the service's user, and group root. */
static int others_may_use(const struct stat *about)
{
  return (about->st_mode & 07) || ((about->st_mode & 070) && about->st_gid != 0);
}

ofw_status access_read(const char *path, access_tokens *out, ofw_error *err)
{
  struct stat about;
  FILE *in = fopen(path, "re");
  *out = (access_tokens){0};
  if (!in)
    return ofw_fail(err, OFW_BAD_DATA, "%.200s: %s", path, strerror(errno));
  ofw_status st = OFW_OK;
  if (fstat(fileno(in), &about) != 0 || others_may_use(&about))
    st = ofw_fail(err, OFW_BAD_DATA, "%.200s: others may read it; run chmod 600 on it", path);
  if (st == OFW_OK)
    st = read_lines(out, path, in, err);
  (void)fclose(in);
  return st;
}

/* ---- a request ---- */

access_right access_allows(const access_tokens *t, const char *authorization)
{
  static const char scheme[] = "Bearer ";
  unsigned char hash[ACCESS_HASH];
  access_right right = ACCESS_NONE;
  if (t->count == 0)
    return ACCESS_WRITE;
  if (!authorization || strncasecmp(authorization, scheme, strlen(scheme)) != 0)
    return ACCESS_NONE;
  hash_of(authorization + strlen(scheme), hash);
  for (size_t k = 0; k < t->count; k++) /* all of them, however soon one fits */
    if (memeql_sec(hash, t->token[k].hash, ACCESS_HASH))
      right = t->token[k].right;
  return right;
}

int access_is_loopback(const char *address)
{
  struct in_addr four;
  struct in6_addr six;
  if (inet_pton(AF_INET, address, &four) == 1)
    return (ntohl(four.s_addr) >> 24) == 127;
  if (inet_pton(AF_INET6, address, &six) == 1)
    return IN6_IS_ADDR_LOOPBACK(&six);
  return strcasecmp(address, "localhost") == 0;
}

int access_host_is_local(const char *host)
{
  char name[64];
  if (!host)
    return 1;
  const char *begin = host[0] == '[' ? host + 1 : host;
  size_t length = strcspn(begin, host[0] == '[' ? "]" : ":");
  if (length >= sizeof name)
    return 0;
  memcpy(name, begin, length);
  name[length] = 0;
  return access_is_loopback(name);
}
