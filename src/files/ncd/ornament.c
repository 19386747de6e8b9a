/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/theme.h"
#include "files/ncd/ornament.h"
#include "files/ncd/parse.h"
#include "files/ncd/spelling.h"

/* This file reads what a figure has beside the diagram, by the table of ornaments. An ornament of things that
 * do not exist is left out with a warning: a figure without a backdrop is better than none. */

#define MOST_FIELDS G_N_ELEMENTS (((HeddleOrnamentKind *) NULL)->fields)
#define MOST_TEXT 16384

static gboolean
is_known (
    const HeddleNcdReader *self, const HeddlePresentation *presentation, HeddleFieldKind kind, const char *id)
{
  const gboolean axis = heddle_diagram_get_axis (self->diagram, id) != NULL;
  const gboolean operation = heddle_diagram_get_operation (self->diagram, id) != NULL;

  switch (kind)
    {
    case HEDDLE_FIELD_OPERATIONS:
      return operation;
    case HEDDLE_FIELD_AXES:
      return axis;
    case HEDDLE_FIELD_DIAGRAM:
      return heddle_snapshot_get_diagram_by_id (self->snapshot, id) != NULL;
    default:
      return axis || operation || heddle_diagram_get_value (self->diagram, id) != NULL
             || heddle_presentation_find (presentation, id, NULL) != NULL;
    }
}

/* Reads the known ids, each once. */
static GArray *
read_ids (HeddleNcdReader *self, xmlNode *node, const HeddlePresentation *presentation,
    const HeddleField *field, const char *text)
{
  g_autoptr (GArray) all = heddle_ncd_ids (self, node, text);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *known = heddle_ids_new ();

  for (guint i = 0; i < all->len; i++)
    {
      const char *id = heddle_ids_index (all, i);
      if (!is_known (self, presentation, field->kind, id))
        heddle_ncd_warn (self, node, "%s: there is no “%s” in the diagram “%s”; it is left out", field->name,
            id, self->diagram->name);
      else if (g_hash_table_add (seen, (gpointer) id))
        heddle_ids_append (known, id);
    }
  return known;
}

static int
find_word (const HeddleField *field, const char *text)
{
  for (int i = 0; i < (int) G_N_ELEMENTS (field->words) && field->words[i] != NULL; i++)
    if (g_str_equal (field->words[i], text))
      return i;
  return -1;
}

static void
read_word (
    HeddleNcdReader *self, xmlNode *node, const HeddleField *field, gpointer ornament, const char *text)
{
  const int word = find_word (field, text);

  if (word >= 0)
    heddle_field_at (field, ornament, int) = word;
  else
    heddle_ncd_report (self, node, "%s: “%.40s” is not one of the words for it", field->name, text);
}

/* Warns of commands in the words of an ornament that are not known; those of a listing are not ours. */
static void
check_words (HeddleNcdReader *self, xmlNode *node, const char *field, const char *text)
{
  xmlChar *kind = xmlGetNoNsProp (node, (const xmlChar *) "kind");
  const gboolean plain = g_strcmp0 ((char *) kind, "listing") == 0 || g_strcmp0 ((char *) kind, "array") == 0;

  xmlFree (kind);
  if (plain)
    return;
  if (g_str_equal (field, "title") || g_str_equal (field, "text"))
    heddle_ncd_check_prose (self, node, text);
  else
    heddle_ncd_check_label (self, node, text);
}

static void
read_text (
    HeddleNcdReader *self, xmlNode *node, const HeddleField *field, gpointer ornament, const char *text)
{
  if (strlen (text) > MOST_TEXT)
    heddle_ncd_report (self, node, "%s: longer than %d bytes", field->name, MOST_TEXT);
  else if (g_str_equal (field->name, "fill") && !g_str_equal (text, "none") && !heddle_theme_has_fill (text))
    heddle_ncd_report (self, node,
        "fill: “%.40s” is neither a class of the palette, nor a colour such as #9DC7FE, nor none", text);
  else
    {
      if (!g_str_equal (field->name, "fill"))
        check_words (self, node, field->name, text);
      heddle_field_at (field, ornament, char *) = g_strdup (text);
    }
}

/* Reads a field. Returns %FALSE if the ornament is about nothing that exists. */
static gboolean
read_field (HeddleNcdReader *self, xmlNode *node, const HeddlePresentation *presentation,
    const HeddleField *field, gpointer ornament, const char *text)
{
  const char *id = NULL;
  double number;

  switch (field->kind)
    {
    case HEDDLE_FIELD_ID:
    case HEDDLE_FIELD_OBJECT:
    case HEDDLE_FIELD_DIAGRAM:
      id = heddle_ncd_id (self, node, text);
      if (id == NULL)
        return TRUE; /* reported */
      if (field->kind == HEDDLE_FIELD_ID && heddle_presentation_find (presentation, id, NULL) != NULL)
        heddle_ncd_report (self, node, "the id “%s” is already taken", id);
      else if (field->kind == HEDDLE_FIELD_ID || is_known (self, presentation, field->kind, id))
        heddle_field_at (field, ornament, const char *) = id;
      else
        {
          heddle_ncd_warn (self, node, "%s: there is no “%s”; it is left out", field->name, id);
          return !field->required;
        }
      return TRUE;
    case HEDDLE_FIELD_OPERATIONS:
    case HEDDLE_FIELD_AXES:
      g_array_unref (heddle_field_at (field, ornament, GArray *));
      heddle_field_at (field, ornament, GArray *) = read_ids (self, node, presentation, field, text);
      return heddle_field_at (field, ornament, GArray *)->len >= heddle_field_least (field);
    case HEDDLE_FIELD_TEXT:
      read_text (self, node, field, ornament, text);
      return TRUE;
    case HEDDLE_FIELD_NUMBER:
      if (heddle_ncd_number (self, node, field->name, text, &number))
        heddle_field_at (field, ornament, double) = CLAMP (number, -1e6, 1e6);
      return TRUE;
    case HEDDLE_FIELD_WORD:
      read_word (self, node, field, ornament, text);
      return TRUE;
    }
  return FALSE;
}

gboolean
heddle_ncd_read_ornament (HeddleNcdReader *self, xmlNode *node, HeddlePresentation *presentation)
{
  HeddleNcdAttribute attributes[MOST_FIELDS];
  char *values[MOST_FIELDS];
  const HeddleOrnamentKind *kind = heddle_ornament_kinds ();
  guint n = 0;
  gboolean whole = TRUE;

  while (kind->element != NULL && !heddle_ncd_is (node, kind->element))
    kind++;
  if (kind->element == NULL)
    return FALSE;
  for (; kind->fields[n].name != NULL; n++)
    attributes[n] = (HeddleNcdAttribute){ kind->fields[n].name, kind->fields[n].required };
  if (heddle_ncd_attributes (self, node, attributes, n, values))
    {
      gpointer ornament = heddle_ornament_new (kind);
      for (guint i = 0; i < n; i++)
        if (values[i] != NULL)
          whole &= read_field (self, node, presentation, &kind->fields[i], ornament, values[i]);
      if (whole)
        g_ptr_array_add (heddle_ornament_list (kind, presentation), ornament);
      else
        heddle_ornament_free (kind, ornament);
    }
  heddle_ncd_clear_values (values, n);
  return TRUE;
}

/* Returns which of two words an attribute has; 0 for the first word, or if there is no attribute. */
int
heddle_ncd_word (HeddleNcdReader *self, xmlNode *node, const char *name, const char *text, const char *first,
    const char *second)
{
  if (text == NULL || g_str_equal (text, first))
    return 0;
  if (!g_str_equal (text, second))
    heddle_ncd_report (self, node, "%s: “%.40s” is neither “%s” nor “%s”", name, text, first, second);
  return 1;
}
