/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "diagram/analysis/call-private.h"
#include "diagram/analysis/call.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/tree.h"
#include "diagram/flatten/bind.h"
#include "diagram/flatten/linear.h"
#include "diagram/flatten/names.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation.h"
#include "diagram/expression/private.h"
#include "diagram/flatten/expansion.h"
#include "diagram/graph/calls.h"

/* The greatest number of nodes of an expression that is put in place of a number: calls within calls must not
 * make it ever longer. */
#define LONGEST_NUMBER 64

/* A call being bound. */
typedef struct
{
  HeddleFlattener *flattener;
  const HeddleExpansion *caller;
  const HeddleDiagram *callee;
  const HeddleOperation *call;
  const char *const *arguments; /* flat values */
  HeddleBinding *binding;
  GHashTable *taken; /* flat axes that stand for an axis already, or that the call is mapped over */
  char *label;
} Bind;

void
heddle_binding_free (HeddleBinding *self)
{
  g_free (self->ids);
  g_free (self->name);
  g_hash_table_unref (self->axes);
  g_hash_table_unref (self->numbers);
  g_clear_pointer (&self->recurrences, g_hash_table_unref);
  g_free (self);
}

/* --- claims ------------------------------------------------------------------------- */

void
heddle_claim_free (HeddleClaim *self)
{
  heddle_expr_unref (self->a);
  heddle_expr_unref (self->b);
  g_free (self->message);
  g_free (self);
}

/* Adds the claim that two sizes are equal. Takes @message. */
static void
claim (const Bind *self, HeddleExpr *a, HeddleExpr *b, char *message)
{
  HeddleClaim *claim = g_new (HeddleClaim, 1);
  *claim = (HeddleClaim){ self->flattener->call, a, b, message };
  g_ptr_array_add (self->flattener->claims, claim);
}

/* --- axes ---------------------------------------------------------------------------- */

static const char *
flat_of (const Bind *self, const char *axis)
{
  return g_hash_table_lookup (self->binding->axes, axis);
}

static const char *
flat_name (const Bind *self, const char *flat_axis)
{
  return heddle_axis_name (self->flattener->flat, flat_axis);
}

static void
set (Bind *self, const char *axis, const char *flat)
{
  g_hash_table_insert (self->binding->axes, (gpointer) axis, (gpointer) flat);
  g_hash_table_add (self->taken, (gpointer) flat);
}

/* Binds an axis of the callee to a new flat axis of its own. Takes @size. */
static void
set_fresh (Bind *self, const char *axis_id, HeddleExpr *size)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->callee, axis_id);
  g_autofree char *id = g_strconcat (self->binding->ids, ".", axis_id, NULL);
  set (self, axis_id,
      heddle_flatten_add_axis (self->flattener, id, self->binding->name, axis->name, size)->id);
}

/* Binds @axis of the callee to @flat: to itself if that stands for nothing else, else to another axis of the
 * same size. */
static void
bind_axis (Bind *self, const char *axis, const char *flat)
{
  const char *known = flat_of (self, axis);
  if (known == flat)
    return;
  if (known != NULL)
    claim (self, heddle_expr_size (known), heddle_expr_size (flat),
        g_strdup_printf (_ ("%s of %s is %s, and in %s also %s, but their sizes differ"),
            heddle_axis_name (self->callee, axis), self->callee->name, flat_name (self, known), self->label,
            flat_name (self, flat)));
  else if (g_hash_table_contains (self->taken, flat))
    set_fresh (self, axis, heddle_expr_size (flat));
  else
    set (self, axis, flat);
}

/* Binds the axes of a value of the callee to the trailing axes of a flat value. */
static void
bind_value (Bind *self, const HeddleValue *value, const GArray *flat_axes)
{
  guint leading = flat_axes->len - value->axes->len;
  for (guint i = 0; i < value->axes->len; i++)
    bind_axis (self, heddle_ids_index (value->axes, i), heddle_ids_index (flat_axes, leading + i));
}

static void
take_woven (Bind *self, const GArray *formals)
{
  for (guint i = 0; i < formals->len; i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (self->callee, heddle_ids_index (formals, i));
      const HeddleValue *flat = heddle_diagram_get_value (self->flattener->flat, self->arguments[i]);
      for (guint j = 0; j + formal->axes->len < flat->axes->len; j++)
        g_hash_table_add (self->taken, (gpointer) heddle_ids_index (flat->axes, j));
    }
  if (self->binding->scan_axis != NULL)
    g_hash_table_add (self->taken, (gpointer) self->binding->scan_axis);
}

static void
bind_inputs (Bind *self)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (self->callee);
  take_woven (self, formals);
  for (guint i = 0; i < formals->len; i++)
    bind_value (self, heddle_diagram_get_value (self->callee, heddle_ids_index (formals, i)),
        heddle_diagram_get_value (self->flattener->flat, self->arguments[i])->axes);
}

static void
bind_outputs (Bind *self)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->callee);
  for (guint i = 0; i < outputs->len; i++)
    {
      const HeddleValue *result
          = heddle_diagram_get_value (self->caller->diagram, heddle_operation_get_result (self->call, i));
      g_autoptr (GArray) flat = heddle_ids_new ();
      for (guint j = 0; j < result->axes->len; j++)
        heddle_ids_append (flat, heddle_expansion_axis (self->caller, heddle_ids_index (result->axes, j)));
      bind_value (self, heddle_diagram_get_value (self->callee, heddle_ids_index (outputs, i)), flat);
    }
}

/* --- sizes ----------------------------------------------------------------------------- */

static gboolean
runs_along (const HeddleExpr *expr, const char *axis)
{
  return expr != NULL && heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, axis);
}

/* Returns whether nothing runs along the axis: what is given for it is a number, such as a stride or a
 * padding. */
static gboolean
is_number (const HeddleDiagram *diagram, const char *axis)
{
  for (guint i = 0; i < diagram->values->len; i++)
    if (heddle_ids_contain (((const HeddleValue *) diagram->values->pdata[i])->axes, axis))
      return FALSE;
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = diagram->operations->pdata[i];
      if (heddle_ids_contain (operation->axes, axis) || runs_along (operation->body, axis))
        return FALSE;
      for (guint j = 0; operation->indices != NULL && j < operation->indices->len; j++)
        if (runs_along (operation->indices->pdata[j], axis))
          return FALSE;
    }
  return TRUE;
}

/* Puts a number where it is used: unlike the length of an axis it may be 0. Takes @given. */
static void
set_number (Bind *self, const char *axis, HeddleExpr *given)
{
  HeddleExpr *whole = heddle_expr_node (HEDDLE_EXPR_FLOOR, (HeddleExpr *[]){ heddle_expr_ref (given) }, 1);
  HeddleExpr *least
      = heddle_expr_node (HEDDLE_EXPR_MAX, (HeddleExpr *[]){ whole, heddle_expr_number (0.) }, 2);
  g_hash_table_insert (self->binding->numbers, (gpointer) axis, given);
  claim (self, heddle_expr_ref (given), least,
      g_strdup_printf (_ ("%s of %s is given a number that is not whole, or less than 0"),
          heddle_axis_name (self->callee, axis), self->callee->name));
}

static void
bind_sizes (Bind *self)
{
  const GArray *arguments = self->callee->arguments;
  for (guint i = 0, next = 0; i < arguments->len; i++)
    {
      const char *axis = heddle_ids_index (arguments, i);
      if (heddle_diagram_get_axis (self->callee, axis) == NULL)
        continue;
      HeddleExpr *given = heddle_expr_substitute (
          g_ptr_array_index (self->call->sizes, next++), heddle_expansion_leaf, (gpointer) self->caller);
      if (flat_of (self, axis) == NULL && given->n_nodes <= LONGEST_NUMBER && is_number (self->callee, axis))
        set_number (self, axis, given);
      else if (flat_of (self, axis) == NULL)
        set_fresh (self, axis, given);
      else
        claim (self, heddle_expr_size (flat_of (self, axis)), given,
            g_strdup_printf (_ ("%s of %s is %s, but %s gives it another size"),
                heddle_axis_name (self->callee, axis), self->callee->name,
                flat_name (self, flat_of (self, axis)), self->label));
    }
}

/* Handles a size that the callee gives: for an axis of its own it is the size; for an axis of the caller it
 * is a claim, or the size if that has none. */
static void
say_size (Bind *self, const HeddleAxis *axis, gboolean is_new)
{
  const HeddleExpansion inside = { .diagram = self->callee, .binding = self->binding };
  const char *flat = flat_of (self, axis->id);
  HeddleExpr *size = heddle_expr_substitute (axis->size, heddle_expansion_leaf, (gpointer) &inside);
  if (is_new || heddle_diagram_get_axis (self->flattener->flat, flat)->size == NULL)
    heddle_diagram_edit_axis (self->flattener->flat, flat)->size = size;
  else
    claim (self, heddle_expr_size (flat), size,
        g_strdup_printf (_ ("%s is %s of %s in %s, but their sizes differ"), flat_name (self, flat),
            axis->name, self->callee->name, self->label));
}

static void
bind_rest (Bind *self)
{
  g_autoptr (GHashTable) new = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->callee->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->callee->axes, i);
      if (flat_of (self, axis->id) != NULL || g_hash_table_contains (self->binding->numbers, axis->id))
        continue;
      set_fresh (self, axis->id, NULL);
      g_hash_table_add (new, (gpointer) axis->id);
    }
  for (guint i = 0; i < self->callee->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->callee->axes, i);
      /* What is given at the call stands for the size that the definition was drawn with. */
      if (axis->size != NULL && !heddle_ids_contain (self->callee->arguments, axis->id))
        say_size (self, axis, g_hash_table_contains (new, axis->id));
    }
}

/* --- times ----------------------------------------------------------------------------- */

/* Returns the number of times that the callee is called, over flat axes; NAN if it is not known. */
static double
evaluate_times (const Bind *self, const HeddleExpr *times)
{
  HeddleFlattener *flattener = self->flattener;
  g_autoptr (HeddleSizes) sizes = NULL;
  double n = NAN;
  if (heddle_expr_uses (times, HEDDLE_EXPR_SIZE, NULL))
    sizes = heddle_sizes_resolve (flattener->flat, flattener->overrides, NULL, NULL);
  return heddle_expr_evaluate (times, sizes != NULL ? heddle_sizes_lookup : NULL, sizes, &n, NULL) ? n : NAN;
}

static gboolean
count_repeats (Bind *self)
{
  g_autoptr (HeddleExpr) times
      = heddle_expr_substitute (self->call->repeat, heddle_expansion_leaf, (gpointer) self->caller);
  const double n = evaluate_times (self, times);
  if (n >= 1. && n <= HEDDLE_MAX_REPEAT && n == floor (n))
    self->binding->times = (gint64) n;
  else
    heddle_flatten_fail (self->flattener, HEDDLE_DIAGRAM_ERROR_SIZE,
        _ ("%s repeats %s a number of times that is not known, or not a whole number from 1 to %d"),
        self->label, self->callee->name, HEDDLE_MAX_REPEAT);
  return self->flattener->error == NULL;
}

/* A size that is not known yet is no error of the diagram: the scan can be drawn, but not written out. */
static gboolean
count_steps (Bind *self)
{
  const char *axis = self->binding->scan_axis;
  g_autoptr (HeddleExpr) size = heddle_expr_size (axis);
  const double n = evaluate_times (self, size);
  if (isnan (n))
    heddle_flatten_fail (self->flattener, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED,
        _ ("%s scans %s along %s, whose size is not known: it can be computed once it is"), self->label,
        self->callee->name, flat_name (self, axis));
  else if (n > HEDDLE_MAX_REPEAT)
    heddle_flatten_fail (self->flattener, HEDDLE_DIAGRAM_ERROR_LIMIT,
        _ ("%s scans %s along %s, which is %.10g long: a scan has at most %d steps"), self->label,
        self->callee->name, flat_name (self, axis), n, HEDDLE_MAX_REPEAT);
  else
    self->binding->times = (gint64) n;
  return self->flattener->error == NULL;
}

static gboolean
count_times (Bind *self)
{
  self->binding->times = 1;
  if (self->binding->scan_axis != NULL)
    self->binding->recurrences = heddle_linear_steps (self->callee);
  if (self->binding->recurrences != NULL)
    return TRUE;
  if (self->binding->scan_axis != NULL)
    return count_steps (self);
  return self->call->repeat == NULL || count_repeats (self);
}

const char *
heddle_flatten_repeat_axis (HeddleFlattener *self, HeddleBinding *binding)
{
  if (binding->repeat_axis != NULL)
    return binding->repeat_axis;
  g_autofree char *id = g_strconcat (binding->ids, ".times", NULL);
  HeddleAxis *axis = heddle_flatten_add_axis (
      self, id, binding->name, "times", heddle_expr_number ((double) binding->times));
  HeddleClaim *claim = g_new (HeddleClaim, 1);
  *claim
      = (HeddleClaim){ self->call, heddle_expr_size (axis->id), heddle_expr_number ((double) binding->times),
          g_strdup_printf (_ ("%s is as long as something is often repeated"), axis->name) };
  g_ptr_array_add (self->claims, claim);
  return binding->repeat_axis = axis->id;
}

/* --- the whole --------------------------------------------------------------------------- */

static HeddleBinding *
binding_new (const HeddleExpansion *caller, const HeddleOperation *call, const char *ids)
{
  g_autofree char *label = heddle_diagram_value_label (caller->diagram, call->result);
  const char *scanned = heddle_call_scan_axis (call);
  HeddleBinding *self = g_new0 (HeddleBinding, 1);
  self->scan_axis = scanned != NULL ? heddle_expansion_axis (caller, scanned) : NULL;
  self->ids = g_strdup (ids);
  self->name = heddle_flatten_join (caller->binding != NULL ? caller->binding->name : "", label);
  self->axes = g_hash_table_new (NULL, NULL);
  self->numbers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_expr_unref);
  return self;
}

const HeddleBinding *
heddle_flatten_bind (HeddleFlattener *self, const HeddleExpansion *caller, const HeddleOperation *call,
    const char *const *arguments)
{
  g_autofree char *ids = heddle_flatten_join (caller->binding != NULL ? caller->binding->ids : "", call->id);
  HeddleBinding *known = g_hash_table_lookup (self->bindings, ids);
  if (known != NULL)
    return known;
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_autofree char *label = heddle_diagram_value_label (caller->diagram, call->result);
  Bind bind = { self, caller, heddle_call_callee (self->snapshot, call), call, arguments,
    binding_new (caller, call, ids), taken, label };
  g_hash_table_insert (self->bindings, g_strdup (ids), bind.binding);
  bind_inputs (&bind);
  bind_outputs (&bind);
  bind_sizes (&bind);
  bind_rest (&bind);
  return count_times (&bind) ? bind.binding : NULL;
}
