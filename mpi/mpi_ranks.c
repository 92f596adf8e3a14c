/* mpi_ranks.c — exchanges between ranks by MPI
 *
 * A call of MPI that fails ends all ranks: that is MPI's default, and nothing could be saved without the others. So does a rank
 * that dies, by mpirun. What was written before is complete (checkpoints).
 */
#include "mpi_ranks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

/* Counts and places as MPI has them. What is exchanged at a time is far below what an int counts (ranks.c). */
typedef struct layout {
  int count[OFW_MOST_ROW_BANDS], at[OFW_MOST_ROW_BANDS];
} layout;

static void lay_out(const ofw_ranks *r, const size_t *counts, layout *out)
{
  size_t at = 0;
  for (size_t rank = 0; rank < r->count; rank++) {
    out->count[rank] = (int)counts[rank];
    out->at[rank] = (int)at;
    at += counts[rank];
  }
}

static void deal(const ofw_ranks *r, const double *from, const size_t *sent, double *to, const size_t *got)
{
  layout there, here;
  lay_out(r, sent, &there);
  lay_out(r, got, &here);
  MPI_Alltoallv(from, there.count, there.at, MPI_DOUBLE, to, here.count, here.at, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void collect(const ofw_ranks *r, const double *from, double *to, const size_t *got)
{
  layout here;
  lay_out(r, got, &here);
  int there = from == to + here.at[r->rank];
  MPI_Allgatherv(there ? MPI_IN_PLACE : from, here.count[r->rank], MPI_DOUBLE, to, here.count, here.at, MPI_DOUBLE,
                 MPI_COMM_WORLD);
}

static void spread(const ofw_ranks *r, size_t from, void *bytes, size_t n)
{
  (void)r;
  MPI_Bcast(bytes, (int)n, MPI_BYTE, (int)from, MPI_COMM_WORLD);
}

static ofw_ranks world; /* of this process, which is one rank */

const ofw_ranks *mpi_ranks(void)
{
  return &world;
}

/* Other ranks know nothing that the first does not, as failures are agreed on. */
static void be_quiet(void)
{
  int nothing = open("/dev/null", O_WRONLY);
  if (nothing >= 0) {
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    close(nothing);
  }
}

/* All arguments, each with its ending 0; NULL: there is no memory. */
static char *line_up(int argc, char *const *argv, size_t *size)
{
  char *all;
  FILE *to = open_memstream(&all, size);
  for (int i = 0; to && i < argc; i++)
    fwrite(argv[i], 1, strlen(argv[i]) + 1, to);
  return to && fclose(to) == 0 ? all : NULL;
}

/* Others would wait for what some ranks never do. */
static void check_arguments(int rank, int argc, char *const *argv)
{
  size_t size = 0, first = 0;
  char *own = line_up(argc, argv, &size);
  first = own ? size : 0;
  MPI_Bcast(&first, sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
  char *there = malloc(first + 1);
  if (rank == 0 && own && there)
    memcpy(there, own, first);
  int same = there != NULL, all;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (all)
    MPI_Bcast(there, (int)first, MPI_BYTE, 0, MPI_COMM_WORLD);
  same = all && own && size == first && memcmp(own, there, size) == 0;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  free(own);
  free(there);
  if (all)
    return;
  if (rank == 0)
    fprintf(stderr, "ofw-mpi: expected the same arguments for all ranks\n");
  MPI_Finalize();
  exit(2);
}

void mpi_begin(int *argc, char ***argv)
{
  int rank, count, given;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  world = (ofw_ranks){(size_t)rank, (size_t)count, deal, collect, spread};
  if (given < MPI_THREAD_FUNNELED) {
    fprintf(stderr, "ofw-mpi: this MPI does not allow threads\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  if (count > OFW_MOST_ROW_BANDS) {
    if (rank == 0) {
      fprintf(stderr, "ofw-mpi: %d ranks are too many; use at most %d\n", count, OFW_MOST_ROW_BANDS);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* until the first one's abort: another's could come before its message */
  }
  check_arguments(rank, *argc, *argv);
  if (rank > 0)
    be_quiet();
}

int mpi_end(int code)
{
  code = (int)ofw_ranks_largest(&world, code);
  MPI_Finalize();
  return code;
}
