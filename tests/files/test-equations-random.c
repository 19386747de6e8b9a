/* SPDX-License-Identifier: MIT */
#include <locale.h>

#include "equations-case.h"

/* Diagrams made at random, of every kind of operation, named and unnamed: text must lose nothing of them. */

#define N_AXES 5
#define N_DIAGRAMS 400

typedef struct
{
  HeddleDiagram *diagram;
  const char *axes[N_AXES];
  guint n_names;
} Maker;

static int
below (int n)
{
  return g_test_rand_int_range (0, n);
}

static const HeddleValue *
any_value (Maker *self)
{
  return g_ptr_array_index (self->diagram->values, (guint) below ((int) self->diagram->values->len));
}

static HeddleValue *
add_value (Maker *self, const GArray *axes)
{
  g_autofree char *name = below (2) ? g_strdup_printf ("v_%u", ++self->n_names) : NULL;
  HeddleDtype dtype = below (8) == 0 ? HEDDLE_DTYPE_F16 : HEDDLE_DTYPE_UNSET;
  HeddleValue *value
      = heddle_diagram_add_value (self->diagram, NULL, name, HEDDLE_ROLE_INTERMEDIATE, dtype, axes);

  if (below (6) == 0)
    value->comment = g_strdup (below (2) ? "above\n\nall" : "above\fbehind");
  return value;
}

static HeddleOperation *
add_operation (
    Maker *self, const char *kind, const GArray *operands, const HeddleValue *result, const GArray *axes)
{
  return heddle_diagram_add_operation (
      self->diagram, NULL, heddle_operation_kind (kind), operands, result->id, axes, -1);
}

static void
add_missing (GArray *ids, const GArray *more)
{
  for (guint i = 0; i < more->len; i++)
    if (!heddle_ids_contain (ids, heddle_ids_index (more, i)))
      heddle_ids_append (ids, heddle_ids_index (more, i));
}

static void
shuffle (GArray *ids)
{
  for (guint i = ids->len; i > 1; i--)
    {
      guint j = (guint) below ((int) i);
      const char *last = heddle_ids_index (ids, i - 1);
      heddle_ids_index (ids, i - 1) = heddle_ids_index (ids, j);
      heddle_ids_index (ids, j) = last;
    }
}

/* --- operations ---------------------------------------------------------------------- */

/* An expression that uses @n operands, each first in its turn. */
static HeddleExpr *
random_body (Maker *self, guint n, const GArray *axes)
{
  static const HeddleExprKind unary[] = { HEDDLE_EXPR_NEG, HEDDLE_EXPR_EXP, HEDDLE_EXPR_RELU,
    HEDDLE_EXPR_GELU, HEDDLE_EXPR_ABS, HEDDLE_EXPR_NOT };
  static const HeddleExprKind binary[] = { HEDDLE_EXPR_ADD, HEDDLE_EXPR_SUB, HEDDLE_EXPR_MUL, HEDDLE_EXPR_DIV,
    HEDDLE_EXPR_POW, HEDDLE_EXPR_MAX, HEDDLE_EXPR_LT, HEDDLE_EXPR_AND, HEDDLE_EXPR_OR };
  HeddleExpr *body = heddle_expr_argument (0);

  for (guint i = 1; i < n || below (3) > 0; i++)
    {
      HeddleExpr *other = i < n            ? heddle_expr_argument (i)
                          : axes->len == 0 ? heddle_expr_number (below (5) / 2. - 1.)
                          : below (3) == 0
                              ? heddle_expr_index (heddle_ids_index (axes, (guint) below ((int) axes->len)))
                          : below (2) ? heddle_expr_size (self->axes[below (N_AXES)])
                                      : heddle_expr_number (below (9) - 4.25);

      if (below (6) == 0)
        body = heddle_expr_where (body, other, heddle_expr_number (below (3)));
      else
        body = heddle_expr_binary (binary[below (G_N_ELEMENTS (binary))], body, other);
      if (below (3) == 0)
        body = heddle_expr_unary (unary[below (G_N_ELEMENTS (unary))], body);
    }
  return body;
}

static void
add_map (Maker *self)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  guint n = 1 + (guint) below (3);
  HeddleExpr *body;

  for (guint i = 0; i < n; i++)
    {
      const HeddleValue *value = any_value (self);
      if (heddle_ids_contain (operands, value->id))
        continue;
      heddle_ids_append (operands, value->id);
      add_missing (axes, value->axes);
    }
  body = random_body (self, operands->len, axes);
  if (below (6) == 0)
    shuffle (axes);
  add_operation (self, "map", operands, add_value (self, axes), NULL)->body = body;
}

static void
add_contraction (Maker *self)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autoptr (GArray) over = heddle_ids_new ();
  guint n = 2 + (guint) below (2);

  for (guint i = 0; i < n; i++)
    {
      const HeddleValue *value = any_value (self);
      for (guint j = 0; j < value->axes->len; j++)
        if (heddle_ids_contain (axes, heddle_ids_index (value->axes, j)) && below (2)
            && !heddle_ids_contain (over, heddle_ids_index (value->axes, j)))
          heddle_ids_append (over, heddle_ids_index (value->axes, j));
      heddle_ids_append (operands, value->id);
      add_missing (axes, value->axes);
    }
  if (over->len == 0)
    return;
  for (guint i = 0; i < over->len; i++)
    g_array_remove_index (axes, (guint) heddle_ids_find (axes, heddle_ids_index (over, i)));
  if (below (4) == 0)
    shuffle (axes);
  add_operation (self, "contract", operands, add_value (self, axes), over);
}

static void
add_reduction (Maker *self)
{
  static const char *const kinds[] = { "sum", "max", "mean", "logsumexp", "softmax", "rmsnorm", "layernorm" };
  const HeddleValue *value = any_value (self);
  const HeddleOperationKind *kind = heddle_operation_kind (kinds[below (G_N_ELEMENTS (kinds))]);
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autoptr (GArray) over = heddle_ids_new ();
  HeddleOperation *operation;

  if (value->axes->len == 0)
    return;
  heddle_ids_append (operands, value->id);
  for (guint i = 0; i < value->axes->len; i++)
    if (below (2) || (i == 0 && over->len == 0))
      heddle_ids_append (over, heddle_ids_index (value->axes, i));
  for (guint i = 0; i < value->axes->len; i++)
    if (kind->form == HEDDLE_FORM_NORMALISE || !heddle_ids_contain (over, heddle_ids_index (value->axes, i)))
      heddle_ids_append (axes, heddle_ids_index (value->axes, i));
  operation = add_operation (self, kind->id, operands, add_value (self, axes), over);
  if (kind->options[0].name != NULL && below (2))
    operation->options[0] = 1e-5;
}

static HeddleExpr *
random_index (Maker *self, GArray *axes)
{
  const char *axis = self->axes[below (N_AXES)];
  HeddleExpr *index = below (5) == 0 ? heddle_expr_number (below (3)) : heddle_expr_index (axis);

  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX && !heddle_ids_contain (axes, axis))
    heddle_ids_append (axes, axis);
  if (below (2))
    return index;
  index = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number (1 + below (3)), index);
  return heddle_expr_binary (
      HEDDLE_EXPR_SUB, index, below (2) ? heddle_expr_size (axis) : heddle_expr_number (1.));
}

static void
add_reindexing (Maker *self)
{
  const HeddleValue *value = any_value (self);
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  heddle_ids_append (operands, value->id);
  for (guint i = 0; i < value->axes->len; i++)
    g_ptr_array_add (indices, random_index (self, axes));
  if (below (4) == 0)
    shuffle (axes);
  if (below (4) == 0 && !heddle_ids_contain (axes, self->axes[0]))
    heddle_ids_append (axes, self->axes[0]);
  add_operation (self, "reindex", operands, add_value (self, axes), NULL)->indices = indices;
}

/* --- diagrams ------------------------------------------------------------------------ */

static void
add_inputs (Maker *self)
{
  for (guint i = 0; i < N_AXES; i++)
    {
      g_autofree char *name = g_strdup_printf ("%c", 'h' + i);
      self->axes[i] = heddle_diagram_add_axis (self->diagram, NULL, name, heddle_expr_number (4.))->id;
    }
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("%c", 'A' + i);
      g_autoptr (GArray) axes = heddle_ids_new ();
      for (guint j = 0; j < N_AXES; j++)
        if (below (2))
          heddle_ids_append (axes, self->axes[j]);
      heddle_diagram_add_value (self->diagram, NULL, name, i == 2 ? HEDDLE_ROLE_PARAMETER : HEDDLE_ROLE_INPUT,
          below (2) ? HEDDLE_DTYPE_F16 : HEDDLE_DTYPE_UNSET, axes);
    }
}

/* What nobody reads needs a name: as an output its name counts. */
static void
name_outputs (Maker *self)
{
  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      HeddleValue *value = g_ptr_array_index (self->diagram->values, i);
      if (value->name == NULL && heddle_diagram_is_output (self->diagram, value->id))
        heddle_diagram_edit_value (self->diagram, value->id)->name
            = g_strdup_printf ("v_%u", ++self->n_names);
    }
  if (below (3) != 0)
    return;
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->diagram);
  self->diagram->explicit_outputs = outputs->len > 0;
  g_array_append_vals (self->diagram->outputs, outputs->data, outputs->len);
}

static void
test_random (void)
{
  static void (*const adders[]) (Maker *) = { add_map, add_contraction, add_reduction, add_reindexing };
  guint operations = 0;

  for (guint i = 0; i < N_DIAGRAMS; i++)
    {
      g_autoptr (HeddleDiagram) diagram = heddle_diagram_new ("case");
      Maker maker = { diagram };
      g_autoptr (GPtrArray) problems = NULL;

      add_inputs (&maker);
      for (int j = 1 + below (10); j > 0; j--)
        adders[below (G_N_ELEMENTS (adders))](&maker);
      name_outputs (&maker);
      problems = heddle_check_diagram (diagram);
      g_assert_false (heddle_problems_have_errors (problems));
      equations_assert_round_trip (diagram);
      operations += diagram->operations->len;
    }
  g_assert_cmpuint (operations, >, N_DIAGRAMS);
}

int
main (int argc, char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations-random/round-trip", test_random);
  return g_test_run ();
}
