/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost.h"
#include "derive/window.h"

#include <glib/gi18n-lib.h>

/* The loop program as a person would write it: the same object that is priced, run and compiled, one line for each statement. */

typedef struct
{
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes; /* or NULL */
  GString *text;
  GPtrArray *lines; /* operation ids, or NULL */
  guint depth;
} Listing;

static const char *
axis_name (const Listing *self, const char *axis)
{
  return heddle_diagram_get_axis (self->program->diagram, axis)->name;
}

static const char *
buffer_name (const Listing *self, guint i)
{
  return heddle_loop_program_get_buffer (self->program, i)->name;
}

static void
begin_line (Listing *self, const char *operation)
{
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->text, "  ");
  if (self->lines != NULL)
    g_ptr_array_add (self->lines, (gpointer) operation);
}

/* --- expressions ------------------------------------------------------------------------------ */

typedef struct
{
  const Listing *listing;
  const HeddleNode *node;
} Naming;

static char *name_leaf (const HeddleExpr *leaf, gpointer data);

/* X[i + k, c] */
static char *
name_indexed (const Naming *naming, guint buffer, const GPtrArray *indices)
{
  GString *text = g_string_new (buffer_name (naming->listing, buffer));

  for (guint i = 0; i < indices->len; i++)
    {
      g_autofree char *index
          = heddle_expr_to_string (g_ptr_array_index (indices, i), name_leaf, (gpointer) naming);

      g_string_append_printf (text, "%s%s", i == 0 ? "[" : ", ", index);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static char *
name_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Naming *naming = data;

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      {
        guint i = heddle_expr_get_operand (leaf);
        guint buffer = g_array_index (naming->node->sources, guint, i);
        const GPtrArray *indices = g_ptr_array_index (naming->node->source_indices, i);

        return indices != NULL ? name_indexed (naming, buffer, indices)
                               : g_strdup (buffer_name (naming->listing, buffer));
      }
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      return g_strdup (axis_name (naming->listing, heddle_expr_get_symbol (leaf)));
    default:
      return NULL;
    }
}

static char *
print_expr (const Listing *self, const HeddleNode *node, const HeddleExpr *expr)
{
  Naming naming = { self, node };

  return heddle_expr_to_string (expr, name_leaf, &naming);
}

/* sum[x](P*V) */
static char *
print_reduction (const Listing *self, const HeddleNode *node)
{
  g_autofree char *body = print_expr (self, node, node->body);
  GString *text = g_string_new (heddle_monoid_to_string (node->monoid));

  if (node->over->len == 0)
    {
      g_string_free (text, TRUE);
      return g_steal_pointer (&body);
    }
  for (guint i = 0; i < node->over->len; i++)
    g_string_append_printf (
        text, "%s%s", i == 0 ? "[" : ", ", axis_name (self, heddle_ids_index (node->over, i)));
  g_string_append_printf (text, "](%s)", body);
  return g_string_free (text, FALSE);
}

/* scan[t](a*h + b), top[e](L at e) */
static char *
print_form (const Listing *self, const HeddleNode *node)
{
  g_autofree char *body = print_expr (self, node, node->body);
  g_autofree char *extra = node->extra != NULL ? print_expr (self, node, node->extra) : NULL;
  GString *text = g_string_new (NULL);

  if (node->form == HEDDLE_COMPUTE_SCAN)
    {
      const char *state = node->second != HEDDLE_NO_BUFFER ? buffer_name (self, node->second) : "h";

      g_string_printf (text, "scan[%s](%s ← %s%s%s + %s)", axis_name (self, node->along), state,
          extra != NULL ? extra : "", extra != NULL ? "*" : "", state, body);
      return g_string_free (text, FALSE);
    }
  g_string_printf (text, "largest[");
  for (guint i = 0; i < node->over->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? ", " : "", axis_name (self, heddle_ids_index (node->over, i)));
  if (node->ranked)
    g_string_append_printf (text, ", %s", axis_name (self, node->along));
  g_string_append_printf (text, "]((%s, %s), (%s, %s))", buffer_name (self, node->buffer),
      buffer_name (self, node->second), body, extra);
  return g_string_free (text, FALSE);
}

/* --- lines ---------------------------------------------------------------------------------------- */

/* m ← max(m, max[x](S)), o ← delta*o + sum[x](P*V) */
static void
print_compute (Listing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *result
      = node->form != HEDDLE_COMPUTE_FOLD ? print_form (self, node) : print_reduction (self, node);
  g_autofree char *rescale = node->rescale != NULL ? print_expr (self, node, node->rescale) : NULL;
  g_autofree char *old
      = rescale != NULL ? g_strdup_printf ("%s*%s", rescale, buffer->name) : g_strdup (buffer->name);

  begin_line (self, node->operation);
  g_string_append (self->text, buffer->name);
  if (node->form == HEDDLE_COMPUTE_SELECT)
    g_string_append_printf (self->text, ", %s", buffer_name (self, node->second));
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

/* Loops of lower levels have primes: q₀, q₀′, q₀″. */
static const char *const primes[HEDDLE_MAX_LEVELS] = { "", "′", "″", "‴" };

/* The loop whose tiles or chunks a window along @axis goes by; NULL: there is none. */
static const HeddleNode *
loop_of (const Listing *self, const char *axis, guint depth)
{
  const HeddleNode *stream = heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_STREAM, depth);

  return stream != NULL ? stream
                        : heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_GROUP, depth);
}

/* 2*y₀: what is added to a bound */
static void
print_multiple (Listing *self, GString *text, const HeddleNode *band, gint64 factor)
{
  if (text->len > 0 || factor < 0)
    g_string_append (text, factor < 0 ? "-" : "+");
  if (ABS (factor) != 1)
    g_string_append_printf (text, "%" G_GINT64_FORMAT "*", ABS (factor));
  g_string_append_printf (text, "%s₀%s", axis_name (self, band->axis), primes[band->depth]);
}

/* 2*y₀-3 : 2*y₀+114, as far as the array goes; an index that is no sum as it is read */
static void
print_window (Listing *self, const HeddleBuffer *buffer, guint i)
{
  const GPtrArray *exprs = g_ptr_array_index (buffer->windows, i);
  g_autoptr (HeddleWindowSum) sum = self->sizes != NULL ? heddle_window_sum_new (exprs, self->sizes) : NULL;
  g_autoptr (GString) loops = g_string_new (NULL);
  gint64 least, length;

  if (sum == NULL)
    {
      Naming naming = { self, NULL };
      g_autofree char *index
          = heddle_expr_to_string (g_ptr_array_index (exprs, 0), name_leaf, (gpointer) &naming);

      g_string_append (self->text, index);
      return;
    }
  least = sum->offset;
  length = sum->spread + 1;
  for (guint k = 0; k < sum->axes->len; k++)
    {
      const char *axis = heddle_ids_index (sum->axes, k);
      gint64 factor = g_array_index (sum->factors, gint64, k), n = heddle_sizes_get (self->sizes, axis);
      const HeddleNode *band = loop_of (self, axis, buffer->depth);

      n = band != NULL ? MIN (n, band->size) : n;
      length += ABS (factor) * (n - 1);
      least += MIN (factor, 0) * (n - 1);
      if (band != NULL)
        print_multiple (self, loops, band, factor);
    }
  for (guint k = 0; k < 2; k++)
    {
      gint64 bound = k == 0 ? least : least + length;

      g_string_append (self->text, k == 0 ? "" : " : ");
      g_string_append (self->text, loops->str);
      if (loops->len == 0 || bound != 0)
        g_string_append_printf (
            self->text, loops->len > 0 ? "%+" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, bound);
    }
}

/* q₀ : q₀+373, or : of a whole axis */
static void
print_held (Listing *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i), *name = axis_name (self, axis);
  HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, i);
  const HeddleNode *band = NULL;

  if (extent == HEDDLE_EXTENT_WINDOW)
    {
      print_window (self, buffer, i);
      return;
    }
  if (extent != HEDDLE_EXTENT_FULL)
    band = heddle_loop_program_get_band_at (self->program, axis,
        extent == HEDDLE_EXTENT_TILE ? HEDDLE_BAND_GROUP : HEDDLE_BAND_STREAM, buffer->depth);
  if (band == NULL)
    g_string_append_c (self->text, ':');
  else
    g_string_append_printf (self->text, "%s₀%s : %s₀%s+%" G_GINT64_FORMAT, name, primes[band->depth], name,
        primes[band->depth], band->size);
}

/* E[T, m₀ : m₀+64] */
static void
print_gathered (Listing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *label = heddle_diagram_value_label (self->program->diagram, buffer->value);
  Naming naming = { self, node };

  g_string_append (self->text, label);
  for (guint i = 0; i < node->at->len; i++)
    {
      const HeddleExpr *at = g_ptr_array_index (node->at, i);
      const char *axis = heddle_expr_get_kind (at) == HEDDLE_EXPR_INDEX ? heddle_expr_get_symbol (at) : NULL;
      g_autofree char *index = heddle_expr_to_string (at, name_leaf, &naming);
      int own = axis != NULL ? heddle_ids_find (buffer->axes, axis) : -1;

      g_string_append (self->text, i == 0 ? "[" : ", ");
      if (own >= 0)
        print_held (self, buffer, (guint) own);
      else
        g_string_append (self->text, index);
    }
  g_string_append (self->text, node->at->len > 0 ? "]" : "");
}

/* Q[q₀ : q₀+373, :]; of a buffer of the level above Q_smem[q₀′ : q₀′+16, :] */
static void
print_part (Listing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  const char *partial = node->partial;
  g_autofree char *label = node->upper != HEDDLE_GLOBAL ? g_strdup (buffer_name (self, node->upper))
                                                        : heddle_diagram_value_label (self->program->diagram,
                                                            partial != NULL ? partial : buffer->value);

  g_string_append (self->text, label);
  if (partial != NULL)
    g_string_append_printf (self->text, "[%s′/%" G_GINT64_FORMAT "%s", axis_name (self, self->program->split),
        self->program->split_size, buffer->axes->len > 0 ? "" : "]");
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      g_string_append (self->text, i == 0 && partial == NULL ? "[" : ", ");
      print_held (self, buffer, i);
    }
  g_string_append (self->text, buffer->axes->len > 0 ? "]" : "");
}

static void
print_transfer (Listing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);

  begin_line (self, node->operation);
  if (node->kind == HEDDLE_NODE_LOAD)
    g_string_append_printf (self->text, "%s ← load ", buffer->name);
  else
    g_string_append (self->text, "save ");
  if (node->at != NULL)
    print_gathered (self, node);
  else
    print_part (self, node);
  if (node->kind == HEDDLE_NODE_SAVE)
    g_string_append_printf (self->text, " ← %s", buffer->name);
  g_string_append_c (self->text, '\n');
}

typedef struct
{
  const Listing *listing;
  guint depth;
} Bound;

/* The lowest loop over the axis at the level or above; NULL: none. */
static const HeddleNode *
lowest_loop (const Listing *self, const char *axis, guint depth)
{
  const HeddleNode *group = heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_GROUP, depth);
  const HeddleNode *stream = heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_STREAM, depth);

  return stream == NULL || (group != NULL && group->depth > stream->depth) ? group : stream;
}

/* The last index of an axis that no loop goes over. */
static char *
name_end (const Listing *self, const char *axis)
{
  return self->sizes != NULL ? g_strdup_printf ("%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, axis) - 1)
                             : g_strdup_printf ("(%s - 1)", axis_name (self, axis));
}

/* The first index at hand is x₀, the last one x₁, by the lowest loop over the axis that is around. */
static char *
name_bound (const HeddleExpr *leaf, gpointer data)
{
  const Bound *bound = data;
  const Listing *self = bound->listing;
  const char *of_last = heddle_guard_axis_of_last (leaf);
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const char *axis = of_last;
  const HeddleNode *loop;

  if (kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX)
    axis = heddle_expr_get_symbol (leaf);
  if (kind == HEDDLE_EXPR_SIZE || axis == NULL)
    return axis != NULL ? g_strdup (axis_name (self, axis)) : NULL;
  loop = lowest_loop (self, axis, bound->depth);
  if (loop == NULL)
    return of_last != NULL ? name_end (self, axis) : g_strdup ("0");
  return g_strdup_printf ("%s%s%s", axis_name (self, axis), of_last != NULL ? "₁" : "₀", primes[loop->depth]);
}

/* Whether the axis is streamed within its groups, and this is the one of the two loops. */
static gboolean
is_split (const Listing *self, const HeddleNode *band, HeddleBandKind kind)
{
  return band->band == kind && band->depth == 0
         && heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_GROUP, 0) != NULL
         && heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_STREAM, 0) != NULL;
}

/* The loop over the same axis that this one goes through a part of: at a level above; NULL: none. */
static const HeddleNode *
band_above (const Listing *self, const HeddleNode *band)
{
  const HeddleNode *stream = NULL, *group = NULL;

  if (band->depth == 0)
    return NULL;
  group = heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_GROUP, band->depth - 1);
  if (band->band == HEDDLE_BAND_STREAM)
    stream = heddle_loop_program_get_band_at (self->program, band->axis, HEDDLE_BAND_STREAM, band->depth - 1);
  return stream != NULL ? stream : group;
}

/* for x₀′ in x₀, x₀+16 … min(x₀+64, 4096) at registers */
static void
print_range (Listing *self, const HeddleNode *band, const char *end)
{
  const char *name = axis_name (self, band->axis), *own = primes[band->depth];
  const HeddleNode *above = band_above (self, band);

  g_string_append_printf (
      self->text, "%s %s₀%s in ", band->band == HEDDLE_BAND_GROUP ? "parfor" : "for", name, own);
  if (above == NULL)
    g_string_append_printf (self->text, "0, %" G_GINT64_FORMAT " … %s", band->size, end);
  else
    g_string_append_printf (self->text,
        "%s₀%s, %s₀%s+%" G_GINT64_FORMAT " … min(%s₀%s+%" G_GINT64_FORMAT ", %s)", name, primes[above->depth],
        name, primes[above->depth], band->size, name, primes[above->depth], above->size, end);
  if (band->depth > 0)
    g_string_append_printf (self->text, " at %s", heddle_ids_index (self->program->levels, band->depth));
}

/* for x₀ in 0, 64 … 4096 where x₀ <= q₁; of a split axis: parfor x′ in 0, 512 … 4096 and for x₀ in x′, x′+64 … min(x′+512, 4096) */
static void
print_band (Listing *self, const HeddleNode *band)
{
  const char *name = axis_name (self, band->axis);
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
print_node (Listing *self, const HeddleNode *node)
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

/* K at gmem ← K at host */
static void
print_moves (Listing *self, gboolean after)
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
print_program (Listing *self)
{
  print_moves (self, FALSE);
  print_node (self, self->program->root);
  print_moves (self, TRUE);
}

/* The second kernel, after all groups of the first. */
static void
print_combine (Listing *self)
{
  const HeddleLoopProgram *program = self->program;
  g_autofree char *heading
      = g_strdup_printf (_ ("# second kernel: merges the parts of %s"), axis_name (self, program->split));
  g_autoptr (HeddleSizes) sizes
      = self->sizes != NULL ? heddle_loop_program_own_sizes (program, self->sizes) : NULL;
  Listing combine = { program->combine, sizes, self->text, self->lines };

  begin_line (self, NULL);
  g_string_append_printf (self->text, "%s\n", heading);
  print_program (&combine);
}

/**
 * heddle_loop_program_to_pseudocode:
 * @self: a loop program
 * @sizes: (nullable): the sizes of the axes, for the ends of loops; %NULL: their names
 * @lines: (out) (optional) (transfer container) (element-type utf8): per line the operation it comes from (id), or %NULL
 *
 * Returns: (transfer full): the listing, every line ended by a newline
 */
char *
heddle_loop_program_to_pseudocode (const HeddleLoopProgram *self, const HeddleSizes *sizes, GPtrArray **lines)
{
  Listing listing = { self, sizes };

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
