/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine.h"
#include "derive/outside.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* A term read outside its array is left out of the innermost reduction over an index of the read (language.md section 3, rule 5). A
 * kernel does so where the reduction itself reads at the indices; where something stands between, or the number of terms counts, it
 * would have to carry along what is outside, and is refused. */

/* --- the range of an index ------------------------------------------------------------------------ */

typedef struct
{
  double least, most;
} Interval;

static const Interval anything = { -INFINITY, INFINITY };

static Interval
multiply (Interval a, Interval b)
{
  const double corners[] = { a.least * b.least, a.least * b.most, a.most * b.least, a.most * b.most };
  Interval result = { INFINITY, -INFINITY };

  for (guint i = 0; i < G_N_ELEMENTS (corners); i++)
    {
      if (isnan (corners[i]))
        return anything;
      result.least = MIN (result.least, corners[i]);
      result.most = MAX (result.most, corners[i]);
    }
  return result;
}

/* All values of an index over whole axes; anything where that is not seen. */
static Interval
range_of (const HeddleExpr *index, const HeddleSizes *sizes)
{
  HeddleExprKind kind = heddle_expr_get_kind (index);
  guint n = heddle_expr_get_n_children (index);
  Interval a = n > 0 ? range_of (heddle_expr_get_child (index, 0), sizes) : anything;
  Interval b = n > 1 ? range_of (heddle_expr_get_child (index, 1), sizes) : anything;
  double size;

  switch (kind)
    {
    case HEDDLE_EXPR_NUMBER:
      return (Interval){ heddle_expr_get_number (index), heddle_expr_get_number (index) };
    case HEDDLE_EXPR_SIZE:
      size = (double) heddle_sizes_get (sizes, heddle_expr_get_symbol (index));
      return (Interval){ size, size };
    case HEDDLE_EXPR_INDEX:
      return (Interval){ 0., (double) heddle_sizes_get (sizes, heddle_expr_get_symbol (index)) - 1. };
    case HEDDLE_EXPR_NEG:
      return (Interval){ -a.most, -a.least };
    case HEDDLE_EXPR_ADD:
      return (Interval){ a.least + b.least, a.most + b.most };
    case HEDDLE_EXPR_SUB:
      return (Interval){ a.least - b.most, a.most - b.least };
    case HEDDLE_EXPR_MUL:
      return multiply (a, b);
    case HEDDLE_EXPR_FLOOR:
      return (Interval){ floor (a.least), floor (a.most) };
    case HEDDLE_EXPR_DIV:
      return b.least == b.most && b.least > 0. ? (Interval){ a.least / b.least, a.most / b.least } : anything;
    case HEDDLE_EXPR_MOD:
      return b.least == b.most && b.least > 0. ? (Interval){ 0., b.least - 1. } : anything;
    default:
      return anything;
    }
}

static gboolean
may_be_outside (const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation)
{
  const HeddleValue *operand = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));

  for (guint i = 0; i < operation->indices->len; i++)
    {
      Interval range = range_of (g_ptr_array_index (operation->indices, i), sizes);
      double n = (double) heddle_sizes_get (sizes, heddle_ids_index (operand->axes, i));

      if (!(range.least >= 0. && range.most <= n - 1.))
        return TRUE;
    }
  return FALSE;
}

/* --- who leaves it out ------------------------------------------------------------------------------- */

typedef struct
{
  const HeddleDiagram *diagram;
  const GArray *region; /* operations */
  const HeddleOperation *read;
  GHashTable *seen; /* values */
} Trace;

static gboolean
uses_axis_of_read (const Trace *trace, const char *axis)
{
  for (guint i = 0; i < trace->read->indices->len; i++)
    if (heddle_expr_uses (g_ptr_array_index (trace->read->indices, i), HEDDLE_EXPR_INDEX, axis))
      return TRUE;
  return FALSE;
}

static gboolean
takes_terms (const Trace *trace, const HeddleOperation *reader)
{
  for (guint i = 0; i < reader->axes->len; i++)
    if (uses_axis_of_read (trace, heddle_ids_index (reader->axes, i)))
      return TRUE;
  return FALSE;
}

/* A mean divides by how many terms there are. */
static gboolean
counts_terms (const HeddleOperation *reader)
{
  g_autoptr (HeddleTerm) term = heddle_term_new (reader);

  for (guint i = 0; i < reader->axes->len; i++)
    if (heddle_expr_uses (term->result, HEDDLE_EXPR_SIZE, heddle_ids_index (reader->axes, i)))
      return TRUE;
  return FALSE;
}

static gboolean
leaves_out (const Trace *trace, const char *value, const HeddleOperation *reader)
{
  HeddleOperationForm form = reader->kind->form;

  return value == trace->read->result && heddle_ids_contain (trace->region, trace->read->id)
         && heddle_ids_contain (trace->region, reader->id)
         && (form == HEDDLE_FORM_CONTRACT || form == HEDDLE_FORM_REDUCE) && !counts_terms (reader);
}

/* What is read outside is said by no array that passes between kernels. */
static gboolean
is_concerned (const Trace *trace, const HeddleOperation *reader)
{
  return heddle_ids_contain (trace->region, trace->read->id)
         || heddle_ids_contain (trace->region, reader->id);
}

static gboolean
trace_value (Trace *trace, const char *value, GError **error)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (trace->diagram, value);

  if (!g_hash_table_add (trace->seen, (gpointer) value))
    return TRUE;
  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      g_autofree char *label = NULL;

      if (!takes_terms (trace, reader))
        {
          if (!trace_value (trace, reader->result, error))
            return FALSE;
          continue;
        }
      if (leaves_out (trace, value, reader) || !is_concerned (trace, reader))
        continue;
      label = heddle_diagram_value_label (trace->diagram, reader->result);
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_PROGRAM,
          _ ("%s leaves out terms that are read outside their array; a kernel can do that only where the "
             "sum, product, "
             "maximum or minimum reads them itself"),
          label);
      return FALSE;
    }
  return TRUE;
}

gboolean
heddle_outside_check (
    const HeddleDiagram *diagram, const GArray *region, const HeddleSizes *sizes, GError **error)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
      Trace trace = { diagram, region, operation, seen };

      if (operation->kind->form == HEDDLE_FORM_REINDEX && may_be_outside (diagram, sizes, operation)
          && !trace_value (&trace, operation->result, error))
        return FALSE;
    }
  return TRUE;
}
