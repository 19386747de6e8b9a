/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/edits/join-senses.h"
#include "app/edits/sense.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/diagram.h"

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static GPtrArray *
new_senses (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_sense_free);
}

/* --- entry by entry --- */

/* The axes of @self that @other has not. */
static GArray *
find_missing (const HeddleValue *self, const HeddleValue *other)
{
  GArray *missing = heddle_ids_copy (self->axes);

  heddle_ids_remove_all (missing, other->axes);
  return missing;
}

/* As far as all sizes are known. */
static gboolean
have_same_sizes (HeddleEditor *editor, const GArray *left, const GArray *right)
{
  const HeddleSizes *sizes = heddle_editor_get_sizes (editor);

  for (guint i = 0; sizes != NULL && i < left->len; i++)
    if (heddle_sizes_get (sizes, heddle_ids_index (left, i))
        != heddle_sizes_get (sizes, heddle_ids_index (right, i)))
      return FALSE;
  return TRUE;
}

/* Returns what comes behind the function: each axis of @right that is brought to one of @left. NULL means
 * that they do not fit. */
static GPtrArray *
find_exchange (HeddleEditor *editor, const HeddleValue *left, const HeddleValue *right)
{
  g_autoptr (GArray) here = find_missing (left, right), there = find_missing (right, left);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  if (here->len == 0 || there->len == 0)
    return g_steal_pointer (&words);
  if (here->len != there->len || !have_same_sizes (editor, here, there))
    return NULL;
  for (guint i = 0; i < here->len; i++)
    {
      g_ptr_array_add (words, (char *) heddle_ids_index (there, i));
      g_ptr_array_add (words, (char *) heddle_ids_index (here, i));
    }
  return g_steal_pointer (&words);
}

static void
add_join (GPtrArray *senses, char *title, char *sentence, const char *left, const char *right,
    const char *body, const GPtrArray *exchange)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  g_ptr_array_add (words, "join");
  g_ptr_array_add (words, (char *) left);
  g_ptr_array_add (words, (char *) right);
  g_ptr_array_add (words, (char *) body);
  for (guint i = 0; i < exchange->len; i++)
    g_ptr_array_add (words, exchange->pdata[i]);
  g_ptr_array_add (words, NULL);
  g_ptr_array_add (senses, heddle_sense_new (title, sentence, (const char *const *) words->pdata));
}

/* Returns "Add X", or "Add X, x read as y". */
static char *
say (const HeddleDiagram *diagram, char *what, const GPtrArray *exchange)
{
  g_autofree char *said = what;

  if (exchange->len == 0)
    return g_steal_pointer (&said);
  return g_strdup_printf (_ ("%s, %s read as %s"), said, heddle_axis_name (diagram, exchange->pdata[0]),
      heddle_axis_name (diagram, exchange->pdata[1]));
}

GPtrArray *
heddle_senses_of_join (HeddleEditor *editor, const char *left, const char *right)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *here = heddle_diagram_get_value (diagram, left);
  const HeddleValue *there = heddle_diagram_get_value (diagram, right);
  GPtrArray *senses = new_senses ();
  g_autofree char *name = heddle_diagram_value_label (diagram, right);
  g_autoptr (GPtrArray) exchange
      = here != there && here != NULL && there != NULL ? find_exchange (editor, here, there) : NULL;

  if (exchange == NULL)
    return senses;
  add_join (senses, g_strdup (_ ("Add")), say (diagram, g_strdup_printf (_ ("Add %s"), name), exchange), left,
      right, "$0 + $1", exchange);
  add_join (senses, g_strdup (_ ("Multiply")),
      say (diagram, g_strdup_printf (_ ("Multiply by %s"), name), exchange), left, right, "$0 * $1",
      exchange);
  return senses;
}

/* --- contractions --- */

typedef struct
{
  const HeddleDiagram *diagram;
  const char *left, *right, *axis;
  GPtrArray *senses;
} Contraction;

/* Returns whether a value is of tokens or pixels: it has an axis that no weights have. */
static gboolean
is_position (const HeddleDiagram *diagram, const char *axis)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (value->role == HEDDLE_ROLE_PARAMETER && heddle_ids_contain (value->axes, axis))
        return FALSE;
    }
  return TRUE;
}

/* The other axes that both have: positions first, and of those the innermost. */
static GArray *
find_kept (const Contraction *self)
{
  const GArray *left = heddle_diagram_get_value (self->diagram, self->left)->axes;
  const GArray *right = heddle_diagram_get_value (self->diagram, self->right)->axes;
  GArray *kept = heddle_ids_new ();

  for (guint round = 0; round < 2; round++)
    for (guint i = left->len; i-- > 0;)
      {
        const char *axis = heddle_ids_index (left, i);

        if (axis != self->axis && heddle_ids_contain (right, axis)
            && is_position (self->diagram, axis) == (round == 0))
          heddle_ids_append (kept, axis);
      }
  return kept;
}

/* Adds a contraction over @axes (ids), @apart (or NULL) being read at two positions. */
static void
add_contraction (const Contraction *self, const GArray *axes, const char *apart)
{
  g_autofree char *names = heddle_axes_to_string (self->diagram, axes);
  g_autofree char *partner = heddle_diagram_value_label (self->diagram, self->right);
  const char *position = apart != NULL ? heddle_axis_name (self->diagram, apart) : NULL;
  g_autoptr (GString) ids = g_string_new (NULL);
  char *title = NULL, *sentence = NULL;

  for (guint i = 0; i < axes->len; i++)
    g_string_append_printf (ids, "%s ", heddle_ids_index (axes, i));
  title = apart != NULL ? g_strdup_printf (_ ("Each %s with Each"), position)
                        : g_strdup_printf (_ ("Over %s"), names);
  sentence = apart != NULL ? g_strdup_printf (
                 _ ("Contraction with %s over %s, each %s with each"), partner, names, position)
                           : g_strdup_printf (_ ("Contraction with %s over %s"), partner, names);
  g_ptr_array_add (self->senses,
      heddle_sense_new (title, sentence, WORDS ("contract", self->left, self->right, ids->str, apart)));
}

/* Adds the contractions over the axis and each other one, then over all. */
static void
add_wider (const Contraction *self, const GArray *kept)
{
  g_autoptr (GArray) axes = heddle_ids_new ();

  heddle_ids_append (axes, self->axis);
  for (guint i = 0; kept->len > 1 && i < kept->len; i++)
    {
      heddle_ids_append (axes, heddle_ids_index (kept, i));
      add_contraction (self, axes, NULL);
      g_array_set_size (axes, 1);
    }
  g_array_append_vals (axes, kept->data, kept->len);
  if (kept->len > 0)
    add_contraction (self, axes, NULL);
}

/* Adds contractions over the one axis; then what two arrays of the same tokens are put together for, each
 * with each or entry by entry; then the rest. */
static void
add_contractions (HeddleEditor *editor, const Contraction *self)
{
  g_autoptr (GArray) kept = find_kept (self), axes = heddle_ids_new ();
  g_autoptr (GPtrArray) joins = heddle_senses_of_join (editor, self->right, self->left);

  heddle_ids_append (axes, self->axis);
  add_contraction (self, axes, NULL);
  for (guint i = 0; i < MIN (kept->len, 1); i++)
    add_contraction (self, axes, heddle_ids_index (kept, i));
  g_ptr_array_extend_and_steal (self->senses, g_steal_pointer (&joins));
  for (guint i = 1; i < kept->len; i++)
    add_contraction (self, axes, heddle_ids_index (kept, i));
  add_wider (self, kept);
}

static void
add_unifications (const Contraction *self, const char *left_axis)
{
  const char *from = heddle_axis_name (self->diagram, left_axis);
  const char *into = heddle_axis_name (self->diagram, self->axis);

  g_ptr_array_add (
      self->senses, heddle_sense_new (g_strdup_printf (_ ("Over %s"), into),
                        g_strdup_printf (_ ("%s is %s now, and summed over"), from, into),
                        WORDS ("unify-and-contract", self->left, left_axis, self->right, self->axis)));
  g_ptr_array_add (self->senses,
      heddle_sense_new (g_strdup (_ ("Only Unify")), g_strdup_printf (_ ("%s is %s now"), from, into),
          WORDS ("unify", left_axis, self->axis)));
}

GPtrArray *
heddle_senses_of_contraction (
    HeddleEditor *editor, const char *left, const char *left_axis, const char *right, const char *right_axis)
{
  const Contraction self = { heddle_editor_get_diagram (editor), left, right, right_axis, new_senses () };

  if (left_axis == right_axis)
    add_contractions (editor, &self);
  else
    add_unifications (&self, left_axis);
  return self.senses;
}
