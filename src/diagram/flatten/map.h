/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

typedef struct _HeddleFlatFrame HeddleFlatFrame;

/* A frame: one expansion of a diagram, either of the one that is flattened or of what a call of another frame
 * calls. */
struct _HeddleFlatFrame
{
  const HeddleFlatFrame *caller; /* NULL: the diagram that is flattened */
  const char *call; /* of the caller's diagram; NULL with it */
  const HeddleDiagram *diagram; /* of the document; held by it */
  char *ids; /* begin the ids of its operations; "" of the diagram that is flattened */
  GHashTable *axes; /* own axis -> flat axis; NULL: they are the same */
  guint n_operations; /* flat ones, of what it calls too */
};

/* The origin of an operation of a flat diagram. */
typedef struct
{
  const HeddleFlatFrame *frame;
  const char *operation; /* of the frame's diagram; NULL: it only reads what the frame is given */
} HeddleFlatOrigin;

/* The origin of a value of a flat diagram that is none of the diagram that is flattened. */
typedef struct
{
  const HeddleFlatFrame *frame;
  const char *value; /* of the frame's diagram, which makes it, or has it as a parameter of its own */
} HeddleFlatSource;

/* The origins of everything in a flat diagram: a map from what a person sees to what is derived, and back. */
typedef struct
{
  GPtrArray *frames; /* of HeddleFlatFrame, the diagram that is flattened first */
  GHashTable *origins; /* flat operation -> HeddleFlatOrigin */
  GHashTable *sources; /* flat value -> HeddleFlatSource; not of what is only read or repeated for a call */
} HeddleFlatMap;

/* Makes a map without frames. The caller owns it. */
HeddleFlatMap *heddle_flat_map_new (void);
/* Frees the map with its frames and origins; NULL is allowed. */
void heddle_flat_map_free (HeddleFlatMap *self);
/* Adds a frame, owned by the map. @ids is copied and @axes (own axis to flat axis, or NULL) referenced;
 * @caller, @call and @diagram must outlive the map. */
HeddleFlatFrame *heddle_flat_map_add_frame (HeddleFlatMap *self, const HeddleFlatFrame *caller,
    const char *call, const HeddleDiagram *diagram, const char *ids, GHashTable *axes);
/* Records that the flat operation @flat comes from @operation of the frame (NULL if it only reads), and
 * counts it in the frame and all its callers. Both ids must be interned. */
void heddle_flat_map_add_operation (
    HeddleFlatMap *self, HeddleFlatFrame *frame, const char *flat, const char *operation);
/* Records that the flat value @flat is @value of the frame's diagram: this time's part, where it is a parameter
 * that each repetition has. Both ids must be interned. */
void heddle_flat_map_add_value (
    HeddleFlatMap *self, const HeddleFlatFrame *frame, const char *flat, const char *value);
/* Returns the first frame of that diagram, preferably one made by @call (or NULL); NULL if there is none. */
const HeddleFlatFrame *heddle_flat_map_find_frame (
    const HeddleFlatMap *self, const char *diagram, const char *call);
/* Returns the flat axis that stands for @axis, or the axis that @flat stands for; NULL if there is none. */
const char *heddle_flat_frame_get_axis (const HeddleFlatFrame *self, const char *axis);
/* Returns the frame's axis (an id) that the flat axis @flat stands for, or NULL. */
const char *heddle_flat_frame_find_axis (const HeddleFlatFrame *self, const char *flat);
/* Returns what the flat operation is in the diagram of @frame: itself, or the call that contains it; NULL if
 * it is only a read, or lies elsewhere. */
const char *heddle_flat_origin_seen_from (const HeddleFlatOrigin *self, const HeddleFlatFrame *frame);
/* Returns what a flat operation is in the diagram that is flattened: itself, or a call; NULL if it is
 * neither. */
const char *heddle_flat_map_see (const HeddleFlatMap *self, const char *flat);
/* Returns the flat operations (ids, a new array) that @id, an operation of the diagram that was flattened,
 * stands for: itself, or all that a call comes to. */
GArray *heddle_flat_map_get_operations (const HeddleFlatMap *self, const HeddleDiagram *flat, const char *id);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleFlatMap, heddle_flat_map_free)
