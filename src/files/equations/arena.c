/* SPDX-License-Identifier: MIT */
#include "files/equations/arena.h"

#define BLOCK 65536

HeddleEqArena *
heddle_eq_arena_new (void)
{
  HeddleEqArena *self = g_new0 (HeddleEqArena, 1);

  self->blocks = g_ptr_array_new_with_free_func (g_free);
  self->names = g_string_chunk_new (1024);
  return self;
}

void
heddle_eq_arena_free (HeddleEqArena *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_string_chunk_free (self->names);
  g_free (self);
}

gpointer
heddle_eq_alloc (HeddleEqArena *self, gsize size)
{
  gpointer memory;

  size = (size + 15) & ~(gsize) 15;
  if (size > BLOCK / 4)
    {
      memory = g_malloc0 (size);
      g_ptr_array_add (self->blocks, memory);
      return memory;
    }
  if (size > self->left)
    {
      self->next = g_malloc0 (BLOCK);
      self->left = BLOCK;
      g_ptr_array_add (self->blocks, self->next);
    }
  memory = self->next;
  self->next += size;
  self->left -= size;
  return memory;
}

const char *
heddle_eq_name (HeddleEqArena *self, const char *start, gssize length)
{
  g_autofree char *name = length < 0 ? g_strdup (start) : g_strndup (start, (gsize) length);

  return g_string_chunk_insert_const (self->names, name);
}
