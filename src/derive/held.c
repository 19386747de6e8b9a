/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/recompute.h"
#include "derive/residency.h"

/* Global memory over time: the kernels run in turn, and each value that passes between them is there from the one that makes it to the last that
 * reads it. */

typedef struct
{
  HeddleDerivation *derivation;
  const HeddleDeriveContext *context;
  gint64 *held; /* per kernel: bytes */
} Holding;

static gint64
bytes_of (const HeddleDeriveContext *context, const char *value)
{
  return heddle_saturating_multiply (
      heddle_sizes_elements (context->sizes, heddle_diagram_get_value (context->diagram, value)),
      heddle_dtype_bytes (heddle_diagram_dtype (context->diagram, value, context->dtype)));
}

static const HeddleKernel *
kernel_at (const Holding *self, guint k)
{
  return g_ptr_array_index (self->derivation->kernels, k);
}

static gboolean
reads (const Holding *self, const HeddleKernel *kernel, const char *value)
{
  const HeddleDiagram *diagram = self->context->diagram;
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value);

  if (producer != NULL && heddle_ids_contain (kernel->operations, producer->id))
    return FALSE;
  for (guint i = 0; i < kernel->operations->len; i++)
    if (heddle_ids_contain (
            heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, i))->operands,
            value))
      return TRUE;
  return FALSE;
}

/* Whether it is the kernel that makes the value for others. */
static gboolean
makes (const HeddleKernel *kernel, const HeddleOperation *producer)
{
  return heddle_ids_contain (kernel->operations, producer->id)
         && !heddle_ids_contain (kernel->again, producer->id);
}

static void
hold (Holding *self, const char *value, guint first, guint last)
{
  gint64 bytes = bytes_of (self->context, value);

  for (guint k = first; k <= last; k++)
    {
      const HeddleKernel *kernel = kernel_at (self, k);
      const HeddleOperation *producer = heddle_diagram_get_producer (self->context->diagram, value);
      gboolean made = producer != NULL && makes (kernel, producer);
      HeddleWhere now = made ? heddle_residency_made (self->context, value)
                             : heddle_residency_read (self->context, value, kernel->operations);

      if (now.kind != HEDDLE_AT_ABOVE || made || reads (self, kernel, value))
        self->held[k] = heddle_saturating_add (self->held[k], bytes);
    }
}

static void
hold_value (Holding *self, const HeddleValue *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self->context->diagram, value->id);
  guint n = self->derivation->kernels->len, first = producer == NULL ? 0 : n, last = 0;
  gboolean read = FALSE;

  for (guint k = 0; k < n; k++)
    {
      if (producer != NULL && makes (kernel_at (self, k), producer))
        first = last = k;
      if (reads (self, kernel_at (self, k), value->id))
        {
          read = TRUE;
          last = k;
        }
    }
  if (heddle_diagram_is_output (self->context->diagram, value->id)
      || (producer == NULL && value->role != HEDDLE_ROLE_INTERMEDIATE))
    {
      read = read || producer != NULL;
      last = n - 1;
    }
  if (read && first < n)
    hold (self, value->id, first, last);
}

/* What a kernel puts by for itself: partial states, and values that it reads again. */
static gint64
put_by (const Holding *self, const HeddleKernel *kernel)
{
  gint64 total = 0;
  g_autoptr (HeddleSizes) own = NULL;

  if (kernel->program == NULL)
    return 0;
  own = heddle_loop_program_own_sizes (kernel->program, self->context->sizes);
  for (guint i = 0; i < kernel->program->partials->len; i++)
    {
      const HeddleValue *value = heddle_diagram_get_value (
          kernel->program->diagram, heddle_ids_index (kernel->program->partials, i));

      total = heddle_saturating_add (total,
          heddle_saturating_multiply (heddle_sizes_elements (own, value), heddle_dtype_bytes (value->dtype)));
    }
  for (guint i = 0; i < kernel->program->spilled->len; i++)
    total = heddle_saturating_add (
        total, bytes_of (self->context, heddle_ids_index (kernel->program->spilled, i)));
  return total;
}

void
heddle_derivation_find_held (HeddleDerivation *self, const HeddleDeriveContext *context)
{
  guint n = self->kernels->len;
  g_autofree gint64 *held = g_new0 (gint64, MAX (n, 1));
  Holding holding = { self, context, held };

  for (guint i = 0; n > 0 && i < context->diagram->values->len; i++)
    hold_value (&holding, g_ptr_array_index (context->diagram->values, i));
  self->held_bytes = 0;
  for (guint k = 0; k < n; k++)
    {
      HeddleKernel *kernel = g_ptr_array_index (self->kernels, k);

      kernel->held_bytes = heddle_saturating_add (held[k], put_by (&holding, kernel));
      if (kernel->held_bytes > self->held_bytes)
        {
          self->held_bytes = kernel->held_bytes;
          self->held_at = k;
        }
    }
}
