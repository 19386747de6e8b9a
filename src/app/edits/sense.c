/* SPDX-License-Identifier: MIT */

/* Two things that a person puts together can mean one edit or another. Each edit has a title of a few words, so
 * that one is done at once and the others are offered. */

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/array.h"
#include "app/edits/edits.h"
#include "app/edits/sense.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/linear.h"
#include "diagram/edit/read.h"
#include "diagram/edit/unify.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

HeddleSense *
heddle_sense_new (char *title, char *sentence, const char *const *words)
{
  HeddleSense *self = g_new0 (HeddleSense, 1);

  self->title = title;
  self->sentence = sentence;
  self->words = g_strdupv ((char **) words);
  return self;
}

void
heddle_sense_free (HeddleSense *self)
{
  if (self == NULL)
    return;
  g_free (self->title);
  g_free (self->sentence);
  g_strfreev (self->words);
  g_free (self);
}

/* A call has the words after the first. */
typedef struct
{
  HeddleEditor *editor;
  const char *const *words;
  const char *made; /* out: an operation */
} Taking;

/* Reads ids between spaces. */
static GArray *
read_ids (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      heddle_ids_append (ids, g_intern_string (words[i]));
  return ids;
}

static GArray *
pair (const char *left, const char *right)
{
  GArray *values = heddle_ids_new ();

  heddle_ids_append (values, g_intern_string (left));
  heddle_ids_append (values, g_intern_string (right));
  return values;
}

/* Does LEFT RIGHT AXES [AXIS]: contracts over all of AXES at once; LEFT is read at another position of AXIS
 * than RIGHT. */
static gboolean
do_contract (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Taking *self = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (self->editor, snapshot);
  g_autoptr (GArray) values = pair (self->words[0], self->words[1]);
  g_autoptr (GArray) axes = read_ids (self->words[2]);

  if (self->words[3] != NULL)
    heddle_ids_index (values, 0) = heddle_edit_read_at (
        diagram, heddle_ids_index (values, 0), g_intern_string (self->words[3]), NULL, error);
  if (heddle_ids_index (values, 0) == NULL)
    return FALSE;
  self->made = heddle_edit_add_operation (
      snapshot, diagram, heddle_operation_kind ("contract"), values, axes, NULL, error);
  return self->made != NULL;
}

/* Does VALUE CORE INTO. */
static gboolean
do_add_layer (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Taking *self = data;
  g_autoptr (GArray) core = read_ids (self->words[1]), into = read_ids (self->words[2]);

  self->made = heddle_edit_add_layer (snapshot, heddle_editor_diagram_in (self->editor, snapshot),
      g_intern_string (self->words[0]), core, into, error);
  return self->made != NULL;
}

/* Makes the axis @from of @value that of @into: it is one axis from then on, or where that cannot be is read so. Returns what to read. */
static const char *
bring_to (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value, const char *from,
    const char *into, GError **error)
{
  if (heddle_edit_unify_axes (snapshot, diagram, from, into, NULL))
    return value;
  return heddle_edit_read_at (diagram, value, from, into, error);
}

/* Does LEFT RIGHT BODY [FROM INTO]… entry by entry; each axis FROM of RIGHT is brought to INTO. */
static gboolean
do_join (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Taking *self = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (self->editor, snapshot);
  g_autoptr (GArray) values = pair (self->words[0], self->words[1]);

  for (guint i = 3; self->words[i] != NULL; i += 2)
    {
      const char *read = bring_to (snapshot, diagram, heddle_ids_index (values, 1),
          g_intern_string (self->words[i]), g_intern_string (self->words[i + 1]), error);

      if (read == NULL)
        return FALSE;
      heddle_ids_index (values, 1) = read;
    }
  self->made = heddle_edit_add_operation (
      snapshot, diagram, heddle_operation_kind ("map"), values, NULL, self->words[2], error);
  return self->made != NULL;
}

/* --- how each is called, and done --- */

static char *
contraction_title (Taking *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  g_autoptr (GArray) axes = read_ids (self->words[2]);
  g_autofree char *names = heddle_axes_to_string (diagram, axes);

  return g_strdup_printf (_ ("Contract over %s"), names);
}

static gboolean
do_edit (Taking *self, char *title, HeddleEdit change, GError **error)
{
  g_autofree char *name = title;

  if (!heddle_editor_edit (self->editor, name, NULL, change, self, error))
    return FALSE;
  heddle_editor_select (self->editor, self->made);
  return TRUE;
}

static gboolean
contract (Taking *self, GError **error)
{
  return do_edit (self, contraction_title (self), do_contract, error);
}

static gboolean
add_layer (Taking *self, GError **error)
{
  return do_edit (self, g_strdup (_ ("Add a linear layer")), do_add_layer, error);
}

/* Does VALUE AXIS TEXT. */
static gboolean
add_typed_layer (Taking *self, GError **error)
{
  return heddle_edits_add_linear_typed (self->editor, g_intern_string (self->words[0]),
      g_intern_string (self->words[1]), self->words[2], error);
}

static gboolean
join (Taking *self, GError **error)
{
  return do_edit (self, g_strdup_printf (_ ("Insert %s"), self->words[2]), do_join, error);
}

/* Does FROM INTO. */
static gboolean
unify (Taking *self, GError **error)
{
  return heddle_edits_unify (
      self->editor, g_intern_string (self->words[0]), g_intern_string (self->words[1]), error);
}

/* Does LEFT AXIS RIGHT AXIS. */
static gboolean
unify_and_contract (Taking *self, GError **error)
{
  return heddle_edits_unify_and_connect (self->editor, g_intern_string (self->words[0]),
      g_intern_string (self->words[1]), g_intern_string (self->words[2]), g_intern_string (self->words[3]),
      error);
}

static const struct
{
  const char *word;
  guint n_words;
  gboolean (*run) (Taking *, GError **);
} ways[] = {
  { "contract", 3, contract },
  { "layer", 3, add_layer },
  { "layer-typed", 3, add_typed_layer },
  { "join", 3, join },
  { "unify", 2, unify },
  { "unify-and-contract", 4, unify_and_contract },
};

gboolean
heddle_sense_take (HeddleEditor *editor, const char *const *words, GError **error)
{
  Taking self = { .editor = editor, .words = words + 1 };

  for (guint i = 0; words[0] != NULL && i < G_N_ELEMENTS (ways); i++)
    if (g_str_equal (ways[i].word, words[0]) && g_strv_length ((GStrv) words) > ways[i].n_words)
      return ways[i].run (&self, error);
  g_set_error_literal (
      error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no wire here"));
  return FALSE;
}
