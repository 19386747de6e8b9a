/* SPDX-License-Identifier: MIT */
/* NCCL's collectives among threads, for a program of f32 or bytes whose kernels are not at hand: each rank's thread runs the whole of it. */
#include "threads.h"

#include <pthread.h>
#include <string.h>

#define MOST_RANKS 16

struct ncclComm
{
  int rank;
};

static int ranks;
static pthread_barrier_t barrier;
static const void *shown[MOST_RANKS];
static const void *sent[MOST_RANKS][MOST_RANKS];
static __thread struct
{
  void *to;
  size_t bytes;
} received[MOST_RANKS];
static __thread int own_rank;

const char *
ncclGetErrorString (ncclResult_t result)
{
  return "threads";
}

ncclResult_t
ncclCommUserRank (const ncclComm_t comm, int *rank)
{
  *rank = comm->rank;
  return ncclSuccess;
}

cudaError_t
cudaMemcpy2DAsync (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
  for (size_t i = 0; i < height; i++)
    memcpy ((char *) to + i * to_pitch, (const char *) from + i * from_pitch, width);
  return cudaSuccess;
}

/* Everybody sees what everybody has, until the next call. */
static void
show (ncclComm_t comm, const void *array)
{
  shown[comm->rank] = array;
  pthread_barrier_wait (&barrier);
}

static float
sum_at (size_t i)
{
  float sum = 0.f;

  for (int rank = 0; rank < ranks; rank++)
    sum += ((const float *) shown[rank])[i];
  return sum;
}

/* Written when nobody reads any more: it may be in place. */
static ncclResult_t
finish (void *to, float *made, size_t count)
{
  pthread_barrier_wait (&barrier);
  memcpy (to, made, count * sizeof *made);
  free (made);
  pthread_barrier_wait (&barrier);
  return ncclSuccess;
}

ncclResult_t
ncclAllReduce (const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
    cudaStream_t stream)
{
  float *made = (float *) malloc (count * sizeof *made);

  show (comm, from);
  for (size_t i = 0; i < count; i++)
    made[i] = sum_at (i);
  return finish (to, made, count);
}

ncclResult_t
ncclReduceScatter (const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
    ncclComm_t comm, cudaStream_t stream)
{
  float *made = (float *) malloc (count * sizeof *made);

  show (comm, from);
  for (size_t i = 0; i < count; i++)
    made[i] = sum_at ((size_t) comm->rank * count + i);
  return finish (to, made, count);
}

ncclResult_t
ncclAllGather (
    const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
{
  float *made = (float *) malloc ((size_t) ranks * count * sizeof *made);

  show (comm, from);
  for (int rank = 0; rank < ranks; rank++)
    memcpy (made + (size_t) rank * count, shown[rank], count * sizeof *made);
  return finish (to, made, (size_t) ranks * count);
}

ncclResult_t
ncclSend (const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
  sent[comm->rank][peer] = from;
  return ncclSuccess;
}

ncclResult_t
ncclRecv (void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream)
{
  received[peer].to = to;
  received[peer].bytes = count;
  return ncclSuccess;
}

ncclResult_t
ncclGroupStart (void)
{
  return ncclSuccess;
}

ncclResult_t
ncclGroupEnd (void)
{
  pthread_barrier_wait (&barrier);
  for (int rank = 0; rank < ranks; rank++)
    memcpy (received[rank].to, sent[rank][own_rank], received[rank].bytes);
  pthread_barrier_wait (&barrier);
  return ncclSuccess;
}

/* --- ranks ------------------------------------------------------------------------------- */

static RankFunction function;

static void *
run_rank (void *rank)
{
  struct ncclComm comm = { (int) (size_t) rank };

  own_rank = comm.rank;
  return (void *) (size_t) function (comm.rank, &comm);
}

int
run_ranks (int n, RankFunction what)
{
  pthread_t threads[MOST_RANKS];
  int failed = 0;

  ranks = n;
  function = what;
  pthread_barrier_init (&barrier, NULL, (unsigned) n);
  for (int rank = 0; rank < n; rank++)
    pthread_create (&threads[rank], NULL, run_rank, (void *) (size_t) rank);
  for (int rank = 0; rank < n; rank++)
    {
      void *status;

      pthread_join (threads[rank], &status);
      failed |= status != NULL;
    }
  return failed;
}
