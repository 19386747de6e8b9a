/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/recompute.h"
#include "derive/machine/machine.h"

#include <glib/gi18n-lib.h>

static gboolean
runs (const HeddleRecomputing *self, const GPtrArray *parts, guint part, const char *operation)
{
  return heddle_ids_contain (g_ptr_array_index (parts, part), operation)
         || heddle_ids_contain (g_ptr_array_index (self->again, part), operation);
}

static gboolean
check (const HeddleDiagram *diagram, const HeddleRecompute *recompute, GError **error)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, recompute->value);
  g_autofree char *label = value != NULL ? heddle_diagram_value_label (diagram, value->id) : NULL;

  if (value != NULL && heddle_diagram_get_operation (diagram, recompute->column) != NULL
      && heddle_diagram_get_producer (diagram, value->id) != NULL)
    return TRUE;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
      value == NULL ? _ ("something that does not exist (%s) is to be recomputed")
                    : _ ("%s cannot be recomputed: it is an input, or nothing reads it there"),
      value == NULL ? recompute->value : label);
  return FALSE;
}

/* Adds to @part the operations of the value's statement that it does not have itself. Returns whether there
 * were any. */
static gboolean
take_statement (HeddleRecomputing *self, const HeddleDiagram *diagram, const GPtrArray *parts, guint part,
    const char *value)
{
  g_autoptr (GPtrArray) statement = heddle_diagram_statement_operations (diagram, value);
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value);
  gboolean changed = FALSE;

  if (runs (self, parts, part, producer->id))
    return FALSE;
  if (statement->len == 0)
    g_ptr_array_add (statement, (gpointer) producer);
  for (guint i = 0; i < statement->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (statement, i);

      if (runs (self, parts, part, operation->id))
        continue;
      heddle_ids_append (g_ptr_array_index (self->again, part), operation->id);
      changed = TRUE;
    }
  return changed;
}

/* Finds all operations that are computed again. They may themselves read values that are. */
static void
find_again (HeddleRecomputing *self, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const GPtrArray *parts)
{
  gboolean changed = TRUE;

  while (changed)
    {
      changed = FALSE;
      for (guint i = 0; i < schedule->recomputed->len; i++)
        {
          const HeddleRecompute *recompute = &g_array_index (schedule->recomputed, HeddleRecompute, i);

          for (guint part = 0; part < parts->len; part++)
            if (runs (self, parts, part, recompute->column))
              changed = take_statement (self, diagram, parts, part, recompute->value) || changed;
        }
    }
}

static gboolean
reads_there (const HeddleRecomputing *self, const HeddleDiagram *diagram, const GPtrArray *parts, guint part,
    const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);

  for (guint i = 0; i < readers->len; i++)
    if (runs (self, parts, part, ((const HeddleOperation *) g_ptr_array_index (readers, i))->id))
      return TRUE;
  return FALSE;
}

/* Returns whether some kernel that runs the reader does compute the value again. If none does, @own says
 * whether one makes it anyway. */
static gboolean
has_effect (const HeddleRecomputing *self, const HeddleDiagram *diagram, const GPtrArray *parts,
    const HeddleRecompute *recompute, gboolean *own)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, recompute->value);

  *own = FALSE;
  for (guint part = 0; part < parts->len; part++)
    {
      if (!runs (self, parts, part, recompute->column))
        continue;
      if (heddle_ids_contain (g_ptr_array_index (self->again, part), producer->id)
          && reads_there (self, diagram, parts, part, recompute->value))
        return TRUE;
      *own = *own || heddle_ids_contain (g_ptr_array_index (parts, part), producer->id);
    }
  return FALSE;
}

/* Checks that each request to compute a value again has an effect; one without was meant otherwise. */
static gboolean
check_effect (const HeddleRecomputing *self, const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const GPtrArray *parts, GError **error)
{
  for (guint i = 0; i < schedule->recomputed->len; i++)
    {
      const HeddleRecompute *recompute = &g_array_index (schedule->recomputed, HeddleRecompute, i);
      const HeddleOperation *reader = heddle_diagram_get_operation (diagram, recompute->column);
      g_autofree char *value = NULL, *column = NULL;
      gboolean own;

      if (has_effect (self, diagram, parts, recompute, &own))
        continue;
      value = heddle_diagram_value_label (diagram, recompute->value);
      column = heddle_diagram_value_label (diagram, reader->result);
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
          own ? _ ("%s cannot be recomputed for %s: the kernel of %s makes it; unfuse the two, or recompute "
                   "it for a kernel that reads it")
              : _ ("%s cannot be recomputed for %s: the kernel of %s does not read it"),
          value, column, column);
      return FALSE;
    }
  return TRUE;
}

static void
add_reads (HeddleRecomputing *self, const HeddleDiagram *diagram, const GPtrArray *parts, guint part,
    const GArray *operations)
{
  for (guint i = 0; i < operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (operations, i));

      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *operand = heddle_ids_index (operation->operands, k);
          const HeddleOperation *producer = heddle_diagram_get_producer (diagram, operand);

          if (producer != NULL && !runs (self, parts, part, producer->id))
            g_hash_table_add (self->stored, (gpointer) operand);
        }
    }
}

static void
find_stored (HeddleRecomputing *self, const HeddleDiagram *diagram, const GPtrArray *parts)
{
  g_hash_table_remove_all (self->stored);
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (heddle_diagram_is_output (diagram, value->id))
        g_hash_table_add (self->stored, (gpointer) value->id);
    }
  for (guint part = 0; part < parts->len; part++)
    if (!self->idle[part])
      {
        add_reads (self, diagram, parts, part, g_ptr_array_index (parts, part));
        add_reads (self, diagram, parts, part, g_ptr_array_index (self->again, part));
      }
}

static gboolean
is_needed (const HeddleRecomputing *self, const HeddleDiagram *diagram, const GArray *operations)
{
  for (guint i = 0; i < operations->len; i++)
    if (g_hash_table_contains (
            self->stored, heddle_diagram_get_operation (diagram, heddle_ids_index (operations, i))->result))
      return TRUE;
  return FALSE;
}

/* Finds idle kernels. A kernel whose results are all computed again elsewhere does not run, and what it reads
 * need not be stored. */
static void
find_idle (HeddleRecomputing *self, const HeddleDiagram *diagram, const GPtrArray *parts)
{
  gboolean changed = TRUE;

  while (changed)
    {
      changed = FALSE;
      find_stored (self, diagram, parts);
      for (guint part = 0; part < parts->len; part++)
        if (!self->idle[part] && !is_needed (self, diagram, g_ptr_array_index (parts, part)))
          self->idle[part] = changed = TRUE;
    }
}

HeddleRecomputing *
heddle_recomputing_new (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const GPtrArray *parts, GError **error)
{
  g_autoptr (HeddleRecomputing) self = g_new0 (HeddleRecomputing, 1);

  self->stored = g_hash_table_new (NULL, NULL);
  self->again = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->idle = g_new0 (gboolean, MAX (parts->len, 1));
  for (guint i = 0; i < schedule->recomputed->len; i++)
    if (!check (diagram, &g_array_index (schedule->recomputed, HeddleRecompute, i), error))
      return NULL;
  for (guint i = 0; i < parts->len; i++)
    g_ptr_array_add (self->again, heddle_ids_new ());
  find_again (self, diagram, schedule, parts);
  if (!check_effect (self, diagram, schedule, parts, error))
    return NULL;
  find_idle (self, diagram, parts);
  return g_steal_pointer (&self);
}

void
heddle_recomputing_free (HeddleRecomputing *self)
{
  g_hash_table_unref (self->stored);
  g_ptr_array_unref (self->again);
  g_free (self->idle);
  g_free (self);
}
