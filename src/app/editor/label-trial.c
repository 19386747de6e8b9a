/* SPDX-License-Identifier: MIT */

#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/label-trial.h"
#include "app/editor/shared-derivation.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "app/editor/private.h"

/* A question is what was asked of one axis. */
typedef struct
{
  GArray *kernels; /* of guint: their numbers in the derivation */
  HeddleSchedule *roomy; /* the schedule, with a region for each of them; NULL: not asked for yet */
  GArray *regions; /* of guint: their numbers in it, by kernel; with it */
  HeddleLabelTrial *trials[HEDDLE_LABEL_STREAM + 1]; /* by kind; NULL: not asked yet */
} Axis;

static void
trial_free (HeddleLabelTrial *self)
{
  g_array_unref (self->kernels);
  if (self->refusal != NULL)
    heddle_refusal_free ((HeddleRefusal *) self->refusal);
  g_free (self);
}

static void
axis_free (gpointer data)
{
  Axis *self = data;

  for (guint i = 0; i < G_N_ELEMENTS (self->trials); i++)
    g_clear_pointer (&self->trials[i], trial_free);
  g_array_unref (self->kernels);
  g_clear_pointer (&self->roomy, heddle_schedule_free);
  g_clear_pointer (&self->regions, g_array_unref);
  g_free (self);
}

static Axis *
axis_new (HeddleEditor *editor, const char *axis)
{
  Axis *self = g_new0 (Axis, 1);
  GArray *kernels
      = editor->derivation != NULL ? g_hash_table_lookup (editor->derivation->kernels, axis) : NULL;

  self->kernels = kernels != NULL ? g_array_ref (kernels) : g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

static Axis *
get_axis (HeddleEditor *self, const char *id)
{
  Axis *axis = NULL;

  if (self->trials == NULL)
    self->trials = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, axis_free);
  axis = g_hash_table_lookup (self->trials, id);
  if (axis == NULL)
    g_hash_table_insert (self->trials, g_strdup (id), axis = axis_new (self, id));
  return axis;
}

/* Returns the number of the kernel's region; a statement that stands on its own gets one made of it. */
static guint
region_of_kernel (HeddleSchedule *schedule, const HeddleKernel *kernel)
{
  HeddleRegion *region
      = kernel->region_id != NULL ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;
  guint number = schedule->regions->len;

  if (region != NULL)
    {
      g_ptr_array_find (schedule->regions, region, &number);
      return number;
    }
  region = heddle_schedule_add_region (schedule);
  for (guint i = 0; i < kernel->operations->len; i++)
    heddle_ids_append (region->operations, heddle_ids_index (kernel->operations, i));
  return number;
}

static void
make_room (HeddleEditor *editor, Axis *axis)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);
  const HeddleDerivation *derivation = heddle_shared_derivation_get (editor->derivation);

  axis->roomy = schedule != NULL ? heddle_schedule_copy (schedule)
                                 : heddle_schedule_new (heddle_editor_get_flat_diagram (editor)->id);
  axis->regions = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < axis->kernels->len; i++)
    {
      const guint number = region_of_kernel (
          axis->roomy, g_ptr_array_index (derivation->kernels, g_array_index (axis->kernels, guint, i)));

      g_array_append_val (axis->regions, number);
    }
}

static HeddleLabelTrial *
trial_new (HeddleEditor *editor, GArray *kernels, const char *axis, HeddleLabelKind kind)
{
  HeddleLabelTrial *self = g_new0 (HeddleLabelTrial, 1);
  const HeddleDerivation *derivation = heddle_shared_derivation_get (editor->derivation);

  self->kernels = g_array_ref (kernels);
  for (guint i = 0; i < kernels->len && self->refusal == NULL; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, g_array_index (kernels, guint, i));

      self->refusal = heddle_derive_try_label (editor->flat_diagram, heddle_editor_get_schedule (editor),
          heddle_ids_index (kernel->operations, 0), axis, kind);
    }
  return self;
}

HeddleRefusal *
heddle_label_trial_dup_refusal (const HeddleLabelTrial *self)
{
  HeddleRefusal *copy = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->refusal == NULL)
    return NULL;
  copy = g_new (HeddleRefusal, 1);
  *copy = *self->refusal;
  copy->reason = g_strdup (copy->reason);
  copy->remedy = g_strdup (copy->remedy);
  copy->no_remedy = g_strdup (copy->no_remedy);
  copy->remedy_operations
      = copy->remedy_operations != NULL ? heddle_ids_copy (copy->remedy_operations) : NULL;
  return copy;
}

void
heddle_editor_forget_trials (HeddleEditor *self)
{
  g_clear_pointer (&self->trials, g_hash_table_unref);
}

const GArray *
heddle_editor_find_kernels (HeddleEditor *self, const char *axis)
{
  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  g_return_val_if_fail (axis != NULL, NULL);

  return get_axis (self, axis)->kernels;
}

HeddleSchedule *
heddle_editor_dup_roomy_schedule (HeddleEditor *self, const char *axis, const GArray **regions)
{
  Axis *asked = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  g_return_val_if_fail (axis != NULL && regions != NULL, NULL);

  asked = get_axis (self, axis);
  if (asked->roomy == NULL)
    make_room (self, asked);
  *regions = asked->regions;
  return heddle_schedule_copy (asked->roomy);
}

const HeddleLabelTrial *
heddle_editor_try_label (HeddleEditor *self, const char *axis, HeddleLabelKind kind)
{
  Axis *asked = NULL;

  g_return_val_if_fail (HEDDLE_IS_EDITOR (self), NULL);
  g_return_val_if_fail (axis != NULL && kind <= HEDDLE_LABEL_STREAM, NULL);

  asked = get_axis (self, axis);
  if (asked->trials[kind] == NULL)
    asked->trials[kind] = trial_new (self, asked->kernels, axis, kind);
  return asked->trials[kind];
}
