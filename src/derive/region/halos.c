/* SPDX-License-Identifier: MIT */
#include "derive/index/window.h"
#include "derive/region/definition.h"
#include "derive/region/halos.h"
#include "derive/region/inputs.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tree.h"

/* Halos of what a kernel makes itself: a tile of a convolution that reads another one's result needs that
 * result with its halo, and what the result is made of with both halos. So each definition has, for each
 * axis, the indices at which it is read, found backwards from the outputs: y of the output, y + j - 1 of what
 * the second convolution reads, y + j - 1 + i - 1 of what the first one does. Where they are not the axis'
 * own, the definition is given the window of them and computed in all of it: neighbouring tiles both compute
 * the overlap.
 *
 * This holds for what is computed point by point or reduced. It does not hold for an output, each
 * element of which one group writes; for a scan or a selection along the axis, which depends on all that is
 * before; for what is gathered; or if an index moves in an unknown way. Then the axis takes no label, as
 * without halos, and neither does it in a definition that passes its window on to such a one. Two axes of one
 * name in a chain (both convolutions go over i) are taken as one: the hull is that of both if both move it in
 * the same way, and otherwise there is no window. */

#define MAX_EXPRS 16

typedef struct
{
  HeddleRegionTerm *region;
  GPtrArray **needs; /* per definition: per axis, GPtrArray of HeddleExpr: the indices at which it is read */
  guint64 *blocked; /* per definition: bits of the axes that have no window */
} Halos;

static HeddleDefinition *
get (const Halos *self, guint i)
{
  return g_ptr_array_index (self->region->definitions, i);
}

static GPtrArray *
need_of (const Halos *self, guint definition, guint axis)
{
  return g_ptr_array_index (self->needs[definition], axis);
}

static gboolean
is_blocked (const Halos *self, guint definition, guint axis)
{
  return axis >= 64 || (self->blocked[definition] >> axis & 1) != 0;
}

static gboolean
block (Halos *self, guint definition, guint axis)
{
  if (is_blocked (self, definition, axis))
    return FALSE;
  self->blocked[definition] |= G_GUINT64_CONSTANT (1) << axis;
  return TRUE;
}

static gboolean
is_own (const HeddleExpr *index, const char *axis)
{
  return heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (index) == axis;
}

/* Returns whether the definition is read at other indices along the axis than its own. */
static gboolean
is_windowed (const Halos *self, guint definition, guint axis)
{
  const GPtrArray *need = need_of (self, definition, axis);
  const char *id = heddle_ids_index (get (self, definition)->axes, axis);

  for (guint i = 0; i < need->len; i++)
    if (!is_own (g_ptr_array_index (need, i), id))
      return !is_blocked (self, definition, axis);
  return FALSE;
}

/* --- what is read where --------------------------------------------------------------------------- */

/* Takes @index. */
static void
add_need (Halos *self, guint definition, guint axis, HeddleExpr *index)
{
  GPtrArray *need = need_of (self, definition, axis);

  for (guint i = 0; i < need->len; i++)
    if (heddle_expr_equal (g_ptr_array_index (need, i), index))
      {
        heddle_expr_unref (index);
        return;
      }
  g_ptr_array_add (need, index);
  if (need->len > MAX_EXPRS)
    block (self, definition, axis);
}

typedef struct
{
  const Halos *halos;
  guint reader;
  guint choice; /* which of the reader's own indices, as a number with a digit for each axis */
} Composition;

/* Replaces a leaf by the reader's own indices, of which there are several if it is itself read at several. */
static HeddleExpr *
compose_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Composition *self = data;
  const GArray *axes = get (self->halos, self->reader)->axes;
  guint choice = self->choice;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_INDEX)
    return NULL;
  for (guint i = 0; i < axes->len; i++)
    {
      const GPtrArray *need = need_of (self->halos, self->reader, i);
      guint n = is_windowed (self->halos, self->reader, i) ? need->len : 1;

      if (heddle_ids_index (axes, i) == heddle_expr_get_symbol (leaf))
        return n > 1 || is_windowed (self->halos, self->reader, i)
                   ? heddle_expr_ref (g_ptr_array_index (need, choice % n))
                   : NULL;
      choice /= n;
    }
  return NULL;
}

static guint
count_choices (const Halos *self, guint reader)
{
  guint n = 1;

  for (guint i = 0; i < get (self, reader)->axes->len && n <= MAX_EXPRS; i++)
    n *= is_windowed (self, reader, i) ? need_of (self, reader, i)->len : 1;
  return n;
}

static void
add_index (Halos *self, guint reader, guint definition, guint axis, HeddleExpr *index)
{
  guint n = count_choices (self, reader);

  if (n > MAX_EXPRS)
    block (self, definition, axis);
  for (guint i = 0; i < MIN (n, MAX_EXPRS); i++)
    {
      Composition composition = { self, reader, i };
      g_autoptr (HeddleExpr) composed = heddle_expr_substitute (index, compose_leaf, &composition);

      add_need (self, definition, axis, heddle_expr_simplify (composed));
    }
}

/* Records that @reader reads @definition at the point, or at indices of its own. */
static void
add_reader (Halos *self, guint reader, guint definition)
{
  const HeddleDefinition *from = get (self, definition), *by = get (self, reader);
  gboolean elsewhere = by->indices != NULL && heddle_expr_get_operand (by->body) == definition;

  for (guint i = 0; i < from->axes->len; i++)
    {
      const char *axis = heddle_ids_index (from->axes, i);
      g_autoptr (HeddleExpr) own = heddle_expr_index (axis);

      if (elsewhere)
        add_index (self, reader, definition, i, g_ptr_array_index (by->indices, i));
      else
        add_index (self, reader, definition, i, own);
    }
}

static void
clear_needs (Halos *self)
{
  for (guint i = 0; i < self->region->definitions->len; i++)
    for (guint k = 0; k < get (self, i)->axes->len; k++)
      g_ptr_array_set_size (need_of (self, i, k), 0);
}

/* Finds what is needed of each definition, the last one first, since each is read by those after it. */
static void
find_needs (Halos *self)
{
  clear_needs (self);
  for (guint i = self->region->definitions->len; i-- > 0;)
    {
      const HeddleDefinition *definition = get (self, i);
      g_autoptr (GArray) arguments = heddle_definition_arguments (definition);

      for (guint k = 0; definition->output && k < definition->axes->len; k++)
        add_need (self, i, k, heddle_expr_index (heddle_ids_index (definition->axes, k)));
      for (guint k = 0; k < arguments->len; k++)
        if (g_array_index (arguments, guint, k) < i)
          add_reader (self, i, g_array_index (arguments, guint, k));
    }
}

/* --- what can have a window ----------------------------------------------------------------------- */

/* Returns whether something that reads the definition at the point reduces it over the axis: then all of it
 * is needed. */
static gboolean
is_reduced (const Halos *self, guint definition, const char *axis)
{
  for (guint i = definition + 1; i < self->region->definitions->len; i++)
    {
      const HeddleDefinition *reader = get (self, i);
      g_autoptr (GArray) arguments = NULL;

      if (!heddle_ids_contain (reader->over, axis) && reader->along != axis)
        continue;
      arguments = heddle_definition_arguments (reader);
      for (guint k = 0; k < arguments->len; k++)
        if (g_array_index (arguments, guint, k) == definition)
          return TRUE;
    }
  return FALSE;
}

static gboolean
may_have_window (const Halos *self, guint i, guint axis)
{
  const HeddleDefinition *definition = get (self, i);
  const GPtrArray *need = need_of (self, i, axis);

  /* An input that is read in no known way is held whole. */
  if (definition->input && definition->at == NULL)
    return !is_reduced (self, i, heddle_ids_index (definition->axes, axis));
  for (guint k = 0; k < need->len; k++)
    if (!heddle_window_is_bounded (g_ptr_array_index (need, k)))
      return FALSE;
  return !definition->output && definition->at == NULL && definition->form == HEDDLE_COMPUTE_FOLD
         && !definition->places && !is_reduced (self, i, heddle_ids_index (definition->axes, axis));
}

static gboolean
block_impossible (Halos *self)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < self->region->definitions->len; i++)
    for (guint k = 0; k < get (self, i)->axes->len; k++)
      if (is_windowed (self, i, k) && !may_have_window (self, i, k))
        changed = block (self, i, k) || changed;
  return changed;
}

/* Blocks the window of @reader if it hands it on to @from, which cannot have it. Returns whether something
 * changed. */
static gboolean
block_reader (Halos *self, guint reader, guint from)
{
  const HeddleDefinition *by = get (self, reader), *definition = get (self, from);
  gboolean elsewhere = by->indices != NULL && heddle_expr_get_operand (by->body) == from, changed = FALSE;

  for (guint i = 0; i < definition->axes->len; i++)
    {
      const char *axis = heddle_ids_index (definition->axes, i);
      int own = heddle_ids_find (by->axes, axis);

      if (own >= 0 && is_blocked (self, from, i) && is_windowed (self, reader, (guint) own)
          && (!elsewhere || is_own (g_ptr_array_index (by->indices, i), axis)))
        changed = block (self, reader, (guint) own) || changed;
    }
  return changed;
}

static gboolean
block_readers (Halos *self)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < self->region->definitions->len; i++)
    {
      g_autoptr (GArray) arguments = heddle_definition_arguments (get (self, i));

      for (guint k = 0; k < arguments->len; k++)
        if (g_array_index (arguments, guint, k) < i)
          changed = block_reader (self, i, g_array_index (arguments, guint, k)) || changed;
    }
  return changed;
}

/* --- the windows ---------------------------------------------------------------------------------- */

/* Returns the window of an input; one that is read in no known way is held whole. */
static GPtrArray *
window_of (const Halos *self, guint definition, guint axis)
{
  const GPtrArray *need = need_of (self, definition, axis);
  GPtrArray *window = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < need->len; i++)
    {
      if (!heddle_window_is_bounded (g_ptr_array_index (need, i)))
        g_clear_pointer (&window, g_ptr_array_unref);
      if (window == NULL)
        return NULL;
      g_ptr_array_add (window, heddle_expr_ref (g_ptr_array_index (need, i)));
    }
  return window;
}

static void
set_windows (const Halos *self, guint i)
{
  HeddleDefinition *definition = get (self, i);
  GPtrArray *windows = heddle_windows_new_none (definition->axes->len);
  gboolean any = FALSE;

  definition->whole = 0;
  for (guint k = 0; k < definition->axes->len; k++)
    {
      gboolean windowed = is_windowed (self, i, k);
      GPtrArray *window = windowed ? window_of (self, i, k) : NULL;

      definition->whole |= windowed ? G_GUINT64_CONSTANT (1) << k : 0;
      any = any || window != NULL;
      g_ptr_array_index (windows, k) = window;
    }
  g_clear_pointer (&definition->windows, g_ptr_array_unref);
  if (any)
    definition->windows = g_steal_pointer (&windows);
  g_clear_pointer (&windows, g_ptr_array_unref);
}

static gboolean
makes_windows (const Halos *self)
{
  for (guint i = 0; i < self->region->definitions->len; i++)
    for (guint k = 0; !get (self, i)->input && k < get (self, i)->axes->len; k++)
      if (is_windowed (self, i, k))
        return TRUE;
  return FALSE;
}

void
heddle_region_term_find_halos (HeddleRegionTerm *region)
{
  guint n = region->definitions->len;
  Halos self = { region, g_new0 (GPtrArray *, n), g_new0 (guint64, n) };
  gboolean changed = TRUE;

  for (guint i = 0; i < n; i++)
    {
      self.needs[i] = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
      for (guint k = 0; k < get (&self, i)->axes->len; k++)
        g_ptr_array_add (self.needs[i], g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref));
    }
  while (changed)
    {
      find_needs (&self);
      changed = block_impossible (&self);
      changed = block_readers (&self) || changed;
    }
  for (guint i = 0; makes_windows (&self) && i < n; i++)
    if (get (&self, i)->at == NULL)
      set_windows (&self, i);
  for (guint i = 0; i < n; i++)
    g_ptr_array_unref (self.needs[i]);
  g_free (self.needs);
  g_free (self.blocked);
}
