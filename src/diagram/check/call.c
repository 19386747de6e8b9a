/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/analysis/call-private.h"
#include "diagram/analysis/call.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/base/problem.h"
#include "diagram/check/call.h"
#include "diagram/check/private.h"
#include "diagram/check/report.h"
#include "diagram/document/snapshot.h"
#include "diagram/flatten/flatten.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* --- recursion ---------------------------------------------------------------------- */

typedef enum
{
  DIAGRAM_NEW,
  DIAGRAM_OPEN, /* the diagrams that it calls are being visited */
  DIAGRAM_DONE,
} DiagramState;

typedef struct
{
  const HeddleSnapshot *snapshot;
  GHashTable *states; /* diagram -> DiagramState */
  GPtrArray *way; /* of HeddleDiagram: those that are open */
  GPtrArray *problems;
} Descent;

static DiagramState
state_of (const Descent *self, const HeddleDiagram *diagram)
{
  return (DiagramState) GPOINTER_TO_INT (g_hash_table_lookup (self->states, diagram));
}

static void
report_cycle (
    Descent *self, const HeddleDiagram *diagram, const HeddleOperation *call, const HeddleDiagram *callee)
{
  HeddleCheck check = { diagram, self->problems };
  g_autoptr (GString) text = g_string_new (callee->name);
  guint first = 0;
  while (g_ptr_array_index (self->way, first) != callee)
    first++;
  for (guint i = first + 1; i < self->way->len; i++)
    g_string_append_printf (text, " → %s", ((HeddleDiagram *) g_ptr_array_index (self->way, i))->name);
  heddle_check_report (&check, HEDDLE_SEVERITY_ERROR, call->id, NULL, _ ("%s calls itself: %s → %s"),
      callee->name, text->str, callee->name);
}

static void
descend (Descent *self, const HeddleDiagram *diagram)
{
  g_hash_table_insert (self->states, (gpointer) diagram, GINT_TO_POINTER (DIAGRAM_OPEN));
  g_ptr_array_add (self->way, (gpointer) diagram);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *call = g_ptr_array_index (diagram->operations, i);
      const HeddleDiagram *callee = heddle_call_callee (self->snapshot, call);
      HeddleCheck check = { diagram, self->problems };
      if (callee == NULL)
        continue;
      if (state_of (self, callee) == DIAGRAM_OPEN)
        report_cycle (self, diagram, call, callee);
      else if (state_of (self, callee) == DIAGRAM_NEW && self->way->len >= HEDDLE_MAX_CALL_DEPTH)
        heddle_check_report (&check, HEDDLE_SEVERITY_ERROR, call->id, NULL,
            _ ("Definitions call one another more than %d deep"), HEDDLE_MAX_CALL_DEPTH);
      else if (state_of (self, callee) == DIAGRAM_NEW)
        descend (self, callee);
    }
  g_ptr_array_set_size (self->way, (int) self->way->len - 1);
  g_hash_table_insert (self->states, (gpointer) diagram, GINT_TO_POINTER (DIAGRAM_DONE));
}

static void
check_recursion (const HeddleSnapshot *snapshot, GPtrArray *problems)
{
  g_autoptr (GHashTable) states = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) way = g_ptr_array_new ();
  Descent self = { snapshot, states, way, problems };
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    if (state_of (&self, g_ptr_array_index (snapshot->diagrams, i)) == DIAGRAM_NEW)
      descend (&self, g_ptr_array_index (snapshot->diagrams, i));
}

/* --- calls --------------------------------------------------------------------------- */

static gboolean
check_calls (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, GPtrArray *problems)
{
  HeddleCheck self = { diagram, problems };
  gboolean good = TRUE;
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *call = g_ptr_array_index (diagram->operations, i);
      if (call->kind == NULL || call->kind->form != HEDDLE_FORM_CALL)
        continue;
      g_autofree char *why = heddle_call_problem (snapshot, diagram, call);
      if (why != NULL)
        heddle_check_report (&self, HEDDLE_SEVERITY_ERROR, call->id, NULL, "%s", why);
      good &= why == NULL;
    }
  return good;
}

typedef struct
{
  const HeddleDiagram *diagram;
  GPtrArray *problems;
} Sizes;

/* Returns the object of the diagram that a problem is reported at: an axis, or the call that contains the
 * object. */
static const char *
object_of (const HeddleDiagram *diagram, const char *axis_id)
{
  if (heddle_diagram_get_axis (diagram, axis_id) != NULL)
    return axis_id;
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *call = g_ptr_array_index (diagram->operations, i);
      if (g_str_has_prefix (axis_id, call->id) && axis_id[strlen (call->id)] == '.')
        return call->id;
    }
  return NULL;
}

static void
report_size (const char *axis_id, const char *message, gpointer data)
{
  Sizes *self = data;
  HeddleCheck check = { self->diagram, self->problems };
  heddle_check_report (
      &check, HEDDLE_SEVERITY_ERROR, object_of (self->diagram, axis_id), NULL, "%s", message);
}

/* Reports what shows only when each call is replaced by what it stands for: wrong sizes, and a diagram that
 * becomes too large. */
static void
check_expansion (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, GPtrArray *problems)
{
  HeddleCheck self = { diagram, problems };
  const char *call = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) flat = heddle_snapshot_flatten (snapshot, diagram, NULL, &call, &error);
  if (flat == NULL)
    {
      /* A scan along an axis without a size is right. */
      if (!g_error_matches (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED))
        heddle_check_report (&self, HEDDLE_SEVERITY_ERROR, call, NULL, "%s", error->message);
      return;
    }
  Sizes report = { diagram, problems };
  const HeddleDiagram *expanded = g_ptr_array_index (flat->diagrams, 0);
  g_autoptr (HeddleSizes) sizes = NULL;
  if (heddle_diagram_has_calls (diagram))
    {
      sizes = heddle_sizes_resolve (expanded, NULL, report_size, &report);
      heddle_sizes_report_disagreements (sizes, expanded, report_size, &report);
    }
}

void
heddle_check_calls (const HeddleSnapshot *snapshot, gboolean whole, GPtrArray *problems)
{
  gboolean good = TRUE, any = FALSE;
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *diagram = g_ptr_array_index (snapshot->diagrams, i);
      any |= heddle_diagram_has_calls (diagram);
      good &= check_calls (snapshot, diagram, problems);
    }
  if (!any)
    return;
  guint before = problems->len;
  check_recursion (snapshot, problems);
  if (whole && good && problems->len == before)
    check_expansion ((HeddleSnapshot *) snapshot, g_ptr_array_index (snapshot->diagrams, 0), problems);
}
