/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "files/onnx/fold-match.h"
#include "files/onnx/fold-private.h"
#include "files/onnx/fold.h"
#include "files/onnx/names.h"
#include "files/onnx/sketch-blocks.h"

/* This file folds a model. Modules that are the same one after another, "layers.0", "layers.1" …, become one
 * definition that is called that often. Their parameters are the parts of one parameter with an axis more,
 * whose comment lists what they are called in the model. */

/* The limits of what is folded: larger diagrams are left as they are. */
#define MOST_OPERATIONS 20000
#define MOST_RUNS 64
#define DEEPEST 4

typedef struct
{
  HeddleSketchEmission *emission;
  HeddleDiagram *diagram;
  GHashTable *modules; /* id of an operation -> its module, within this diagram */
  GHashTable
      *raw; /* id of a parameter -> GPtrArray of char *: what the parts of it are called in the model */
  guint depth;
} Folding;

static void fold (Folding *self);

/* --- names ----------------------------------------------------------------------------------------- */

/* Returns the name of a family: "layers" of "encoder/layers.". */
static char *
family_name (const char *path)
{
  const char *slash = strrchr (path, '/');
  char *name = g_strdup (slash != NULL ? slash + 1 : path);
  gsize length = strlen (name);

  if (length > 0 && (name[length - 1] == '.' || name[length - 1] == '_'))
    name[length - 1] = '\0';
  if (*name == '\0')
    {
      g_autofree char *around = slash != NULL ? g_strndup (path, (gsize) (slash - path)) : g_strdup ("part");

      g_free (name);
      slash = strrchr (around, '/');
      name = g_strdup (slash != NULL ? slash + 1 : around);
    }
  return name;
}

/* Returns the name of one of several things: "layer" of "layers". */
static char *
singular (const char *name)
{
  gsize length = strlen (name);

  return length > 2 && name[length - 1] == 's' && name[length - 2] != 's' ? g_strndup (name, length - 1)
                                                                          : g_strdup (name);
}

/* Returns the name of a parameter within the first module: "norm.weight" of "layers.0.norm.weight". */
static const char *
name_within (const char *raw, const HeddleRun *run)
{
  const HeddleSibling *first = g_ptr_array_index (run->siblings, 0);
  g_autofree char *number = g_strdup_printf ("%u.", first->number);

  for (const char *found = strstr (raw, number); found != NULL; found = strstr (found + 1, number))
    if ((found == raw || strchr ("._/", found[-1]) != NULL) && found[strlen (number)] != '\0')
      return found + strlen (number);
  return raw;
}

/* --- parameters ------------------------------------------------------------------------------------- */

static GPtrArray *
raw_names (Folding *self, const char *id)
{
  GPtrArray *names = g_hash_table_lookup (self->raw, id);

  if (names == NULL)
    {
      names = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (names, heddle_onnx_raw_name (heddle_diagram_get_value (self->diagram, id)));
      g_hash_table_insert (self->raw, (gpointer) id, names);
    }
  return names;
}

/* Returns the names in the model of all siblings' own parameters, joined: for each time of what is around
 * them, those of all siblings. */
static GPtrArray *
join_raw_names (Folding *self, const HeddleRun *run, const char *id)
{
  GPtrArray *first = raw_names (self, id), *all = g_ptr_array_new_with_free_func (g_free);

  for (guint time = 0; time < first->len; time++)
    {
      g_ptr_array_add (all, g_strdup (g_ptr_array_index (first, time)));
      for (guint i = 0; i < run->maps->len; i++)
        {
          GPtrArray *other = raw_names (self, g_hash_table_lookup (g_ptr_array_index (run->maps, i), id));

          g_ptr_array_add (all, g_strdup (g_ptr_array_index (other, time)));
        }
    }
  return all;
}

/* --- the definition ------------------------------------------------------------------------------------ */

typedef struct
{
  Folding *folding;
  const HeddleRun *run;
  HeddleDiagram *definition;
  GHashTable *names;
  GHashTable *raw; /* of the definition's parameters */
} Definition;

static void
add_axes (Definition *self, const GArray *axes, gboolean sized)
{
  for (guint i = 0; i < axes->len; i++)
    {
      const HeddleAxis *axis = heddle_diagram_get_axis (self->folding->diagram, heddle_ids_index (axes, i));

      if (heddle_diagram_get_axis (self->definition, axis->id) == NULL)
        heddle_diagram_add_axis (
            self->definition, axis->id, axis->name, sized ? heddle_expr_ref (axis->size) : NULL);
    }
}

static HeddleValue *
add_value (Definition *self, const char *id, HeddleValueRole role, const char *wish)
{
  const HeddleValue *value = heddle_diagram_get_value (self->folding->diagram, id);
  g_autofree char *name = wish != NULL ? heddle_sketch_choose_name (self->names, wish) : NULL;

  add_axes (self, value->axes, role != HEDDLE_ROLE_INPUT);
  return heddle_diagram_add_value (self->definition, id, name, role, value->dtype, value->axes);
}

static void
add_parameter (Definition *self, const char *id)
{
  GPtrArray *raw = join_raw_names (self->folding, self->run, id);
  HeddleValue *value
      = add_value (self, id, HEDDLE_ROLE_PARAMETER, name_within (g_ptr_array_index (raw, 0), self->run));

  value->comment = heddle_onnx_comment_of_parts (raw);
  g_hash_table_insert (self->raw, (gpointer) id, raw);
}

static void
add_operation (Definition *self, const HeddleOperation *operation)
{
  const HeddleDiagram *from = self->folding->diagram;
  HeddleOperation *copy;

  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    {
      const char *result = heddle_operation_get_result (operation, i);
      const HeddleValue *value = heddle_diagram_get_value (from, result);

      add_value (self, result, HEDDLE_ROLE_INTERMEDIATE, value->name)->comment = g_strdup (value->comment);
    }
  add_axes (self, operation->axes, TRUE);
  copy = heddle_diagram_add_operation (self->definition, operation->id, operation->kind, operation->operands,
      operation->result, operation->axes, -1);
  for (guint i = 1; i < heddle_operation_n_results (operation); i++)
    heddle_diagram_add_result (self->definition, copy, heddle_operation_get_result (operation, i));
  heddle_operation_copy_details (copy, operation, NULL, NULL);
}

/* Adds the output. It has the axes of the input, so that it can be the input of the next time. */
static const char *
add_output (Definition *self, const char *id)
{
  const HeddleValue *in = heddle_diagram_get_value (self->definition, self->run->carried),
                    *out = heddle_diagram_get_value (self->definition, id);
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleValue *renamed;
  HeddleOperation *read;

  if (heddle_ids_equal (in->axes, out->axes))
    {
      renamed = heddle_diagram_edit_value (self->definition, id);
      g_free (renamed->name);
      renamed->name = heddle_sketch_choose_name (self->names, "Y");
      return id;
    }
  heddle_ids_append (operands, id);
  renamed = heddle_diagram_add_value (
      self->definition, NULL, "Y", HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, in->axes);
  read = heddle_diagram_add_operation (
      self->definition, NULL, heddle_operation_kind ("reindex"), operands, renamed->id, NULL, -1);
  read->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < in->axes->len; i++)
    g_ptr_array_add (read->indices, heddle_expr_index (heddle_ids_index (in->axes, i)));
  return renamed->id;
}

static void
note_disagreement (const char *object, const char *message, gpointer data)
{
  *(gboolean *) data = TRUE;
}

/* Leaves the sizes of the input open, unless the definition is right at those of the model alone: if it is
 * joined to something else along an axis of another size, for instance. */
static void
settle_sizes (Definition *self)
{
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (self->definition, NULL, NULL);
  gboolean disagree = sizes == NULL;

  if (sizes != NULL)
    heddle_sizes_report_disagreements (sizes, self->definition, note_disagreement, &disagree);
  for (guint i = 0; disagree && i < self->definition->axes->len; i++)
    {
      const char *id = ((const HeddleAxis *) g_ptr_array_index (self->definition->axes, i))->id;
      HeddleAxis *axis = heddle_diagram_edit_axis (self->definition, id);
      const HeddleAxis *from = heddle_diagram_get_axis (self->folding->diagram, id);

      if (axis->size == NULL && from != NULL && from->size != NULL)
        axis->size = heddle_expr_ref (from->size);
    }
}

static void
define (Definition *self)
{
  const HeddleSibling *first = g_ptr_array_index (self->run->siblings, 0);

  add_value (self, self->run->carried, HEDDLE_ROLE_INPUT, "X");
  for (guint i = 0; i < self->run->constant->len; i++)
    add_value (self, heddle_ids_index (self->run->constant, i), HEDDLE_ROLE_INPUT, "C");
  for (guint i = 0; i < self->run->own->len; i++)
    add_parameter (self, heddle_ids_index (self->run->own, i));
  for (guint i = 0; i < first->operations->len; i++)
    add_operation (self, g_ptr_array_index (first->operations, i));
  self->definition->explicit_outputs = TRUE;
  heddle_ids_append (self->definition->outputs, add_output (self, first->output));
  settle_sizes (self);
}

/* --- the call ---------------------------------------------------------------------------------------------- */

static void
remove_siblings (Folding *self, const HeddleRun *run, const char *kept)
{
  for (guint i = 0; i < run->siblings->len; i++)
    {
      const HeddleSibling *sibling = g_ptr_array_index (run->siblings, i);

      for (guint j = 0; j < sibling->operations->len; j++)
        {
          const HeddleOperation *operation = g_ptr_array_index (sibling->operations, j);
          g_autoptr (GArray) results = heddle_ids_new ();

          for (guint k = 0; k < heddle_operation_n_results (operation); k++)
            heddle_ids_append (results, heddle_operation_get_result (operation, k));
          heddle_diagram_remove (self->diagram, operation->id);
          for (guint k = 0; k < results->len; k++)
            if (heddle_ids_index (results, k) != kept)
              heddle_diagram_remove (self->diagram, heddle_ids_index (results, k));
        }
    }
}

/* Removes parameters that nothing reads any more, and axes that nothing has. */
static void
remove_unused (Folding *self)
{
  g_autoptr (GHashTable) axes = g_hash_table_new (NULL, NULL);

  for (guint i = self->diagram->values->len; i-- > 0;)
    {
      const HeddleValue *value = g_ptr_array_index (self->diagram->values, i);

      if (value->role == HEDDLE_ROLE_PARAMETER && heddle_diagram_count_readers (self->diagram, value->id) == 0
          && !heddle_diagram_is_output (self->diagram, value->id))
        heddle_diagram_remove (self->diagram, value->id);
      else
        for (guint j = 0; j < value->axes->len; j++)
          g_hash_table_add (axes, (gpointer) heddle_ids_index (value->axes, j));
    }
  for (guint i = self->diagram->axes->len; i-- > 0;)
    {
      const char *id = ((HeddleAxis *) g_ptr_array_index (self->diagram->axes, i))->id;

      if (!g_hash_table_contains (axes, id))
        heddle_diagram_remove (self->diagram, id);
    }
}

static void
call (Folding *self, const HeddleRun *run, const HeddleDiagram *definition, const char *name)
{
  const HeddleSibling *last = g_ptr_array_index (run->siblings, run->siblings->len - 1);
  const char *result = last->output, *slash = strrchr (run->path, '/');
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleOperation *made;
  HeddleValue *value;

  heddle_ids_append (operands, run->carried);
  g_array_append_vals (operands, run->constant->data, run->constant->len);
  remove_siblings (self, run, result);
  made = heddle_diagram_add_operation (
      self->diagram, NULL, heddle_operation_kind ("call"), operands, result, NULL, -1);
  made->callee = definition->id;
  made->repeat = heddle_expr_number (run->siblings->len);
  if (slash != NULL)
    {
      g_autofree char *around = g_strndup (run->path, (gsize) (slash - run->path));

      g_hash_table_insert (self->modules, (gpointer) made->id, (gpointer) g_intern_string (around));
    }
  value = heddle_diagram_edit_value (self->diagram, result);
  g_clear_pointer (&value->comment, g_free);
  if (value->name == NULL)
    value->name = heddle_sketch_choose_name (self->emission->names, name);
  remove_unused (self);
  heddle_diagram_sort (self->diagram);
}

/* --- the whole ----------------------------------------------------------------------------------------------- */

/* Returns the modules of a sibling's operations, as seen from within it. */
static GHashTable *
modules_within (const Folding *self, const HeddleRun *run)
{
  const HeddleSibling *first = g_ptr_array_index (run->siblings, 0);
  GHashTable *within = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < first->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (first->operations, i);
      const char *module = g_hash_table_lookup (self->modules, operation->id);
      const char *slash = strchr (module + strlen (run->path), '/');

      if (slash != NULL)
        g_hash_table_insert (within, (gpointer) operation->id, (gpointer) (slash + 1));
    }
  return within;
}

static void
apply (Folding *self, const HeddleRun *run)
{
  g_autofree char *family = family_name (run->path), *one = singular (family);
  g_autofree char *name = heddle_sketch_choose_name (self->emission->names, one);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) raw = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) modules = modules_within (self, run);
  Definition definition = { self, run, heddle_diagram_new (name), names, raw };
  Folding within;

  for (guint i = 0; i < self->diagram->axes->len; i++)
    heddle_sketch_take_name (names, ((HeddleAxis *) g_ptr_array_index (self->diagram->axes, i))->name, 1);
  define (&definition);
  heddle_snapshot_add_diagram (self->emission->snapshot, definition.definition);
  call (self, run, definition.definition, family);
  within = (Folding){ self->emission, definition.definition, modules, raw, self->depth + 1 };
  fold (&within);
}

/* Assigns each written constant to the module that alone reads it. */
static void
adopt_constants (Folding *self)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      g_autoptr (GPtrArray) readers = NULL;
      const char *module = NULL;

      if (operation->operands->len > 0 || g_hash_table_contains (self->modules, operation->id))
        continue;
      readers = heddle_diagram_get_readers (self->diagram, operation->result);
      for (guint j = 0; j < readers->len; j++)
        {
          const HeddleOperation *reader = g_ptr_array_index (readers, j);
          const char *other = g_hash_table_lookup (self->modules, reader->id);

          module = j == 0 ? other : g_strcmp0 (module, other) == 0 ? module : NULL;
        }
      if (module != NULL)
        g_hash_table_insert (self->modules, (gpointer) operation->id, (gpointer) module);
    }
}

static void
fold (Folding *self)
{
  gboolean small = self->diagram->operations->len <= MOST_OPERATIONS && self->depth < DEEPEST;

  if (small)
    adopt_constants (self);
  for (guint i = 0; small && i < MOST_RUNS; i++)
    {
      g_autoptr (HeddleRun) run = heddle_run_find (self->diagram, self->modules);

      if (run == NULL)
        break;
      apply (self, run);
    }
  heddle_sketch_add_blocks (self->emission, self->diagram, self->modules);
}

void
heddle_sketch_fold (HeddleSketchEmission *self)
{
  g_autoptr (GHashTable) raw = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Folding folding = { self, self->diagram, self->modules, raw, 0 };

  fold (&folding);
}
