/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/legality/remedy.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram-index.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

/* What helps where a region is too large for a label: the longest run of its statements, from the first or to the last, that can have it. */

static GArray *
statements_of (const HeddleRegionTerm *region)
{
  GArray *statements = heddle_ids_new ();

  for (guint i = 0; i < region->operations->len; i++)
    {
      const char *value
          = heddle_diagram_statement_of (region->diagram, heddle_ids_index (region->operations, i));

      if (!heddle_ids_contain (statements, value))
        heddle_ids_append (statements, value);
    }
  return statements;
}

/* Operations of statements @from to before @to. */
static GArray *
operations_of (const HeddleRegionTerm *region, const GArray *statements, guint from, guint to)
{
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; i < region->operations->len; i++)
    {
      const char *operation = heddle_ids_index (region->operations, i);
      int at = heddle_ids_find (statements, heddle_diagram_statement_of (region->diagram, operation));

      if (at >= (int) from && at < (int) to)
        heddle_ids_append (operations, operation);
    }
  return operations;
}

static gboolean
can_have (const HeddleRegionTerm *region, const GArray *operations, const char *axis, HeddleLabelKind kind)
{
  g_autoptr (HeddleRegionTerm) term = heddle_region_term_new (region->diagram, operations, NULL, NULL);
  g_autoptr (HeddleStreamPlan) plan = NULL;
  HeddleObstacle obstacle;

  if (term == NULL || !heddle_ids_contain (term->axes, axis))
    return FALSE;
  if (kind == HEDDLE_LABEL_GROUP)
    return heddle_legality_can_group (term, axis) || heddle_legality_can_split (term, axis);
  plan = heddle_stream_plan_new (term, axis, &obstacle);
  return plan != NULL;
}

/* R,O, as --fuse takes them. */
static char *
join_labels (const HeddleRegionTerm *region, const GArray *statements, guint from, guint to)
{
  GString *text = g_string_new (NULL);

  for (guint i = from; i < to; i++)
    {
      g_autofree char *label = heddle_diagram_value_label (region->diagram, heddle_ids_index (statements, i));

      g_string_append_printf (text, "%s%s", i > from ? "," : "", label);
    }
  return g_string_free (text, FALSE);
}

static gboolean
try_part (
    const HeddleRegionTerm *region, const GArray *statements, guint from, guint to, HeddleRefusal *refusal)
{
  const char *axis = heddle_diagram_get_axis (region->diagram, refusal->axis)->name;
  g_autoptr (GArray) operations = operations_of (region, statements, from, to);
  g_autofree char *names = NULL;

  if (!can_have (region, operations, refusal->axis, refusal->kind))
    return FALSE;
  names = join_labels (region, statements, from, to);
  refusal->remedy_kind = HEDDLE_REMEDY_CUT;
  g_array_unref (refusal->remedy_operations);
  refusal->remedy_operations = g_steal_pointer (&operations);
  g_free (refusal->remedy);
  refusal->remedy
      = g_strdup_printf (refusal->kind == HEDDLE_LABEL_GROUP
                             ? _ ("Unfuse the rest: a kernel of %s alone can be grouped along %s.")
                             : _ ("Unfuse the rest: a kernel of %s alone can stream %s."),
          names, axis);
  return TRUE;
}

void
heddle_refusal_find_cut (HeddleRefusal *self, const HeddleRegionTerm *region)
{
  g_autoptr (GArray) statements = statements_of (region);

  for (guint n = statements->len; n-- > 1;)
    if (try_part (region, statements, statements->len - n, statements->len, self)
        || try_part (region, statements, 0, n, self))
      return;
}

/* What forbids the label does so in every kernel that has been tried: those that fusing would make, and, where @cut, those that are a part of
 * this one. */
void
heddle_refusal_tell_why_none (HeddleRefusal *self, const HeddleRegionTerm *region, gboolean cut)
{
  const HeddleOperation *operation
      = self->operation != NULL ? heddle_diagram_get_operation (region->diagram, self->operation) : NULL;
  const char *axis = heddle_diagram_get_axis (region->diagram, self->axis)->name;
  g_autofree char *label
      = operation != NULL ? heddle_diagram_value_label (region->diagram, operation->result) : NULL;

  g_clear_pointer (&self->no_remedy, g_free);
  if (self->remedy[0] != '\0')
    return;
  if (operation == NULL)
    self->no_remedy = g_strdup_printf (
        _ ("No remedy: a label is for an axis that some operation of the kernel goes along, and "
           "none goes along %s."),
        axis);
  else if (cut && region->operations->len > 1)
    self->no_remedy = g_strdup_printf (
        _ ("No remedy: no part of this kernel and no wider one can have it, as %s is as it is in "
           "each of them."),
        label);
  else
    self->no_remedy = g_strdup_printf (
        _ ("No remedy: %s forbids it by itself, and no kernel that it could be fused to can have it."),
        label);
}
