/* SPDX-License-Identifier: MIT */
#pragma once

#include <graphene.h>

#include "figure/scene/scene.h"

/* Where the items and objects of a scene are, measured once: for culling, and for finding what an id stands for. Any thread may make one, or
 * free it. */
typedef struct
{
  graphene_rect_t extent; /* what the scene covers */
  GArray *items; /* of graphene_rect_t, one per item */
  GHashTable *objects; /* id -> graphene_rect_t: what the object's items cover */
  GPtrArray *tiles; /* of GArray of guint, ascending, or NULL: the items that reach into each tile, by rows */
  guint n_tile_columns;
  double tile_size;
  graphene_point_t tile_origin;
} HeddleSceneIndex;

/* Measures all items of @scene; the caller frees the index, which holds no reference of the scene. */
HeddleSceneIndex *heddle_scene_index_new (HeddleScene *scene);
/* Returns the numbers (guint) of the items that @view touches, ascending. */
GArray *heddle_scene_index_find (const HeddleSceneIndex *self, const graphene_rect_t *view);

/* Frees a large scene and its index in a worker thread, for it takes longer than a frame. Either may be NULL. */
void heddle_scene_let_go (HeddleScene *scene, HeddleSceneIndex *index);
