/* inject.c — runs a command and makes one of its system calls fail, be short, or be its last
 *
 *     inject [-n K -e HOW]... -s NAME[,NAME]... [-p PATH] [-r REPORT] [-l] -- command...
 *
 * The calls of these names are counted, in all threads and children: write, read, fsync, rename, open, ftruncate,
 * unlink, stat, flock. Only those on a file whose path holds PATH count; a descriptor's path is what /proc says, so that
 * stdin and stdout are left alone unless they are asked for. The K-th
 *
 *     ENOSPC, EIO, ...     is not done, and fails with that
 *     short                reads or writes half of what it was asked to
 *     kill                 is not done: SIGKILL comes instead
 *     torn                 reads or writes half, and then SIGKILL comes
 *     SIGINT, SIGTERM      is done, and that comes with it
 *
 * REPORT gets, a line each: with -l "call K NAME SIZE PATH" for every one that counts, SIZE being that of its file as it
 * begins; "hit NAME PATH" where one was changed; "calls K", and "exit CODE" or "signal NUMBER". inject exits as the
 * command does, with 128 + NUMBER after a signal, and with 125 where it cannot do its work. It is for Linux on x86-64, by
 * ptrace, so that the C library and all that is linked is as always; a filter lets other calls pass at full speed.
 */
#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT = 125, SYSCALL_STOP = SIGTRAP | 0x80, MOST_FAULTS = 4 };

/* Where a call's path is: a descriptor or the address of a text, in its first arguments. */
typedef enum place { FILE_0, TEXT_0, TEXT_1, TEXTS_01, TEXTS_13 } place;

static const struct call {
  const char *name;
  long number;
  place place;
  int counts; /* its third argument is how many bytes */
} calls[] = {
    {"write", SYS_write, FILE_0, 1},       {"write", SYS_pwrite64, FILE_0, 1},      {"write", SYS_writev, FILE_0, 0},
    {"read", SYS_read, FILE_0, 1},         {"read", SYS_pread64, FILE_0, 1},        {"read", SYS_readv, FILE_0, 0},
    {"fsync", SYS_fsync, FILE_0, 0},       {"fsync", SYS_fdatasync, FILE_0, 0},     {"rename", SYS_rename, TEXTS_01, 0},
    {"rename", SYS_renameat, TEXTS_13, 0}, {"rename", SYS_renameat2, TEXTS_13, 0},  {"open", SYS_open, TEXT_0, 0},
    {"open", SYS_openat, TEXT_1, 0},       {"ftruncate", SYS_ftruncate, FILE_0, 0}, {"unlink", SYS_unlink, TEXT_0, 0},
    {"unlink", SYS_unlinkat, TEXT_1, 0},   {"stat", SYS_stat, TEXT_0, 0},           {"stat", SYS_newfstatat, TEXT_1, 0},
    {"flock", SYS_flock, FILE_0, 0},
};

/* What happens to one call. */
typedef struct fault {
  const char *name;
  int failure; /* an errno; 0: none */
  int half;
  int signal; /* 0: none */
  unsigned long nth;
} fault;

static const fault ways[] = {
    {.name = "ENOSPC", .failure = ENOSPC}, {.name = "EIO", .failure = EIO},
    {.name = "EINTR", .failure = EINTR},   {.name = "EAGAIN", .failure = EAGAIN},
    {.name = "EACCES", .failure = EACCES}, {.name = "short", .half = 1},
    {.name = "kill", .signal = SIGKILL},   {.name = "torn", .half = 1, .signal = SIGKILL},
    {.name = "SIGINT", .signal = SIGINT},  {.name = "SIGTERM", .signal = SIGTERM},
};

/* What is asked for, and how far it has come. */
typedef struct job {
  const char *names, *path;
  fault fault[MOST_FAULTS];
  size_t faults;
  unsigned long seen;
  FILE *report;
  int list;
  /* the one call that is being changed, until its end */
  pid_t hit;
  const fault *by;
  struct user_regs_struct before;
} job;

static void usage(const char *why)
{
  fprintf(stderr, "inject: %s\ninject [-n K -e HOW]... -s NAME[,NAME]... [-p PATH] [-r REPORT] [-l] -- command...\n",
          why);
  exit(CANNOT);
}

static void cannot(const char *what)
{
  fprintf(stderr, "inject: %s: %s\n", what, strerror(errno));
  exit(CANNOT);
}

/* ---- which calls ---- */

static int is_named(const char *names, const char *name)
{
  size_t n = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at += n)
    if ((at == names || at[-1] == ',') && (at[n] == 0 || at[n] == ','))
      return 1;
  return 0;
}

static void path_of_file(pid_t pid, unsigned long long file, char path[PATH_MAX])
{
  char link[64];
  snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, (int)file);
  ssize_t n = readlink(link, path, PATH_MAX - 1);
  path[n < 0 ? 0 : n] = 0;
}

/* How long a file is; 0 where that is not to be had. */
static long long size_of_file(pid_t pid, unsigned long long file)
{
  char link[64];
  struct stat st;
  snprintf(link, sizeof link, "/proc/%d/fd/%d", pid, (int)file);
  return stat(link, &st) == 0 ? (long long)st.st_size : 0;
}

/* A text of the command's, byte by byte up to its end: the page behind it may not be there. */
static void path_of_text(pid_t pid, unsigned long long address, char path[PATH_MAX])
{
  size_t n = 0;
  for (; n < PATH_MAX - 1; n++) {
    struct iovec here = {path + n, 1}, there = {(void *)(uintptr_t)(address + n), 1};
    if (process_vm_readv(pid, &here, 1, &there, 1, 0) != 1 || path[n] == 0)
      break;
  }
  path[n] = 0;
}

/* 1: it has the path; where it has two, the first that does is told. */
static int has_path(const job *j, pid_t pid, place where, const struct user_regs_struct *regs, char path[PATH_MAX])
{
  const unsigned long long first[] = {regs->rdi, regs->rdi, regs->rsi, regs->rdi, regs->rsi};
  if (where == FILE_0)
    path_of_file(pid, first[where], path);
  else
    path_of_text(pid, first[where], path);
  if (!j->path || strstr(path, j->path))
    return 1;
  if (where != TEXTS_01 && where != TEXTS_13)
    return 0;
  path_of_text(pid, where == TEXTS_01 ? regs->rsi : regs->r10, path);
  return strstr(path, j->path) != NULL;
}

static const struct call *find_call(const job *j, long number)
{
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    if (calls[k].number == number && is_named(j->names, calls[k].name))
      return &calls[k];
  return NULL;
}

/* ---- what is done to one ---- */

static void set_registers(pid_t pid, const struct user_regs_struct *regs)
{
  if (ptrace(PTRACE_SETREGS, pid, NULL, regs) != 0)
    cannot("a system call cannot be changed");
}

static void change(job *j, pid_t pid, struct user_regs_struct regs, const fault *by)
{
  j->hit = pid;
  j->by = by;
  j->before = regs;
  if (by->failure || (by->signal == SIGKILL && !by->half))
    regs.orig_rax = (unsigned long long)-1; /* no such call: nothing is done */
  if (by->half)
    regs.rdx = (regs.rdx + 1) / 2;
  set_registers(pid, &regs);
  if (by->signal && !by->half)
    kill(pid, by->signal);
}

static const fault *find_fault(const job *j, const struct call *call, const struct user_regs_struct *regs)
{
  for (size_t k = 0; k < j->faults; k++)
    if (j->fault[k].nth == j->seen && (!j->fault[k].half || (call->counts && regs->rdx >= 2)))
      return &j->fault[k];
  return NULL;
}

static void begin_call(job *j, pid_t pid)
{
  struct user_regs_struct regs;
  char path[PATH_MAX];
  if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) != 0)
    return; /* it has been killed */
  const struct call *call = find_call(j, (long)regs.orig_rax);
  if (!call || !has_path(j, pid, call->place, &regs, path))
    return;
  j->seen++;
  if (j->report && j->list)
    fprintf(j->report, "call %lu %s %lld %s\n", j->seen, call->name,
            call->place == FILE_0 ? size_of_file(pid, regs.rdi) : 0, path);
  const fault *by = find_fault(j, call, &regs);
  if (!by)
    return;
  if (j->report) {
    fprintf(j->report, "hit %s %s\n", call->name, path);
    fflush(j->report);
  }
  change(j, pid, regs, by);
}

static void end_call(job *j, pid_t pid)
{
  struct user_regs_struct regs;
  if (pid != j->hit || ptrace(PTRACE_GETREGS, pid, NULL, &regs) != 0)
    return;
  j->hit = 0;
  if (j->by->signal == SIGKILL) {
    kill(pid, SIGKILL);
    return;
  }
  if (j->by->failure)
    regs.rax = (unsigned long long)-j->by->failure;
  regs.rdx = j->before.rdx; /* which a compiler may rely on */
  set_registers(pid, &regs);
}

/* ---- the command ---- */

/* Until the command has ended; its status. */
static int watch(job *j, pid_t command)
{
  for (;;) {
    int status, signal_number = 0;
    pid_t pid = waitpid(-1, &status, __WALL);
    if (pid < 0 && errno == EINTR)
      continue;
    if (pid < 0)
      cannot("the command is lost");
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (pid == command)
        return status;
      continue;
    }
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
      begin_call(j, pid);
    else if (WSTOPSIG(status) == SYSCALL_STOP)
      end_call(j, pid);
    else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP) /* a new thread or child begins by a SIGSTOP */
      signal_number = WSTOPSIG(status);
    ptrace(pid == j->hit ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL, (void *)(intptr_t)signal_number);
  }
}

/* From here on the calls of these names stop, in this process and all that come of it. 0: done. */
static int stop_at_calls(const job *j)
{
  struct sock_filter program[2 * sizeof calls / sizeof *calls + 2];
  unsigned short n = 0;
  program[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    if (is_named(j->names, calls[k].name)) {
      program[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[k].number, 0, 1);
      program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
  program[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const struct sock_fprog filter = {n, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0;
}

static pid_t start(const job *j, char **command)
{
  int status;
  pid_t pid = fork();
  if (pid < 0)
    cannot("fork");
  if (pid == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
      fprintf(stderr, "inject: ptrace is refused on this machine: %s\n", strerror(errno));
      _exit(CANNOT);
    }
    raise(SIGSTOP);
    if (stop_at_calls(j) != 0) {
      fprintf(stderr, "inject: a filter of system calls is refused on this machine: %s\n", strerror(errno));
      _exit(CANNOT);
    }
    execvp(command[0], command);
    fprintf(stderr, "inject: %s: %s\n", command[0], strerror(errno));
    _exit(CANNOT);
  }
  if (waitpid(pid, &status, __WALL) != pid || !WIFSTOPPED(status))
    exit(CANNOT);
  const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                       PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
  if (ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)options) != 0 || ptrace(PTRACE_CONT, pid, NULL, NULL) != 0)
    cannot("ptrace is refused on this machine");
  return pid;
}

static void add_fault(const char *how, unsigned long nth, job *j)
{
  if (j->faults == MOST_FAULTS)
    usage("too many faults");
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
    if (strcmp(how, ways[k].name) == 0) {
      j->fault[j->faults] = ways[k];
      j->fault[j->faults++].nth = nth;
      return;
    }
  usage("-e: not a way to fail");
}

static void read_options(int argc, char **argv, job *j)
{
  const char *report = NULL;
  unsigned long nth = 0;
  int option;
  while ((option = getopt(argc, argv, "+n:e:s:p:r:l")) != -1) {
    switch (option) {
    case 'n':
      nth = strtoul(optarg, NULL, 10);
      break;
    case 'e':
      add_fault(optarg, nth, j);
      break;
    case 's':
      j->names = optarg;
      break;
    case 'p':
      j->path = optarg;
      break;
    case 'r':
      report = optarg;
      break;
    case 'l':
      j->list = 1;
      break;
    default:
      usage("an unknown option");
    }
  }
  if (!j->names || !argv[optind])
    usage("-s and a command are needed");
  if (report && !(j->report = fopen(report, "we")))
    cannot(report);
}

int main(int argc, char **argv)
{
  job j = {0};
  read_options(argc, argv, &j);
  int status = watch(&j, start(&j, argv + optind));
  if (j.report) {
    fprintf(j.report, "calls %lu\n%s %d\n", j.seen, WIFEXITED(status) ? "exit" : "signal",
            WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    if (fclose(j.report) != 0)
      cannot("the report");
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
