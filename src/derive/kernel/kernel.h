/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/cost/time.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* One kernel of a derivation: its labels are checked and completed, its loop program is built, and it is
 * priced. Derivations share kernels by reference, and nobody changes a kernel that several may have. */

G_BEGIN_DECLS

/* Makes the kernel of @operations (ids) with the labels of @region, which may be NULL, and returns a new
 * reference. Refused labels are no error but go into its refusals. What a search looked at is added to
 * @totals. NULL with an error where the operations cannot be one kernel or a label names nothing. */
HeddleKernel *heddle_kernel_new (const HeddleDeriveContext *context, const HeddleRegion *region,
    const GArray *operations, HeddleDerivation *totals, GError **error);
/* Adds a reference to the kernel and returns it; threads may do so at the same time. */
HeddleKernel *heddle_kernel_ref (HeddleKernel *self);
/* Gives a reference back; the last one frees the kernel and its reference to the loop program. */
void heddle_kernel_unref (HeddleKernel *self);
/* Keeps labels and prices alone, of a kernel that nobody else has. */
void heddle_kernel_make_lean (HeddleKernel *self);
/* Returns what the kernel is called, newly allocated: the diagram's name where the kernel is all of it, else
 * the values that its statements make, such as "P_O". */
char *heddle_kernel_name (const HeddleDiagram *diagram, const GArray *operations);

/* Returns whether all of the operations (ids) are of one statement. */
gboolean heddle_kernel_is_statement (const HeddleDiagram *diagram, const GArray *operations);
/* Returns whether what the program holds at these tiles fits in the level that it is labelled at. */
gboolean heddle_kernel_fits (
    const HeddleDeriveContext *context, const HeddleCost *cost, const gint64 *tiles, gint64 chunk);

/* Copies the parts of @time, in seconds and operations, into the kernel. */
void heddle_kernel_set_time (HeddleKernel *self, const HeddleTime *time);

/* What a search for the best labels tells besides them. It owns its sentences. */
typedef struct
{
  guint64 candidates;
  gboolean exact;
  const char *unproved; /* why not, not translated; NULL: it is */
  char *binding, *runner_up; /* sentences: see HeddleKernel */
} HeddleSearchReport;

G_END_DECLS
