/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "codegen/plan/climb.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/machine/derive-options.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"

/* This file improves labels by steps. The search of labels goes by the rates of units, and a plan tries the
 * tiles that instructions like best; between them are tiles whose blocks fill the waves of a GPU better, which
 * only the clock of the emitted kernel sees. */

/* The number of steps, and the share of the time from which a step counts. */
#define MOST_STEPS 6
#define WORTH .99
/* Sizes are the better for instructions as multiples of this. */
#define UNIT 16

typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  GCancellable *cancellable;
  HeddleDeriveOptions options;
  HeddleSchedule *schedule; /* with the kernel as its one region */
  HeddleRegion *region;
  const GArray *axes; /* of what the kernel makes first */
  HeddleDerivation *best; /* NULL: none is better than the labels given */
  double seconds; /* of the best */
  gboolean is_bound; /* the labels given put products on the tensor core, or there are none */
  double share; /* of the tensor cores' rate that the labels given reach */
} Climb;

static const HeddleKernel *
only_kernel (const HeddleDerivation *derivation)
{
  return derivation->kernels->len == 1 ? g_ptr_array_index (derivation->kernels, 0) : NULL;
}

static double
share_of (const Climb *self, const HeddleKernel *kernel)
{
  return heddle_plan_product_shares (self->diagram, kernel->program, self->plan->sizes, &self->options)
      .tensor;
}

/* Prices the labels as they are now, and keeps them if they are the best. */
static void
try_labels (Climb *self)
{
  HeddleDerivation *derivation = heddle_derive (
      self->diagram, self->schedule, self->plan->sizes, &self->options, self->cancellable, NULL);
  const HeddleKernel *kernel = derivation != NULL && !derivation->illegal ? only_kernel (derivation) : NULL;
  double seconds = kernel != NULL && kernel->fits && kernel->program != NULL
                       ? heddle_plan_price_of (self->plan, self->diagram, kernel)
                       : INFINITY;

  if (seconds < WORTH * self->seconds && share_of (self, kernel) >= self->share)
    {
      g_clear_pointer (&self->best, heddle_derivation_free);
      self->best = derivation;
      self->seconds = seconds;
      return;
    }
  g_clear_pointer (&derivation, heddle_derivation_free);
}

/* Tries the neighbours of the size of label @i, and to do without the label. */
static void
try_label (Climb *self, guint i)
{
  HeddleLabel *label = g_ptr_array_index (self->region->labels, i);
  const gint64 own = label->size, n = heddle_sizes_get (self->plan->sizes, label->axis);
  const gint64 sizes[] = { own / 2, own - UNIT, own + UNIT, own * 2 };

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      label->size = CLAMP (sizes[k], 1, n);
      if (label->size != own)
        try_labels (self);
    }
  label->size = own;
  label = g_ptr_array_steal_index (self->region->labels, i);
  try_labels (self);
  g_ptr_array_insert (self->region->labels, (gint) i, label);
}

/* Tries a group of one of each axis that no block has a part of, where the products are left to threads: a tile of the
 * tensor core may have one axis of an image, and not all. */
static void
try_groups (Climb *self)
{
  if (self->is_bound)
    return;
  for (guint i = 0; i < self->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->axes, i);

      if (heddle_region_get_label (self->region, axis, "smem", HEDDLE_LABEL_GROUP) != NULL)
        continue;
      g_ptr_array_add (self->region->labels, heddle_label_new (axis, "smem", HEDDLE_LABEL_GROUP, 1));
      try_labels (self);
      g_ptr_array_set_size (self->region->labels, (gint) self->region->labels->len - 1);
    }
}

/* Takes one step to the best neighbour; returns FALSE if none is better. */
static gboolean
take_step (Climb *self)
{
  double before = self->seconds;

  for (guint i = 0; i < self->region->labels->len && !g_cancellable_is_cancelled (self->cancellable); i++)
    try_label (self, i);
  try_groups (self);
  if (self->seconds == before)
    return FALSE;
  g_ptr_array_set_size (self->region->labels, 0);
  for (guint i = 0; i < only_kernel (self->best)->labels->len; i++)
    g_ptr_array_add (
        self->region->labels, heddle_label_copy (g_ptr_array_index (only_kernel (self->best)->labels, i)));
  return TRUE;
}

HeddleDerivation *
heddle_plan_climb (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel,
    GCancellable *cancellable)
{
  Climb self = { .plan = plan,
    .diagram = diagram,
    .cancellable = cancellable,
    .options = { .machine = plan->machine,
        .dtype = plan->dtype,
        .objective = HEDDLE_OBJECTIVE_TIME,
        .stages = 1,
        .product_shares = heddle_plan_shares_of (plan) },
    .schedule = heddle_schedule_new (diagram->id),
    .axes = heddle_diagram_get_value (diagram, heddle_ids_index (kernel->program->outputs, 0))->axes,
    .is_bound = kernel->tensor_flops == 0 || heddle_plan_has_tiles (plan, diagram, kernel),
    .seconds = heddle_plan_price_of (plan, diagram, kernel) };

  self.share = share_of (&self, kernel);
  self.region = heddle_schedule_add_region (self.schedule);
  g_array_append_vals (self.region->operations, kernel->operations->data, kernel->operations->len);
  self.options.region = self.region->id;
  for (guint i = 0; i < kernel->labels->len; i++)
    g_ptr_array_add (self.region->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, i)));
  for (guint i = 0; i < MOST_STEPS && take_step (&self); i++)
    ;
  heddle_schedule_free (self.schedule);
  return self.best;
}
