/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/shard/layout.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* This file describes what each form of operation wants and leaves where an axis lies in pieces: the rules
 * are those by which axes are grouped below, with the groups on GPUs. */

static const char *
axis_name (const HeddleDiagram *diagram, const char *axis)
{
  return heddle_diagram_get_axis (diagram, axis)->name;
}

static gboolean
carries (const HeddleDiagram *diagram, const char *value, const char *axis)
{
  return heddle_ids_contain (heddle_diagram_get_value (diagram, value)->axes, axis);
}

static gboolean
refuse (char **reason, char **remedy, char *why, char *what)
{
  *reason = why;
  *remedy = what;
  return FALSE;
}

static char *
other_axis (const HeddleDiagram *diagram, const char *axis)
{
  return g_strdup_printf (
      _ ("Group another axis over GPUs, or run this operation as a kernel of its own, without %s grouped."),
      axis_name (diagram, axis));
}

/* Describes a reduction over pieces whose results are combined as they are: sum, max, min, prod, and means of
 * pieces of the same size. */
static gboolean
reduce (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis,
    HeddleShardNeed *need, char **reason, char **remedy)
{
  const HeddleOperationKind *kind = operation->kind;

  need->monoid = kind->stages[0].monoid;
  need->mean = g_str_equal (kind->id, "mean");
  if (kind->stages[1].name == NULL && g_strcmp0 (kind->stages[0].body, "$0") == 0
      && (need->mean || g_strcmp0 (kind->result, kind->stages[0].name) == 0))
    return TRUE;
  return refuse (reason, remedy,
      g_strdup_printf (
          _ ("%s over %s has a state that GPUs would have to merge with one another, rescaled: no "
             "collective does that."),
          _ (kind->title), axis_name (diagram, axis)),
      other_axis (diagram, axis));
}

static gboolean
refuse_core (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis, char **reason,
    char **remedy)
{
  const char *name = axis_name (diagram, axis);

  return refuse (reason, remedy,
      g_strdup_printf (
          _ ("%s works along %s: one GPU's part of it is not enough."), _ (operation->kind->title), name),
      operation->kind->form == HEDDLE_FORM_NORMALISE ? g_strdup_printf (
          _ ("Group an axis over GPUs that it is mapped over, such as that of queries or "
             "heads, or write it out (heddle rewrite). A softmax is merged over GPUs where "
             "nothing but one contraction over %s reads it, and what that makes is read by "
             "other kernels alone."),
          name)
                                                     : other_axis (diagram, axis));
}

/* Describes a reindexing over pieces. What is read at the axis' own places lies in the same pieces;
 * everything else is wanted whole. */
static gboolean
reindex (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis,
    HeddleShardNeed *need, char **reason, char **remedy)
{
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));

  need->split[0] = FALSE;
  for (guint p = 0; p < operation->indices->len; p++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, p);

      if (!heddle_expr_uses (index, HEDDLE_EXPR_INDEX, axis))
        continue;
      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX || heddle_ids_index (operand->axes, p) != axis)
        return refuse (reason, remedy,
            g_strdup_printf (
                _ ("It reads places along %s that depend on where its piece of %s begins, and may be "
                   "on another GPU."),
                axis_name (diagram, heddle_ids_index (operand->axes, p)), axis_name (diagram, axis)),
            other_axis (diagram, axis));
      need->split[0] = TRUE;
    }
  return TRUE;
}

void
heddle_shard_need_apart (
    const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis, HeddleShardNeed *need)
{
  *need = (HeddleShardNeed){ .monoid = HEDDLE_MONOID_SUM, .result = HEDDLE_SPREAD_SPLIT };
  for (guint i = 0; i < operation->operands->len && i < G_N_ELEMENTS (need->split); i++)
    need->split[i] = carries (diagram, heddle_ids_index (operation->operands, i), axis);
}

gboolean
heddle_shard_need (const HeddleDiagram *diagram, const HeddleOperation *operation, const char *axis,
    HeddleShardNeed *need, char **reason, char **remedy)
{
  const HeddleOperationForm form = operation->kind->form;
  gboolean core = heddle_ids_contain (operation->axes, axis), touched = FALSE;

  *need = (HeddleShardNeed){ .monoid = HEDDLE_MONOID_SUM };
  for (guint i = 0; i < operation->operands->len && i < G_N_ELEMENTS (need->split); i++)
    {
      need->split[i] = carries (diagram, heddle_ids_index (operation->operands, i), axis);
      touched = touched || need->split[i];
    }
  need->result = carries (diagram, operation->result, axis) ? HEDDLE_SPREAD_SPLIT
                 : core && touched                          ? HEDDLE_SPREAD_PARTIAL
                                                            : HEDDLE_SPREAD_WHOLE;
  if (operation->operands->len > G_N_ELEMENTS (need->split) || operation->more_results != NULL)
    return refuse (reason, remedy, g_strdup (_ ("It is not known how it works along its axes.")),
        other_axis (diagram, axis));
  if (operation->body != NULL && heddle_expr_uses (operation->body, HEDDLE_EXPR_INDEX, axis))
    return refuse (reason, remedy,
        g_strdup_printf (_ ("It counts along %s, and each GPU would count from the beginning of its piece."),
            axis_name (diagram, axis)),
        other_axis (diagram, axis));
  switch (form)
    {
    case HEDDLE_FORM_MAP:
    case HEDDLE_FORM_CONTRACT:
      return TRUE;
    case HEDDLE_FORM_REDUCE:
      return !core || reduce (diagram, operation, axis, need, reason, remedy);
    case HEDDLE_FORM_REINDEX:
      return reindex (diagram, operation, axis, need, reason, remedy);
    case HEDDLE_FORM_CONCAT:
      for (guint i = 0; i < operation->operands->len; i++)
        core = core || (need->split[i] && need->result != HEDDLE_SPREAD_SPLIT);
      return !core || refuse_core (diagram, operation, axis, reason, remedy);
    default:
      return !core || refuse_core (diagram, operation, axis, reason, remedy);
    }
}

gboolean
heddle_shard_layout_equal (const HeddleShardLayout *a, const HeddleShardLayout *b)
{
  for (guint l = 0; l < HEDDLE_MAX_LINKS; l++)
    if (a->how[l] != b->how[l] || a->axis[l] != b->axis[l])
      return FALSE;
  return TRUE;
}

gint64
heddle_shard_layout_elements (
    const HeddleShardLayout *self, const HeddleSharding *sharding, const char *value)
{
  gint64 elements
      = heddle_sizes_elements (sharding->sizes, heddle_diagram_get_value (sharding->diagram, value));

  for (guint l = 0; l < sharding->n_links; l++)
    if (self->how[l] == HEDDLE_SPREAD_SPLIT)
      elements /= sharding->ways[l];
  return elements;
}

static gboolean
is_at_link (const HeddleLabel *label, const HeddleMachine *machine)
{
  return heddle_machine_find_link (machine, label->level) >= 0;
}

gboolean
heddle_schedule_is_sharded (const HeddleSchedule *schedule, const HeddleMachine *machine)
{
  for (guint i = 0; schedule != NULL && machine->links->len > 0 && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = 0; k < region->labels->len; k++)
        if (is_at_link (g_ptr_array_index (region->labels, k), machine))
          return TRUE;
    }
  return FALSE;
}

HeddleSchedule *
heddle_schedule_unsharded (const HeddleSchedule *schedule, const HeddleMachine *machine)
{
  HeddleSchedule *copy = heddle_schedule_copy (schedule);

  for (guint i = 0; i < copy->regions->len; i++)
    {
      HeddleRegion *region = g_ptr_array_index (copy->regions, i);

      for (guint k = region->labels->len; k-- > 0;)
        if (is_at_link (g_ptr_array_index (region->labels, k), machine))
          g_ptr_array_remove_index (region->labels, k);
    }
  return copy;
}
