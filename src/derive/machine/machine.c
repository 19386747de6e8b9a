/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/machine.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

HeddleLevel *
heddle_level_new (const char *name)
{
  HeddleLevel *level = g_new0 (HeddleLevel, 1);

  level->name = g_strdup (name);
  level->parent = -1;
  level->above = -1;
  level->count = 1;
  return level;
}

static HeddleLevel *
level_copy (const HeddleLevel *self)
{
  HeddleLevel *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->title = g_strdup (self->title);
  return copy;
}

/* Frees the level with its texts. */
static void
level_free (HeddleLevel *self)
{
  g_free (self->name);
  g_free (self->title);
  g_free (self);
}

HeddleLink *
heddle_link_new (const char *name)
{
  HeddleLink *link = g_new0 (HeddleLink, 1);

  link->name = g_strdup (name);
  return link;
}

static HeddleLink *
link_copy (const HeddleLink *self)
{
  HeddleLink *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->title = g_strdup (self->title);
  return copy;
}

static void
link_free (HeddleLink *self)
{
  g_free (self->name);
  g_free (self->title);
  g_free (self);
}

HeddleMachine *
heddle_machine_new (void)
{
  HeddleMachine *self = g_new0 (HeddleMachine, 1);

  self->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) level_free);
  self->links = g_ptr_array_new_with_free_func ((GDestroyNotify) link_free);
  return self;
}

HeddleMachine *
heddle_machine_copy (const HeddleMachine *self)
{
  HeddleMachine *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_memdup2 (self, sizeof *self);
  copy->name = g_strdup (self->name);
  copy->title = g_strdup (self->title);
  copy->aliases = g_strdupv (self->aliases);
  copy->source = g_strdup (self->source);
  copy->measured = g_strdup (self->measured);
  copy->path = g_strdup (self->path);
  copy->arch = g_strdup (self->arch);
  heddle_sustained_own (copy->sustained);
  copy->levels = g_ptr_array_new_with_free_func ((GDestroyNotify) level_free);
  for (guint i = 0; i < self->levels->len; i++)
    g_ptr_array_add (copy->levels, level_copy (g_ptr_array_index (self->levels, i)));
  copy->links = g_ptr_array_new_with_free_func ((GDestroyNotify) link_free);
  for (guint i = 0; i < self->links->len; i++)
    g_ptr_array_add (copy->links, link_copy (g_ptr_array_index (self->links, i)));
  return copy;
}

void
heddle_machine_free (HeddleMachine *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->title);
  g_strfreev (self->aliases);
  g_free (self->source);
  g_free (self->measured);
  g_free (self->path);
  g_free (self->arch);
  heddle_sustained_clear (self->sustained);
  g_clear_pointer (&self->levels, g_ptr_array_unref);
  g_clear_pointer (&self->links, g_ptr_array_unref);
  g_free (self);
}

gboolean
heddle_machine_is_abstract (const HeddleMachine *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->arch == NULL;
}

int
heddle_machine_find_level (const HeddleMachine *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, -1);

  for (guint i = 0; i < self->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (self->levels, i);

      if (g_str_equal (level->name, name))
        return (int) i;
    }
  return -1;
}

int
heddle_machine_find_link (const HeddleMachine *self, const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, -1);

  for (guint i = 0; i < self->links->len; i++)
    if (g_str_equal (((const HeddleLink *) g_ptr_array_index (self->links, i))->name, name))
      return (int) i;
  return -1;
}

void
heddle_machine_take_above (HeddleMachine *self, const HeddleMachine *from)
{
  g_return_if_fail (self != NULL && from != NULL);

  for (guint i = 0; i < from->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (from->levels, i);
      const HeddleLevel *below
          = level->above >= 0 ? g_ptr_array_index (from->levels, (guint) level->above) : NULL;
      int above = below != NULL ? heddle_machine_find_level (self, below->name) : -1;

      if (above < 0 || heddle_machine_find_level (self, level->name) >= 0)
        continue;
      g_ptr_array_add (self->levels, level_copy (level));
      ((HeddleLevel *) g_ptr_array_index (self->levels, self->levels->len - 1))->above = above;
    }
  for (guint i = 0; i < from->links->len; i++)
    if (heddle_machine_find_link (self, ((HeddleLink *) g_ptr_array_index (from->links, i))->name) < 0)
      g_ptr_array_add (self->links, link_copy (g_ptr_array_index (from->links, i)));
}

static int
first_labelled (const HeddleMachine *self)
{
  for (guint i = 0; i < self->levels->len; i++)
    if (((HeddleLevel *) g_ptr_array_index (self->levels, i))->labels)
      return (int) i;
  return -1;
}

gboolean
heddle_machine_insert_cluster (HeddleMachine *self, guint n)
{
  int at = self != NULL ? first_labelled (self) : -1;
  HeddleLevel *inner, *cluster;

  g_return_val_if_fail (self != NULL && at >= 0 && n > 0, FALSE);

  inner = g_ptr_array_index (self->levels, (guint) at);
  if (n > inner->count)
    return FALSE;
  cluster = heddle_level_new ("cluster");
  cluster->title = g_strdup_printf (_ ("cluster of %u"), n);
  cluster->parent = inner->parent;
  cluster->count = inner->count / n;
  cluster->capacity_bytes = cluster->total_bytes = inner->capacity_bytes * n;
  for (guint i = 0; i < self->levels->len; i++)
    {
      HeddleLevel *level = g_ptr_array_index (self->levels, i);

      level->parent += level->parent >= at ? 1 : 0;
      level->above += level->above >= at ? 1 : 0;
    }
  inner->parent = at;
  g_ptr_array_insert (self->levels, at, cluster);
  return TRUE;
}
