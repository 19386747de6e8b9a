/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

/* Identifiers of generated code for the names of a diagram: "\bar x" becomes bar_x, and no two things share
 * one. */
typedef struct _HeddleNames HeddleNames;

/* Returns new identifiers for all axes of @diagram, and for the values and buffers of @program; if @program
 * is NULL, for all values of the diagram instead. Both are borrowed and must outlive the names, which the
 * caller frees. */
HeddleNames *heddle_names_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program);

/* Frees @self and every identifier that it gave; @self must not be NULL. */
void heddle_names_free (HeddleNames *self);
/* Returns the identifier of an axis, which is also the variable of its size, owned by @self; NULL where it
 * has none. */
const char *heddle_names_axis (HeddleNames *self, const char *axis_id);

/* Returns the identifier of a value, which is its array in global memory, owned by @self; NULL where the
 * program neither reads nor writes it. */
const char *heddle_names_value (HeddleNames *self, const char *value_id);

/* Returns the identifier of buffer number @buffer of the program, owned by @self. */
const char *heddle_names_buffer (HeddleNames *self, guint buffer);
/* Returns the identifier of the tensor map of a buffer's array, owned by @self. */
const char *heddle_names_map (HeddleNames *self, guint buffer);
/* The other identifiers of an axis y: TILE_y and CHUNK_y (constants), y_0 (where the current tile or chunk
 * begins), n_y (how much of it is inside the array), i_y (the index in it), y_first and y_end (the steps of a
 * stream that run), dealt_y (the table of the indices of rows that are dealt out). */
typedef enum
{
  HEDDLE_NAME_TILE,
  HEDDLE_NAME_CHUNK,
  HEDDLE_NAME_BEGIN,
  HEDDLE_NAME_COUNT,
  HEDDLE_NAME_INDEX,
  HEDDLE_NAME_FIRST, /* of an axis that streams: y_first and y_end, where the steps that run, or the group's part, begin and end */
  HEDDLE_NAME_END,
  HEDDLE_NAME_DEALT,
} HeddleAxisName;
#define HEDDLE_N_AXIS_NAMES (HEDDLE_NAME_DEALT + 1)

/* Returns the identifier for @part of an axis, owned by @self; NULL where the axis is not of the diagram. */
const char *heddle_names_of_axis (HeddleNames *self, const char *axis_id, HeddleAxisName part);
/* Returns a name for axis @i of a buffer that holds a window there: WINDOW_X_y (TILE: a constant, the
 * distance of its rows), X_y_0 and n_X_y. */
const char *heddle_names_of_window (HeddleNames *self, guint buffer, guint i, HeddleAxisName part);
/* Returns whether C++ reserves the word, or generated code uses it for itself. */
gboolean heddle_names_is_reserved (const char *name);
/* Returns @text as a C identifier, before it is made unique. Newly allocated. */
char *heddle_c_identifier (const char *text);
/* Returns @text as the name of a function: no word that C++, generated code or the C library has taken. Newly
 * allocated. */
char *heddle_c_function (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleNames, heddle_names_free)
