/* SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <glib/gi18n.h>

#include "app/edits/linear-senses.h"
#include "app/edits/sense.h"
#include "diagram/analysis/sizes.h"
#include "diagram/edit/edit.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* Beyond this many axes to lead to, the search finds the rest by their names. */
#define MOST_AXES 6
#define HEADS 8
#define HEAD_SIZE 64

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleValue *value;
  const char *axis;
  GPtrArray *senses;
} Layer;

static char *
join_ids (const GArray *ids)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (text, "%s ", heddle_ids_index (ids, i));
  return g_string_free (text, FALSE);
}

static gboolean
is_offered (const Layer *self, const char *title)
{
  for (guint i = 0; i < self->senses->len; i++)
    if (g_str_equal (((HeddleSense *) g_ptr_array_index (self->senses, i))->title, title))
      return TRUE;
  return FALSE;
}

/* Adds a layer from @core to @into (ids), once. */
static void
add (const Layer *self, const GArray *core, const GArray *into)
{
  g_autofree char *core_ids = join_ids (core), *into_ids = join_ids (into);
  g_autofree char *from = heddle_axes_to_string (self->diagram, core);
  g_autofree char *names = heddle_axes_to_string (self->diagram, into);
  g_autofree char *title
      = into->len > 0 ? g_strdup_printf (_ ("To %s"), names) : g_strdup (_ ("To a New Axis"));
  g_autofree char *sentence = into->len > 0
                                  ? g_strdup_printf (_ ("Linear layer from %s to %s"), from, names)
                                  : g_strdup_printf (_ ("Linear layer from %s to a new axis"), from);

  if (!is_offered (self, title))
    g_ptr_array_add (
        self->senses, heddle_sense_new (g_steal_pointer (&title), g_steal_pointer (&sentence),
                          (const char *const[]){ "layer", self->value->id, core_ids, into_ids, NULL }));
}

/* Returns the weights of a layer; NULL means that @operation is none. */
static const HeddleValue *
weights_of (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *weights = NULL;

  if (operation->kind->form != HEDDLE_FORM_CONTRACT || operation->operands->len != 2)
    return NULL;
  weights = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 1));
  return weights != NULL && weights->role == HEDDLE_ROLE_PARAMETER ? weights : NULL;
}

/* Returns the axes that a layer makes of those that it sums. */
static GArray *
axes_made (const HeddleValue *weights, const HeddleOperation *operation)
{
  GArray *made = heddle_ids_copy (weights->axes);

  heddle_ids_remove_all (made, operation->axes);
  return made;
}

static gboolean
has_any (const HeddleValue *value, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_contain (value->axes, heddle_ids_index (axes, i)))
      return TRUE;
  return FALSE;
}

static gboolean
has_all (const HeddleValue *value, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (value->axes, heddle_ids_index (axes, i)))
      return FALSE;
  return TRUE;
}

/* As another layer does with the same wire: queries, keys and values. */
static void
add_like_others (const Layer *self)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, self->value->id);

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      const HeddleValue *weights = weights_of (self->diagram, reader);
      g_autoptr (GArray) made = weights != NULL ? axes_made (weights, reader) : NULL;

      if (made != NULL && heddle_ids_contain (reader->axes, self->axis) && has_all (self->value, reader->axes)
          && !has_any (self->value, made))
        add (self, reader->axes, made);
    }
}

/* Returns whether no input has any of @axes: they are of features that a layer made, and not those that all
 * layers come back to. */
static gboolean
are_hidden (const HeddleDiagram *diagram, const GArray *axes)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (value->role == HEDDLE_ROLE_INPUT && has_any (value, axes))
        return FALSE;
    }
  return TRUE;
}

/* Adds a layer back to where the layer came from that made this axis, over all that it made: a residual
 * connection needs it. */
static void
add_back (const Layer *self)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleValue *weights = weights_of (self->diagram, operation);
      g_autoptr (GArray) made = weights != NULL ? axes_made (weights, operation) : NULL;

      if (made != NULL && heddle_ids_contain (made, self->axis) && has_all (self->value, made)
          && are_hidden (self->diagram, made) && !has_any (self->value, operation->axes))
        add (self, made, operation->axes);
    }
}

/* The first name that is free: "h", "h_2" and so on. */
static char *
free_name (const HeddleDiagram *diagram, const char *name)
{
  char *numbered = g_strdup (name);

  for (guint i = 2; !heddle_edit_is_free_name (diagram, numbered); i++)
    {
      g_free (numbered);
      numbered = g_strdup_printf ("%s_%u", name, i);
    }
  return numbered;
}

/* Eight heads that share the features, as far as these can be shared. */
static void
add_heads (HeddleEditor *editor, const Layer *self)
{
  const HeddleSizes *sizes = heddle_editor_get_sizes (editor);
  const gint64 size = sizes != NULL ? heddle_sizes_get (sizes, self->axis) : 0;
  g_autofree char *heads = free_name (self->diagram, "h"), *features = free_name (self->diagram, "k");
  g_autofree char *text = g_strdup_printf ("%s=%d, %s=%" PRId64, heads, HEADS, features,
      size > 0 && size % HEADS == 0 ? size / HEADS : (gint64) HEAD_SIZE);

  g_ptr_array_add (
      self->senses, heddle_sense_new (g_strdup (_ ("To Heads")),
                        g_strdup_printf (_ ("Linear layer from %s to %s"),
                            heddle_axis_name (self->diagram, self->axis), text),
                        (const char *const[]){ "layer-typed", self->value->id, self->axis, text, NULL }));
}

static void
add_others (const Layer *self, const GArray *core)
{
  for (guint i = 0; i < self->diagram->axes->len && self->senses->len < MOST_AXES; i++)
    {
      const HeddleAxis *other = g_ptr_array_index (self->diagram->axes, i);
      g_autoptr (GArray) into = heddle_ids_new ();

      heddle_ids_append (into, other->id);
      if (!has_any (self->value, into))
        add (self, core, into);
    }
}

GPtrArray *
heddle_senses_of_linear (HeddleEditor *editor, const char *value, const char *axis)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const Layer self = { diagram, heddle_diagram_get_value (diagram, value), axis,
    g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_sense_free) };
  g_autoptr (GArray) core = heddle_ids_new (), nothing = heddle_ids_new ();

  heddle_ids_append (core, axis);
  add_like_others (&self);
  add_back (&self);
  add (&self, core, nothing);
  add_heads (editor, &self);
  add_others (&self, core);
  return self.senses;
}
