/* main.c — which subcommand */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int no_command(const char *name)
{
  const char *names[MOST_NAMES];
  if (strcmp(name, "bench") == 0)
    return complain(NULL, EXIT_USAGE, "no command 'bench': it is a program of its own, build/ofw-bench");
  const char *near = ofw_nearest(name, names, command_names(names));
  if (near)
    return complain(NULL, EXIT_USAGE, "no command '%s'; did you mean '%s'?", name, near);
  return complain(NULL, EXIT_USAGE, "no command '%s'; see '%s help'", name, this_program.name);
}

static int dispatch(int argc, char **argv)
{
  arguments args;
  if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_overview();
    return EXIT_OK;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    printf("%s %s\n", this_program.name, ofw_version());
    return EXIT_OK;
  }
  const command *c = find_command(argv[1]);
  if (!c)
    return no_command(argv[1]);
  int code = read_arguments(c, argc - 2, argv + 2, &args);
  if (code)
    return code;
  if (args.value[OPT_HELP]) {
    print_command_help(c);
    return EXIT_OK;
  }
  if (!(code = load_plugins(c, &args)) && !(code = check_names(c, &args)))
    code = c->run(c, &args);
  ofw_registry_close(&args.own);
  return code;
}

/* A standard file that is closed would be the next one that is opened: a log would have decisions among its lines. What
 * stands in its place fails when it is used. */
static void hold_standard_files(void)
{
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0 && errno == EBADF &&
        open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) != file)
      _exit(EXIT_FAILED);
}

/* Nobody reads stdout any more. */
static int reader_is_gone(void)
{
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

/* The result could not be written. A reader that has seen enough, 'ofw list | head -1', is no error: it ends as other programs do, by
 * SIGPIPE and without a word, unless whoever started it does not want that. */
static int unwritten(int why, int dies_of_pipes)
{
  if (dies_of_pipes && (why == EPIPE || reader_is_gone())) {
    (void)signal(SIGPIPE, SIG_DFL);
    (void)raise(SIGPIPE);
  }
  return complain(NULL, EXIT_FAILED, "cannot write the result: %s", strerror(why));
}

int main(int argc, char **argv)
{
  hold_standard_files();
  int dies_of_pipes =
      signal(SIGPIPE, SIG_IGN) == SIG_DFL; /* while it works, a reader that went away is an error like any other */
  (void)signal(SIGXFSZ, SIG_IGN);          /* and so is a file that may not grow */
  if (this_program.begin)
    this_program.begin(&argc, &argv);
  int code = dispatch(argc, argv);
  if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_OK)
    code = unwritten(errno, dies_of_pipes);
  return this_program.end ? this_program.end(code) : code;
}
