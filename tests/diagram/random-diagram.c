/* SPDX-License-Identifier: MIT */
#include "random-diagram.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/check/check.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#define N_AXES 5

typedef struct
{
  GRand *random;
  RandomDiagramKind kind;
  HeddleDiagram *diagram;
  const char *axes[N_AXES];
  const char *places; /* an input of whole numbers, along one axis */
  guint n_names;
} Maker;

static int
below (Maker *self, int n)
{
  return g_rand_int_range (self->random, 0, n);
}

/* Of every axis but those of concatenations. */
static double
size_of (const Maker *self)
{
  return self->kind == RANDOM_DIAGRAM_SMOOTH ? 3. : 4.;
}

static gboolean
is_short (const Maker *self, const char *axis)
{
  for (guint i = 0; i < N_AXES; i++)
    if (self->axes[i] == axis)
      return TRUE;
  return FALSE;
}

/* Any but the whole numbers. */
static const HeddleValue *
any_value (Maker *self)
{
  const HeddleValue *value;

  do
    value = g_ptr_array_index (self->diagram->values, (guint) below (self, (int) self->diagram->values->len));
  while (value->id == self->places);
  return value;
}

static HeddleValue *
add_value (Maker *self, const GArray *axes)
{
  g_autofree char *name = below (self, 2) ? g_strdup_printf ("v_%u", ++self->n_names) : NULL;
  HeddleDtype dtype = below (self, 8) == 0 ? HEDDLE_DTYPE_F16 : HEDDLE_DTYPE_UNSET;
  HeddleValue *value
      = heddle_diagram_add_value (self->diagram, NULL, name, HEDDLE_ROLE_INTERMEDIATE, dtype, axes);

  if (below (self, 6) == 0)
    value->comment = g_strdup (below (self, 2) ? "above\n\nall" : "above\fbehind");
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
shuffle (Maker *self, GArray *ids)
{
  for (guint i = ids->len; i > 1; i--)
    {
      guint j = (guint) below (self, (int) i);
      const char *last = heddle_ids_index (ids, i - 1);
      heddle_ids_index (ids, i - 1) = heddle_ids_index (ids, j);
      heddle_ids_index (ids, j) = last;
    }
}

/* --- operations ---------------------------------------------------------------------- */

/* Functions of any kind; and those that are smooth and stay small, so that rounding makes little difference. */
static const HeddleExprKind any_unary[] = { HEDDLE_EXPR_NEG, HEDDLE_EXPR_EXP, HEDDLE_EXPR_RELU,
  HEDDLE_EXPR_GELU, HEDDLE_EXPR_ABS, HEDDLE_EXPR_NOT };
static const HeddleExprKind any_binary[] = { HEDDLE_EXPR_ADD, HEDDLE_EXPR_SUB, HEDDLE_EXPR_MUL,
  HEDDLE_EXPR_DIV, HEDDLE_EXPR_POW, HEDDLE_EXPR_MAX, HEDDLE_EXPR_LT, HEDDLE_EXPR_AND, HEDDLE_EXPR_OR };
static const HeddleExprKind smooth_unary[] = { HEDDLE_EXPR_NEG, HEDDLE_EXPR_TANH, HEDDLE_EXPR_RELU,
  HEDDLE_EXPR_SIGMOID, HEDDLE_EXPR_ABS, HEDDLE_EXPR_SIN };
static const HeddleExprKind smooth_binary[]
    = { HEDDLE_EXPR_ADD, HEDDLE_EXPR_SUB, HEDDLE_EXPR_MUL, HEDDLE_EXPR_MAX, HEDDLE_EXPR_MIN };

static HeddleExprKind
pick_unary (Maker *self)
{
  if (self->kind == RANDOM_DIAGRAM_SMOOTH)
    return smooth_unary[below (self, G_N_ELEMENTS (smooth_unary))];
  return any_unary[below (self, G_N_ELEMENTS (any_unary))];
}

static HeddleExprKind
pick_binary (Maker *self)
{
  if (self->kind == RANDOM_DIAGRAM_SMOOTH)
    return smooth_binary[below (self, G_N_ELEMENTS (smooth_binary))];
  return any_binary[below (self, G_N_ELEMENTS (any_binary))];
}

static HeddleExpr *
random_leaf (Maker *self, const GArray *axes)
{
  if (axes->len == 0)
    return heddle_expr_number (below (self, 5) / 2. - 1.);
  if (below (self, 3) == 0)
    return heddle_expr_index (heddle_ids_index (axes, (guint) below (self, (int) axes->len)));
  return below (self, 2) ? heddle_expr_size (self->axes[below (self, N_AXES)])
                         : heddle_expr_number (below (self, 9) - 4.25);
}

/* A choice by a value, or where that is not smooth by an index. */
static HeddleExpr *
random_choice (Maker *self, HeddleExpr *body, HeddleExpr *other, const GArray *axes)
{
  HeddleExpr *predicate;

  if (self->kind != RANDOM_DIAGRAM_SMOOTH)
    return heddle_expr_where (body, other, heddle_expr_number (below (self, 3)));
  predicate
      = heddle_expr_binary (HEDDLE_EXPR_LT, random_leaf (self, axes), heddle_expr_number (below (self, 3)));
  return heddle_expr_where (predicate, body, other);
}

/* An expression that uses @n operands, each first in its turn. */
static HeddleExpr *
random_body (Maker *self, guint n, const GArray *axes)
{
  HeddleExpr *body = heddle_expr_argument (0);

  for (guint i = 1; i < n || below (self, 3) > 0; i++)
    {
      HeddleExpr *other = i < n ? heddle_expr_argument (i) : random_leaf (self, axes);

      if (below (self, 6) == 0)
        body = random_choice (self, body, other, axes);
      else
        body = heddle_expr_binary (pick_binary (self), body, other);
      if (below (self, 3) == 0)
        body = heddle_expr_unary (pick_unary (self), body);
    }
  return body;
}

static void
add_map (Maker *self)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  guint n = 1 + (guint) below (self, 3);
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
  if (below (self, 6) == 0)
    shuffle (self, axes);
  add_operation (self, "map", operands, add_value (self, axes), NULL)->body = body;
}

static void
add_contraction (Maker *self)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autoptr (GArray) over = heddle_ids_new ();
  guint n = 2 + (guint) below (self, 2);

  for (guint i = 0; i < n; i++)
    {
      const HeddleValue *value = any_value (self);
      for (guint j = 0; j < value->axes->len; j++)
        if (heddle_ids_contain (axes, heddle_ids_index (value->axes, j)) && below (self, 2)
            && !heddle_ids_contain (over, heddle_ids_index (value->axes, j)))
          heddle_ids_append (over, heddle_ids_index (value->axes, j));
      heddle_ids_append (operands, value->id);
      add_missing (axes, value->axes);
    }
  if (over->len == 0)
    return;
  for (guint i = 0; i < over->len; i++)
    g_array_remove_index (axes, (guint) heddle_ids_find (axes, heddle_ids_index (over, i)));
  if (below (self, 4) == 0)
    shuffle (self, axes);
  add_operation (self, "contract", operands, add_value (self, axes), over);
}

static void
add_reduction (Maker *self)
{
  static const char *const kinds[] = { "sum", "max", "min", "mean", "prod", "logsumexp", "softmax", "l2norm",
    "rmsnorm", "layernorm", "batchnorm" };
  const HeddleValue *value = any_value (self);
  const HeddleOperationKind *kind = heddle_operation_kind (kinds[below (self, G_N_ELEMENTS (kinds))]);
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autoptr (GArray) over = heddle_ids_new ();
  HeddleOperation *operation;

  if (value->axes->len == 0)
    return;
  heddle_ids_append (operands, value->id);
  for (guint i = 0; i < value->axes->len; i++)
    if (below (self, 2) || (i == 0 && over->len == 0))
      heddle_ids_append (over, heddle_ids_index (value->axes, i));
  for (guint i = 0; i < value->axes->len; i++)
    if (kind->form == HEDDLE_FORM_NORMALISE || !heddle_ids_contain (over, heddle_ids_index (value->axes, i)))
      heddle_ids_append (axes, heddle_ids_index (value->axes, i));
  operation = add_operation (self, kind->id, operands, add_value (self, axes), over);
  if (kind->options[0].name != NULL && below (self, 2))
    operation->options[0] = 1e-5;
}

static HeddleExpr *
random_index (Maker *self, GArray *axes)
{
  const char *axis = self->axes[below (self, N_AXES)];
  HeddleExpr *index = below (self, 5) == 0 ? heddle_expr_number (below (self, 3)) : heddle_expr_index (axis);

  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX && !heddle_ids_contain (axes, axis))
    heddle_ids_append (axes, axis);
  if (below (self, 2))
    return index;
  index = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number (1 + below (self, 3)), index);
  return heddle_expr_binary (
      HEDDLE_EXPR_SUB, index, below (self, 2) ? heddle_expr_size (axis) : heddle_expr_number (1.));
}

static void
add_reindexing (Maker *self)
{
  const HeddleValue *value = any_value (self);
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  GPtrArray *indices;

  for (guint i = 0; i < value->axes->len; i++)
    if (!is_short (self, heddle_ids_index (value->axes, i)))
      return; /* an axis is read as one of its size */
  indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  heddle_ids_append (operands, value->id);
  for (guint i = 0; i < value->axes->len; i++)
    g_ptr_array_add (indices, random_index (self, axes));
  if (below (self, 4) == 0)
    shuffle (self, axes);
  if (below (self, 4) == 0 && !heddle_ids_contain (axes, self->axes[0]))
    heddle_ids_append (axes, self->axes[0]);
  add_operation (self, "reindex", operands, add_value (self, axes), NULL)->indices = indices;
}

/* --- gathers, concatenations, scans ------------------------------------------------------ */

static HeddleOperation *
add_read (Maker *self, const GArray *operands, const GArray *axes, GPtrArray *indices)
{
  HeddleOperation *operation = add_operation (self, "reindex", operands, add_value (self, axes), NULL);

  g_clear_pointer (&operation->indices, g_ptr_array_unref);
  operation->indices = indices;
  return operation;
}

/* One axis is read at the whole numbers of an input. */
static void
add_gather (Maker *self)
{
  const HeddleValue *value = any_value (self),
                    *places = heddle_diagram_get_value (self->diagram, self->places);
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  GPtrArray *indices;
  guint at;

  if (value->axes->len == 0)
    return;
  indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  at = (guint) below (self, (int) value->axes->len);
  heddle_ids_append (operands, value->id);
  heddle_ids_append (operands, self->places);
  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i);

      g_ptr_array_add (indices, i == at ? heddle_expr_argument (1) : heddle_expr_index (axis));
      if (i != at && !heddle_ids_contain (axes, axis))
        heddle_ids_append (axes, axis);
      if (i == at)
        add_missing (axes, places->axes);
    }
  add_read (self, operands, axes, indices);
}

/* The value along @to in the place of @from; the axes of the result are left in @axes. */
static const char *
rename_axis (Maker *self, const HeddleValue *value, const char *from, const char *to, GArray *axes)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  heddle_ids_append (operands, value->id);
  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i);

      heddle_ids_append (axes, axis == from ? to : axis);
      g_ptr_array_add (indices, heddle_expr_index (axis == from ? to : axis));
    }
  return add_read (self, operands, axes, indices)->result;
}

/* A value and itself along another axis, end to end. */
static void
add_concat (Maker *self)
{
  const HeddleValue *value = any_value (self);
  const char *other = self->axes[below (self, N_AXES)];
  g_autofree char *name = g_strdup_printf ("f_%u", ++self->n_names);
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_new ();
  g_autoptr (GArray) along = heddle_ids_new ();
  guint at;

  if (value->axes->len == 0 || heddle_ids_contain (value->axes, other))
    return;
  at = (guint) below (self, (int) value->axes->len);
  if (!is_short (self, heddle_ids_index (value->axes, at)))
    return;
  heddle_ids_append (operands, value->id);
  heddle_ids_append (operands, rename_axis (self, value, heddle_ids_index (value->axes, at), other, axes));
  heddle_ids_append (along,
      heddle_diagram_add_axis (self->diagram, NULL, name, heddle_expr_number (2. * size_of (self)))->id);
  heddle_ids_index (axes, at) = heddle_ids_index (along, 0);
  add_operation (self, "concat", operands, add_value (self, axes), along);
}

static void
add_scan (Maker *self)
{
  const HeddleValue *value = any_value (self), *other = any_value (self);
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) axes = heddle_ids_copy (value->axes);
  g_autoptr (GArray) along = heddle_ids_new ();
  gboolean is_recurrence = below (self, 2);

  if (value->axes->len == 0)
    return;
  heddle_ids_append (operands, value->id);
  heddle_ids_append (along, heddle_ids_index (value->axes, (guint) below (self, (int) value->axes->len)));
  if (is_recurrence)
    {
      heddle_ids_append (operands, other->id);
      add_missing (axes, other->axes);
    }
  if (below (self, 4) == 0)
    shuffle (self, axes);
  add_operation (self, is_recurrence ? "recurrence" : "cumsum", operands, add_value (self, axes), along);
}

/* --- diagrams ------------------------------------------------------------------------ */

static void
add_inputs (Maker *self)
{
  for (guint i = 0; i < N_AXES; i++)
    {
      g_autofree char *name = g_strdup_printf ("%c", 'h' + i);
      self->axes[i]
          = heddle_diagram_add_axis (self->diagram, NULL, name, heddle_expr_number (size_of (self)))->id;
    }
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("%c", 'A' + i);
      g_autoptr (GArray) axes = heddle_ids_new ();
      for (guint j = 0; j < N_AXES; j++)
        if (below (self, 2))
          heddle_ids_append (axes, self->axes[j]);
      heddle_diagram_add_value (self->diagram, NULL, name, i == 2 ? HEDDLE_ROLE_PARAMETER : HEDDLE_ROLE_INPUT,
          below (self, 2) ? HEDDLE_DTYPE_F16 : HEDDLE_DTYPE_UNSET, axes);
    }
}

static void
add_places (Maker *self)
{
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_ids_append (axes, self->axes[below (self, N_AXES)]);
  self->places
      = heddle_diagram_add_value (self->diagram, NULL, "I", HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_I64, axes)->id;
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
  if (below (self, 3) != 0)
    return;
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->diagram);
  self->diagram->explicit_outputs = outputs->len > 0;
  g_array_append_vals (self->diagram->outputs, outputs->data, outputs->len);
}

HeddleDiagram *
random_diagram (RandomDiagramKind kind, guint32 seed)
{
  static void (*const adders[]) (Maker *) = { add_map, add_map, add_contraction, add_contraction,
    add_reduction, add_reduction, add_reindexing, add_gather, add_concat, add_scan };
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Maker maker = { random, kind, heddle_diagram_new ("case"), { NULL }, NULL, 0 };
  g_autoptr (GPtrArray) problems = NULL;

  add_inputs (&maker);
  add_places (&maker);
  for (int i = 1 + below (&maker, 10); i > 0; i--)
    adders[below (&maker, G_N_ELEMENTS (adders))](&maker);
  name_outputs (&maker);
  problems = heddle_check_diagram (maker.diagram);
  g_assert_false (heddle_problems_have_errors (problems));
  return maker.diagram;
}
