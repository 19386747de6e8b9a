/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/codegen.h"

G_BEGIN_DECLS

/* One verification at work. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes; /* what it runs at */
  const GPtrArray *texts; /* of HeddleKernelText: the kernels, where their PTX is interpreted */
  HeddleDtype dtype;
  guint64 seed;
  GCancellable *cancellable;
  GHashTable *arrays; /* value id -> HeddleArray: inputs, and what the kernels made */
  GHashTable *reference; /* value id -> HeddleArray: what the kernel at hand has to give, in f64 */
} HeddleVerifyRun;

/* Compares one output with what it should be: as a whole, and row by row. The worst of several outputs is reported. */
gboolean heddle_verify_compare (HeddleVerification *self, const char *name, const HeddleArray *array,
    const HeddleArray *reference, double tolerance);
GPtrArray *heddle_verify_run (HeddleVerifyRun *run, const HeddleDerivation *derivation, HeddleVerifyOn on,
    guint64 seed, GError **error);
/* Compiles the kernel and interprets its PTX, warps in order and in drawn orders, shared memory watched for races. A fault of the
 * kernel goes into @result->detail, else what was done into @summary; %FALSE where it could not be run. */
gboolean heddle_verify_interpret (HeddleVerifyRun *run, const HeddleKernelText *text,
    HeddleVerification *result, char **summary, GError **error);

G_END_DECLS
