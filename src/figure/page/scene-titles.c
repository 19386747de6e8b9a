/* SPDX-License-Identifier: MIT */
#include "figure/page/scene-titles.h"
#include "figure/scene/private.h"

void
heddle_scene_set_title (HeddleScene *self, const char *object, const char *title)
{
  g_return_if_fail (self != NULL && object != NULL && title != NULL);

  if (self->titles == NULL)
    self->titles = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_insert (self->titles, (gpointer) g_intern_string (object), g_strdup (title));
}

const char *
heddle_scene_get_title (const HeddleScene *self, const char *object)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->titles != NULL && object != NULL ? g_hash_table_lookup (self->titles, object) : NULL;
}

void
heddle_scene_set_figure_title (HeddleScene *self, const char *title, const char *description)
{
  g_return_if_fail (self != NULL && title != NULL && description != NULL);

  g_free (self->title);
  g_free (self->description);
  self->title = g_strdup (title);
  self->description = g_strdup (description);
}

const char *
heddle_scene_get_figure_title (const HeddleScene *self, const char **description)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (description != NULL)
    *description = self->description;
  return self->title;
}
