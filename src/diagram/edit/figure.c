/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/error.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/figure.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* This file edits what a figure has beside the diagram: see ornament.h. */

#define MOST_TEXT 4096

/* Returns the given ids, each once and in order, if all are of the diagram. Else fails, and nothing is
 * done. */
static GArray *
known_ids (const HeddleDiagram *diagram, const GArray *ids, gboolean axes, GError **error)
{
  GArray *known = heddle_ids_new ();

  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = g_intern_string (heddle_ids_index (ids, i));
      const gboolean is_known = axes ? heddle_diagram_get_axis (diagram, id) != NULL
                                     : heddle_diagram_get_operation (diagram, id) != NULL;
      if (is_known && !heddle_ids_contain (known, id))
        heddle_ids_append (known, id);
      if (is_known)
        continue;
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID,
          axes ? _ ("%s is not an axis of the diagram") : _ ("%s is not an operation of the diagram"), id);
      g_array_unref (known);
      return NULL;
    }
  return known;
}

static gpointer
add (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *element)
{
  return heddle_presentation_add (
      heddle_snapshot_get_presentation (snapshot, diagram), heddle_ornament_kind (element));
}

/* Returns the text without the white space at its ends. */
static char *
bounded_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text != NULL ? text : "", -1);

  if (strlen (valid) > MOST_TEXT)
    {
      char *end = valid + MOST_TEXT;
      while ((*end & 0xC0) == 0x80)
        end--;
      *end = '\0';
    }
  return g_strdup (g_strstrip (valid));
}

const char *
heddle_edit_add_block (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *operations,
    const char *title, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && operations != NULL, NULL);

  GArray *known = known_ids (diagram, operations, FALSE, error);
  if (known == NULL)
    return NULL;
  if (known->len == 0)
    {
      g_array_unref (known);
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Select the operations of the block first"));
      return NULL;
    }
  HeddleBlock *block = add (snapshot, diagram, "block");
  g_array_unref (block->operations);
  block->operations = known;
  block->title = bounded_text (title);
  return block->id;
}

const char *
heddle_edit_add_bundle (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *axes, const char *name, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && axes != NULL && name != NULL, NULL);

  const HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  GArray *known = known_ids (diagram, axes, TRUE, error);
  gboolean taken = FALSE;

  for (guint i = 0; known != NULL && presentation != NULL && i < presentation->bundles->len; i++)
    for (guint j = 0; j < known->len; j++)
      taken |= heddle_ids_contain (
          ((HeddleBundle *) presentation->bundles->pdata[i])->axes, heddle_ids_index (known, j));
  if (known == NULL)
    return NULL;
  if (taken || known->len < 2)
    {
      g_array_unref (known);
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID,
          taken ? _ ("An axis is in one bundle at most") : _ ("A bundle takes two axes or more"));
      return NULL;
    }
  HeddleBundle *bundle = add (snapshot, diagram, "bundle");
  g_array_unref (bundle->axes);
  bundle->axes = known;
  bundle->name = bounded_text (name);
  return bundle->id;
}

const char *
heddle_edit_add_note (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleNoteKind kind, const char *text,
    double x, double y, const char *target)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL, NULL);

  HeddleAnnotation *note = add (snapshot, diagram, "annotation");
  note->kind = kind;
  note->text = bounded_text (text);
  note->x = x;
  note->y = y;
  note->target = target != NULL ? g_intern_string (target) : NULL;
  return note->id;
}

gboolean
heddle_edit_set_text (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *text, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && id != NULL && text != NULL, FALSE);

  HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  const HeddleOrnamentKind *kind = NULL;
  gpointer ornament
      = presentation != NULL ? heddle_presentation_find (presentation, g_intern_string (id), &kind) : NULL;
  if (ornament == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no note %s"), id);
  g_autofree char *bounded = bounded_text (text);
  const char *name = g_str_equal (kind->element, "annotation") ? "text"
                     : g_str_equal (kind->element, "block")    ? "title"
                                                               : "name";
  if (*bounded == '\0' && g_str_equal (name, "name"))
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("A bundle needs a name"));
  for (const HeddleField *field = kind->fields; field->name != NULL; field++)
    if (g_str_equal (field->name, name))
      {
        g_free (heddle_field_at (field, ornament, char *));
        heddle_field_at (field, ornament, char *) = g_steal_pointer (&bounded);
      }
  return TRUE;
}

gboolean
heddle_edit_set_skip (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *reader, gboolean skip, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && value_id != NULL, FALSE);

  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  if (heddle_diagram_get_value (diagram, g_intern_string (value_id)) == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no value %s"), value_id);
  for (guint i = presentation->skips->len; i-- > 0;)
    {
      const HeddleSkip *old = presentation->skips->pdata[i];
      if (g_str_equal (old->value, value_id) && (reader == NULL || g_strcmp0 (old->reader, reader) == 0))
        g_ptr_array_remove_index (presentation->skips, i);
    }
  if (!skip)
    return TRUE;
  HeddleSkip *added = heddle_presentation_add (presentation, heddle_ornament_kind ("skip"));
  added->value = g_intern_string (value_id);
  added->reader = reader != NULL ? g_intern_string (reader) : NULL;
  return TRUE;
}

gboolean
heddle_edit_set_look (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *operation_id,
    HeddleLookKind look, const char *label, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && operation_id != NULL, FALSE);

  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  if (heddle_diagram_get_operation (diagram, g_intern_string (operation_id)) == NULL)
    return heddle_edit_fail (
        error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no operation %s"), operation_id);
  for (guint i = presentation->looks->len; i-- > 0;)
    if (g_str_equal (((HeddleLook *) presentation->looks->pdata[i])->object, operation_id))
      g_ptr_array_remove_index (presentation->looks, i);
  if (look == HEDDLE_LOOK_USUAL && label == NULL)
    return TRUE;
  HeddleLook *added = heddle_presentation_add (presentation, heddle_ornament_kind ("look"));
  added->object = g_intern_string (operation_id);
  added->look = look;
  added->label = label != NULL ? bounded_text (label) : NULL;
  return TRUE;
}
