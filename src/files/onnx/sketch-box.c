/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-build.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "files/onnx/names.h"
#include "files/onnx/sketch-box.h"
#include "files/onnx/sketch-emit.h"
#include "files/onnx/sketch-private.h"
#include "files/onnx/sketch.h"

/* What is called without being known: a definition whose results are declared and made by nothing. */

typedef struct
{
  HeddleSketchEmission *emission;
  HeddleDiagram *definition;
  GHashTable *names; /* taken within the definition */
  GHashTable *axes; /* axis of the sketch + 1 -> id within the definition */
} Box;

static GArray *
axes_within (Box *self, int value)
{
  HeddleSketch *sketch = self->emission->sketch;
  const GArray *axes = heddle_sketch_axes (sketch, value);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    {
      int axis = g_array_index (axes, int, i);
      const char *id = g_hash_table_lookup (self->axes, GINT_TO_POINTER (axis + 1));

      if (id == NULL)
        {
          const HeddleSketchAxis *object = g_ptr_array_index (sketch->axes, axis);
          g_autofree char *name = heddle_sketch_choose_name (self->names, object->name);

          id = heddle_diagram_add_axis (
              self->definition, NULL, name, heddle_expr_number ((double) object->size))
                   ->id;
          g_hash_table_insert (self->axes, GINT_TO_POINTER (axis + 1), (gpointer) id);
        }
      heddle_ids_append (ids, id);
    }
  return ids;
}

static const char *
add_within (Box *self, int value, HeddleValueRole role, const char *name)
{
  g_autoptr (GArray) axes = axes_within (self, value);
  g_autofree char *chosen = heddle_sketch_choose_name (self->names, name);

  return heddle_diagram_add_value (self->definition, NULL, chosen, role,
      heddle_sketch_get_value (self->emission->sketch, value)->dtype, axes)
      ->id;
}

/* Axes come before the arrays, so that names are the same however often the definition is written and read. */
static HeddleDiagram *
define (HeddleSketchEmission *emission, const HeddleSketchOperation *operation)
{
  g_autofree char *name = heddle_sketch_choose_name (emission->names, operation->box);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) axes = g_hash_table_new (NULL, NULL);
  Box self = { emission, heddle_diagram_new (name), names, axes };

  for (guint i = 0; i < operation->operands->len; i++)
    add_within (&self, g_array_index (operation->operands, int, i), HEDDLE_ROLE_INPUT, "X");
  self.definition->explicit_outputs = TRUE;
  for (guint i = 0; i < operation->results->len; i++)
    heddle_ids_append (self.definition->outputs,
        add_within (&self, g_array_index (operation->results, int, i), HEDDLE_ROLE_INTERMEDIATE, "Y"));
  return heddle_snapshot_add_diagram (emission->snapshot, self.definition);
}

/* --- one definition for all that are alike --------------------------------------------------------- */

static void
add_type (GString *key, HeddleSketch *sketch, int value, GArray *met)
{
  const GArray *axes = heddle_sketch_axes (sketch, value);

  g_string_append_printf (
      key, " %s[", heddle_dtype_to_string (heddle_sketch_get_value (sketch, value)->dtype));
  for (guint i = 0; i < axes->len; i++)
    {
      int axis = g_array_index (axes, int, i);
      guint at = 0;

      while (at < met->len && g_array_index (met, int, at) != axis)
        at++;
      if (at == met->len)
        g_array_append_val (met, axis);
      g_string_append_printf (key, " %u=%" G_GINT64_FORMAT, at, heddle_sketch_size (sketch, axis));
    }
  g_string_append_c (key, ']');
}

/* What is done and the types of what it reads and makes, whatever their axes are called. */
static char *
key_of (HeddleSketch *sketch, const HeddleSketchOperation *operation)
{
  GString *key = g_string_new (operation->likeness);
  g_autoptr (GArray) met = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; i < operation->operands->len; i++)
    add_type (key, sketch, g_array_index (operation->operands, int, i), met);
  g_string_append (key, " ->");
  for (guint i = 0; i < operation->results->len; i++)
    add_type (key, sketch, g_array_index (operation->results, int, i), met);
  return g_string_free (key, FALSE);
}

static const HeddleDiagram *
definition_of (HeddleSketchEmission *self, const HeddleSketchOperation *operation)
{
  g_autofree char *key = key_of (self->sketch, operation);
  HeddleDiagram *definition = g_hash_table_lookup (self->boxes, key);

  if (definition == NULL)
    {
      definition = define (self, operation);
      g_hash_table_insert (self->boxes, g_steal_pointer (&key), definition);
    }
  return definition;
}

void
heddle_sketch_emit_box (HeddleSketchEmission *self, const HeddleSketchOperation *operation)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  const HeddleDiagram *definition = definition_of (self, operation);
  HeddleOperation *call = NULL;

  for (guint i = 0; i < operation->operands->len; i++)
    heddle_ids_append (operands, self->value_ids[g_array_index (operation->operands, int, i)]);
  for (guint i = 0; i < operation->results->len; i++)
    {
      int result = g_array_index (operation->results, int, i);
      const char *id = heddle_sketch_emit_value (self, result);

      if (call == NULL)
        call = heddle_diagram_add_operation (self->diagram, NULL, operation->kind, operands, id, NULL, -1);
      else
        heddle_diagram_add_result (self->diagram, call, id);
    }
  call->callee = definition->id;
  if (operation->module != NULL)
    g_hash_table_insert (self->modules, (gpointer) call->id, (gpointer) operation->module);
}
