/* SPDX-License-Identifier: MIT */
#include "differentiate-case.h"

#include "attention.h"
#include "diagram/check.h"

#include <math.h>
#include <string.h>

/* --- diagrams of text ------------------------------------------------------------------ */

static HeddleExpr *
axis_symbol (const char *name, gpointer data)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (data, name);

  return axis != NULL ? heddle_expr_size (axis->id) : NULL;
}

static HeddleExpr *
expression (HeddleDiagram *diagram, const char *text)
{
  g_autoptr (GError) error = NULL;
  HeddleExpr *expr = heddle_expr_parse (text, axis_symbol, diagram, &error);

  g_assert_no_error (error);
  return expr;
}

static void
add_input (HeddleDiagram *diagram, const char *text)
{
  const char *space = strchr (text, ' ');
  g_autofree char *name = space != NULL ? g_strndup (text, (gsize) (space - text)) : g_strdup (text);
  g_autoptr (GArray) axes = fixture_ids (diagram, space != NULL ? space + 1 : "");

  heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_F64, axes);
}

static void
add_operation (HeddleDiagram *diagram, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "|", -1);
  const char *kind = parts[0], *what = parts[4];
  gboolean has_core = strcmp (kind, "map") != 0 && strcmp (kind, "reindex") != 0;
  HeddleOperation *operation = fixture_operation (
      diagram, kind, strcmp (parts[1], "_") ? parts[1] : NULL, parts[2], parts[3], has_core ? what : "");

  if (strcmp (kind, "map") == 0)
    operation->body = expression (diagram, what);
  else if (!has_core)
    {
      g_auto (GStrv) indices = g_strsplit (what, ";", -1);

      g_clear_pointer (&operation->indices, g_ptr_array_unref);
      operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
      for (guint i = 0; indices[i] != NULL; i++)
        g_ptr_array_add (operation->indices, expression (diagram, indices[i]));
    }
  if (parts[5] != NULL)
    operation->options[0] = g_ascii_strtod (parts[5], NULL);
}

HeddleDiagram *
diagram_of (const DiagramText *text)
{
  HeddleDiagram *diagram = heddle_diagram_new (text->name);
  g_auto (GStrv) axes = g_strsplit (text->axes, " ", -1);
  g_auto (GStrv) inputs = g_strsplit (text->inputs, "; ", -1);

  for (guint i = 0; axes[i] != NULL; i++)
    {
      char *size = strchr (axes[i], '=');

      *size = '\0';
      fixture_axis (diagram, axes[i], g_ascii_strtod (size + 1, NULL));
    }
  for (guint i = 0; inputs[i] != NULL; i++)
    add_input (diagram, inputs[i]);
  for (guint i = 0; text->operations[i] != NULL; i++)
    add_operation (diagram, text->operations[i]);
  return diagram;
}

char *
names_of (const HeddleDiagram *diagram, const GArray *ids)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (
        names, "%s ", heddle_diagram_get_value (diagram, heddle_ids_index (ids, i))->name);
  return g_string_free (names, FALSE);
}

/* Inputs and parameters that hold real numbers. */
static GArray *
real_inputs (const HeddleDiagram *diagram)
{
  GArray *inputs = heddle_diagram_get_inputs (diagram);

  for (guint i = inputs->len; i-- > 0;)
    if (!heddle_dtype_is_real (heddle_diagram_get_value (diagram, heddle_ids_index (inputs, i))->dtype))
      g_array_remove_index (inputs, i);
  return inputs;
}

HeddleDiagram *
backward_of (const HeddleDiagram *diagram)
{
  g_autoptr (GArray) inputs = real_inputs (diagram);
  g_autoptr (GPtrArray) wrt = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = NULL;
  HeddleDiagram *backward;

  for (guint i = 0; i < inputs->len; i++)
    g_ptr_array_add (wrt, heddle_diagram_get_value (diagram, heddle_ids_index (inputs, i))->name);
  backward = heddle_diagram_differentiate (diagram, wrt, &error);
  g_assert_no_error (error);
  problems = heddle_check_diagram (backward);
  g_assert_false (heddle_problems_have_errors (problems));
  return backward;
}

/* --- finite differences ---------------------------------------------------------------- */

#define STEP 0x1p-16

typedef struct
{
  const HeddleDiagram *diagram, *backward;
  HeddleSizes *sizes;
  GHashTable *inputs; /* of the backward diagram, by name */
  GArray *wrt; /* ids */
} Point;

static GHashTable *
evaluate (const HeddleDiagram *diagram, const HeddleSizes *sizes, GHashTable *inputs)
{
  g_autoptr (GError) error = NULL;
  GHashTable *values = heddle_evaluate (diagram, sizes, inputs, HEDDLE_PRECISION_F64, NULL, &error);

  g_assert_no_error (error);
  return values;
}

static HeddleArray *
input_of (const Point *self, const char *name)
{
  HeddleArray *array = g_hash_table_lookup (self->inputs, name);

  g_assert_nonnull (array);
  return array;
}

/* The inner product of all outputs with their cotangents. */
static double
loss (const Point *self)
{
  g_autoptr (GHashTable) values = evaluate (self->diagram, self->sizes, self->inputs);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->diagram);
  double total = 0.;

  for (guint i = 0; i < outputs->len; i++)
    {
      const char *id = heddle_ids_index (outputs, i);
      g_autofree char *label = heddle_diagram_value_label (self->diagram, id);
      g_autofree char *name = heddle_cotangent_name (label);
      const HeddleArray *value = g_hash_table_lookup (values, id), *cotangent = input_of (self, name);

      for (gint64 j = 0; j < value->n_elements; j++)
        total += value->data[j] * cotangent->data[j];
    }
  return total;
}

static void
assert_agrees (const Point *self, guint i, GHashTable *values)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, heddle_ids_index (self->wrt, i));
  HeddleArray *input = input_of (self, value->name);
  const char *result = heddle_ids_index (self->backward->outputs, i);
  const HeddleArray *derivative = g_hash_table_lookup (values, result);
  double error = 0., scale = 0.;

  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (self->backward, result)->axes, value->axes));
  g_assert_cmpint (derivative->n_elements, ==, input->n_elements);
  for (gint64 j = 0; j < input->n_elements; j++)
    {
      double before = input->data[j], above, difference;

      input->data[j] = before + STEP;
      above = loss (self);
      input->data[j] = before - STEP;
      difference = (above - loss (self)) / (2. * STEP);
      input->data[j] = before;
      error += pow (derivative->data[j] - difference, 2.);
      scale += pow (difference, 2.);
    }
  if (!(sqrt (error) <= 1e-6 * sqrt (scale) + 1e-9))
    g_error ("%s: the derivative by %s is off by %g of %g", self->diagram->name, value->name, sqrt (error),
        sqrt (scale));
}

gboolean
assert_differences_agree (const HeddleDiagram *diagram, guint64 seed)
{
  g_autoptr (HeddleDiagram) backward = backward_of (diagram);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GArray) wrt = real_inputs (diagram);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (backward, NULL, &error);
  g_autoptr (HeddleSizes) forward_sizes = heddle_sizes_new (diagram, NULL, &error);
  g_autoptr (GHashTable) values = NULL;
  Point point = { diagram, backward, forward_sizes, inputs, wrt };

  g_assert_no_error (error);
  heddle_evaluate_fill_inputs (backward, sizes, inputs, seed, &error);
  g_assert_no_error (error);
  if (!isfinite (loss (&point)))
    return FALSE;
  values = evaluate (backward, sizes, inputs);
  g_assert_cmpuint (backward->outputs->len, ==, wrt->len);
  for (guint i = 0; i < wrt->len; i++)
    assert_agrees (&point, i, values);
  return TRUE;
}
