/* SPDX-License-Identifier: MIT */

#include "config.h"

#include "app/derivation/proposal.h"
#include "app/label-trial.h"
#include "derive/step-title.h"

void
heddle_proposal_free (HeddleProposal *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->refusal, heddle_refusal_free);
  g_free (self->name);
  g_free (self);
}

/* The region of a kernel; a statement that stands on its own gets one made of it. */
static HeddleRegion *
region_of_kernel (HeddleSchedule *schedule, const HeddleKernel *kernel)
{
  HeddleRegion *region = kernel->region_id ? heddle_schedule_get_region (schedule, kernel->region_id) : NULL;

  if (region != NULL)
    return region;
  region = heddle_schedule_add_region (schedule);
  for (guint i = 0; i < kernel->operations->len; i++)
    heddle_ids_append (region->operations, heddle_ids_index (kernel->operations, i));
  return region;
}

/* An axis has one label of a kind at a level; a group label and a stream label exclude one another. */
static void
set_label (HeddleRegion *region, const char *axis, const char *level, HeddleLabelKind kind, gint64 size)
{
  for (guint i = region->labels->len; i-- > 0;)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);

      if (label->axis == axis && g_str_equal (label->level, level)
          && (label->kind == HEDDLE_LABEL_GROUP || label->kind == HEDDLE_LABEL_STREAM))
        g_ptr_array_remove_index (region->labels, i);
    }
  if (size > 0)
    g_ptr_array_add (region->labels, heddle_label_new (axis, level, kind, size));
}

static HeddleSchedule *
copy_schedule (HeddleEditor *editor)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);

  return schedule ? heddle_schedule_copy (schedule)
                  : heddle_schedule_new (heddle_editor_get_flat_diagram (editor)->id);
}

/* On each of @kernels. */
static HeddleSchedule *
label_kernels (HeddleEditor *editor, const GArray *kernels, const char *axis, const char *level,
    HeddleLabelKind kind, gint64 size)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  HeddleSchedule *schedule = copy_schedule (editor);

  for (guint i = 0; i < kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, g_array_index (kernels, guint, i));

      set_label (region_of_kernel (schedule, kernel), axis, level, kind, size);
    }
  return schedule;
}

HeddleProposal *
heddle_proposal_new (
    HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind, gint64 size)
{
  HeddleProposal *self = g_new0 (HeddleProposal, 1);
  const HeddleLabelTrial *trial = size > 0 ? heddle_editor_try_label (editor, axis, kind) : NULL;

  self->name = heddle_step_title_of_label (heddle_editor_get_flat_diagram (editor), axis, level, kind, size);
  if (trial != NULL && trial->refusal != NULL)
    self->refusal = heddle_label_trial_dup_refusal (trial);
  else
    self->schedule
        = label_kernels (editor, heddle_editor_find_kernels (editor, axis), axis, level, kind, size);
  return self;
}

guint
heddle_proposal_sizes (HeddleEditor *editor, const char *axis, gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES])
{
  HeddleSizes *all = heddle_editor_get_flat_sizes (editor);
  gint64 limit = all ? heddle_sizes_get (all, axis) : 512;
  guint n = 0;

  for (gint64 size = 16; size <= 512 && size < limit && n < HEDDLE_MAX_PROPOSED_SIZES - 1; size *= 2)
    sizes[n++] = size;
  if (n == 0)
    sizes[n++] = MAX (1, limit);
  return n;
}

gint64
heddle_proposal_start_size (HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);
  gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES], wanted = kind == HEDDLE_LABEL_GROUP ? 128 : 64;
  guint n = heddle_proposal_sizes (editor, axis, sizes);

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleLabel *label
          = heddle_region_get_label (g_ptr_array_index (schedule->regions, i), axis, level, kind);

      if (label != NULL)
        return label->size;
    }
  while (n > 1 && sizes[n - 1] > wanted)
    n--;
  return sizes[n - 1];
}

gint64
heddle_proposal_next_size (HeddleEditor *editor, const char *axis, gint64 size, int direction)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  gint64 limit = sizes ? MAX (1, heddle_sizes_get (sizes, axis)) : 512, power = 1;

  if (direction > 0)
    {
      while (power <= size && power < limit)
        power *= 2;
      return MIN (power, limit);
    }
  while (power * 2 < size)
    power *= 2;
  return power;
}

gboolean
heddle_proposal_fits (
    HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind, gint64 size)
{
  g_autoptr (HeddleProposal) proposal = heddle_proposal_new (editor, axis, level, kind, size);
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options;

  if (proposal->schedule == NULL || sizes == NULL)
    return FALSE;
  heddle_editor_get_derive_options (editor, &options);
  derivation = heddle_derive (
      heddle_editor_get_flat_diagram (editor), proposal->schedule, sizes, &options, NULL, NULL);
  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    if (!((HeddleKernel *) g_ptr_array_index (derivation->kernels, i))->fits)
      return FALSE;
  return derivation != NULL;
}
