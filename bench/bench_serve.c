/* bench_serve.c — a load client for 'ofw serve': many connections, one session each, decide and feedback in one call
 *
 *     bench_serve PORT SECONDS DIM ID...        one JSON object: rounds per second, and quantiles of the time per round
 *     bench_serve PORT --lines FILE ID          the lines of a file, each as soon as the one before is answered
 *
 * Every connection sends feedback of its session's next round as soon as the answer to the last one is whole, so that each has
 * one request on its way. The bodies are made before: what is timed is the server, on the same machine.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 4096, ROOM = 1 << 16, KINDS = 16, BUCKETS = 200000 };

typedef struct connection {
  int socket;
  const char *id;
  uint64_t round;
  double sent;
  size_t got;
  char answer[ROOM];
} connection;

static char *rest[KINDS];        /* of a body, behind the round */
static uint64_t spread[BUCKETS]; /* of times, in microseconds */
static uint64_t rounds;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void give_up(const char *what)
{
  fprintf(stderr, "bench_serve: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* Gradients of some length with as many digits as doubles have. */
static char *make_rest(unsigned kind, size_t dim)
{
  size_t room = 256 + dim * 48, n = 0;
  char *text = malloc(room);
  if (!text)
    give_up("memory");
  srand(kind + 1);
  n += (size_t)snprintf(text + n, room - n, ",\"loss\":%.17g,\"loss_gradient\":[", (double)kind / 7.0);
  for (size_t k = 0; k < dim; k++)
    n += (size_t)snprintf(text + n, room - n, "%s%.17g", k ? "," : "", (double)rand() / RAND_MAX - 0.5);
  n += (size_t)snprintf(text + n, room - n, "],\"constraint\":%.17g,\"constraint_gradient\":[", 0.1 - kind / 100.0);
  for (size_t k = 0; k < dim; k++)
    n += (size_t)snprintf(text + n, room - n, "%s%.17g", k ? "," : "", (double)rand() / RAND_MAX - 0.5);
  snprintf(text + n, room - n, "]}");
  return text;
}

/* The body is `head` and `tail`. */
static void post(connection *c, const char *query, const char *head, const char *tail)
{
  static char text[ROOM];
  int all = snprintf(text, sizeof text,
                     "POST /v1/sessions/%s/feedback%s HTTP/1.1\r\nHost: localhost\r\n"
                     "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s%s",
                     c->id, query, strlen(head) + strlen(tail), head, tail);
  c->sent = now();
  c->got = 0;
  if (all >= ROOM || send(c->socket, text, (size_t)all, MSG_NOSIGNAL) != all)
    give_up("a request cannot be sent");
}

static void ask(connection *c)
{
  char round[40];
  snprintf(round, sizeof round, "{\"round\":%llu", (unsigned long long)c->round);
  post(c, "?decide=1", round, rest[(c->round + (uint64_t)c->socket) % KINDS]);
}

/* 1: the answer is whole. */
static int is_whole(connection *c)
{
  c->answer[c->got] = 0;
  const char *head = strstr(c->answer, "\r\n\r\n"), *length = strstr(c->answer, "Content-Length: ");
  if (!head || !length)
    return 0;
  return c->got >= (size_t)(head + 4 - c->answer) + strtoul(length + 16, NULL, 10);
}

/* What has come of the answer. 1: it is whole. */
static int read_answer(connection *c)
{
  ssize_t n = recv(c->socket, c->answer + c->got, ROOM - 1 - c->got, 0);
  if (n <= 0 && (n == 0 || errno != EAGAIN))
    give_up("a connection was closed");
  c->got += n > 0 ? (size_t)n : 0;
  if (!is_whole(c))
    return 0;
  if (strncmp(c->answer, "HTTP/1.1 200", 12) != 0) {
    fprintf(stderr, "bench_serve: %.600s\n", c->answer);
    exit(1);
  }
  return 1;
}

static void take(connection *c)
{
  if (!read_answer(c))
    return;
  uint64_t microseconds = (uint64_t)(1e6 * (now() - c->sent));
  spread[microseconds < BUCKETS ? microseconds : BUCKETS - 1]++;
  rounds++;
  c->round++;
  ask(c);
}

static void open_connection(connection *c, unsigned short port, int epoll)
{
  const struct sockaddr_in at = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  int on = 1;
  c->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (c->socket < 0 || connect(c->socket, (const struct sockaddr *)&at, sizeof at) != 0)
    give_up("no connection");
  setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  epoll_ctl(epoll, EPOLL_CTL_ADD, c->socket, &event);
}

/* Seconds for all lines of a file. */
static double send_lines(connection *c, const char *path)
{
  static char line[ROOM];
  double seconds = 0.0;
  FILE *file = fopen(path, "r");
  if (!file)
    give_up(path);
  while (fgets(line, sizeof line, file)) {
    post(c, "", line, "");
    while (!read_answer(c)) {
    }
    seconds += now() - c->sent;
    rounds++;
  }
  fclose(file);
  return seconds;
}

static double quantile(double share)
{
  uint64_t below = 0;
  size_t k = 0;
  while (k < BUCKETS - 1 && (double)(below += spread[k]) < share * (double)rounds)
    k++;
  return (double)k / 1e3;
}

int main(int argc, char **argv)
{
  static connection connections[MOST_CONNECTIONS];
  struct epoll_event events[256];
  if (argc < 5 || argc - 4 > MOST_CONNECTIONS) {
    fprintf(stderr, "bench_serve PORT SECONDS DIM ID...\nbench_serve PORT --lines FILE ID\n");
    return 2;
  }
  int epoll = epoll_create1(0), n = argc - 4;
  if (strcmp(argv[2], "--lines") == 0) {
    connections[0].id = argv[4];
    open_connection(&connections[0], (unsigned short)atoi(argv[1]), epoll);
    double seconds = send_lines(&connections[0], argv[3]);
    printf("{\"rounds\":%llu,\"seconds\":%.6f}\n", (unsigned long long)rounds, seconds);
    return 0;
  }
  for (unsigned k = 0; k < KINDS; k++)
    rest[k] = make_rest(k, strtoul(argv[3], NULL, 10));
  for (int k = 0; k < n; k++) {
    connections[k].id = argv[4 + k];
    connections[k].round = 1;
    open_connection(&connections[k], (unsigned short)atoi(argv[1]), epoll);
  }
  double begun = now(), end = begun + strtod(argv[2], NULL);
  for (int k = 0; k < n; k++)
    ask(&connections[k]);
  while (now() < end) {
    int some = epoll_wait(epoll, events, 256, 100);
    for (int k = 0; k < some; k++)
      take(events[k].data.ptr);
  }
  double seconds = now() - begun;
  printf(
      "{\"connections\":%d,\"rounds\":%llu,\"seconds\":%.3f,\"rounds_per_second\":%.0f,\"p50_ms\":%.3f,\"p99_ms\":%.3f,"
      "\"p999_ms\":%.3f}\n",
      n, (unsigned long long)rounds, seconds, (double)rounds / seconds, quantile(0.5), quantile(0.99), quantile(0.999));
  return 0;
}
