/* SPDX-License-Identifier: MIT */
#include "diagram/document/snapshot.h"
#include "files/equations/labels.h"

const char *
heddle_eq_plan_label (const HeddleEqPlan *self, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, value_id);

  return value->name != NULL ? value->name : g_hash_table_lookup (self->labels, value_id);
}

const HeddleDiagram *
heddle_eq_plan_callee (const HeddleEqPlan *self, const char *id)
{
  return self->snapshot != NULL ? heddle_snapshot_get_diagram_by_id (self->snapshot, id) : NULL;
}

/* Returns the name of a callee. Ids of diagrams are made of their names, which say something even if the
 * diagram is not available. */
char *
heddle_eq_callee_name (const HeddleSnapshot *snapshot, const char *id)
{
  const HeddleDiagram *callee = snapshot != NULL ? heddle_snapshot_get_diagram_by_id (snapshot, id) : NULL;

  if (callee != NULL)
    return g_strdup (callee->name);
  return g_strdup (id != NULL && g_str_has_prefix (id, "d.") ? id + 2 : id != NULL ? id : "?");
}
