/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"

/* This file measures the GPU of this machine: diagrams that each test one thing are derived, made into
 * kernels and timed as any others, and the results become a machine file. */

typedef struct
{
  const char *
      like; /* a machine that says what is not measured (other data types, levels above global memory); NULL: it is left out */
  const char *name; /* of the machine that is made; NULL: after the GPU */
  guint launches; /* timed, of each kernel */
} HeddleMeasureOptions;

/* Reports progress. @fraction is the share of the work that is done, 0 to 1; @what says in words what is
 * being done. */
typedef void (*HeddleMeasureProgress) (double fraction, const char *what, gpointer data);

/* One rate. */
typedef struct
{
  const char *id; /* "dram", "l2", "smem", "tensor-f16", "tensor-bf16", "special", "fp32" */
  const char *title; /* in words, translated */
  const char *unit; /* of the amount: "bytes", "FLOP", "operations" */
  char *formula; /* how the amount comes from the sizes: "2*4*n bytes, n = 1048576" */
  double amount; /* that one launch moves or computes */
  double seconds; /* the median launch */
  double rate; /* amount / seconds */
  double expected; /* the rate that the driver's figures give */
  char *failure; /* why it was not measured; else NULL */
} HeddleMeasurement;

typedef struct
{
  HeddleMachine *machine; /* with the rates that were measured */
  GPtrArray *rows; /* of HeddleMeasurement */
  char *driver; /* "CUDA 13.0" */
  char *text; /* the machine file */
} HeddleMeasured;

/**
 * heddle_measure:
 * @progress: (nullable) (scope call): is told how far it is
 *
 * Measures the first GPU of this machine, for seconds. Rates whose kernels cannot be made for it are left as its driver's figures have them, and their
 * rows say why.
 *
 * Returns: (transfer full): what was measured; %NULL with %HEDDLE_CODEGEN_ERROR_MISSING without a driver, a GPU or a compiler,
 *   %HEDDLE_FILES_ERROR_LIMIT where too little of its memory is free, %G_IO_ERROR_CANCELLED
 */
HeddleMeasured *heddle_measure (const HeddleMeasureOptions *options, HeddleMeasureProgress progress,
    gpointer data, GCancellable *cancellable, GError **error);
/* Frees what was measured, with its machine; NULL is allowed. */
void heddle_measured_free (HeddleMeasured *self);
/* Returns where a machine file of that name is found by all, in the user's own folder, which is made; newly
 * allocated. */
char *heddle_measured_own_path (const HeddleMeasured *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleMeasured, heddle_measured_free)
