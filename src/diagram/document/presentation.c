/* SPDX-License-Identifier: MIT */
#include "diagram/document/presentation.h"

static void
fill_free (HeddleFill *fill)
{
  g_free (fill->fill);
  g_free (fill);
}

HeddlePresentation *
heddle_presentation_new (const char *diagram_id)
{
  HeddlePresentation *self = g_new0 (HeddlePresentation, 1);
  self->diagram = g_intern_string (diagram_id);
  self->nudges = g_array_new (FALSE, FALSE, sizeof (HeddleNudge));
  self->fills = g_ptr_array_new_with_free_func ((GDestroyNotify) fill_free);
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    heddle_ornament_list (kind, self) = g_ptr_array_new_with_free_func (kind->free);
  return self;
}

static gpointer
copy_fill (gconstpointer source, gpointer data)
{
  HeddleFill *fill = g_memdup2 (source, sizeof *fill);
  fill->fill = g_strdup (fill->fill);
  return fill;
}

HeddlePresentation *
heddle_presentation_copy (const HeddlePresentation *self)
{
  HeddlePresentation *copy = heddle_presentation_new (self->diagram);
  copy->title = g_strdup (self->title);
  copy->wrap = self->wrap;
  g_array_append_vals (copy->nudges, self->nudges->data, self->nudges->len);
  for (guint i = 0; i < self->fills->len; i++)
    g_ptr_array_add (copy->fills, copy_fill (g_ptr_array_index (self->fills, i), NULL));
  copy->definitions = self->definitions;
  copy->bands = self->bands;
  copy->separators = self->separators;
  copy->copies = self->copies;
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    {
      const GPtrArray *list = heddle_ornament_list (kind, self);
      for (guint i = 0; i < list->len; i++)
        g_ptr_array_add (heddle_ornament_list (kind, copy), heddle_ornament_copy (kind, list->pdata[i]));
    }
  return copy;
}

void
heddle_presentation_free (HeddlePresentation *self)
{
  g_free (self->title);
  g_array_unref (self->nudges);
  g_ptr_array_unref (self->fills);
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    g_ptr_array_unref (heddle_ornament_list (kind, self));
  g_free (self);
}

gboolean
heddle_presentation_is_empty (const HeddlePresentation *self)
{
  guint n = self->nudges->len + self->fills->len;

  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    n += heddle_ornament_list (kind, self)->len;
  return n == 0 && self->title == NULL && self->wrap == 0. && self->definitions == HEDDLE_DEFINITIONS_NONE
         && self->bands == HEDDLE_BANDS_PLAIN && self->separators == HEDDLE_SEPARATORS_DRAWN
         && self->copies == HEDDLE_COPIES_FEW;
}

gpointer
heddle_presentation_find (const HeddlePresentation *self, const char *id, const HeddleOrnamentKind **kind)
{
  for (const HeddleOrnamentKind *at = heddle_ornament_kinds (); at->element != NULL; at++)
    {
      const GPtrArray *list = heddle_ornament_list (at, self);
      if (at->fields[0].kind != HEDDLE_FIELD_ID)
        continue;
      for (guint i = 0; i < list->len; i++)
        if (heddle_field_at (&at->fields[0], list->pdata[i], const char *) == id)
          {
            if (kind != NULL)
              *kind = at;
            return list->pdata[i];
          }
    }
  return NULL;
}

gpointer
heddle_presentation_add (HeddlePresentation *self, const HeddleOrnamentKind *kind)
{
  g_return_val_if_fail (self != NULL && kind != NULL, NULL);

  gpointer ornament = heddle_ornament_new (kind);
  if (kind->fields[0].kind == HEDDLE_FIELD_ID)
    for (guint number = 1;; number++)
      {
        g_autofree char *text = g_strdup_printf ("%s.%u", kind->element, number);
        const char *id = g_intern_string (text);
        if (heddle_presentation_find (self, id, NULL) != NULL)
          continue;
        heddle_field_at (&kind->fields[0], ornament, const char *) = id;
        break;
      }
  g_ptr_array_add (heddle_ornament_list (kind, self), ornament);
  return ornament;
}

static HeddleNudge *
find_nudge (const HeddlePresentation *self, const char *object)
{
  for (guint i = 0; i < self->nudges->len; i++)
    {
      HeddleNudge *nudge = &g_array_index (self->nudges, HeddleNudge, i);
      if (nudge->object == object)
        return nudge;
    }
  return NULL;
}

gboolean
heddle_presentation_get_nudge (const HeddlePresentation *self, const char *object, double *dx, double *dy)
{
  const HeddleNudge *nudge = find_nudge (self, object);
  *dx = nudge != NULL ? nudge->dx : 0;
  *dy = nudge != NULL ? nudge->dy : 0;
  return nudge != NULL;
}

void
heddle_presentation_set_nudge (HeddlePresentation *self, const char *object, double dx, double dy)
{
  HeddleNudge *nudge = find_nudge (self, object);
  if (nudge == NULL && (dx != 0 || dy != 0))
    {
      HeddleNudge added = { g_intern_string (object), dx, dy };
      g_array_append_val (self->nudges, added);
    }
  else if (nudge != NULL && dx == 0 && dy == 0)
    g_array_remove_index (self->nudges, (guint) (nudge - (HeddleNudge *) self->nudges->data));
  else if (nudge != NULL)
    {
      nudge->dx = dx;
      nudge->dy = dy;
    }
}
