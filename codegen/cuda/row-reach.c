/* SPDX-License-Identifier: MIT */
#include "codegen/base/monoid.h"
#include "codegen/base/names.h"
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/row-reach.h"
#include "codegen/cuda/rows.h"
#include "codegen/cuda/text.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

/* The number of terms along an axis up to which a loop over them is unrolled. */
#define MOST_UNROLLED 8

/* The way in which the sources of a statement are read at one place. */
typedef struct
{
  GPtrArray *vectors; /* of char *: where each that is read as a vector is; NULL: of others */
  GString *whole; /* what must hold for the vectors to be inside */
  GString *each; /* and for elements that are read one by one */
} Reach;

/* Defines the indices of the point where the terms of a sum are visited. */
static void
define_reach_indices (HeddleRowPrinter *self, const HeddleNode *node, gboolean element)
{
  heddle_row_printer_define_indices (self, element);
  for (guint i = 0; node->over != NULL && i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);

      g_hash_table_insert (self->cuda->indices, (gpointer) axis,
          g_strdup (heddle_names_of_axis (self->cuda->names, axis, HEDDLE_NAME_INDEX)));
    }
}

/* Returns the indices at which a source is read that no thread holds: those that the statement gives, or
 * those of the point. */
static GPtrArray *
read_indices (const HeddleRowPrinter *self, const HeddleNode *node, guint i)
{
  const GPtrArray *given = g_ptr_array_index (node->source_indices, i);
  const HeddleBuffer *buffer = heddle_row_printer_buffer (self, g_array_index (node->sources, guint, i));
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint k = 0; k < buffer->axes->len; k++)
    g_ptr_array_add (indices, given != NULL ? heddle_expr_ref (g_ptr_array_index (given, k))
                                            : heddle_expr_index (heddle_ids_index (buffer->axes, k)));
  return indices;
}

/* Returns the offset in the array; appends to @inside what must hold for it to exist. */
static char *
read_offset (HeddleRowPrinter *self, const HeddleBuffer *buffer, const GPtrArray *indices, GString *inside)
{
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autoptr (GString) offset = g_string_new (indices->len == 0 ? "0" : NULL);

  for (guint i = 0; i < indices->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      g_autofree char *index = heddle_cuda_whole (&context, g_ptr_array_index (indices, i));

      heddle_cuda_guard_index (self->cuda, g_ptr_array_index (indices, i), axis, index, inside);
      if (i > 0)
        {
          g_string_prepend_c (offset, '(');
          g_string_append_printf (offset, ") * %s + ", heddle_names_axis (self->cuda->names, axis));
        }
      g_string_append_printf (offset, i == 0 ? "(long long) (%s)" : "(%s)", index);
    }
  return g_string_free (g_steal_pointer (&offset), FALSE);
}

/* Returns whether a row may end within the elements of a thread: what it reads one by one has to stop there. */
static gboolean
ends_within (const HeddleRowPrinter *self)
{
  const HeddleRows *rows = self->rows;

  return rows->tiled
         && (heddle_cuda_axis_at_run_time (self->cuda->program, rows->columns)
             || heddle_sizes_get (self->cuda->sizes, rows->columns) % rows->width != 0);
}

/* Appends to @inside that the element is one of the row. */
static void
keep_to_row (HeddleRowPrinter *self, GString *inside)
{
  g_string_append_printf (inside, "%s%s + element < %s", inside->len > 0 ? " && " : "",
      heddle_row_printer_columns_name (self, HEDDLE_NAME_INDEX),
      heddle_row_printer_columns_name (self, HEDDLE_NAME_COUNT));
}

/* Makes the last index that of the thread's own columns. */
static void
take_own_columns (const HeddleRowPrinter *self, GPtrArray *indices)
{
  heddle_expr_unref (g_ptr_array_index (indices, indices->len - 1));
  indices->pdata[indices->len - 1] = heddle_expr_index (self->rows->columns);
}

static char *
element_of_vector (guint i, gint64 every, gint64 place)
{
  if (every == 1)
    return g_strdup_printf ("read_%u[element]", i);
  return g_strdup_printf ("read_%u[element / %" G_GINT64_FORMAT " * %" G_GINT64_FORMAT " + %" G_GINT64_FORMAT
                          "]",
      i, every, every, place);
}

static void
collect_reach (HeddleRowPrinter *self, const HeddleNode *node, Reach *reach)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gboolean some = FALSE; /* is read one by one */

  for (guint i = 0; i < node->sources->len; i++)
    {
      guint source = g_array_index (node->sources, guint, i);
      const HeddleBuffer *buffer = heddle_row_printer_buffer (self, source);
      g_autoptr (GPtrArray) indices = NULL;
      gboolean vector;
      gint64 every, place;
      g_autofree char *offset = NULL;

      g_ptr_array_add (reach->vectors, NULL);
      if (!heddle_rows_is_direct (self->rows, cuda->program, source))
        {
          g_ptr_array_add (texts,
              g_strdup_printf (heddle_row_printer_has_columns (self, source) ? "%s[step][element]" : "%s",
                  heddle_names_buffer (cuda->names, source)));
          continue;
        }
      indices = read_indices (self, node, i);
      vector = heddle_rows_reads_vectors (
          self->rows, cuda->program, cuda->sizes, buffer, indices, &every, &place);
      if (vector && every > 1)
        take_own_columns (self, indices);
      some |= !vector;
      define_reach_indices (self, node, !vector);
      offset = read_offset (self, buffer, indices, vector ? reach->whole : reach->each);
      g_ptr_array_add (texts, vector ? element_of_vector (i, every, place)
                                     : g_strdup_printf ("load (%s[%s])",
                                         heddle_names_value (cuda->names, buffer->value), offset));
      if (vector)
        reach->vectors->pdata[i] = g_steal_pointer (&offset);
    }
  if (some && ends_within (self))
    keep_to_row (self, reach->each);
  g_ptr_array_set_size (cuda->arguments, 0);
  g_ptr_array_set_size (cuda->wholes, 0);
  for (guint i = 0; i < texts->len; i++)
    {
      g_ptr_array_add (cuda->arguments, g_strdup (g_ptr_array_index (texts, i)));
      g_ptr_array_add (cuda->wholes, NULL);
    }
}

/* Returns what the statement computes for its element, if all reads are inside. */
static char *
reach_line (HeddleRowPrinter *self, const HeddleNode *node, const char *held, const char *each)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (node->monoid);
  HeddleCudaContext context = heddle_cuda_context (self->cuda);
  g_autofree char *body = NULL, *if_inside = *each ? g_strdup_printf ("if (%s)\n", each) : g_strdup ("");

  define_reach_indices (self, node, TRUE);
  body = heddle_cuda_expr (&context, node->body);
  if (node->over == NULL || node->over->len == 0)
    return g_strdup_printf ("%s%s[step][element] = %s;", if_inside, held, body);
  if (row->sign != NULL)
    return g_strdup_printf ("%s%s[step][element] %s= %s;", if_inside, held, row->sign, body);
  heddle_row_printer_use (self, row->instruction);
  return g_strdup_printf (
      "%s%s[step][element] = %s (%s[step][element], %s);", if_inside, held, row->instruction, held, body);
}

/* Prints one term of each element: vectors are read where they are inside, and the terms are added. */
static void
print_term (HeddleRowPrinter *self, const HeddleNode *node, const char *held)
{
  HeddleCudaKernel *cuda = self->cuda;
  g_autoptr (GPtrArray) vectors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) whole = g_string_new (NULL), each = g_string_new (NULL);
  Reach reach = { vectors, whole, each };
  g_autofree char *line = NULL;

  collect_reach (self, node, &reach);
  if (whole->len > 0)
    heddle_cuda_line (cuda, "if (%s)", whole->str);
  heddle_cuda_line (cuda, "  {");
  cuda->depth += 2;
  for (guint i = 0; i < vectors->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("read_%u", i);
      guint source = g_array_index (node->sources, guint, i);

      if (g_ptr_array_index (vectors, i) == NULL)
        continue;
      heddle_cuda_line (cuda, "float %s[WIDTH];", name);
      heddle_row_printer_vector (self, name,
          heddle_names_value (cuda->names, heddle_row_printer_buffer (self, source)->value),
          g_ptr_array_index (vectors, i));
    }
  line = reach_line (self, node, held, each->str);
  heddle_row_printer_over_elements (self, line);
  cuda->depth -= 2;
  heddle_cuda_line (cuda, "  }");
}

void
heddle_row_reach_print (HeddleRowPrinter *self, const HeddleNode *node)
{
  HeddleCudaKernel *cuda = self->cuda;
  HeddleCudaContext context = heddle_cuda_context (cuda);
  const char *held = heddle_names_buffer (cuda->names, node->buffer);
  guint n = node->over != NULL ? node->over->len : 0;
  g_autofree char *unit = n > 0 ? heddle_cuda_unit (&context, node->monoid) : g_strdup ("0.0f");
  g_autofree char *first = g_strdup_printf ("%s[step][element] = %s;", held, unit);

  heddle_row_printer_over_elements (self, first);
  for (guint i = 0; i < n; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);
      const char *index = heddle_names_of_axis (cuda->names, axis, HEDDLE_NAME_INDEX);

      if (heddle_row_printer_length (self, axis) <= MOST_UNROLLED)
        heddle_cuda_line (cuda, "#pragma unroll");
      heddle_cuda_line (cuda, "for (int %s = 0; %s < %s; ++%s)", index, index,
          heddle_names_axis (cuda->names, axis), index);
      cuda->depth++;
    }
  print_term (self, node, held);
  cuda->depth -= n;
}
