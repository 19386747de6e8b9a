/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/proposal.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/label-trial.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "derive/machine/derive-options.h"
#include "derive/report/step-title.h"
#include "derive/shard/shard.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

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

const HeddleLink *
heddle_proposal_find_link (HeddleEditor *editor, const char *level)
{
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  const int l = machine != NULL ? heddle_machine_find_link (machine, level) : -1;

  return l >= 0 ? g_ptr_array_index (machine->links, l) : NULL;
}

/* Returns whether the GPUs can work on the pieces of @axis that the schedule gives them, and if not why; a
 * reason that concerns no operation is shown at @operation. */
static HeddleRefusal *
try_on_several (HeddleEditor *editor, const HeddleSchedule *schedule, const char *axis, const char *operation)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  HeddleDeriveOptions options;
  g_autoptr (HeddleSharding) sharding = NULL;
  g_autoptr (GError) error = NULL;
  GHashTableIter iter;
  gpointer refusal = NULL;

  if (sizes == NULL)
    return heddle_refusal_new (
        axis, HEDDLE_LABEL_GROUP, operation, g_strdup (_ ("Give every axis a size first")), NULL);
  heddle_editor_get_derive_options (editor, &options);
  sharding = heddle_sharding_new (
      heddle_editor_get_flat_diagram (editor), schedule, sizes, options.machine, options.dtype, &error);
  if (sharding == NULL)
    return heddle_refusal_new (axis, HEDDLE_LABEL_GROUP, operation, g_strdup (error->message), NULL);
  g_hash_table_iter_init (&iter, sharding->refusals);
  if (!g_hash_table_iter_next (&iter, NULL, &refusal))
    return NULL;
  g_hash_table_iter_steal (&iter);
  if (((HeddleRefusal *) refusal)->operation == NULL)
    ((HeddleRefusal *) refusal)->operation = operation;
  return refusal;
}

/* On each kernel that has the axis. */
static HeddleSchedule *
label_kernels (HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind, gint64 size)
{
  const GArray *regions = NULL;
  HeddleSchedule *schedule = heddle_editor_dup_roomy_schedule (editor, axis, &regions);

  for (guint i = 0; i < regions->len; i++)
    set_label (
        g_ptr_array_index (schedule->regions, g_array_index (regions, guint, i)), axis, level, kind, size);
  return schedule;
}

HeddleProposal *
heddle_proposal_new (
    HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind, gint64 size)
{
  HeddleProposal *self = g_new0 (HeddleProposal, 1);
  const HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  const GArray *kernels = heddle_editor_find_kernels (editor, axis);
  const gboolean on_several = heddle_proposal_find_link (editor, level) != NULL;
  const HeddleLabelTrial *trial
      = size > 0 && !on_several ? heddle_editor_try_label (editor, axis, kind) : NULL;

  self->name = heddle_step_title_of_label (heddle_editor_get_flat_diagram (editor), axis, level, kind, size);
  if (trial != NULL && trial->refusal != NULL)
    self->refusal = heddle_label_trial_dup_refusal (trial);
  else
    self->schedule = label_kernels (editor, axis, level, kind, size);
  if (on_several && size > 0 && kernels->len > 0)
    {
      const HeddleKernel *first = g_ptr_array_index (derivation->kernels, g_array_index (kernels, guint, 0));

      self->refusal = try_on_several (editor, self->schedule, axis, heddle_ids_index (first->operations, 0));
      if (self->refusal != NULL)
        g_clear_pointer (&self->schedule, heddle_schedule_free);
    }
  if (self->refusal != NULL)
    self->refusal->level = g_intern_string (level);
  return self;
}

static gboolean
has_any (const GArray *operations, const GArray *others)
{
  for (guint i = 0; i < others->len; i++)
    if (heddle_ids_contain (operations, heddle_ids_index (others, i)))
      return TRUE;
  return FALSE;
}

/* Returns whether the kernels that the remedy leaves alone can have the label too, which a refusal does not say. */
static gboolean
can_label_others (HeddleEditor *editor, const HeddleRefusal *refusal)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  const GArray *kernels = heddle_editor_find_kernels (editor, refusal->axis);

  for (guint i = 0; i < kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, g_array_index (kernels, guint, i));
      g_autoptr (HeddleRefusal) other = NULL;

      if (has_any (refusal->remedy_operations, kernel->operations))
        continue;
      other = heddle_derive_try_label (heddle_editor_get_flat_diagram (editor),
          heddle_editor_get_schedule (editor), heddle_ids_index (kernel->operations, 0), refusal->axis,
          refusal->kind);
      if (other != NULL)
        return FALSE;
    }
  return TRUE;
}

HeddleProposal *
heddle_proposal_new_remedied (HeddleEditor *editor)
{
  const HeddleRefusal *refusal = heddle_editor_get_refusal (editor);
  HeddleProposal *self = NULL;
  gint64 size;

  if (refusal == NULL || refusal->axis == NULL || refusal->level == NULL
      || refusal->remedy_kind != HEDDLE_REMEDY_FUSE || !can_label_others (editor, refusal))
    return NULL;
  size = heddle_proposal_start_size (editor, refusal->axis, refusal->level, refusal->kind);
  self = g_new0 (HeddleProposal, 1);
  self->name = heddle_step_title_of_label (
      heddle_editor_get_flat_diagram (editor), refusal->axis, refusal->level, refusal->kind, size);
  self->schedule = label_kernels (editor, refusal->axis, refusal->level, refusal->kind, size);
  set_label (heddle_schedule_fuse_operations (
                 self->schedule, heddle_editor_get_flat_diagram (editor), refusal->remedy_operations),
      refusal->axis, refusal->level, refusal->kind, size);
  return self;
}

/* Pieces that leave each GPU as much to do: as many as GPUs, or as parts of them that leave none over, else any number that does. */
static guint
sizes_at_link (const HeddleLink *link, gint64 n, gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES])
{
  const gint64 most = MIN ((gint64) link->count, n);
  guint found = 0;

  for (int round = 0; round < 2 && found == 0; round++)
    for (gint64 ways = most; ways > 1 && found < HEDDLE_MAX_PROPOSED_SIZES; ways--)
      if (n % ways == 0 && (round == 1 || link->count % ways == 0))
        sizes[found++] = n / ways;
  if (found == 0)
    sizes[found++] = MAX (1, (n + link->count - 1) / MAX (1, link->count)); /* with its reason */
  return found;
}

guint
heddle_proposal_sizes (
    HeddleEditor *editor, const char *axis, const char *level, gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES])
{
  const HeddleLink *link = heddle_proposal_find_link (editor, level);
  HeddleSizes *all = heddle_editor_get_flat_sizes (editor);
  gint64 limit = all ? heddle_sizes_get (all, axis) : 512;
  guint n = 0;

  if (link != NULL)
    return sizes_at_link (link, limit, sizes);
  for (gint64 size = 16; size <= 512 && size < limit && n < HEDDLE_MAX_PROPOSED_SIZES - 1; size *= 2)
    sizes[n++] = size;
  if (n == 0)
    sizes[n++] = MAX (1, limit);
  return n;
}

/* In as many pieces as what is on the GPUs already, if in any; else the smallest. */
static gint64
start_at_link (HeddleEditor *editor, const char *axis, const char *level, const gint64 *sizes, guint n)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  const HeddleSharding *sharding = derivation != NULL ? derivation->sharding : NULL;
  const int l = heddle_machine_find_link (heddle_editor_get_machine (editor), level);
  const gint64 ways = sharding != NULL && l < (int) sharding->n_links ? sharding->ways[l] : 1;

  for (guint i = 0; ways > 1 && i < n; i++)
    if (sizes[i] * ways == heddle_sizes_get (sharding->sizes, axis))
      return sizes[i];
  return sizes[0];
}

gint64
heddle_proposal_start_size (HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (editor);
  gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES], wanted = kind == HEDDLE_LABEL_GROUP ? 128 : 64;
  guint n = heddle_proposal_sizes (editor, axis, level, sizes);

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleLabel *label
          = heddle_region_get_label (g_ptr_array_index (schedule->regions, i), axis, level, kind);

      if (label != NULL)
        return label->size;
    }
  if (heddle_proposal_find_link (editor, level) != NULL)
    return start_at_link (editor, axis, level, sizes, n);
  while (n > 1 && sizes[n - 1] > wanted)
    n--;
  return sizes[n - 1];
}

static gint64
next_at_link (HeddleEditor *editor, const char *axis, const char *level, gint64 size, int direction)
{
  gint64 sizes[HEDDLE_MAX_PROPOSED_SIZES];
  const guint n = heddle_proposal_sizes (editor, axis, level, sizes);

  if (direction > 0)
    {
      for (guint i = 0; i < n; i++)
        if (sizes[i] > size)
          return sizes[i];
      return size;
    }
  for (guint i = n; i-- > 0;)
    if (sizes[i] < size)
      return sizes[i];
  return size;
}

gint64
heddle_proposal_next_size (
    HeddleEditor *editor, const char *axis, const char *level, gint64 size, int direction)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  gint64 limit = sizes ? MAX (1, heddle_sizes_get (sizes, axis)) : 512, power = 1;

  if (heddle_proposal_find_link (editor, level) != NULL)
    return next_at_link (editor, axis, level, size, direction);
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
