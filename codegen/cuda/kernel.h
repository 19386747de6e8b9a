/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/names.h"
#include "codegen/cuda/grid.h"
#include "codegen/cuda/register-tile.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* The lines of a kernel, and the operation (id or NULL) that each belongs to. */
typedef struct
{
  GString *text;
  GPtrArray *operations;
} HeddleCudaText;

/* The device part of a kernel of the general family, printed from a loop program. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  HeddleDtype dtype; /* of values without their own */
  HeddleNames *names;
  char *entry;
  guint threads;
  guint
      blocks; /* the number of blocks of a multiprocessor that is enough: registers need not be saved for more; 0: there is room for all */
  gboolean wide; /* computes in double */
  gboolean coarse; /* stores nothing in more than 16 bits */
  HeddleCudaText *out;
  guint depth;
  const char *operation; /* what the lines printed now belong to */
  GHashTable *sections; /* of the prelude that are used */
  const HeddleNode *node; /* the current statement */
  const HeddleBuffer *points; /* whose points its threads go through */
  gboolean by_warps; /* a warp goes to each point, not a thread */
  GPtrArray *arguments; /* texts of its sources */
  GPtrArray *wholes; /* of those that are whole numbers, as such; NULL: of others */
  GString *inside; /* what must hold for them to be inside their arrays, or empty */
  GHashTable *indices; /* axis id -> text of its global index at the point */
  GHashTable *extents; /* axis id -> HeddleExtent + 1 of its loop at the point */
  GPtrArray *bands; /* of HeddleNode: around the current statement */
  GArray *accesses; /* to shared memory since the last barrier */
  HeddleCudaSweep
      sweep; /* the two axes of the grid that blocks go through in sweeps; of none where nothing is set */
  const HeddleRegisterTiles *tiles; /* contractions that threads have in registers, or NULL */
  gboolean copying; /* copies to shared memory were begun and not waited for */
  const GPtrArray *maps; /* of HeddleKernelMap: behind the parameters, or NULL */
} HeddleCudaKernel;

/* Prints the signature, as kernels of all families have it. Returns FALSE with an error if a parameter has a
 * type that is not supported. */
gboolean heddle_cuda_print_signature (HeddleCudaKernel *self, GError **error);

/* Prints the constants of threads, axes and windows that @body, the text that follows, uses. */
void heddle_cuda_print_constants (HeddleCudaKernel *self, const HeddleCudaText *body);
/* Takes the grid, a chain of group bands at the root, into self->bands; returns the innermost band. */
const HeddleNode *heddle_cuda_collect_groups (HeddleCudaKernel *self);

/* Prints where the tiles of the current block begin, and how much of them is inside their arrays, from
 * blockIdx.x; the innermost band in self->bands varies fastest. @body is the text that follows. */
void heddle_cuda_print_groups (HeddleCudaKernel *self, const HeddleCudaText *body);

/* Prints how many indices of the tile or chunk of @axis, of length @tile, are inside the array, if @body uses
 * that name. */
void heddle_cuda_print_count (
    HeddleCudaKernel *self, const HeddleCudaText *body, const char *axis, const char *tile);
/* Prints the __global__ function of the general family into self->out. */
gboolean heddle_cuda_kernel_print (HeddleCudaKernel *self, GError **error);
