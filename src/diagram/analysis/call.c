/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "diagram/analysis/call-private.h"
#include "diagram/analysis/call.h"
#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/evaluate.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation.h"

/* A call and what it calls. */
typedef struct
{
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram, *callee;
  const HeddleOperation *call;
  GArray *formals, *outputs; /* of the callee */
  const char *label; /* of the call's first result */
} Call;

HeddleDiagram *
heddle_call_callee (const HeddleSnapshot *snapshot, const HeddleOperation *call)
{
  return call->callee != NULL ? heddle_snapshot_get_diagram_by_id (snapshot, call->callee) : NULL;
}

/* Returns the value's label with its axes, as "X[q, m]"; a newly allocated text. */
static char *
typed_name (const HeddleDiagram *diagram, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);
  g_autofree char *label = heddle_diagram_value_label (diagram, value_id);
  g_autofree char *axes = heddle_axes_to_string (diagram, value->axes);
  return value->axes->len > 0 ? g_strdup_printf ("%s[%s]", label, axes) : g_strdup (label);
}

/* --- numbers of things ------------------------------------------------------------ */

static char *
compare_counts (const Call *self)
{
  guint n_sizes = self->callee->arguments->len,
        given = self->call->sizes != NULL ? self->call->sizes->len : 0;
  for (guint i = 0; i < self->callee->arguments->len; i++)
    n_sizes -= heddle_diagram_get_axis (self->callee, heddle_ids_index (self->callee->arguments, i)) == NULL;
  if (self->call->operands->len != self->formals->len)
    return g_strdup_printf (_ ("%s takes %u arrays; %s gives it %u"), self->callee->name, self->formals->len,
        self->label, self->call->operands->len);
  if (given != n_sizes)
    return g_strdup_printf (
        _ ("%s takes %u sizes; %s gives it %u"), self->callee->name, n_sizes, self->label, given);
  if (heddle_operation_n_results (self->call) != self->outputs->len)
    return g_strdup_printf (_ ("%s makes %u arrays; %s takes %u of it"), self->callee->name,
        self->outputs->len, self->label, heddle_operation_n_results (self->call));
  return NULL;
}

/* --- axes -------------------------------------------------------------------------- */

/* Returns the axes of the calling diagram that the callee's axes do not bind: those that lead in some
 * operand, once each, and the axis that the call is scanned along. The caller owns the array. */
static GArray *
call_woven (const HeddleDiagram *diagram, const HeddleDiagram *callee, const HeddleOperation *call)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (callee);
  GArray *woven = heddle_ids_new ();
  for (guint i = 0; i < MIN (formals->len, call->operands->len); i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (callee, heddle_ids_index (formals, i));
      const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (call->operands, i));
      for (guint j = 0; operand != NULL && j + formal->axes->len < operand->axes->len; j++)
        if (!heddle_ids_contain (woven, heddle_ids_index (operand->axes, j)))
          heddle_ids_append (woven, heddle_ids_index (operand->axes, j));
    }
  const char *scanned = heddle_call_scan_axis (call);
  if (scanned != NULL && !heddle_ids_contain (woven, scanned))
    heddle_ids_append (woven, scanned);
  return woven;
}

static char *
compare_operands (const Call *self)
{
  for (guint i = 0; i < self->formals->len; i++)
    {
      const char *formal = heddle_ids_index (self->formals, i);
      const char *operand = heddle_ids_index (self->call->operands, i);
      g_autofree char *wanted = typed_name (self->callee, formal);
      if (heddle_diagram_get_value (self->diagram, operand)->axes->len
          >= heddle_diagram_get_value (self->callee, formal)->axes->len)
        continue;
      g_autofree char *found = typed_name (self->diagram, operand);
      return g_strdup_printf (_ ("%s takes %s; %s gives it %s, which has fewer axes"), self->callee->name,
          wanted, self->label, found);
    }
  return NULL;
}

/* Compares a result's axes with what they must be: the woven axes, in any order, then one for each axis of
 * the output. Returns what is wrong, or NULL. */
static char *
compare_results (const Call *self)
{
  g_autoptr (GArray) woven = call_woven (self->diagram, self->callee, self->call);
  for (guint i = 0; i < self->outputs->len; i++)
    {
      const HeddleValue *output
          = heddle_diagram_get_value (self->callee, heddle_ids_index (self->outputs, i));
      const HeddleValue *result
          = heddle_diagram_get_value (self->diagram, heddle_operation_get_result (self->call, i));
      gboolean good = result->axes->len == woven->len + output->axes->len;
      for (guint j = 0; good && j < woven->len; j++)
        good = heddle_ids_contain (woven, heddle_ids_index (result->axes, j));
      if (good)
        continue;
      g_autofree char *found = typed_name (self->diagram, result->id);
      g_autofree char *made = typed_name (self->callee, output->id);
      g_autofree char *mapped = heddle_axes_to_string (self->diagram, woven);
      if (woven->len == 0)
        return g_strdup_printf (_ ("%s makes %s, which cannot be %s"), self->callee->name, made, found);
      return g_strdup_printf (_ ("%s makes %s, here for each of %s, which cannot be %s"), self->callee->name,
          made, mapped, found);
    }
  return NULL;
}

/* --- what goes round ---------------------------------------------------------------- */

/* Checks that the first inputs have the axes of the outputs, which become them. Returns what is wrong, or
 * NULL. */
static char *
compare_states (const Call *self)
{
  const gboolean scanned = heddle_call_scan_axis (self->call) != NULL;
  if (self->outputs->len > self->formals->len)
    return g_strdup_printf (scanned ? _ ("%s makes more than it takes, so that it cannot be scanned")
                                    : _ ("%s makes more than it takes, so that it cannot be repeated"),
        self->callee->name);
  for (guint i = 0; i < self->outputs->len; i++)
    {
      const HeddleValue *in = heddle_diagram_get_value (self->callee, heddle_ids_index (self->formals, i));
      const HeddleValue *out = heddle_diagram_get_value (self->callee, heddle_ids_index (self->outputs, i));
      if (heddle_ids_equal (in->axes, out->axes))
        continue;
      g_autofree char *taken = typed_name (self->callee, in->id);
      g_autofree char *made = typed_name (self->callee, out->id);
      return g_strdup_printf (
          scanned ? _ ("%s takes %s and makes %s: what is scanned makes its states as it takes them")
                  : _ ("%s takes %s and makes %s: only what makes what it takes can be repeated"),
          self->callee->name, taken, made);
    }
  return NULL;
}

/* Checks that the inputs that go round are woven as the results are: otherwise the first time would make more
 * than it took. Returns what is wrong, or NULL. */
static char *
compare_woven (const Call *self)
{
  const char *scanned = heddle_call_scan_axis (self->call);
  g_autoptr (GArray) woven = call_woven (self->diagram, self->callee, self->call);
  if (scanned != NULL)
    g_array_remove_index (woven, (guint) heddle_ids_find (woven, scanned));
  for (guint i = 0; i < self->outputs->len; i++)
    {
      const HeddleValue *formal
          = heddle_diagram_get_value (self->callee, heddle_ids_index (self->formals, i));
      const HeddleValue *operand
          = heddle_diagram_get_value (self->diagram, heddle_ids_index (self->call->operands, i));
      g_autofree char *found = typed_name (self->diagram, operand->id);
      if (scanned != NULL && heddle_ids_contain (operand->axes, scanned))
        return g_strdup_printf (_ ("%s scans %s along %s, but %s, its first state, is along that axis"),
            self->label, self->callee->name, heddle_axis_name (self->diagram, scanned), found);
      if (operand->axes->len == formal->axes->len + woven->len)
        continue;
      g_autofree char *mapped = heddle_axes_to_string (self->diagram, woven);
      return g_strdup_printf (scanned != NULL
                                  ? _ ("%s scans %s for each of %s, but %s is not along all of them")
                                  : _ ("%s repeats %s for each of %s, but %s is not along all of them"),
          self->label, self->callee->name, mapped, found);
    }
  return NULL;
}

static char *
check_repeat (const Call *self)
{
  double n;
  if (self->call->repeat == NULL)
    return NULL;
  if (heddle_call_scan_axis (self->call) != NULL)
    return g_strdup_printf (
        _ ("%s repeats %s and scans it: a call does one of the two"), self->label, self->callee->name);
  if (heddle_expr_evaluate (self->call->repeat, NULL, NULL, &n, NULL)
      && !(n >= 1. && n <= HEDDLE_MAX_REPEAT && n == floor (n)))
    return g_strdup_printf (_ ("%s repeats %s %.10g times: expected a whole number from 1 to %d"),
        self->label, self->callee->name, n, HEDDLE_MAX_REPEAT);
  char *why = compare_states (self);
  return why != NULL ? why : compare_woven (self);
}

/* Checks that a state has one type before and after a step. Returns what is wrong, or NULL. */
static char *
compare_types (const Call *self)
{
  for (guint i = 0; i < self->outputs->len; i++)
    {
      const HeddleValue *in = heddle_diagram_get_value (self->callee, heddle_ids_index (self->formals, i));
      const HeddleValue *out = heddle_diagram_get_value (self->callee, heddle_ids_index (self->outputs, i));
      if (in->dtype == out->dtype || in->dtype == HEDDLE_DTYPE_UNSET || out->dtype == HEDDLE_DTYPE_UNSET)
        continue;
      g_autofree char *taken = typed_name (self->callee, in->id);
      g_autofree char *made = typed_name (self->callee, out->id);
      return g_strdup_printf (_ ("%s takes %s as %s and makes %s as %s: a state has one type"),
          self->callee->name, taken, heddle_dtype_to_string (in->dtype), made,
          heddle_dtype_to_string (out->dtype));
    }
  return NULL;
}

static char *
check_scan (const Call *self)
{
  if (heddle_call_scan_axis (self->call) == NULL)
    return NULL;
  if (self->call->shared)
    return g_strdup_printf (_ ("%s scans %s: its parameters are shared by all steps without being said so"),
        self->label, self->callee->name);
  char *why = compare_states (self);
  why = why != NULL ? why : compare_types (self);
  return why != NULL ? why : compare_woven (self);
}

/* --- the whole ---------------------------------------------------------------------- */

static gboolean
has_values (const HeddleDiagram *diagram, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    if (heddle_diagram_get_value (diagram, heddle_ids_index (ids, i)) == NULL)
      return FALSE;
  return TRUE;
}

/* Returns whether all values that the call needs exist; what is wrong with the diagrams themselves is
 * reported where they are checked. */
static gboolean
is_whole (const Call *self)
{
  gboolean whole
      = has_values (self->diagram, self->call->operands) && has_values (self->callee, self->outputs);
  for (guint i = 0; i < heddle_operation_n_results (self->call) && whole; i++)
    whole = heddle_diagram_get_value (self->diagram, heddle_operation_get_result (self->call, i)) != NULL;
  return whole;
}

char *
heddle_call_problem (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const HeddleOperation *call)
{
  const HeddleDiagram *callee = heddle_call_callee (snapshot, call);
  g_autofree char *label = heddle_diagram_value_label (diagram, call->result);
  if (callee == NULL)
    return g_strdup_printf (
        _ ("%s calls %s, which does not exist"), label, call->callee != NULL ? call->callee : "?");
  g_autoptr (GArray) formals = heddle_diagram_get_formals (callee);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (callee);
  const Call self = { snapshot, diagram, callee, call, formals, outputs, label };
  if (!is_whole (&self))
    return g_strdup_printf (_ ("What %s calls is not whole"), label);
  char *(*const checks[]) (const Call *)
      = { compare_counts, compare_operands, compare_results, check_repeat, check_scan };
  char *why = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (checks) && why == NULL; i++)
    why = checks[i](&self);
  return why;
}
