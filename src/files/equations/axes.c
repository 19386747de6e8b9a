/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "files/equations/axes.h"
#include "files/equations/report.h"
#include "files/equations/scope.h"

void
heddle_eq_set_place (
    HeddleEqReader *self, const char *id, HeddleEqLine *line, guint column, gboolean declared)
{
  HeddleEqPlace *place = g_new (HeddleEqPlace, 1);

  *place = (HeddleEqPlace){ line, column, declared };
  g_hash_table_insert (self->places, (gpointer) id, place);
}

static const char *
add_axis (HeddleEqReader *self, HeddleEqLine *line, const char *name, guint column, gboolean declared)
{
  const char *id = heddle_diagram_add_axis (self->diagram, NULL, name, NULL)->id;

  g_hash_table_insert (self->names.axes, (gpointer) name, (gpointer) id);
  heddle_eq_set_place (self, id, line, column, declared);
  return id;
}

/* --- sizes --------------------------------------------------------------------------- */

/* Returns whether two sizes are the same: equal as expressions or as numbers. */
static gboolean
same_size (const HeddleExpr *a, const HeddleExpr *b)
{
  double x, y;

  return heddle_expr_equal (a, b)
         || (heddle_expr_evaluate (a, NULL, NULL, &x, NULL) && heddle_expr_evaluate (b, NULL, NULL, &y, NULL)
             && x == y);
}

/* Reports that two sizes differ; both are named if they are numbers. */
static void
complain_of_sizes (HeddleEqLine *line, const HeddleEqSlot *slot, const HeddleEqPlace *place,
    const HeddleExpr *known, const HeddleExpr *size)
{
  const guint other = place->line->number;
  double before, here;

  if (heddle_expr_evaluate (known, NULL, NULL, &before, NULL)
      && heddle_expr_evaluate (size, NULL, NULL, &here, NULL))
    heddle_eq_error (line, slot->size->column, _ ("the size of %s is %.10g here, and %.10g on line %u"),
        slot->name, here, before, other);
  else
    heddle_eq_error (
        line, slot->size->column, _ ("the size of %s differs from that on line %u"), slot->name, other);
}

static void
set_size (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqSlot *slot, const char *id)
{
  g_autoptr (HeddleExpr) size = heddle_eq_size (&self->names, line, slot->size);
  HeddleEqPlace *place = g_hash_table_lookup (self->places, id);
  const HeddleAxis *known = heddle_diagram_get_axis (self->diagram, id);
  double value;

  if (size == NULL)
    return;
  if (heddle_expr_evaluate (size, NULL, NULL, &value, NULL) && !(value >= 1. && value == floor (value)))
    heddle_eq_error (line, slot->size->column,
        _ ("the size of %s is %.10g: expected a whole number of at least 1"), slot->name, value);
  else if (known->size == NULL)
    {
      heddle_diagram_edit_axis (self->diagram, id)->size = g_steal_pointer (&size);
      heddle_eq_set_place (self, id, line, slot->column, TRUE);
    }
  else if (!same_size (known->size, size))
    complain_of_sizes (line, slot, place, known->size, size);
}

/* --- axes of statements -------------------------------------------------------------- */

static gboolean
is_array (HeddleEqReader *self, HeddleEqLine *line, const char *name, guint column)
{
  if (!g_hash_table_contains (self->arrays, name))
    return FALSE;
  heddle_eq_error (line, column, _ ("“%s” is an array: expected the name of an axis"), name);
  return TRUE;
}

static void
add_member (HeddleEqReader *self, HeddleEqStatement *statement, const HeddleEqIndex *member)
{
  if (is_array (self, &statement->line, member->name, member->column))
    statement->broken = TRUE;
  else if (!g_hash_table_contains (self->names.axes, member->name))
    add_axis (self, &statement->line, member->name, member->column, FALSE);
}

static void
add_slots (HeddleEqReader *self, HeddleEqStatement *statement)
{
  for (guint i = 0; i < statement->slots->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (statement->slots, HeddleEqSlot, i);

      if (is_array (self, &statement->line, slot->name, slot->column))
        statement->broken = TRUE;
      else if (!g_hash_table_contains (self->names.axes, slot->name))
        add_axis (self, &statement->line, slot->name, slot->column, statement->kind == HEDDLE_EQ_DECLARE);
      for (guint j = 0; j < slot->n_members; j++)
        add_member (self, statement, &slot->members[j]);
    }
}

static void
set_sizes (HeddleEqReader *self, HeddleEqStatement *statement)
{
  for (guint i = 0; i < statement->slots->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (statement->slots, HeddleEqSlot, i);
      const char *id = g_hash_table_lookup (self->names.axes, slot->name);

      if (slot->size != NULL && id != NULL)
        set_size (self, &statement->line, slot, id);
    }
}

/* Adds as numbers those names to which a definition gives a size, and which are no axes of it. */
static void
add_numbers (HeddleEqReader *self)
{
  const GArray *arguments = self->definition != NULL ? self->definition->arguments : NULL;

  for (guint i = 0; arguments != NULL && i < arguments->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (arguments, HeddleEqSlot, i);

      if (!g_hash_table_contains (self->arrays, slot->name)
          && !g_hash_table_contains (self->names.axes, slot->name))
        add_axis (self, &self->definition->line, slot->name, slot->column, TRUE);
    }
}

/* Reads the axes. They come before their sizes, which may refer to axes that come later. */
void
heddle_eq_read_axes (HeddleEqReader *self)
{
  for (guint i = 0; i < self->statements->len; i++)
    {
      HeddleEqStatement *statement = g_ptr_array_index (self->statements, i);

      if (statement->name != NULL && !g_hash_table_contains (self->arrays, statement->name))
        g_hash_table_insert (self->arrays, (gpointer) statement->name, statement);
      if (statement->name != NULL && statement->kind == HEDDLE_EQ_ASSIGN)
        g_hash_table_insert (self->computed, (gpointer) statement->name, GUINT_TO_POINTER (i));
    }
  for (guint i = 0; i < self->statements->len; i++)
    {
      HeddleEqStatement *statement = g_ptr_array_index (self->statements, i);

      if (statement->kind != HEDDLE_EQ_OUTPUTS)
        add_slots (self, statement);
    }
  add_numbers (self);
  for (guint i = 0; i < self->statements->len; i++)
    {
      HeddleEqStatement *statement = g_ptr_array_index (self->statements, i);

      if (statement->kind != HEDDLE_EQ_OUTPUTS)
        set_sizes (self, statement);
    }
}

/* --- axes of reads ------------------------------------------------------------------- */

static void
add_index_names (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node)
{
  if (node->kind == HEDDLE_EQ_READ)
    return;
  if ((node->kind == HEDDLE_EQ_NAME || node->kind == HEDDLE_EQ_INDEX)
      && !g_hash_table_contains (self->names.axes, node->name)
      && !g_hash_table_contains (self->arrays, node->name))
    add_axis (self, line, node->name, node->column, FALSE);
  for (guint i = 0; i < node->n_children; i++)
    add_index_names (self, line, node->children[i]);
}

void
heddle_eq_add_indices (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node)
{
  for (guint i = 0; node->kind == HEDDLE_EQ_REDUCE && i < node->n_axes; i++)
    if (heddle_eq_is_made (node, i) && !g_hash_table_contains (self->names.axes, node->axes[i].name)
        && !g_hash_table_contains (self->arrays, node->axes[i].name))
      add_axis (self, line, node->axes[i].name, node->axes[i].column, FALSE);
  for (guint i = 0; i < node->n_children; i++)
    {
      if (node->kind == HEDDLE_EQ_READ)
        add_index_names (self, line, node->children[i]);
      heddle_eq_add_indices (self, line, node->children[i]);
    }
}

/* Checks that an index is not a plain index along an axis of another size: it would read outside or leave
 * something out, and is a slip. */
static gboolean
check_rename (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *read, guint i)
{
  const HeddleEqNode *index = read->children[i];
  const HeddleAxis *own = heddle_diagram_get_axis (self->diagram, heddle_ids_index (read->value->axes, i));
  const HeddleAxis *other;
  double size, other_size;

  if (index->kind != HEDDLE_EQ_INDEX || index->axis == own->id)
    return TRUE;
  other = heddle_diagram_get_axis (self->diagram, index->axis);
  if (own->size == NULL || other->size == NULL || !heddle_expr_evaluate (own->size, NULL, NULL, &size, NULL)
      || !heddle_expr_evaluate (other->size, NULL, NULL, &other_size, NULL) || size == other_size)
    return TRUE;
  heddle_eq_error (line, index->column,
      _ ("%s is %.15g and %s of %s is %.15g: expected equal sizes where one is read as the other"),
      other->name, other_size, own->name, read->name, size);
  return FALSE;
}

gboolean
heddle_eq_check_renames (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node)
{
  gboolean good = TRUE;

  for (guint i = 0; i < node->n_children; i++)
    good &= (node->kind != HEDDLE_EQ_READ || check_rename (self, line, node, i))
            && heddle_eq_check_renames (self, line, node->children[i]);
  return good;
}
