/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/extent.h"
#include "derive/program/guard.h"
#include "derive/program/pseudocode-names.h"
#include "derive/program/pseudocode-parts.h"
#include "derive/program/pseudocode-private.h"
#include "derive/program/pseudocode.h"
#include "derive/region/region.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* The loop program as a person would write it: the same object that is priced, run and compiled, one line for
 * each statement. */

static void
begin_line (HeddleListing *self, const char *operation)
{
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->text, "  ");
  if (self->lines != NULL)
    g_ptr_array_add (self->lines, (gpointer) operation);
}

/* Returns whether the buffer has a halo: elements beyond the tile that are computed because they are read. */
static gboolean
has_halo (const HeddleBuffer *buffer)
{
  for (guint i = 0; i < buffer->extents->len; i++)
    if (g_array_index (buffer->extents, HeddleExtent, i) == HEDDLE_EXTENT_WINDOW)
      return TRUE;
  return FALSE;
}

/* Prints a statement, as m ← max(m, max[x](S)) or o ← delta*o + sum[x](P*V). */
static void
print_compute (HeddleListing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *result = node->form != HEDDLE_COMPUTE_FOLD ? heddle_listing_form (self, node)
                                                              : heddle_listing_reduction (self, node);
  g_autofree char *rescale = node->rescale != NULL ? heddle_listing_expr (self, node, node->rescale) : NULL;
  g_autofree char *old
      = rescale != NULL ? g_strdup_printf ("%s*%s", rescale, buffer->name) : g_strdup (buffer->name);

  begin_line (self, node->operation);
  g_string_append (self->text, buffer->name);
  if (has_halo (buffer))
    heddle_listing_print_held (self, buffer, FALSE);
  if (node->form == HEDDLE_COMPUTE_SELECT)
    g_string_append_printf (self->text, ", %s", heddle_listing_buffer_name (self, node->second));
  g_string_append (self->text, " ← ");
  if (!node->accumulate)
    g_string_append (self->text, result);
  else if (node->monoid == HEDDLE_MONOID_SUM)
    g_string_append_printf (self->text, "%s + %s", old, result);
  else if (node->monoid == HEDDLE_MONOID_PROD)
    g_string_append_printf (self->text, "%s*%s", old, result);
  else
    g_string_append_printf (self->text, "%s(%s, %s)", heddle_monoid_to_string (node->monoid), old, result);
  if (node->column == 0 && buffer->title != NULL)
    g_string_append_printf (self->text, "  # %s", buffer->title);
  g_string_append_c (self->text, '\n');
}

static void
print_transfer (HeddleListing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);

  begin_line (self, node->operation);
  if (node->kind == HEDDLE_NODE_LOAD)
    g_string_append_printf (self->text, "%s ← load ", buffer->name);
  else
    g_string_append (self->text, "save ");
  if (node->at != NULL)
    heddle_listing_print_gathered (self, node);
  else
    heddle_listing_print_part (self, node);
  if (node->kind == HEDDLE_NODE_SAVE)
    g_string_append_printf (self->text, " ← %s", buffer->name);
  g_string_append_c (self->text, '\n');
}

typedef struct
{
  const HeddleListing *listing;
  guint depth;
} Bound;

/* Returns the lowest loop over the axis at the level or above; NULL if there is none. */
static const HeddleNode *
lowest_loop (const HeddleListing *self, const char *axis, guint depth)
{
  const HeddleNode *group = heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_GROUP, depth);
  const HeddleNode *stream = heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_STREAM, depth);

  return stream == NULL || (group != NULL && group->depth > stream->depth) ? group : stream;
}

/* Returns the name of the last index of an axis that no loop goes over. */
static char *
name_end (const HeddleListing *self, const char *axis)
{
  return self->sizes != NULL ? g_strdup_printf ("%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, axis) - 1)
                             : g_strdup_printf ("(%s - 1)", heddle_listing_axis_name (self, axis));
}

/* Returns the name of the first current index, x₀, or of the last one, x₁, by the lowest loop over the axis
 * that is around. */
static char *
name_bound (const HeddleExpr *leaf, gpointer data)
{
  const Bound *bound = data;
  const HeddleListing *self = bound->listing;
  const char *of_last = heddle_guard_axis_of_last (leaf);
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const char *axis = of_last;
  const HeddleNode *loop;

  if (kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX)
    axis = heddle_expr_get_symbol (leaf);
  if (kind == HEDDLE_EXPR_SIZE || axis == NULL)
    return axis != NULL ? g_strdup (heddle_listing_axis_name (self, axis)) : NULL;
  loop = lowest_loop (self, axis, bound->depth);
  if (loop == NULL)
    return of_last != NULL ? name_end (self, axis) : g_strdup ("0");
  return g_strdup_printf ("%s%s%s", heddle_listing_axis_name (self, axis), of_last != NULL ? "₁" : "₀",
      heddle_listing_primes[loop->depth]);
}

/* Returns whether the axis is streamed within its groups, and the band is the one of the two loops. */
static gboolean
is_split (const HeddleListing *self, const HeddleNode *band, HeddleBandKind kind)
{
  return band->band == kind && band->depth == 0
         && heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_GROUP, 0) != NULL
         && heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_STREAM, 0) != NULL;
}

/* Returns the loop over the same axis at a level above of which this one goes through a part; NULL if there
 * is none. */
static const HeddleNode *
band_above (const HeddleListing *self, const HeddleNode *band)
{
  const HeddleNode *stream = NULL, *group = NULL;

  if (band->depth == 0)
    return NULL;
  group = heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_GROUP, band->depth - 1);
  if (band->band == HEDDLE_BAND_STREAM)
    stream = heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_STREAM, band->depth - 1);
  return stream != NULL ? stream : group;
}

/* Prints the head of a loop, as for x₀′ in x₀, x₀+16 … min(x₀+64, 4096) at registers. */
static void
print_range (HeddleListing *self, const HeddleNode *band, const char *end)
{
  const char *name = heddle_listing_axis_name (self, band->axis), *own = heddle_listing_primes[band->depth];
  const HeddleNode *above = band_above (self, band);

  g_string_append_printf (
      self->text, "%s %s₀%s in ", band->band == HEDDLE_BAND_GROUP ? "parfor" : "for", name, own);
  if (above == NULL)
    g_string_append_printf (self->text, "0, %" G_GINT64_FORMAT " … %s", band->size, end);
  else
    g_string_append_printf (self->text,
        "%s₀%s, %s₀%s+%" G_GINT64_FORMAT " … min(%s₀%s+%" G_GINT64_FORMAT ", %s)", name,
        heddle_listing_primes[above->depth], name, heddle_listing_primes[above->depth], band->size, name,
        heddle_listing_primes[above->depth], above->size, end);
  if (band->depth > 0)
    g_string_append_printf (self->text, " at %s", heddle_ids_index (self->program->levels, band->depth));
}

/* Prints a loop, as for x₀ in 0, 64 … 4096 where x₀ <= q₁; of a split axis as parfor x′ in 0, 512 … 4096 and
 * for x₀ in x′, x′+64 … min(x′+512, 4096). */
static void
print_band (HeddleListing *self, const HeddleNode *band)
{
  const char *name = heddle_listing_axis_name (self, band->axis);
  g_autofree char *end = self->sizes != NULL ? g_strdup_printf (
                             "%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, band->axis))
                                             : g_strdup (name);

  begin_line (self, NULL);
  if (is_split (self, band, HEDDLE_BAND_GROUP))
    g_string_append_printf (self->text, "parfor %s′ in 0, %" G_GINT64_FORMAT " … %s", name, band->size, end);
  else if (is_split (self, band, HEDDLE_BAND_STREAM))
    g_string_append_printf (self->text,
        "for %s₀ in %s′, %s′+%" G_GINT64_FORMAT " … min(%s′+%" G_GINT64_FORMAT ", %s)", name, name, name,
        band->size, name, heddle_loop_program_get_band (self->program, band->axis, HEDDLE_BAND_GROUP)->size,
        end);
  else
    print_range (self, band, end);
  if (band->guard != NULL)
    {
      Bound bound = { self, band->depth };
      g_autofree char *guard = heddle_expr_to_string (band->guard, name_bound, &bound);

      g_string_append_printf (self->text, " where %s", guard);
    }
  g_string_append_c (self->text, '\n');
}

static void
print_node (HeddleListing *self, const HeddleNode *node)
{
  gboolean loop = node->kind == HEDDLE_NODE_BAND && node->band != HEDDLE_BAND_PROGRAM;

  if (node->kind == HEDDLE_NODE_COMPUTE)
    print_compute (self, node);
  else if (node->kind != HEDDLE_NODE_BAND)
    print_transfer (self, node);
  else if (loop)
    print_band (self, node);
  self->depth += loop ? 1 : 0;
  for (guint i = 0; i < node->children->len; i++)
    print_node (self, g_ptr_array_index (node->children, i));
  self->depth -= loop ? 1 : 0;
}

/* Prints the moves between memories above, as K at gmem ← K at host. */
static void
print_moves (HeddleListing *self, gboolean after)
{
  const GArray *moves = self->program->moves;

  for (guint i = 0; moves != NULL && i < moves->len; i++)
    {
      const HeddleMove *move = &g_array_index (moves, HeddleMove, i);
      g_autofree char *label = heddle_diagram_value_label (self->program->diagram, move->value);

      if (move->after != after)
        continue;
      begin_line (self, NULL);
      g_string_append_printf (self->text, "%s at %s ← %s at %s\n", label,
          move->out ? move->level : move->below, label, move->out ? move->below : move->level);
    }
}

static void
print_program (HeddleListing *self)
{
  print_moves (self, FALSE);
  print_node (self, self->program->root);
  print_moves (self, TRUE);
}

/* Prints the second kernel, after all groups of the first. */
static void
print_combine (HeddleListing *self)
{
  const HeddleLoopProgram *program = self->program;
  g_autofree char *heading = g_strdup_printf (
      _ ("# second kernel: merges the parts of %s"), heddle_listing_axis_name (self, program->split));
  g_autoptr (HeddleSizes) sizes
      = self->sizes != NULL ? heddle_loop_program_own_sizes (program, self->sizes) : NULL;
  HeddleListing combine = { program->combine, sizes, self->text, self->lines };

  begin_line (self, NULL);
  g_string_append_printf (self->text, "%s\n", heading);
  print_program (&combine);
}

char *
heddle_loop_program_to_pseudocode (const HeddleLoopProgram *self, const HeddleSizes *sizes, GPtrArray **lines)
{
  HeddleListing listing = { self, sizes };

  g_return_val_if_fail (self != NULL, NULL);

  listing.text = g_string_new (NULL);
  listing.lines = lines != NULL ? g_ptr_array_new () : NULL;
  print_program (&listing);
  if (self->combine != NULL)
    print_combine (&listing);
  if (lines != NULL)
    *lines = listing.lines;
  return g_string_free (listing.text, FALSE);
}
