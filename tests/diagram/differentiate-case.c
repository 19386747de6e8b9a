/* SPDX-License-Identifier: MIT */
#include "differentiate-case.h"

#include "attention.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/check/check.h"
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/differentiate.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/diagram.h"

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

/* Moves all inputs along @direction (one array each), or with %NULL input @i's element @j alone. */
static void
move (const Point *self, GPtrArray *direction, guint i, gint64 j, double step)
{
  for (guint k = 0; k < self->wrt->len; k++)
    {
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, heddle_ids_index (self->wrt, k));
      HeddleArray *input = input_of (self, value->name);

      if (direction == NULL && k == i)
        input->data[j] += step;
      for (gint64 n = 0; direction != NULL && n < input->n_elements; n++)
        input->data[n] += step * ((double *) g_ptr_array_index (direction, k))[n];
    }
}

static double
difference_of (const Point *self, GPtrArray *direction, guint i, gint64 j, double step)
{
  double above, below;

  move (self, direction, i, j, step);
  above = loss (self);
  move (self, direction, i, j, -2. * step);
  below = loss (self);
  move (self, direction, i, j, step);
  return (above - below) / (2. * step);
}

/* Between the two points there is a kink or a jump: with a smaller step the difference is another one. */
static gboolean
is_broken (const Point *self, GPtrArray *direction, guint i, gint64 j, double difference)
{
  double closer = difference_of (self, direction, i, j, STEP / 8.);

  return !(fabs (closer - difference) <= 1e-2 * fabs (difference) + 1e-5);
}

static void
assert_agrees (const Point *self, guint i, GHashTable *values)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, heddle_ids_index (self->wrt, i));
  HeddleArray *input = input_of (self, value->name);
  const char *result = heddle_ids_index (self->backward->outputs, i);
  const HeddleArray *derivative = g_hash_table_lookup (values, result);
  double error = 0., scale = 0.;
  gint64 n_broken = 0;

  g_assert_true (heddle_ids_equal (heddle_diagram_get_value (self->backward, result)->axes, value->axes));
  g_assert_cmpint (derivative->n_elements, ==, input->n_elements);
  for (gint64 j = 0; j < input->n_elements; j++)
    {
      double before = input->data[j], difference = difference_of (self, NULL, i, j, STEP);
      double apart = fabs (derivative->data[j] - difference);
      gboolean broken = apart > 1e-6 * fabs (difference) + 1e-9 && is_broken (self, NULL, i, j, difference);

      input->data[j] = before;
      n_broken += broken;
      error += broken ? 0. : apart * apart;
      scale += broken ? 0. : pow (difference, 2.);
    }
  g_assert_cmpint (n_broken, <=, 1 + input->n_elements / 8);
  if (!(sqrt (error) <= 1e-6 * sqrt (scale) + 1e-9))
    g_error ("%s: the derivative by %s is off by %g of %g", self->diagram->name, value->name, sqrt (error),
        sqrt (scale));
}

/* What all inputs together come to along a direction drawn at random. %FALSE: there is a kink on the way. */
static gboolean
assert_agrees_along (const Point *self, GHashTable *values, GRand *random)
{
  g_autoptr (GPtrArray) direction = g_ptr_array_new_with_free_func (g_free);
  double sum = 0., scale = 0., apart = INFINITY, before = INFINITY;

  for (guint i = 0; i < self->wrt->len; i++)
    {
      const HeddleArray *derivative
          = g_hash_table_lookup (values, heddle_ids_index (self->backward->outputs, i));
      double *along = g_new (double, derivative->n_elements);

      for (gint64 j = 0; j < derivative->n_elements; j++)
        {
          along[j] = g_rand_double_range (random, -1., 1.);
          sum += along[j] * derivative->data[j];
          scale += derivative->data[j] * derivative->data[j];
        }
      g_ptr_array_add (direction, along);
    }
  for (double step = STEP / 4.; step >= STEP / 1024. && !(apart <= 1e-5 * sqrt (scale) + 1e-9); step /= 8.)
    {
      before = apart;
      apart = fabs (difference_of (self, direction, 0, 0, step) - sum);
    }
  if (apart <= 1e-5 * sqrt (scale) + 1e-9)
    return TRUE;
  if (fabs (before - apart) <= 1e-2 * apart) /* the same however small the step is */
    g_error ("%s: the derivative along a direction is off by %g of %g", self->diagram->name, apart, sum);
  return FALSE;
}

/* Draws the point and evaluates the backward diagram there; %NULL: the forward diagram's are no numbers. */
static GHashTable *
evaluate_backward (Point *point, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (point->backward, NULL, &error);

  g_assert_no_error (error);
  heddle_evaluate_fill_inputs (point->backward, sizes, point->inputs, seed, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (point->backward->outputs->len, ==, point->wrt->len);
  return isfinite (loss (point)) ? evaluate (point->backward, sizes, point->inputs) : NULL;
}

static gboolean
check_point (const HeddleDiagram *diagram, guint64 seed, guint n_directions)
{
  g_autoptr (HeddleDiagram) backward = backward_of (diagram);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GArray) wrt = real_inputs (diagram);
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) seed);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, &error);
  Point point = { diagram, backward, sizes, inputs, wrt };
  g_autoptr (GHashTable) values = evaluate_backward (&point, seed);
  guint n_smooth = 0;

  if (values == NULL)
    return FALSE;
  for (guint i = 0; n_directions == 0 && i < wrt->len; i++)
    assert_agrees (&point, i, values);
  for (guint i = 0; i < n_directions; i++)
    n_smooth += assert_agrees_along (&point, values, random);
  g_assert_cmpuint (2 * n_smooth, >=, n_directions);
  return TRUE;
}

gboolean
assert_differences_agree (const HeddleDiagram *diagram, guint64 seed)
{
  return check_point (diagram, seed, 0);
}

gboolean
assert_directions_agree (const HeddleDiagram *diagram, guint64 seed)
{
  return check_point (diagram, seed, 6);
}
