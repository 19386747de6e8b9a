/* SPDX-License-Identifier: MIT */

/* Legal diagrams nobody would draw, by the hundred: each must give a picture in which nothing hangs loose or is overprinted. */

#include "figure-check.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"

#define N_AXES 6
#define N_DIAGRAMS 300

typedef struct
{
  GRand *random;
  HeddleDiagram *diagram;
  const char *axes[N_AXES];
  GPtrArray *values; /* of const char *: what may be read */
  guint n_names;
} Maker;

static guint
pick (Maker *self, guint n)
{
  return g_rand_int_range (self->random, 0, n);
}

static const char *
add_value (Maker *self, HeddleValueRole role, const GArray *axes)
{
  g_autofree char *name = g_strdup_printf ("%c_{%u}", 'A' + self->n_names % 26, self->n_names);

  self->n_names++;
  return heddle_diagram_add_value (self->diagram, NULL, name, role, HEDDLE_DTYPE_F32, axes)->id;
}

static const HeddleValue *
value_of (Maker *self, const char *id)
{
  return heddle_diagram_get_value (self->diagram, id);
}

static const char *
any_value (Maker *self)
{
  return self->values->pdata[pick (self, self->values->len)];
}

static void
finish (Maker *self, const char *kind, const GArray *operands, const char *result, const GArray *core,
    HeddleExpr *body, GPtrArray *indices)
{
  HeddleOperation *operation = heddle_diagram_add_operation (
      self->diagram, NULL, heddle_operation_kind (kind), operands, result, core, -1);

  operation->body = body;
  if (indices != NULL)
    {
      g_clear_pointer (&operation->indices, g_ptr_array_unref);
      operation->indices = indices;
    }
  g_ptr_array_add (self->values, (gpointer) result);
}

static void
add_inputs (Maker *self)
{
  const guint n = 1 + pick (self, 4);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GArray) axes = heddle_ids_new ();
      for (guint j = 0; j < N_AXES; j++)
        if (pick (self, 3) == 0)
          heddle_ids_append (axes, self->axes[j]);
      g_ptr_array_add (self->values,
          (gpointer) add_value (self, pick (self, 4) == 0 ? HEDDLE_ROLE_PARAMETER : HEDDLE_ROLE_INPUT, axes));
    }
}

static void
unite (GArray *into, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (into, heddle_ids_index (axes, i)))
      heddle_ids_append (into, heddle_ids_index (axes, i));
}

static void
shuffle (Maker *self, GArray *ids)
{
  for (guint i = ids->len; i > 1; i--)
    {
      const guint j = pick (self, i);
      const char *swap = heddle_ids_index (ids, i - 1);
      heddle_ids_index (ids, i - 1) = heddle_ids_index (ids, j);
      heddle_ids_index (ids, j) = swap;
    }
}

static void
add_contraction (Maker *self)
{
  g_autoptr (GArray) operands = heddle_ids_new (), all = heddle_ids_new (), core = heddle_ids_new (),
                     kept = heddle_ids_new ();
  const guint n = 2 + pick (self, 2);

  for (guint i = 0; i < n; i++)
    {
      heddle_ids_append (operands, any_value (self));
      unite (all, value_of (self, heddle_ids_index (operands, i))->axes);
    }
  for (guint i = 0; i < all->len; i++)
    heddle_ids_append (pick (self, 2) == 0 ? core : kept, heddle_ids_index (all, i));
  shuffle (self, kept);
  finish (self, "contract", operands, add_value (self, HEDDLE_ROLE_INTERMEDIATE, kept), core, NULL, NULL);
}

static void
add_map (Maker *self)
{
  g_autoptr (GArray) operands = heddle_ids_new (), all = heddle_ids_new (), core = heddle_ids_new ();
  const guint n = 1 + pick (self, 3);
  HeddleExpr *body = NULL;

  for (guint i = 0; i < n; i++)
    {
      heddle_ids_append (operands, any_value (self));
      unite (all, value_of (self, heddle_ids_index (operands, i))->axes);
      HeddleExpr *argument = heddle_expr_argument (i);
      body = body == NULL ? argument : heddle_expr_binary (HEDDLE_EXPR_MUL, body, argument);
    }
  if (pick (self, 4) == 0)
    unite (all, &(GArray){ (char *) &self->axes[pick (self, N_AXES)], 1 });
  if (pick (self, 2) == 0)
    shuffle (self, all);
  if (pick (self, 2) == 0)
    body = heddle_expr_unary (HEDDLE_EXPR_RELU, body);
  finish (self, "map", operands, add_value (self, HEDDLE_ROLE_INTERMEDIATE, all), core, body, NULL);
}

/* A reduction or a norm along some of the axes. */
static void
add_along (Maker *self, const char *kind, gboolean keeps)
{
  g_autoptr (GArray) operands = heddle_ids_new (), core = heddle_ids_new (), kept = heddle_ids_new ();
  const char *id = any_value (self);
  const HeddleValue *operand = value_of (self, id);

  heddle_ids_append (operands, id);
  for (guint i = 0; i < operand->axes->len; i++)
    {
      const char *axis = heddle_ids_index (operand->axes, i);
      const gboolean along = pick (self, 2) == 0 || i + 1 == operand->axes->len;
      if (along)
        heddle_ids_append (core, axis);
      if (!along || keeps)
        heddle_ids_append (kept, axis);
    }
  if (core->len > 0)
    finish (self, kind, operands, add_value (self, HEDDLE_ROLE_INTERMEDIATE, kept), core, NULL, NULL);
}

static HeddleExpr *
any_index (Maker *self, GArray *axes)
{
  const char *axis = self->axes[pick (self, N_AXES)];
  const char *other = self->axes[pick (self, N_AXES)];

  if (pick (self, 6) == 0)
    return heddle_expr_number (2);
  if (!heddle_ids_contain (axes, axis))
    heddle_ids_append (axes, axis);
  if (pick (self, 3) > 0)
    return heddle_expr_index (axis);
  if (!heddle_ids_contain (axes, other))
    heddle_ids_append (axes, other);
  return heddle_expr_binary (HEDDLE_EXPR_ADD,
      heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number (2), heddle_expr_index (axis)),
      heddle_expr_index (other));
}

static void
add_reindexing (Maker *self)
{
  g_autoptr (GArray) operands = heddle_ids_new (), axes = heddle_ids_new (), core = heddle_ids_new ();
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  const char *id = any_value (self);

  heddle_ids_append (operands, id);
  for (guint i = 0; i < value_of (self, id)->axes->len; i++)
    g_ptr_array_add (indices, any_index (self, axes));
  if (pick (self, 3) == 0)
    unite (axes, &(GArray){ (char *) &self->axes[pick (self, N_AXES)], 1 });
  shuffle (self, axes);
  finish (self, "reindex", operands, add_value (self, HEDDLE_ROLE_INTERMEDIATE, axes), core, NULL, indices);
}

static void
add_operation (Maker *self)
{
  static const char *const reductions[] = { "sum", "max", "mean", "logsumexp" };
  static const char *const norms[] = { "softmax", "rmsnorm", "layernorm" };

  switch (pick (self, 6))
    {
    case 0:
    case 1:
      add_contraction (self);
      return;
    case 2:
      add_map (self);
      return;
    case 3:
      add_along (self, reductions[pick (self, G_N_ELEMENTS (reductions))], FALSE);
      return;
    case 4:
      add_along (self, norms[pick (self, G_N_ELEMENTS (norms))], TRUE);
      return;
    default:
      add_reindexing (self);
      return;
    }
}

static HeddleDiagram *
make_diagram (guint seed)
{
  Maker self = { .random = g_rand_new_with_seed (seed), .diagram = heddle_diagram_new ("random") };

  self.values = g_ptr_array_new ();
  for (guint i = 0; i < N_AXES; i++)
    {
      const char name[] = { "abxyjk"[i], '\0' };
      self.axes[i] = heddle_diagram_add_axis (self.diagram, NULL, name, heddle_expr_number (4))->id;
    }
  add_inputs (&self);
  const guint n = 1 + pick (&self, seed % 10 == 0 ? 60 : 9);
  for (guint i = 0; i < n; i++)
    add_operation (&self);
  g_ptr_array_unref (self.values);
  g_rand_free (self.random);
  return self.diagram;
}

static void
check (const char *name, const HeddleFigure *figure)
{
  g_autoptr (HeddleScene) scene = heddle_figure_render (figure);

  figure_check_print (name, scene);
  figure_check_wires_meet (name, scene);
  figure_check_labels_apart (name, scene);
  figure_check_labels_off_boxes (name, scene);
  figure_check_labels_off_wires (name, scene);
}

static void
test_random (void)
{
  for (guint seed = 0; seed < N_DIAGRAMS; seed++)
    {
      g_autoptr (HeddleDiagram) diagram = make_diagram (seed);
      const HeddleFigure figure = { .diagram = diagram };
      g_autofree char *name = g_strdup_printf ("seed %u", seed);
      check (name, &figure);
    }
}

/* The same, as lines of 700 px. */
static void
test_wrapped (void)
{
  for (guint seed = 0; seed < N_DIAGRAMS; seed++)
    {
      g_autoptr (HeddleDiagram) diagram = make_diagram (seed);
      const HeddleFigure figure = { .diagram = diagram, .wrap = 700. };
      g_autofree char *name = g_strdup_printf ("seed %u, wrapped", seed);
      check (name, &figure);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/random", test_random);
  g_test_add_func ("/figure/random-wrapped", test_wrapped);
  return g_test_run ();
}
