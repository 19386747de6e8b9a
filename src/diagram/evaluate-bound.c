/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/error.h"
#include "diagram/evaluate-private.h"

#include <glib/gi18n-lib.h>

/* Where the value of a slot is: at a place in memory, an offset away from it, or in an index. */
typedef struct
{
  const double *number; /* a variable, or the data of an operand */
  const HeddleWalk *walk;
  guint cursor;
  const gint64 *index;
} Slot;

struct _HeddleBound
{
  HeddleExprProgram *program;
  guint n_slots;
  Slot *slots;
  double *values; /* constants are there from the start */
};

static const double *
find_variable (const HeddleBinding *binding, const char *name)
{
  for (guint i = 0; binding->names != NULL && binding->names[i] != NULL; i++)
    if (g_str_equal (binding->names[i], name))
      return &binding->variables[i];
  return NULL;
}

static const gint64 *
find_index (const HeddleBinding *binding, const char *axis_id)
{
  for (guint i = 0; i < G_N_ELEMENTS (binding->walks); i++)
    {
      int axis = binding->walks[i] != NULL ? heddle_ids_find (binding->walks[i]->axes, axis_id) : -1;

      if (axis >= 0)
        return &binding->walks[i]->index[axis];
    }
  return NULL;
}

static gboolean
bind_slot (Slot *slot, double *value, const HeddleExpr *leaf, const HeddleBinding *binding)
{
  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      slot->cursor = heddle_expr_get_operand (leaf);
      if (binding->operands == NULL || slot->cursor >= binding->operands->n_cursors)
        return FALSE;
      slot->walk = binding->operands;
      slot->number = binding->data[slot->cursor];
      return TRUE;
    case HEDDLE_EXPR_INDEX:
      slot->index = find_index (binding, heddle_expr_get_symbol (leaf));
      return slot->index != NULL;
    case HEDDLE_EXPR_SIZE:
      return heddle_sizes_lookup (leaf, value, (gpointer) binding->evaluation->sizes);
    default:
      slot->number = find_variable (binding, heddle_expr_get_symbol (leaf));
      return slot->number != NULL;
    }
}

HeddleBound *
heddle_bound_new (const HeddleExpr *expr, const HeddleBinding *binding, GError **error)
{
  g_autoptr (HeddleBound) self = g_new0 (HeddleBound, 1);

  self->program = heddle_expr_compile (expr);
  self->n_slots = heddle_expr_program_get_n_slots (self->program);
  self->slots = g_new0 (Slot, self->n_slots);
  self->values = g_new0 (double, self->n_slots);
  for (guint i = 0; i < self->n_slots; i++)
    {
      const HeddleExpr *leaf = heddle_expr_program_get_slot (self->program, i);
      g_autofree char *name = NULL;

      if (bind_slot (&self->slots[i], &self->values[i], leaf, binding))
        continue;
      name = heddle_expr_to_string (leaf, NULL, NULL);
      g_set_error (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL, _ ("unknown symbol “%s”"), name);
      return NULL;
    }
  return g_steal_pointer (&self);
}

double
heddle_bound_run (HeddleBound *self)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      const Slot *slot = &self->slots[i];

      if (slot->index != NULL)
        self->values[i] = (double) *slot->index;
      else if (slot->walk != NULL)
        self->values[i] = slot->number[heddle_walk_offset (slot->walk, slot->cursor)];
      else if (slot->number != NULL)
        self->values[i] = *slot->number;
    }
  return heddle_expr_program_run (self->program, self->values);
}

void
heddle_bound_free (HeddleBound *self)
{
  heddle_expr_program_free (self->program);
  g_free (self->slots);
  g_free (self->values);
  g_free (self);
}
