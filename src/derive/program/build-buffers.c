/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/extent.h"
#include "derive/program/build-buffers.h"
#include "derive/program/builder.h"
#include "derive/program/names.h"
#include "derive/program/tiling.h"
#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "derive/stream/stream.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

/* This file makes the buffers that hold definitions. */

static guint
innermost (const HeddleBuilder *builder)
{
  return heddle_tiling_n_levels (builder->tiling) - 1;
}

static GPtrArray *
window_of (const HeddleDefinition *definition, guint i)
{
  return definition->windows != NULL ? g_ptr_array_index (definition->windows, i) : NULL;
}

static HeddleExtent
extent_of (const HeddleBuilder *builder, const HeddleDefinition *definition, guint i)
{
  const char *axis = heddle_ids_index (definition->axes, i);

  if (window_of (definition, i) != NULL)
    return HEDDLE_EXTENT_WINDOW;
  if (!heddle_definition_carries (definition, axis))
    return HEDDLE_EXTENT_FULL;
  if (axis == builder->plan->axis)
    return HEDDLE_EXTENT_CHUNK;
  return heddle_tiling_groups (builder->tiling, axis, innermost (builder)) ? HEDDLE_EXTENT_TILE
                                                                           : HEDDLE_EXTENT_FULL;
}

/* Returns whether the `operands` convention counts the buffer. It leaves out states whose axes are all
 * grouped, which are row statistics. */
static gboolean
is_counted (const HeddleBuffer *buffer, const HeddleDefinition *definition)
{
  if (definition->input || definition->output)
    return TRUE;
  if (buffer->role != HEDDLE_BUFFER_STATE)
    return FALSE;
  for (guint i = 0; i < buffer->extents->len; i++)
    if (g_array_index (buffer->extents, HeddleExtent, i) != HEDDLE_EXTENT_TILE)
      return TRUE;
  return FALSE;
}

static void
set_types (const HeddleBuilder *builder, HeddleBuffer *buffer, const HeddleDefinition *definition)
{
  const HeddleDiagram *diagram = builder->region->diagram;
  const char *value = definition->value;

  if (value == NULL)
    value = heddle_diagram_get_operation (diagram, definition->operation)->result;
  buffer->counted_dtype = heddle_diagram_dtype (diagram, value, builder->tiling->dtype);
  buffer->dtype = buffer->counted_dtype;
  if (!definition->input)
    buffer->dtype = buffer->counted_dtype == HEDDLE_DTYPE_F64 ? HEDDLE_DTYPE_F64 : HEDDLE_DTYPE_F32;
}

static guint
add_buffer (
    HeddleBuilder *builder, const HeddleDefinition *definition, const char *name, HeddleBufferRole role)
{
  HeddleBuffer *buffer = heddle_buffer_new (heddle_identifier (name, builder->taken), role);

  buffer->value = role == HEDDLE_BUFFER_FACTOR ? NULL : definition->value;
  buffer->depth = innermost (builder);
  buffer->level = heddle_tiling_at (builder->tiling, buffer->depth)->level;
  for (guint k = 0; k < definition->axes->len; k++)
    {
      HeddleExtent extent = extent_of (builder, definition, k);

      heddle_ids_append (buffer->axes, heddle_ids_index (definition->axes, k));
      g_array_append_val (buffer->extents, extent);
    }
  if (definition->windows != NULL)
    buffer->windows = g_ptr_array_ref (definition->windows);
  buffer->counted = role != HEDDLE_BUFFER_FACTOR && is_counted (buffer, definition);
  set_types (builder, buffer, definition);
  g_ptr_array_add (builder->program->buffers, buffer);
  return builder->program->buffers->len - 1;
}

/* Returns which part of what the lower buffer holds is labelled further up, too. */
static HeddleExtent
upper_extent (const HeddleBuilder *builder, const char *axis, HeddleExtent extent, guint depth)
{
  if (extent == HEDDLE_EXTENT_WINDOW)
    return extent;
  if (extent == HEDDLE_EXTENT_CHUNK && heddle_tiling_streams (builder->tiling, depth))
    return HEDDLE_EXTENT_CHUNK;
  return extent != HEDDLE_EXTENT_FULL && heddle_tiling_groups (builder->tiling, axis, depth)
             ? HEDDLE_EXTENT_TILE
             : HEDDLE_EXTENT_FULL;
}

guint
heddle_builder_add_upper_buffer (HeddleBuilder *builder, guint lower, guint depth, HeddleBufferRole role)
{
  const HeddleBuffer *below = heddle_loop_program_get_buffer (builder->program, lower);
  const char *level = heddle_tiling_at (builder->tiling, depth)->level;
  g_autofree char *label = below->value != NULL
                               ? heddle_diagram_value_label (builder->region->diagram, below->value)
                               : g_strdup (below->name);
  g_autofree char *name = g_strdup_printf ("%s_%s", label, level);
  HeddleBuffer *buffer = heddle_buffer_new (heddle_identifier (name, builder->taken), role);

  buffer->value = below->value;
  buffer->level = level;
  buffer->depth = depth;
  buffer->dtype = below->dtype;
  buffer->counted_dtype = below->counted_dtype;
  buffer->counted = TRUE;
  buffer->windows = below->windows != NULL ? g_ptr_array_ref (below->windows) : NULL;
  for (guint i = 0; i < below->axes->len; i++)
    {
      const char *axis = heddle_ids_index (below->axes, i);
      HeddleExtent extent
          = upper_extent (builder, axis, g_array_index (below->extents, HeddleExtent, i), depth);

      heddle_ids_append (buffer->axes, axis);
      g_array_append_val (buffer->extents, extent);
    }
  g_ptr_array_add (builder->program->buffers, buffer);
  return builder->program->buffers->len - 1;
}

guint
heddle_builder_add_buffer (HeddleBuilder *builder, guint i, const char *name, HeddleBufferRole role)
{
  return add_buffer (builder, heddle_builder_get (builder, i), name, role);
}

static HeddleBufferRole
role_of (const HeddleBuilder *builder, guint i)
{
  if (heddle_builder_get (builder, i)->input)
    return HEDDLE_BUFFER_OPERAND;
  if (heddle_builder_streaming (builder, i)->phase == HEDDLE_PHASE_STATE)
    return HEDDLE_BUFFER_STATE;
  return heddle_builder_get (builder, i)->output ? HEDDLE_BUFFER_RESULT : HEDDLE_BUFFER_INTERMEDIATE;
}

/* Returns the name of a buffer. A state of a value has the value's name in small letters: O is carried as
 * o. */
static char *
name_of (const HeddleBuilder *builder, guint i, HeddleBufferRole role)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  g_autofree char *label = NULL, *lower = NULL;

  if (definition->value == NULL)
    return g_strdup (definition->name);
  label = heddle_diagram_value_label (builder->region->diagram, definition->value);
  if (role != HEDDLE_BUFFER_STATE)
    return g_steal_pointer (&label);
  lower = g_ascii_strdown (label, -1);
  return g_hash_table_contains (builder->taken, g_intern_string (lower)) ? g_steal_pointer (&label)
                                                                         : g_steal_pointer (&lower);
}

static char *
title_of (const HeddleBuilder *builder, guint i)
{
  const char *title = heddle_builder_get (builder, i)->title;

  if (title == NULL)
    return NULL;
  return heddle_builder_streaming (builder, i)->phase == HEDDLE_PHASE_STATE
             ? g_strdup_printf (_ ("running %s"), _ (title))
             : g_strdup (_ (title));
}

void
heddle_builder_add_own_buffer (HeddleBuilder *builder, guint i)
{
  HeddleBufferRole role = role_of (builder, i);
  g_autofree char *name = name_of (builder, i, role);
  HeddleBuffer *buffer;

  builder->buffers[i] = heddle_builder_add_buffer (builder, i, name, role);
  buffer = g_ptr_array_index (builder->program->buffers, builder->buffers[i]);
  buffer->title = title_of (builder, i);
}

guint
heddle_builder_add_carried (HeddleBuilder *builder, guint i)
{
  const HeddleDefinition *definition = heddle_builder_get (builder, i);
  g_autoptr (GArray) axes = heddle_ids_new ();
  HeddleDefinition *carried;
  HeddleBuffer *buffer;
  guint number;

  for (guint k = 0; k < definition->axes->len; k++)
    if (heddle_ids_index (definition->axes, k) != definition->along)
      heddle_ids_append (axes, heddle_ids_index (definition->axes, k));
  carried = heddle_definition_new (NULL, axes);
  carried->operation = definition->operation;
  number = add_buffer (builder, carried, "h", HEDDLE_BUFFER_STATE);
  heddle_definition_free (carried);
  buffer = g_ptr_array_index (builder->program->buffers, number);
  buffer->title = g_strdup (_ (definition->title));
  return number;
}
