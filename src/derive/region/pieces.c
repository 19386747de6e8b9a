/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "derive/region/narrow.h"
#include "derive/region/pieces.h"
#include "derive/region/view.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/operation.h"

/* This file cuts a diagram into pieces, which are searched one by one. Its layers are found by what their
 * operations are: the longest stretch that repeats the same operations, cut where the fewest values pass.
 * The operations before and after it are cut in the same way. A long run that repeats nothing is cut where its parts
 * exchange the fewest elements. */

/* The number of operations up to which they are one piece: the search tries all of them at once. */
#define FEW_OPERATIONS 20
/* A layer has more operations than this, so that no chain of like operations is cut. */
#define LEAST_PERIOD 4

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  GPtrArray *operations; /* of HeddleOperation: those that are no views */
  guint *kinds; /* per operation: alike for all that are alike */
  guint *passing; /* per operation: how many made values before it are read from it on */
  double *losses; /* per operation: what a cut before it costs */
  GPtrArray *pieces;
} Cutter;

/* --- what operations are like --- */

static void
append_value (GString *text, const Cutter *self, const char *id)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, id);

  g_string_append_printf (text, "|%d:%d", value->dtype, value->role == HEDDLE_ROLE_INTERMEDIATE);
  for (guint i = 0; i < value->axes->len; i++)
    g_string_append_printf (
        text, ",%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, heddle_ids_index (value->axes, i)));
}

static gboolean
append_node (const HeddleExpr *node, gpointer data)
{
  GString *text = data;
  HeddleExprKind kind = heddle_expr_get_kind (node);

  g_string_append_printf (text, " %d", kind);
  if (kind == HEDDLE_EXPR_NUMBER)
    g_string_append_printf (text, ":%.17g", heddle_expr_get_number (node));
  return TRUE;
}

/* Returns the kind of an operand. A value that a call gives stands in one layer for an input and in the
 * others for what the layer before made, so that whether it is made does not count for operands. */
static guint
kind_of (const Cutter *self, const HeddleOperation *operation)
{
  g_autoptr (GString) text = g_string_new (operation->kind->id);

  append_value (text, self, operation->result);
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const HeddleValue *operand
          = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, i));

      g_string_append_printf (text, "/%u", operand->axes->len);
    }
  if (operation->body != NULL)
    heddle_expr_walk (operation->body, append_node, text);
  for (guint i = 0; operation->indices != NULL && i < operation->indices->len; i++)
    heddle_expr_walk (g_ptr_array_index (operation->indices, i), append_node, text);
  return g_str_hash (text->str);
}

static gboolean
is_view (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  return heddle_view_places (diagram, operation) > 0
         && heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0))->role
                == HEDDLE_ROLE_PARAMETER
         && !heddle_diagram_is_output (diagram, operation->result);
}

GPtrArray *
heddle_pieces_views (const HeddleDiagram *diagram)
{
  GPtrArray *views = g_ptr_array_new ();

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (is_view (diagram, operation))
        g_ptr_array_add (views, operation);
    }
  return views;
}

/* --- one piece as a diagram --- */

typedef struct
{
  const HeddleDiagram *from;
  HeddleDiagram *to;
  HeddlePieceTime *time;
} Extract;

static void add_axis (Extract *self, const char *id);

static gboolean
add_named_axis (const HeddleExpr *node, gpointer data)
{
  HeddleExprKind kind = heddle_expr_get_kind (node);

  if (kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX)
    add_axis (data, heddle_expr_get_symbol (node));
  return TRUE;
}

static void
add_axis (Extract *self, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->from, id);

  if (heddle_diagram_get_axis (self->to, id) != NULL)
    return;
  heddle_diagram_add_axis (
      self->to, id, axis->name, axis->size != NULL ? heddle_expr_ref (axis->size) : NULL);
  heddle_ids_append (self->time->axes, id);
  if (axis->size != NULL)
    heddle_expr_walk (axis->size, add_named_axis, self);
}

/* Adds a value that the piece makes, or is given. */
static void
add_value (Extract *self, const char *id, gboolean made)
{
  const HeddleValue *value = heddle_diagram_get_value (self->from, id);
  g_autofree char *label = NULL;
  HeddleValueRole role = value->role;

  if (heddle_diagram_get_value (self->to, id) != NULL)
    return;
  for (guint i = 0; i < value->axes->len; i++)
    add_axis (self, heddle_ids_index (value->axes, i));
  if (!made && role == HEDDLE_ROLE_INTERMEDIATE)
    {
      const HeddleOperation *producer = heddle_diagram_get_producer (self->from, id);

      role = producer != NULL && is_view (self->from, producer) ? HEDDLE_ROLE_PARAMETER : HEDDLE_ROLE_INPUT;
      label = heddle_diagram_value_label (self->from, id);
    }
  heddle_diagram_add_value (self->to, id, label != NULL ? label : value->name, role,
      made ? value->dtype : heddle_diagram_dtype (self->from, id, HEDDLE_DTYPE_UNSET), value->axes);
  heddle_ids_append (self->time->values, id);
}

static void
add_operation (Extract *self, const HeddleOperation *operation)
{
  HeddleOperation *copy;

  for (guint i = 0; i < operation->operands->len; i++)
    add_value (self, heddle_ids_index (operation->operands, i), FALSE);
  add_value (self, operation->result, TRUE);
  for (guint i = 0; i < operation->axes->len; i++)
    add_axis (self, heddle_ids_index (operation->axes, i));
  if (operation->body != NULL)
    heddle_expr_walk (operation->body, add_named_axis, self);
  for (guint i = 0; operation->indices != NULL && i < operation->indices->len; i++)
    heddle_expr_walk (g_ptr_array_index (operation->indices, i), add_named_axis, self);
  copy = heddle_diagram_add_operation (
      self->to, operation->id, operation->kind, operation->operands, operation->result, operation->axes, -1);
  heddle_operation_copy_details (copy, operation, NULL, NULL);
}

/* Adds as outputs what others read of the piece, or the model returns. */
static void
add_outputs (Extract *self)
{
  self->to->explicit_outputs = TRUE;
  for (guint i = 0; i < self->to->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->to->operations, i);
      gboolean read = heddle_diagram_is_output (self->from, operation->result);
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->from, operation->result);
      g_autofree char *label = NULL;

      if (is_view (self->from, operation))
        continue;
      for (guint k = 0; k < readers->len; k++)
        read |= heddle_diagram_get_operation (
                    self->to, ((const HeddleOperation *) g_ptr_array_index (readers, k))->id)
                == NULL;
      if (!read)
        continue;
      heddle_ids_append (self->to->outputs, operation->result);
      label = heddle_diagram_value_label (self->from, operation->result);
      if (heddle_diagram_get_value (self->to, operation->result)->name == NULL)
        heddle_diagram_edit_value (self->to, operation->result)->name = g_steal_pointer (&label);
    }
}

/* Returns a diagram of the operations from @first on. */
static HeddleDiagram *
extract (
    const HeddleDiagram *diagram, const GPtrArray *operations, guint first, guint n, HeddlePieceTime *time)
{
  Extract made = { diagram, heddle_diagram_new (diagram->name), time };

  for (guint i = first; i < first + n; i++)
    add_operation (&made, g_ptr_array_index (operations, i));
  if (made.to->outputs == NULL)
    made.to->outputs = heddle_ids_new ();
  add_outputs (&made);
  return made.to;
}

HeddleDiagram *
heddle_pieces_extract (const HeddleDiagram *diagram, const GPtrArray *operations)
{
  g_autoptr (GArray) values = heddle_ids_new (), axes = heddle_ids_new ();
  HeddlePieceTime time = { 0, values, axes };

  return extract (diagram, operations, 0, operations->len, &time);
}

/* Returns a copy with the names that all pieces have which are alike: by the order of appearance. */
static HeddleDiagram *
canonical_of (const HeddleDiagram *diagram)
{
  HeddleDiagram *copy = heddle_diagram_copy (diagram);

  g_free (copy->name);
  copy->name = g_strdup ("piece");
  for (guint i = 0; i < copy->values->len; i++)
    {
      const char *id = ((const HeddleValue *) g_ptr_array_index (copy->values, i))->id;
      HeddleValue *value = heddle_diagram_edit_value (copy, id);

      g_clear_pointer (&value->comment, g_free);
      if (value->name == NULL)
        continue;
      g_free (value->name);
      value->name = g_strdup_printf ("V%u", i);
    }
  for (guint i = 0; i < copy->axes->len; i++)
    {
      HeddleAxis *axis
          = heddle_diagram_edit_axis (copy, ((const HeddleAxis *) g_ptr_array_index (copy->axes, i))->id);

      g_free (axis->name);
      axis->name = g_strdup_printf ("a%u", i);
    }
  return copy;
}

static GArray *
sizes_of (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (gint64));

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      gint64 size = heddle_sizes_get (sizes, ((const HeddleAxis *) g_ptr_array_index (diagram->axes, i))->id);

      g_array_append_val (all, size);
    }
  return all;
}

static void
time_free (gpointer data)
{
  HeddlePieceTime *self = data;

  g_array_unref (self->values);
  g_array_unref (self->axes);
  g_free (self);
}

static void
piece_free (gpointer data)
{
  HeddlePiece *self = data;

  heddle_diagram_free (self->diagram);
  heddle_diagram_free (self->canonical);
  g_array_unref (self->sizes);
  g_ptr_array_unref (self->times);
  g_free (self);
}

static gboolean
have_same_sizes (const GArray *a, const GArray *b)
{
  return a->len == b->len && (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (gint64)) == 0);
}

/* Returns the piece that is alike, or NULL. */
static HeddlePiece *
find_piece (const Cutter *self, const HeddleDiagram *canonical, const GArray *sizes)
{
  for (guint i = 0; i < self->pieces->len; i++)
    {
      HeddlePiece *piece = g_ptr_array_index (self->pieces, i);

      if (have_same_sizes (piece->sizes, sizes)
          && heddle_diagram_isomorphic (piece->canonical, canonical, NULL))
        return piece;
    }
  return NULL;
}

static void
add_piece (Cutter *self, guint first, guint n)
{
  HeddlePieceTime *time = g_new (HeddlePieceTime, 1);
  g_autoptr (HeddleDiagram) diagram = NULL, canonical = NULL;
  g_autoptr (GArray) sizes = NULL;
  HeddlePiece *piece;

  *time = (HeddlePieceTime){ first, heddle_ids_new (), heddle_ids_new () };
  diagram = extract (self->diagram, self->operations, first, n, time);
  canonical = canonical_of (diagram);
  sizes = sizes_of (diagram, self->sizes);
  piece = find_piece (self, canonical, sizes);
  if (piece == NULL)
    {
      piece = g_new (HeddlePiece, 1);
      *piece = (HeddlePiece){ g_steal_pointer (&diagram), g_steal_pointer (&canonical),
        g_steal_pointer (&sizes), g_ptr_array_new_with_free_func (time_free) };
      g_ptr_array_add (self->pieces, piece);
    }
  g_ptr_array_add (piece->times, time);
}

/* --- cutting --- */

/* A stretch that goes through the same operations over and over. */
typedef struct
{
  guint first, period, length;
} Stretch;

static guint
saved_by (const Stretch *stretch)
{
  return stretch->period > 0 ? (stretch->length / stretch->period - 1) * stretch->period : 0;
}

static Stretch
find_stretch (const Cutter *self, guint first, guint end)
{
  Stretch best = { 0, 0, 0 };

  for (guint period = LEAST_PERIOD; period <= (end - first) / 2; period++)
    for (guint i = first, run = 0; i + period < end; i++)
      {
        Stretch own;

        run = self->kinds[i] == self->kinds[i + period] ? run + 1 : 0;
        own = (Stretch){ i + 1 - run, period, run + period };
        if (run >= period && saved_by (&own) > saved_by (&best))
          best = own;
      }
  return best;
}

/* Moves the beginning of the first layer, within a period, to where the fewest values pass. */
static void
turn (const Cutter *self, Stretch *stretch)
{
  guint best = stretch->first, most = stretch->length / stretch->period;

  for (guint i = 0; i < stretch->period; i++)
    if ((stretch->length - i) / stretch->period >= MAX (2, most - 1)
        && self->passing[stretch->first + i] < self->passing[best])
      best = stretch->first + i;
  stretch->length -= best - stretch->first;
  stretch->first = best;
}

/* Adds what stands @times times one after the other, each time in the same parts. */
static void
add_in_parts (Cutter *self, guint first, guint length, guint times)
{
  g_autoptr (GArray) ends = heddle_narrow_cuts (self->losses + first, length);

  for (guint i = 0; i < times; i++)
    for (guint k = 0, begin = 0; k < ends->len; k++)
      {
        guint end = g_array_index (ends, guint, k);

        add_piece (self, first + i * length + begin, end - begin);
        begin = end;
      }
}

static void
cut (Cutter *self, guint first, guint end)
{
  Stretch stretch;
  guint n;

  if (first == end)
    return;
  stretch = end - first > FEW_OPERATIONS ? find_stretch (self, first, end) : (Stretch){ 0, 0, 0 };
  if (stretch.period == 0)
    {
      add_in_parts (self, first, end - first, 1);
      return;
    }
  turn (self, &stretch);
  n = stretch.length / stretch.period;
  cut (self, first, stretch.first);
  add_in_parts (self, stretch.first, stretch.period, n);
  cut (self, stretch.first + n * stretch.period, end);
}

/* Returns whether a kernel of the operation before would compute this one as well, but for a cut between them. */
static gboolean
is_map_of_last (const Cutter *self, guint i)
{
  const HeddleOperation *operation = g_ptr_array_index (self->operations, i);
  const HeddleOperation *last = i > 0 ? g_ptr_array_index (self->operations, i - 1) : NULL;

  return last != NULL && operation->kind->form == HEDDLE_FORM_MAP
         && heddle_ids_contain (operation->operands, last->result);
}

/* Counts the values that pass each operation: made before it, and read by it or after it. What a cut costs goes by their
 * elements; twice that before a map, which has to read again what a kernel before it made. */
static void
count_passing (Cutter *self)
{
  g_autoptr (GHashTable) last = g_hash_table_new (NULL, NULL); /* value -> the last that reads it, + 1 */

  for (guint i = 0; i < self->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);

      for (guint k = 0; k < operation->operands->len; k++)
        g_hash_table_insert (
            last, (gpointer) heddle_ids_index (operation->operands, k), GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < self->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);
      guint read = GPOINTER_TO_UINT (g_hash_table_lookup (last, operation->result));

      for (guint k = i + 1; k < read; k++)
        {
          self->passing[k]++;
          self->losses[k] += (is_map_of_last (self, k) ? 2. : 1.)
                             * (double) heddle_sizes_elements (
                                 self->sizes, heddle_diagram_get_value (self->diagram, operation->result));
        }
    }
}

GPtrArray *
heddle_pieces_operations (const HeddleDiagram *diagram)
{
  GPtrArray *operations = g_ptr_array_new ();

  for (guint i = 0; i < diagram->operations->len; i++)
    if (!is_view (diagram, g_ptr_array_index (diagram->operations, i)))
      g_ptr_array_add (operations, g_ptr_array_index (diagram->operations, i));
  return operations;
}

GPtrArray *
heddle_pieces_new (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  g_autoptr (GPtrArray) operations = heddle_pieces_operations (diagram);
  g_autofree guint *kinds = g_new0 (guint, diagram->operations->len + 1);
  g_autofree guint *passing = g_new0 (guint, diagram->operations->len + 1);
  g_autofree double *losses = g_new0 (double, diagram->operations->len + 1);
  Cutter self
      = { diagram, sizes, operations, kinds, passing, losses, g_ptr_array_new_with_free_func (piece_free) };

  for (guint i = 0; i < operations->len; i++)
    kinds[i] = kind_of (&self, g_ptr_array_index (operations, i));
  count_passing (&self);
  cut (&self, 0, operations->len);
  return self.pieces;
}
