/* server.h — the inside of a server: what its parts share */
#pragma once

#include "server/access.h"
#include "server/gauges.h"
#include "server/journal.h"
#include "server/roster.h"
#include "server/serve.h"
#include "server/sessions.h"
#include "server/store.h"

struct exchange;
struct MHD_Daemon;
struct event_stream;

struct server {
  server_limits limits;
  char *folder, *build, *catalogue, *address;
  void (*say)(void *ctx, const char *message);
  void *ctx;

  gauges gauges;
  access_tokens tokens;
  sessions sessions;
  store store;
  roster *roster;
  journal *journal;

  struct MHD_Daemon *daemon;
  int listens;        /* the socket; -1: none */
  pthread_t acceptor; /* takes connections from it */
  int has_acceptor;
  pthread_mutex_t connected; /* of the list of connections */
  struct exchange *connections;
  pthread_mutex_t streaming; /* of the list of streams */
  struct event_stream *streams;

  _Atomic(int) stopping; /* requests that begin now are refused */
  pthread_t keeper;
  int has_keeper;
  pthread_mutex_t resting; /* for the keeper's sleep */
  pthread_cond_t rest;
  int keeper_stops;
};

/* One line for the operator. */
void server_say(server *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* listen.c: a socket at the address, a thread that hands its connections to the daemon, the end of both. */
ofw_status listen_open(server *s, const char *address, ofw_error *err);
ofw_status listen_start(server *s, ofw_error *err);
void listen_close(server *s);
/* http.c: listens, and takes requests until it is stopped, which answers what was begun. */
ofw_status http_open(server *s, const char *address, ofw_error *err);
void http_close(server *s);
/* Shuts connections whose client has taken too long. */
void http_shut_slow(server *s);

/* keeper.c: a thread that wakes streams, shuts slow connections, revives the log, and keeps it short. */
ofw_status keeper_open(server *s, ofw_error *err);
void keeper_close(server *s);
/* A checkpoint of every session that has rounds which are in none. 1: all of them are on the disk. */
int keeper_save_all(server *s);
/* Every session gets its checkpoint and the log begins again, if it is long. */
void keeper_shorten_log(server *s);
