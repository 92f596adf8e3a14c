/* no_server.c — a build without libmicrohttpd has the command, which says what is missing */
#include "server/serve.h"

const server_limits server_default_limits = {0};

server *server_open(const server_settings *settings, ofw_error *err)
{
  (void)settings;
  ofw_fail(err, OFW_UNSUPPORTED, "this build has no service: libmicrohttpd (libmicrohttpd-dev) was not there");
  return NULL;
}

const char *server_address(const server *s)
{
  (void)s;
  return "";
}

size_t server_sessions(server *s)
{
  (void)s;
  return 0;
}

void server_close(server *s)
{
  (void)s;
}
