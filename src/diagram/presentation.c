/* SPDX-License-Identifier: MIT */
#include "diagram/schedule.h"

static void
fill_free (HeddleFill *fill)
{
  g_free (fill->fill);
  g_free (fill);
}

static void
annotation_free (HeddleAnnotation *annotation)
{
  g_free (annotation->text);
  g_free (annotation);
}

HeddlePresentation *
heddle_presentation_new (const char *diagram_id)
{
  HeddlePresentation *self = g_new0 (HeddlePresentation, 1);
  self->diagram = g_intern_string (diagram_id);
  self->nudges = g_array_new (FALSE, FALSE, sizeof (HeddleNudge));
  self->fills = g_ptr_array_new_with_free_func ((GDestroyNotify) fill_free);
  self->annotations = g_ptr_array_new_with_free_func ((GDestroyNotify) annotation_free);
  return self;
}

static gpointer
copy_fill (gconstpointer source, gpointer data)
{
  HeddleFill *fill = g_memdup2 (source, sizeof *fill);
  fill->fill = g_strdup (fill->fill);
  return fill;
}

static gpointer
copy_annotation (gconstpointer source, gpointer data)
{
  HeddleAnnotation *annotation = g_memdup2 (source, sizeof *annotation);
  annotation->text = g_strdup (annotation->text);
  return annotation;
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
  for (guint i = 0; i < self->annotations->len; i++)
    g_ptr_array_add (copy->annotations, copy_annotation (g_ptr_array_index (self->annotations, i), NULL));
  return copy;
}

void
heddle_presentation_free (HeddlePresentation *self)
{
  g_free (self->title);
  g_array_unref (self->nudges);
  g_ptr_array_unref (self->fills);
  g_ptr_array_unref (self->annotations);
  g_free (self);
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

/**
 * heddle_presentation_set_nudge:
 * @object: the id of the thing moved
 * @dx: px at 100 %, from where the layout puts it; both 0 put it back
 */
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
