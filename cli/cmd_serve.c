/* cmd_serve.c — ofw serve: a server in a folder, until a signal ends it */
#include "build.h"
#include "cli.h"
#include "phase.h"
#include "serve_catalogue.h"
#include "serve_page.h"
#include "stop.h"

#include "server/serve.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

const option_id serve_options[] = {OPT_SERVE_STATE, OPT_LISTEN,  OPT_TOKEN_FILE, OPT_MAX_BODY,     OPT_MAX_CONNECTIONS,
                                   OPT_MAX_DIM,     OPT_MAX_LOG, OPT_MAX_MEMORY, OPT_MAX_SESSIONS, OPT_MAX_STREAMS,
                                   OPT_RATE,        OPT_TIMEOUT, OPT_HELP,       OPTIONS};

static void say(void *ctx, const char *message)
{
  complain(ctx, 0, "%s", message);
}

static int read_limits(const command *self, const arguments *args, server_limits *l)
{
  const struct {
    option_id id;
    uint64_t least, most, *out;
  } rows[] = {
      {OPT_MAX_BODY, 1024, OFW_LONGEST_FEEDBACK, &l->body},
      {OPT_MAX_CONNECTIONS, 2, 100000, &l->connections},
      {OPT_MAX_DIM, 1, OFW_MOST_DIM, &l->dim},
      {OPT_MAX_LOG, 4096, UINT64_MAX, &l->log},
      {OPT_MAX_MEMORY, 1, UINT64_MAX, &l->memory},
      {OPT_MAX_SESSIONS, 1, 10000000, &l->sessions},
      {OPT_MAX_STREAMS, 0, 100000, &l->streams},
      {OPT_RATE, 1, 1000000000, &l->rate},
      {OPT_TIMEOUT, 1, 3600, &l->timeout},
  };
  int code = 0;
  *l = server_default_limits;
  for (size_t k = 0; k < sizeof rows / sizeof *rows && !code; k++)
    code = read_count_in(self, args, rows[k].id, *rows[k].out, rows[k].least, rows[k].most, rows[k].out);
  return code;
}

int serve_main(const command *self, const arguments *args)
{
  char build[BUILD_TEXT];
  ofw_error err = {0};
  const char *address = args->value[OPT_LISTEN];
  server_settings settings = {.folder = args->value[OPT_SERVE_STATE],
                              .address = address ? address : "127.0.0.1:8780",
                              .token_file = args->value[OPT_TOKEN_FILE],
                              .build = build_text(build),
                              .page = serve_page,
                              .say = say,
                              .ctx = (void *)(uintptr_t)self};
  int code = require(self, args, OPT_SERVE_STATE);
  if (code || (code = read_limits(self, args, &settings.limits)))
    return code;
  char *catalogue = serve_catalogue();
  if (!catalogue)
    return no_memory(self);
  settings.catalogue = catalogue;
  stop_on_signals();
  phase_begin(self, args, NULL, "reading the sessions of %s", settings.folder);
  server *s = server_open(&settings, &err);
  phase_end();
  free(catalogue);
  if (!s)
    return refuse(self, &err);
  printf("listening on %s, %zu sessions\n", server_address(s), server_sessions(s));
  fflush(stdout);
  wait_for(-1, POLLIN);
  server_close(s);
  return EXIT_OK;
}
