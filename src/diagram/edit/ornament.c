/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "diagram/base/error.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/ornament.h"

/* This file edits single fields of what a figure has beside the diagram: see ornament.h. */

/* The greatest distance from the drawing, and the greatest size, of anything that is placed, in px. */
#define FARTHEST 1e6
#define MOST_TEXT 4096

static gpointer
find (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *id, const HeddleOrnamentKind **kind)
{
  HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  return presentation != NULL ? heddle_presentation_find (presentation, g_intern_string (id), kind) : NULL;
}

static gboolean
read_number (const char *text, double *number, GError **error)
{
  char *end = NULL;
  *number = *text == '\0' ? 0 : g_ascii_strtod (text, &end);
  if ((end != NULL && *end != '\0') || !isfinite (*number) || fabs (*number) > FARTHEST)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s is not a number of pixels"), text);
  return TRUE;
}

static gboolean
read_word (const HeddleField *field, const char *text, int *word, GError **error)
{
  for (int i = 0; field->words[i] != NULL; i++)
    if (g_str_equal (field->words[i], text))
      {
        *word = i;
        return TRUE;
      }
  return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s cannot be “%s”"), field->name, text);
}

static gboolean
read_text (const HeddleField *field, const char *text, char **place, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_utf8_make_valid (text, -1));
  if (field->required && *stripped == '\0')
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("It needs a %s"), field->name);
  if (strlen (stripped) > MOST_TEXT)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_LIMIT, _ ("A text has at most %d bytes"), MOST_TEXT);
  g_free (*place);
  *place = *stripped != '\0' ? g_steal_pointer (&stripped) : NULL;
  return TRUE;
}

static gboolean
read_object (const HeddleDiagram *diagram, const HeddleField *field, const char *text, const char **object,
    GError **error)
{
  const char *id = g_intern_string (text);
  const gboolean known = heddle_diagram_get_axis (diagram, id) != NULL
                         || heddle_diagram_get_value (diagram, id) != NULL
                         || heddle_diagram_get_operation (diagram, id) != NULL;
  if (*text == '\0' ? field->required : !known)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("“%s” is not in the diagram"), text);
  *object = *text != '\0' ? id : NULL;
  return TRUE;
}

gboolean
heddle_edit_set_field (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *id, const char *name,
    const char *text, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL, FALSE);
  g_return_val_if_fail (id != NULL && name != NULL && text != NULL, FALSE);

  const HeddleOrnamentKind *kind = NULL;
  gpointer ornament = find (snapshot, diagram, id, &kind);
  for (const HeddleField *field = ornament != NULL ? kind->fields : NULL;
       field != NULL && field->name != NULL; field++)
    if (g_str_equal (field->name, name))
      switch (field->kind)
        {
        case HEDDLE_FIELD_TEXT:
          return read_text (field, text, &heddle_field_at (field, ornament, char *), error);
        case HEDDLE_FIELD_NUMBER:
          return read_number (text, &heddle_field_at (field, ornament, double), error);
        case HEDDLE_FIELD_WORD:
          return read_word (field, text, &heddle_field_at (field, ornament, int), error);
        case HEDDLE_FIELD_OBJECT:
          return read_object (diagram, field, text, &heddle_field_at (field, ornament, const char *), error);
        case HEDDLE_FIELD_ID:
        case HEDDLE_FIELD_DIAGRAM:
        case HEDDLE_FIELD_OPERATIONS:
        case HEDDLE_FIELD_AXES:
        default:
          break;
        }
  return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("%s has no %s to set"), id, name);
}

gboolean
heddle_edit_set_fill (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *object, const char *fill, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL && object != NULL, FALSE);

  const char *id = g_intern_string (object);
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  if (heddle_diagram_get_axis (diagram, id) == NULL && heddle_diagram_get_operation (diagram, id) == NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("“%s” is not in the diagram"), object);
  for (guint i = presentation->fills->len; i-- > 0;)
    if (((HeddleFill *) g_ptr_array_index (presentation->fills, i))->object == id)
      g_ptr_array_remove_index (presentation->fills, i);
  if (fill == NULL || *fill == '\0')
    return TRUE;
  HeddleFill *added = g_new0 (HeddleFill, 1);
  added->object = id;
  added->fill = g_strdup (fill);
  g_ptr_array_add (presentation->fills, added);
  return TRUE;
}

void
heddle_edit_set_wrap (HeddleSnapshot *snapshot, HeddleDiagram *diagram, double width)
{
  g_return_if_fail (snapshot != NULL && diagram != NULL);
  g_return_if_fail (isfinite (width));

  heddle_snapshot_get_presentation (snapshot, diagram)->wrap = CLAMP (width, 0, FARTHEST);
}

void
heddle_edit_set_title (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *title)
{
  g_return_if_fail (snapshot != NULL && diagram != NULL && title != NULL);

  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  g_autofree char *stripped = g_strstrip (g_utf8_make_valid (title, MIN (strlen (title), MOST_TEXT)));
  g_free (presentation->title);
  presentation->title = *stripped != '\0' ? g_steal_pointer (&stripped) : NULL;
}
