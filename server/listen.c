/* listen.c — the address of a server, its socket, and the thread that takes connections from it */
#include "server/server.h"

#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 1024 };

/* "HOST:PORT", "[HOST]:PORT": the two parts, in `text`. */
static ofw_status split_address(char *text, const char **host, const char **port, ofw_error *err)
{
  char *colon = strrchr(text, ':');
  if (!colon || colon == text || colon[1] == 0)
    return ofw_fail(err, OFW_USAGE, "--listen %.100s: expected ADDRESS:PORT, for instance 127.0.0.1:8780", text);
  *colon = 0;
  *port = colon + 1;
  *host = text;
  if (text[0] == '[' && colon[-1] == ']') {
    colon[-1] = 0;
    *host = text + 1;
  }
  return OFW_OK;
}

static ofw_status open_socket(server *s, const char *host, const char *port, ofw_error *err)
{
  const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
  struct addrinfo *at = NULL;
  int on = 1, why = getaddrinfo(host, port, &hints, &at);
  if (why)
    return ofw_fail(err, OFW_USAGE, "--listen %.100s:%.20s: %s", host, port, gai_strerror(why));
  s->listens = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ofw_status st = OFW_OK;
  if (s->listens < 0 || setsockopt(s->listens, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(s->listens, at->ai_addr, at->ai_addrlen) != 0 || listen(s->listens, BACKLOG) != 0)
    st = ofw_fail(err, OFW_FAILED, "cannot listen on %.100s:%.20s: %s; --listen chooses another address and port", host,
                  port, strerror(errno));
  freeaddrinfo(at);
  return st;
}

/* With the port that was chosen, if it was 0. */
static ofw_status name_address(server *s, ofw_error *err)
{
  struct sockaddr_storage at;
  socklen_t size = sizeof at;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  if (getsockname(s->listens, (struct sockaddr *)&at, &size) != 0 ||
      getnameinfo((struct sockaddr *)&at, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV))
    return ofw_fail(err, OFW_FAILED, "the address is not known: %s", strerror(errno));
  int six = strchr(host, ':') != NULL;
  s->address = ofw_format("http://%s%s%s:%s", six ? "[" : "", host, six ? "]" : "", port);
  return s->address ? OFW_OK : ofw_fail_memory(err, sizeof host);
}

static ofw_status listen_at(server *s, char *text, ofw_error *err)
{
  const char *host = "", *port = "";
  OFW_TRY(split_address(text, &host, &port, err));
  if (s->tokens.count == 0 && !access_is_loopback(host))
    return ofw_fail(err, OFW_USAGE,
                    "--listen %.100s: others can reach this address, so --token-file FILE is needed; without it only "
                    "127.0.0.1, ::1 and localhost",
                    host);
  OFW_TRY(open_socket(s, host, port, err));
  return name_address(s, err);
}

/* Takes connections, and hands them to libmicrohttpd's threads in turn, by the number of the socket; if those took them
 * themselves, the one that is quicker would have most. Ends when the socket is shut down. */
static void *take_connections(void *ctx)
{
  server *s = ctx;
  while (!atomic_load(&s->stopping)) {
    struct sockaddr_storage from;
    socklen_t size = sizeof from;
    int client = accept4(s->listens, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client >= 0)
      MHD_add_connection(s->daemon, client, (struct sockaddr *)&from, size); /* which closes it if there are too many */
    else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
      usleep(10000); /* until others end */
  }
  return NULL;
}

ofw_status listen_open(server *s, const char *address, ofw_error *err)
{
  char *text = ofw_copy_text(address);
  ofw_status st = text ? listen_at(s, text, err) : ofw_fail_memory(err, strlen(address));
  free(text);
  return st;
}

ofw_status listen_start(server *s, ofw_error *err)
{
  s->has_acceptor = pthread_create(&s->acceptor, NULL, take_connections, s) == 0;
  return s->has_acceptor ? OFW_OK : ofw_fail(err, OFW_FAILED, "no thread can be started");
}

void listen_close(server *s)
{
  if (s->has_acceptor) {
    shutdown(s->listens, SHUT_RDWR);
    pthread_join(s->acceptor, NULL);
  }
  if (s->listens >= 0)
    close(s->listens);
}
