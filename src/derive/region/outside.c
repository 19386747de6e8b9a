/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/range.h"
#include "derive/machine/machine.h"
#include "derive/region/guarded.h"
#include "derive/region/outside.h"
#include "diagram/analysis/reindex.h"
#include "diagram/analysis/sizes.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tidy.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* A term read outside its array is left out of the innermost reduction over an index of the read, which is a
 * rule of the language. Where the read is of the same kernel, its condition goes with what is made of it
 * (inside.c). What another kernel has read there is 0 in what it wrote. So a kernel leaves it out where its
 * reduction adds up what is 0 with it; otherwise it would have to know what is outside, and is refused. */

/* --- the reads ------------------------------------------------------------------------------------- */

/* Returns whether the read may be outside where it is taken. What an array of indices says is assumed to be inside,
 * as within a kernel (inside.c). */
static gboolean
may_be_outside (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation)
{
  gboolean may = FALSE;

  for (guint i = 0; i < operation->indices->len; i++)
    may |= !heddle_expr_uses (g_ptr_array_index (operation->indices, i), HEDDLE_EXPR_ARGUMENT, NULL)
           && heddle_index_may_leave (diagram, sizes, operation, i);
  return may && !heddle_read_is_guarded (diagram, sizes, operation);
}

/* --- what carries it ------------------------------------------------------------------------------- */

/* A value that may stand for what one read has outside. */
typedef struct
{
  GArray *axes; /* those of the read, as they are of this value */
  gboolean vanishes; /* it is 0 there */
  gboolean plain; /* it is outside along whole axes: no choice and no other read came between */
} Mark;

typedef struct
{
  const HeddleDiagram *diagram;
  guint at; /* the place of the read */
  GHashTable *marks; /* value -> Mark */
  GHashTable *refusing; /* as in the memo */
} Trace;

static void
mark_free (Mark *self)
{
  g_array_unref (self->axes);
  g_free (self);
}

static void
add_axis (GArray *axes, const char *axis)
{
  if (!heddle_ids_contain (axes, axis))
    heddle_ids_append (axes, axis);
}

/* Joins a mark into that of the value. @axes: taken */
static void
add_mark (Trace *trace, const char *value, GArray *axes, gboolean vanishes, gboolean plain)
{
  Mark *mark = g_hash_table_lookup (trace->marks, value);

  if (mark == NULL)
    {
      mark = g_new (Mark, 1);
      *mark = (Mark){ axes, vanishes, plain };
      g_hash_table_insert (trace->marks, (gpointer) value, mark);
      return;
    }
  for (guint i = 0; i < axes->len; i++)
    add_axis (mark->axes, heddle_ids_index (axes, i));
  g_array_unref (axes);
  mark->vanishes &= vanishes;
  mark->plain &= plain;
}

/* Returns the result's axes along which a read's indices into the operand's axes @of (NULL: into any)
 * vary. */
static GArray *
axes_of_read (const Trace *trace, const HeddleOperation *read, const GArray *of)
{
  const HeddleValue *operand
      = heddle_diagram_get_value (trace->diagram, heddle_ids_index (read->operands, 0));
  const GArray *result = heddle_diagram_get_value (trace->diagram, read->result)->axes;
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < read->indices->len; i++)
    for (guint j = 0; j < result->len; j++)
      if ((of == NULL || heddle_ids_contain (of, heddle_ids_index (operand->axes, i)))
          && heddle_reindex_varies (trace->diagram, read, i, heddle_ids_index (result, j)))
        add_axis (axes, heddle_ids_index (result, j));
  return axes;
}

/* Returns the axes of the result that a part has: what is joined end to end has the whole for the operand's
 * own axis. */
static GArray *
axes_of_part (const Trace *trace, const HeddleOperation *operation, const GArray *axes)
{
  const HeddleValue *whole = heddle_diagram_get_value (trace->diagram, operation->result);
  GArray *joined = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    add_axis (joined, heddle_ids_contain (whole->axes, heddle_ids_index (axes, i))
                          ? heddle_ids_index (axes, i)
                          : heddle_ids_index (operation->axes, 0));
  return joined;
}

static void
pass_on (Trace *trace, const HeddleOperation *operation, guint i, const Mark *mark)
{
  HeddleOperationForm form = operation->kind->form;
  gboolean is_map = form == HEDDLE_FORM_MAP;
  gboolean chooses = is_map && heddle_expr_uses (operation->body, HEDDLE_EXPR_WHERE, NULL);
  gboolean is_read = form == HEDDLE_FORM_REINDEX && i == 0;
  gboolean plain = mark->plain && !chooses && form != HEDDLE_FORM_REINDEX && form != HEDDLE_FORM_CONCAT;
  gboolean vanishes = is_read || form == HEDDLE_FORM_CONCAT || (form == HEDDLE_FORM_CONTRACT && mark->plain);
  GArray *axes = NULL;

  if (is_map)
    vanishes = heddle_expr_vanishes_with (operation->body, i);
  if (is_read)
    axes = axes_of_read (trace, operation, mark->axes);
  else
    axes = form == HEDDLE_FORM_CONCAT ? axes_of_part (trace, operation, mark->axes)
                                      : heddle_ids_copy (mark->axes);
  add_mark (trace, operation->result, axes, mark->vanishes && vanishes, plain);
}

/* --- who leaves it out ------------------------------------------------------------------------------- */

static gboolean
takes_terms (const Mark *mark, const HeddleOperation *reader)
{
  for (guint i = 0; i < reader->axes->len; i++)
    if (heddle_ids_contain (mark->axes, heddle_ids_index (reader->axes, i)))
      return TRUE;
  return FALSE;
}

/* Returns whether the reduction counts its terms: a mean divides by their number. */
static gboolean
counts_terms (const HeddleTerm *term)
{
  const HeddleOperation *reader = term->operation;

  for (guint i = 0; i < reader->axes->len; i++)
    {
      const char *axis = heddle_ids_index (reader->axes, i);

      if (heddle_expr_uses (term->result, HEDDLE_EXPR_SIZE, axis))
        return TRUE;
      for (guint j = 0; j < term->n_stages; j++)
        if (heddle_expr_uses (term->stages[j].body, HEDDLE_EXPR_SIZE, axis))
          return TRUE;
    }
  return FALSE;
}

/* Returns whether terms that are 0 with the operand add nothing, and the result, if it has the axis, is 0
 * with it. */
static gboolean
adds_nothing (const HeddleTerm *term, guint i)
{
  for (guint j = 0; j < term->n_stages; j++)
    if (term->stages[j].monoid != HEDDLE_MONOID_SUM || !heddle_expr_vanishes_with (term->stages[j].body, i))
      return FALSE;
  return term->operation->kind->form != HEDDLE_FORM_NORMALISE || heddle_expr_vanishes_with (term->result, i);
}

static gboolean
leaves_out (const HeddleOperation *reader, guint i, const Mark *mark)
{
  HeddleOperationForm form = reader->kind->form;
  g_autoptr (HeddleTerm) term
      = form == HEDDLE_FORM_SCAN || form == HEDDLE_FORM_SELECT ? NULL : heddle_term_new (reader);

  return term != NULL && !counts_terms (term) && mark->vanishes && adds_nothing (term, i);
}

/* Notes that a kernel with @operation, but without the read, is refused. */
static void
refuse (const Trace *trace, const HeddleOperation *operation)
{
  GArray *reads = g_hash_table_lookup (trace->refusing, operation->id);

  if (reads == NULL)
    {
      reads = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (trace->refusing, (gpointer) operation->id, reads);
    }
  if (reads->len == 0 || g_array_index (reads, guint, reads->len - 1) != trace->at)
    g_array_append_val (reads, trace->at);
}

static void
follow (Trace *trace, const HeddleOperation *operation)
{
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const Mark *mark = g_hash_table_lookup (trace->marks, heddle_ids_index (operation->operands, i));

      if (mark == NULL)
        continue;
      if (!takes_terms (mark, operation))
        pass_on (trace, operation, i, mark);
      else if (!leaves_out (operation, i, mark))
        refuse (trace, operation);
    }
}

/* Follows the read at @at to the last operation. */
static void
follow_read (const HeddleDiagram *diagram, guint at, GHashTable *refusing)
{
  g_autoptr (GHashTable) marks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) mark_free);
  const HeddleOperation *read = g_ptr_array_index (diagram->operations, at);
  Trace trace = { diagram, at, marks, refusing };

  add_mark (&trace, read->result, axes_of_read (&trace, read, NULL), TRUE, TRUE);
  for (guint i = at + 1; i < diagram->operations->len; i++)
    follow (&trace, g_ptr_array_index (diagram->operations, i));
}

static gboolean
follows_read (const HeddleDiagram *diagram, const GArray *region)
{
  for (guint i = 0; i < region->len; i++)
    {
      const GArray *operands = heddle_diagram_get_operation (diagram, heddle_ids_index (region, i))->operands;

      for (guint j = 0; j < operands->len; j++)
        if (heddle_diagram_follows_read (diagram, heddle_ids_index (operands, j)))
          return TRUE;
    }
  return FALSE;
}

/* Returns which operations refuse which reads, as the memo has it. A read is followed once for all regions. */
static GHashTable *
find_refusing (const HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleRegionMemo *memo)
{
  if (memo->refusing != NULL)
    return memo->refusing;
  memo->refusing = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->kind->form == HEDDLE_FORM_REINDEX && may_be_outside (diagram, sizes, operation))
        follow_read (diagram, i, memo->refusing);
    }
  return memo->refusing;
}

/* Returns the place of the first read that @operation refuses and that is not of the region, or %G_MAXUINT. */
static guint
first_refused (
    const HeddleDiagram *diagram, const GArray *region, GHashTable *refusing, const char *operation)
{
  const GArray *reads = g_hash_table_lookup (refusing, operation);

  for (guint i = 0; reads != NULL && i < reads->len; i++)
    {
      const guint at = g_array_index (reads, guint, i);
      const HeddleOperation *read = g_ptr_array_index (diagram->operations, at);

      if (!heddle_ids_contain (region, read->id))
        return at;
    }
  return G_MAXUINT;
}

gboolean
heddle_outside_check (const HeddleDiagram *diagram, const GArray *region, const HeddleSizes *sizes,
    HeddleRegionMemo *memo, GError **error)
{
  const HeddleOperation *worst = NULL;
  g_autofree char *label = NULL;
  guint first = G_MAXUINT;
  GHashTable *refusing;

  if (!follows_read (diagram, region))
    return TRUE;
  refusing = find_refusing (diagram, sizes, memo);
  for (guint i = 0; i < region->len; i++)
    {
      const guint at = first_refused (diagram, region, refusing, heddle_ids_index (region, i));

      if (at >= first)
        continue;
      first = at;
      worst = heddle_diagram_get_operation (diagram, heddle_ids_index (region, i));
    }
  if (worst == NULL)
    return TRUE;
  label = heddle_diagram_value_label (diagram, worst->result);
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM,
      _ ("%s leaves out terms that another kernel read outside their array; a kernel can do that only "
         "where they add nothing, or where it reads them itself"),
      label);
  return FALSE;
}

/* Adds the operations, as far as they are not there, that make what the operations read of what follows a
 * read. Returns %FALSE if there are none. */
static gboolean
add_makers (const HeddleDiagram *diagram, GArray *operations)
{
  guint n = operations->len;

  for (guint i = 0; i < n; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (operations, i));

      for (guint j = 0; j < operation->operands->len; j++)
        {
          const char *operand = heddle_ids_index (operation->operands, j);
          const HeddleOperation *maker = heddle_diagram_get_producer (diagram, operand);

          if (maker != NULL && heddle_diagram_follows_read (diagram, operand)
              && !heddle_ids_contain (operations, maker->id))
            heddle_ids_append (operations, maker->id);
        }
    }
  return operations->len > n;
}

void
heddle_outside_complete (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, GArray *operations, HeddleRegionMemo *memo)
{
  while (!heddle_outside_check (diagram, operations, sizes, memo, NULL) && add_makers (diagram, operations))
    ;
}
