/* shared_gpu.c — a share's memory and locks */
#include "shared_gpu.h"

#include <errno.h>
#include <sys/mman.h>

/* What CUDA has started in a process has no end but the process's, and so has this. */
static ofw_cuda_share *joined;

static int open_lock(pthread_mutex_t *lock)
{
  pthread_mutexattr_t kind;
  int failed = pthread_mutexattr_init(&kind);
  failed = failed || pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED) ||
           pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST) || pthread_mutex_init(lock, &kind);
  pthread_mutexattr_destroy(&kind);
  return !failed;
}

static size_t size_of(size_t plays)
{
  return sizeof(ofw_cuda_share) + plays * sizeof(ofw_share_place);
}

ofw_cuda_share *ofw_share_open(size_t plays)
{
  ofw_cuda_share *s =
      mmap(NULL, size_of(plays), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  int opened = s != MAP_FAILED && open_lock(&s->server);
  for (size_t i = 0; i < plays && opened; i++)
    opened = open_lock(&s->place[i].owner);
  if (opened) {
    s->places = plays;
    return s;
  }
  if (s != MAP_FAILED)
    munmap(s, size_of(plays));
  return NULL;
}

void ofw_share_close(ofw_cuda_share *share)
{
  munmap(share, size_of(share->places));
}

void ofw_share_join(ofw_cuda_share *share)
{
  joined = share;
}

ofw_cuda_share *ofw_share_joined(void)
{
  return joined;
}

int ofw_share_begun(const ofw_cuda_share *share)
{
  return __atomic_load_n(&share->begun, __ATOMIC_ACQUIRE);
}

int ofw_share_lives(pthread_mutex_t *lock)
{
  int found = pthread_mutex_trylock(lock);
  if (found == EBUSY)
    return 1;
  if (found == 0 || found == EOWNERDEAD)
    pthread_mutex_unlock(lock);
  return 0;
}
