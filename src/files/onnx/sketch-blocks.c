/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/figure.h"
#include "files/onnx/sketch-blocks.h"

/* This file makes backdrops for the modules of the model: nodes are named after them,
 * "/layers.0/attention/MatMul". */

/* The number of backdrops in one another: more of them cannot be told apart. */
#define DEEPEST 2
/* A figure with more operations is too long for one line. */
#define MOST_IN_LINE 24
#define LINE_WIDTH 2000.
#define MOST_BLOCKS 400

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  GPtrArray *paths; /* of char *: of modules, in order of appearance */
  GHashTable *members; /* path -> GArray of operation ids */
} Modules;

static void
add_member (Modules *self, const char *path, gsize length, const char *id)
{
  g_autofree char *key = g_strndup (path, length);
  GArray *ids = g_hash_table_lookup (self->members, key);

  if (ids == NULL)
    {
      ids = heddle_ids_new ();
      g_ptr_array_add (self->paths, g_strdup (key));
      g_hash_table_insert (self->members, g_strdup (key), ids);
    }
  heddle_ids_append (ids, id);
}

/* Adds the operation to its module and to those around it. */
static void
add_to_modules (gpointer id, gpointer path, gpointer data)
{
  for (const char *slash = strchr (path, '/');; slash = strchr (slash + 1, '/'))
    {
      gsize length = slash != NULL ? (gsize) (slash - (const char *) path) : strlen (path);

      if (length > 0)
        add_member (data, path, length, id);
      if (slash == NULL)
        return;
    }
}

/* Returns whether a module around it, or the whole diagram, consists of nothing else. */
static gboolean
is_all_of_another (const Modules *self, const char *path)
{
  const GArray *ids = g_hash_table_lookup (self->members, path);
  g_autofree char *around = g_strdup (path);
  char *slash;

  while ((slash = strrchr (around, '/')) != NULL)
    {
      *slash = '\0';
      if (*around != '\0' && ((GArray *) g_hash_table_lookup (self->members, around))->len == ids->len)
        return TRUE;
    }
  return ids->len == self->diagram->operations->len;
}

static guint
depth_of (const Modules *self, const char *path)
{
  g_autofree char *around = g_strdup (path);
  guint depth = 0;
  char *slash;

  while ((slash = strrchr (around, '/')) != NULL)
    {
      *slash = '\0';
      depth += *around != '\0' && !is_all_of_another (self, around);
    }
  return depth;
}

/* Adds a block; outer ones are paler than inner ones. */
static void
add_block (Modules *self, const char *path)
{
  const GArray *ids = g_hash_table_lookup (self->members, path);
  const char *slash = strrchr (path, '/');
  guint depth = depth_of (self, path);
  const HeddlePresentation *presentation;

  if (ids->len < 2 || is_all_of_another (self, path) || depth >= DEEPEST
      || heddle_edit_add_block (self->snapshot, self->diagram, ids, slash != NULL ? slash + 1 : path, NULL)
             == NULL)
    return;
  presentation = heddle_snapshot_get_presentation (self->snapshot, self->diagram);
  if (depth == 0)
    ((HeddleBlock *) g_ptr_array_index (presentation->blocks, presentation->blocks->len - 1))->fill
        = g_strdup ("loop");
}

void
heddle_sketch_add_blocks (HeddleSketchEmission *self, HeddleDiagram *diagram, GHashTable *modules)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) members
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  Modules found = { self->snapshot, diagram, paths, members };

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      gpointer module = g_hash_table_lookup (modules, operation->id);

      if (module != NULL)
        add_to_modules ((gpointer) operation->id, module, &found);
    }
  for (guint i = 0; i < MIN (paths->len, MOST_BLOCKS); i++)
    add_block (&found, g_ptr_array_index (paths, i));
  if (diagram->operations->len > MOST_IN_LINE)
    heddle_snapshot_get_presentation (self->snapshot, diagram)->wrap = LINE_WIDTH;
}
