/* SPDX-License-Identifier: MIT */
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache-key.h"
#include "derive/machine/derive-options.h"
#include "derive/region/definition.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* This file writes down everything that the tiles and the cost of a kernel depend on, so that kernels which
 * differ by names alone give the same bytes. Each part is written with its length, so that no two different
 * kernels give the same. */

/* The longest key; a kernel with a longer one is not cached. */
#define MAX_KEY (1 << 20)

typedef struct
{
  GByteArray *bytes;
  const HeddleDeriveContext *context;
  const HeddleDiagram *diagram;
  GHashTable *axes, *values; /* id -> number + 1, in the order of appearance */
  gboolean named;
} Writer;

static void
write_number (Writer *self, gint64 number)
{
  g_byte_array_append (self->bytes, (const guint8 *) &number, sizeof number);
}

static void
write_text (Writer *self, const char *text)
{
  gsize length = text != NULL ? strlen (text) : 0;

  write_number (self, text != NULL ? (gint64) length : -1);
  g_byte_array_append (self->bytes, (const guint8 *) text, (guint) length);
}

/* Writes the number that stands for something written before. Returns TRUE if it is new. */
static gboolean
write_numbered (Writer *self, GHashTable *known, const char *id)
{
  gpointer number = g_hash_table_lookup (known, id);

  if (number == NULL)
    {
      write_number (self, -1);
      g_hash_table_insert (known, (gpointer) id, GUINT_TO_POINTER (g_hash_table_size (known) + 1));
      return TRUE;
    }
  write_number (self, GPOINTER_TO_UINT (number));
  return FALSE;
}

static void
write_axis (Writer *self, const char *axis)
{
  if (axis == NULL)
    {
      write_number (self, 0);
      return;
    }
  if (!write_numbered (self, self->axes, axis))
    return;
  write_number (self, heddle_sizes_get (self->context->sizes, axis));
  if (self->named)
    write_text (self, heddle_diagram_get_axis (self->diagram, axis)->name);
}

static void
write_axes (Writer *self, const GArray *axes)
{
  write_number (self, axes->len);
  for (guint i = 0; i < axes->len; i++)
    write_axis (self, heddle_ids_index (axes, i));
}

static void
write_value (Writer *self, const char *id)
{
  if (id == NULL)
    {
      write_number (self, 0);
      return;
    }
  if (!write_numbered (self, self->values, id))
    return;
  write_number (self, heddle_diagram_dtype (self->diagram, id, self->context->dtype));
  write_axes (self, heddle_diagram_get_value (self->diagram, id)->axes);
}

static void
write_expr (Writer *self, const HeddleExpr *expr)
{
  HeddleExprKind kind;
  double number;

  write_number (self, expr != NULL ? (gint64) heddle_expr_get_kind (expr) : -1);
  if (expr == NULL || self->bytes->len > MAX_KEY)
    return;
  kind = heddle_expr_get_kind (expr);
  switch (kind)
    {
    case HEDDLE_EXPR_NUMBER:
      number = heddle_expr_get_number (expr);
      g_byte_array_append (self->bytes, (const guint8 *) &number, sizeof number);
      break;
    case HEDDLE_EXPR_ARGUMENT:
      write_number (self, heddle_expr_get_operand (expr));
      break;
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      write_axis (self, heddle_expr_get_symbol (expr));
      break;
    case HEDDLE_EXPR_VARIABLE:
      write_text (self, heddle_expr_get_symbol (expr));
      break;
    default:
      for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
        write_expr (self, heddle_expr_get_child (expr, i));
    }
}

static void
write_exprs (Writer *self, const GPtrArray *exprs)
{
  write_number (self, exprs != NULL ? (gint64) exprs->len : -1);
  for (guint i = 0; exprs != NULL && i < exprs->len; i++)
    write_expr (self, g_ptr_array_index (exprs, i));
}

static void
write_definition (Writer *self, const HeddleDefinition *definition)
{
  const HeddleOperation *operation = definition->operation != NULL
                                         ? heddle_diagram_get_operation (self->diagram, definition->operation)
                                         : NULL;

  write_value (self, definition->value);
  write_value (self, operation != NULL ? operation->result : NULL);
  write_number (self, definition->column);
  write_number (self, definition->input | definition->output << 1 | definition->reduces << 2
                          | definition->ranked << 3 | definition->places << 4);
  write_number (self, (gint64) definition->whole);
  write_number (self, definition->monoid);
  write_number (self, definition->form);
  write_axes (self, definition->axes);
  write_axes (self, definition->over);
  write_axis (self, definition->along);
  write_expr (self, definition->body);
  write_expr (self, definition->extra);
  write_exprs (self, definition->indices);
  write_exprs (self, definition->at);
  write_number (self, definition->windows != NULL ? (gint64) definition->windows->len : -1);
  for (guint i = 0; definition->windows != NULL && i < definition->windows->len; i++)
    write_exprs (self, g_ptr_array_index (definition->windows, i));
}

static void
write_tiling (Writer *self, const HeddleTiling *tiling)
{
  write_number (self, tiling->groups->len);
  for (guint i = 0; i < tiling->groups->len; i++)
    {
      write_axis (self, g_array_index (tiling->groups, HeddleTile, i).axis);
      write_number (self, g_array_index (tiling->groups, HeddleTile, i).size);
    }
  write_axis (self, tiling->stream);
  write_number (self, tiling->chunk);
  write_text (self, tiling->level);
  write_number (self, tiling->stages);
  write_number (self, tiling->dtype);
  write_number (self, tiling->inner != NULL ? (gint64) tiling->inner->len : 0);
  for (guint i = 0; tiling->inner != NULL && i < tiling->inner->len; i++)
    write_tiling (self, g_ptr_array_index (tiling->inner, i));
}

/* Writes the options. The machine is the same for all that is cached. */
static void
write_options (Writer *self)
{
  const HeddleDeriveContext *context = self->context;
  const HeddleDeriveOptions *options = context->options;

  write_number (self, context->dtype);
  write_number (self, context->capacity);
  write_number (self, (gint64) context->most_work);
  write_number (self, options->columns);
  write_number (self, options->objective);
  write_number (self, options->stages);
  write_number (self, options->plain);
  write_number (self, options->divisors);
  write_number (self, (gint64) (gsize) options->product_shares);
}

static void
write_divisors (Writer *self, const GPtrArray *divisors)
{
  write_number (self, divisors->len);
  for (guint i = 0; i < divisors->len; i++)
    {
      const HeddleDivisor *divisor = g_ptr_array_index (divisors, i);

      write_axis (self, divisor->axis);
      write_number (self, divisor->depth);
      write_number (self, divisor->size);
    }
}

GBytes *
heddle_search_cache_key (const HeddleDeriveContext *context, const HeddleRegionTerm *region,
    const HeddleTiling *tiling, const GPtrArray *divisors, gboolean named)
{
  g_autoptr (GHashTable) axes = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL);
  Writer self = { g_byte_array_new (), context, region->diagram, axes, values, named };

  write_options (&self);
  write_axes (&self, region->axes);
  write_number (&self, region->definitions->len);
  for (guint i = 0; i < region->definitions->len; i++)
    write_definition (&self, heddle_region_term_get (region, i));
  if (tiling != NULL)
    write_tiling (&self, tiling);
  if (divisors != NULL)
    write_divisors (&self, divisors);
  if (self.bytes->len > MAX_KEY || (context->schedule != NULL && context->schedule->residency->len > 0))
    {
      g_byte_array_unref (self.bytes);
      return NULL;
    }
  return g_byte_array_free_to_bytes (self.bytes);
}
