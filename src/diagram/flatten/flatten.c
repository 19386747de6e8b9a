/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/analysis/call.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/flatten/bind.h"
#include "diagram/flatten/call.h"
#include "diagram/flatten/expansion.h"
#include "diagram/flatten/flatten.h"
#include "diagram/flatten/schedule.h"
#include "diagram/graph/calls.h"

/* A call's operations are those of what it calls, each mapped over the axes that the call is mapped over: a
 * flat value has these first, then its own. A repetition is written out, each time with its slice of the
 * parameters. */

/* --- beginning and end -------------------------------------------------------------------------- */

/* Begins the flat diagram with the axes and values of the diagram itself, as they are. */
static void
begin (HeddleFlattener *self, HeddleExpansion *frame)
{
  const HeddleDiagram *diagram = self->diagram;
  self->flat = heddle_diagram_new (diagram->name);
  self->flat->id = diagram->id;
  self->flat->comment = g_strdup (diagram->comment);
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      HeddleExpr *size = axis->size != NULL ? heddle_expr_ref (axis->size) : NULL;
      heddle_diagram_add_axis (self->flat, axis->id, axis->name, size);
      g_hash_table_add (self->names, g_strdup (axis->name));
    }
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      heddle_diagram_add_value (self->flat, value->id, value->name, value->role, value->dtype, value->axes)
          ->comment
          = g_strdup (value->comment);
      g_hash_table_insert (frame->values, (gpointer) value->id, (gpointer) value->id);
      if (value->name != NULL)
        g_hash_table_add (self->names, g_strdup (value->name));
    }
  g_array_append_vals (self->flat->arguments, diagram->arguments->data, diagram->arguments->len);
  self->flat->explicit_outputs = TRUE;
  g_array_unref (self->flat->outputs);
  self->flat->outputs = heddle_diagram_get_outputs (diagram);
}

static void
check_claims (HeddleFlattener *self, const char **call)
{
  g_autoptr (HeddleSizes) sizes = NULL;
  for (guint i = 0; i < self->claims->len && self->error == NULL; i++)
    {
      const HeddleClaim *claim = g_ptr_array_index (self->claims, i);
      double a, b;
      if (sizes == NULL)
        sizes = heddle_sizes_resolve (self->flat, self->overrides, NULL, NULL);
      if (!heddle_expr_evaluate (claim->a, heddle_sizes_lookup, sizes, &a, NULL)
          || !heddle_expr_evaluate (claim->b, heddle_sizes_lookup, sizes, &b, NULL) || a == b)
        continue;
      self->call = claim->call;
      heddle_flatten_fail (
          self, HEDDLE_DIAGRAM_ERROR_SIZE, _ ("%s: one is %.10g, the other %.10g"), claim->message, a, b);
    }
  if (call != NULL)
    *call = self->call;
}

static HeddleDiagram *
flatten (HeddleFlattener *self, const char **call)
{
  HeddleExpansion frame = { .diagram = self->diagram,
    .ids = g_strdup (""),
    .name = g_strdup (""),
    .values = g_hash_table_new (NULL, NULL),
    .targets = g_hash_table_new (NULL, NULL),
    .times = g_array_new (FALSE, FALSE, sizeof (HeddleFlatTime)),
    .place = heddle_flat_map_add_frame (self->map, NULL, NULL, self->diagram, "", NULL) };
  begin (self, &frame);
  g_ptr_array_add (self->open, (gpointer) self->diagram);
  if (heddle_flatten_run (self, &frame))
    check_claims (self, call);
  else if (call != NULL)
    *call = self->call;
  heddle_expansion_clear (&frame);
  return self->error == NULL ? g_steal_pointer (&self->flat) : NULL;
}

/* --- the document --------------------------------------------------------------------------------- */

static void
flattener_init (HeddleFlattener *self, const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    GHashTable *overrides)
{
  *self = (HeddleFlattener){ .snapshot = snapshot,
    .diagram = diagram,
    .overrides = overrides,
    .names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .bindings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_binding_free),
    .parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .map = heddle_flat_map_new (),
    .claims = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_claim_free),
    .open = g_ptr_array_new () };
}

static void
flattener_clear (HeddleFlattener *self)
{
  g_clear_pointer (&self->flat, heddle_diagram_free);
  g_hash_table_unref (self->names);
  g_hash_table_unref (self->bindings);
  g_hash_table_unref (self->parameters);
  g_clear_pointer (&self->map, heddle_flat_map_free);
  g_ptr_array_unref (self->claims);
  g_ptr_array_unref (self->open);
}

/* Flattens, and clears @self. */
static HeddleDiagram *
finish (HeddleFlattener *self, GError **error)
{
  HeddleDiagram *flat = flatten (self, NULL);
  if (flat == NULL)
    g_propagate_error (error, g_steal_pointer (&self->error));
  flattener_clear (self);
  return flat;
}

HeddleDiagram *
heddle_flatten_call (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *call, GError **error)
{
  HeddleFlattener flattener;
  flattener_init (&flattener, snapshot, diagram, NULL);
  flattener.only = call;
  return finish (&flattener, error);
}

HeddleDiagram *
heddle_flatten_keep_scans (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, GHashTable *overrides, GError **error)
{
  HeddleFlattener flattener;
  flattener_init (&flattener, snapshot, diagram, overrides);
  flattener.keeps_scans = TRUE;
  return finish (&flattener, error);
}

HeddleSnapshot *
heddle_snapshot_flatten (HeddleSnapshot *self, const HeddleDiagram *diagram, GHashTable *overrides,
    const char **call, GError **error)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  if (call != NULL)
    *call = NULL;
  if (!heddle_diagram_has_calls (diagram))
    return heddle_snapshot_ref (self);
  return heddle_snapshot_flatten_mapped (self, diagram, overrides, NULL, call, error);
}

/* Adds the boxes that are still called. */
static void
add_boxes (HeddleSnapshot *flat, const HeddleSnapshot *from, const HeddleDiagram *made)
{
  for (guint i = 0; i < made->operations->len; i++)
    {
      const HeddleOperation *call = g_ptr_array_index (made->operations, i);
      const HeddleDiagram *box = call->callee != NULL ? heddle_call_callee (from, call) : NULL;
      if (box != NULL && heddle_snapshot_get_diagram_by_id (flat, box->id) == NULL)
        heddle_snapshot_add_diagram (flat, heddle_diagram_copy (box));
    }
}

HeddleSnapshot *
heddle_snapshot_flatten_mapped (HeddleSnapshot *self, const HeddleDiagram *diagram, GHashTable *overrides,
    HeddleFlatMap **map, const char **call, GError **error)
{
  g_return_val_if_fail (self != NULL && diagram != NULL, NULL);
  HeddleFlattener flattener;
  flattener_init (&flattener, self, diagram, overrides);
  HeddleSnapshot *flat = NULL;
  HeddleDiagram *made = flatten (&flattener, call);
  if (made != NULL)
    {
      flat = heddle_snapshot_new ();
      heddle_snapshot_add_diagram (flat, made);
      add_boxes (flat, self, made);
      HeddleSchedule *schedule = heddle_flat_map_lift_schedule (flattener.map, self, made);
      if (schedule != NULL)
        g_ptr_array_add (flat->schedules, schedule);
      if (map != NULL)
        *map = g_steal_pointer (&flattener.map);
    }
  else
    g_propagate_error (error, g_steal_pointer (&flattener.error));
  flattener_clear (&flattener);
  return flat;
}
