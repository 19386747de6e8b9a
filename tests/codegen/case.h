/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* A diagram read from equations, and the plan of its kernels. */
typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddlePlan *plan;
} Case;

typedef struct
{
  const char *text; /* equations */
  const char *fuse; /* "all", "none", "S,P,O"; NULL: no schedule */
  const char *
      labels; /* "q:group@smem=128 x:stream@smem=64", or NULL; also what is worked out again, and places: "again=P:O place=V:O@gmem" */
  const char *gpu; /* NULL: h100-sxm */
  HeddleDtype dtype; /* of values without their own */
  const char *sizes; /* "y=77 x=129", or NULL for the text's */
  const char *name; /* of the diagram; NULL: "test" */
  gboolean tensor; /* the sm_80 family; else the general one */
  gboolean automatic; /* the family is chosen */
  gboolean warpgroups; /* the sm_90a family */
  gboolean copies; /* … of tiles that threads copy */
} CaseOptions;

#define ATTENTION_EQUATIONS                                                                                  \
  "S[y,x] = Q[y,k] K[x,k]\n"                                                                                 \
  "P[y,x] = softmax[x](S[y,x] * k^-0.5)\n"                                                                   \
  "O[y,k] = P[y,x] V[x,k]\n"
#define ATTENTION_AT(y, x, k) "Q : [y=" #y ", k=" #k "]\nK : [x=" #x ", k]\nV : [x, k]\n" ATTENTION_EQUATIONS
#define ATTENTION ATTENTION_AT (4096, 4096, 128)

void case_init (Case *self, const CaseOptions *options);
void case_clear (Case *self);
HeddleSizes *case_sizes (const Case *self, const char *sizes);
HeddleKernelText *case_kernel (const Case *self, guint i);
/* "y=77 x=129", of all axes. */
char *case_describe_sizes (const HeddleDiagram *diagram, const HeddleSizes *sizes);
/* Interprets the kernels at some sizes, on inputs drawn from @seed; what is not right ends the test. */
void case_assert_right (const HeddlePlan *plan, const HeddleSizes *sizes, guint64 seed);
/* Axes that are arguments of the kernels are @size, and the others as in @base: all of them, or as many as there is time for, each draw of three
 * beginning with another. */
HeddleSizes *case_sizes_at (const HeddlePlan *plan, const HeddleSizes *base, gint64 size, guint draw);
/* At 1, 7, 63, 64, 65 and 129, each drawn from three seeds. */
void case_assert_right_throughout (const HeddlePlan *plan, const HeddleSizes *base);
/* Whether the last argument is --long; takes it. */
gboolean case_is_long (int *argc, char **argv);
/* The whole .cu. */
char *case_module (const Case *self, const char *verification, char **header);
/* Skips the test where there is no CUDA; where nvcc is there, it must do its work. */
gboolean case_has_cuda (void);
/* What @words, a command, prints; it has to end well. */
char *case_run (const char *const *words);
/* A new directory for files of one test. */
char *case_directory (void);
void case_remove (const char *directory);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)
