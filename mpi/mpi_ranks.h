/* mpi_ranks.h — the processes that mpirun has started, as base/ranks.h has them */
#pragma once

#include "base/ranks.h"

/* Before anything else: MPI starts, and only the first rank prints from here on. */
void mpi_begin(int *argc, char ***argv);
const ofw_ranks *mpi_ranks(void);
/* After everything else, with the same call at all ranks: MPI ends. The largest of their exit codes. */
int mpi_end(int code);
