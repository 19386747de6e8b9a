/* SPDX-License-Identifier: MIT */

#include "large.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

static GArray *
ids (const char *first, const char *second)
{
  GArray *array = heddle_ids_new ();

  if (first != NULL)
    heddle_ids_append (array, first);
  if (second != NULL)
    heddle_ids_append (array, second);
  return array;
}

static const char *
add_value (
    HeddleDiagram *diagram, const char *prefix, guint i, HeddleValueRole role, const char *a, const char *b)
{
  g_autofree char *name = g_strdup_printf ("%s_{%u}", prefix, i);
  g_autoptr (GArray) axes = ids (a, b);

  return heddle_diagram_add_value (diagram, NULL, name, role, HEDDLE_DTYPE_F16, axes)->id;
}

static HeddleOperation *
add_operation (HeddleDiagram *diagram, const char *kind, const char *result, const char *a, const char *b,
    const char *axis)
{
  g_autoptr (GArray) operands = ids (a, b), axes = ids (axis, NULL);

  return heddle_diagram_add_operation (
      diagram, NULL, heddle_operation_kind (kind), operands, result, axes, -1);
}

static HeddleExpr *
sum_of_two (void)
{
  return heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_expr_argument (0), heddle_expr_argument (1));
}

HeddleDiagram *
large_network (guint n_operations)
{
  HeddleDiagram *diagram = heddle_diagram_new ("network");
  const char *b = heddle_diagram_add_axis (diagram, NULL, "b", heddle_expr_number (64))->id;
  const char *m = heddle_diagram_add_axis (diagram, NULL, "m", heddle_expr_number (64))->id;
  const char *stream = add_value (diagram, "X", 0, HEDDLE_ROLE_INPUT, b, m);

  for (guint i = 1; i <= n_operations / 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("f_{%u}", i);
      const char *f = heddle_diagram_add_axis (diagram, NULL, name, heddle_expr_number (64))->id;
      const char *weight = add_value (diagram, "W", i, HEDDLE_ROLE_INPUT, m, f);
      const char *normed = add_value (diagram, "N", i, HEDDLE_ROLE_INTERMEDIATE, b, m);
      const char *product = add_value (diagram, "H", i, HEDDLE_ROLE_INTERMEDIATE, b, f);
      const char *weights = add_value (diagram, "P", i, HEDDLE_ROLE_INTERMEDIATE, b, NULL);
      const char *sum = add_value (diagram, "X", i, HEDDLE_ROLE_INTERMEDIATE, b, m);
      add_operation (diagram, "rmsnorm", normed, stream, NULL, m);
      add_operation (diagram, "contract", product, normed, weight, m);
      add_operation (diagram, "max", weights, product, NULL, f);
      add_operation (diagram, "map", sum, stream, weights, NULL)->body = sum_of_two ();
      stream = sum;
    }
  return diagram;
}

#define NEAR 40 /* values */

HeddleDiagram *
large_random (guint n_operations)
{
  HeddleDiagram *diagram = heddle_diagram_new ("random");
  g_autoptr (GRand) random = g_rand_new_with_seed (n_operations);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  const char *b = heddle_diagram_add_axis (diagram, NULL, "b", heddle_expr_number (64))->id;
  const char *m = heddle_diagram_add_axis (diagram, NULL, "m", heddle_expr_number (64))->id;

  for (guint i = 0; i < 8; i++)
    g_ptr_array_add (values, (gpointer) add_value (diagram, "X", i, HEDDLE_ROLE_INPUT, b, m));
  for (guint i = 0; i < n_operations; i++)
    {
      const guint from = g_rand_int_range (random, 0, 20) == 0 || values->len < NEAR ? 0 : values->len - NEAR;
      const char *first = values->pdata[g_rand_int_range (random, from, values->len)];
      const char *second = values->pdata[g_rand_int_range (random, from, values->len)];
      const char *made = add_value (diagram, "V", i, HEDDLE_ROLE_INTERMEDIATE, b, m);
      if (g_rand_boolean (random))
        add_operation (diagram, "rmsnorm", made, first, NULL, m);
      else
        add_operation (diagram, "map", made, first, second, NULL)->body = sum_of_two ();
      g_ptr_array_add (values, (gpointer) made);
    }
  return diagram;
}
