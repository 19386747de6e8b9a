/* SPDX-License-Identifier: MIT */
#include "derive/cost/residency-price.h"
#include "derive/derivation/peak-memory.h"
#include "derive/index/saturate.h"
#include "derive/program/loop-program.h"
#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file follows global memory over time: the kernels run in turn, and each value that passes between them
 * is there from the kernel that makes it to the last one that reads it. */

/* A value and the kernels that make or read it. */
typedef struct
{
  GArray *makers, *readers; /* of guint, ascending: those that make it for others, and those that read it */
} Uses;

typedef struct
{
  HeddleDerivation *derivation;
  const HeddleDeriveContext *context;
  GHashTable *uses; /* value id -> Uses */
  GHashTable *placed; /* set of value ids: somebody said where they are */
  __int128 *change; /* per kernel: bytes that are held from it on, which no sum of them exceeds */
} Holding;

static void
uses_free (gpointer data)
{
  Uses *self = data;

  g_array_unref (self->makers);
  g_array_unref (self->readers);
  g_free (self);
}

static Uses *
uses_of (Holding *self, const char *value)
{
  Uses *uses = g_hash_table_lookup (self->uses, value);

  if (uses != NULL)
    return uses;
  uses = g_new (Uses, 1);
  uses->makers = g_array_new (FALSE, FALSE, sizeof (guint));
  uses->readers = g_array_new (FALSE, FALSE, sizeof (guint));
  g_hash_table_insert (self->uses, (gpointer) value, uses);
  return uses;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

static gboolean
contains (const GArray *kernels, guint k)
{
  return g_array_binary_search ((GArray *) kernels, &k, compare, NULL);
}

static void
add_kernel (GArray *kernels, guint k)
{
  if (kernels->len == 0 || g_array_index (kernels, guint, kernels->len - 1) != k)
    g_array_append_val (kernels, k);
}

/* Returns the value that lies in memory where @value is read: that of which it is a part, where no kernel
 * copies that part. */
static const char *
base_of (const Holding *self, const char *value)
{
  const HeddleDeriveContext *context = self->context;
  const HeddleOperation *producer = heddle_diagram_get_producer (context->diagram, value);

  while (!context->abstract && producer != NULL
         && heddle_view_is (context->diagram, context->sizes, context->schedule, producer))
    {
      value = heddle_ids_index (producer->operands, 0);
      producer = heddle_diagram_get_producer (context->diagram, value);
    }
  return value;
}

/* Adds the values that a kernel reads. It does not read what it makes, even if only to compute it again. */
static void
add_uses (Holding *self, const HeddleKernel *kernel, guint k)
{
  const HeddleDiagram *diagram = self->context->diagram;
  g_autoptr (GHashTable) own = g_hash_table_new (NULL, NULL), again = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < kernel->again->len; i++)
    g_hash_table_add (again, (gpointer) heddle_ids_index (kernel->again, i));
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const char *id = heddle_ids_index (kernel->operations, i);
      const char *result = heddle_diagram_get_operation (diagram, id)->result;

      g_hash_table_add (own, (gpointer) result);
      if (!g_hash_table_contains (again, id))
        add_kernel (uses_of (self, result)->makers, k);
    }
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const GArray *operands
          = heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, i))->operands;

      for (guint j = 0; j < operands->len; j++)
        if (!g_hash_table_contains (own, heddle_ids_index (operands, j)))
          add_kernel (uses_of (self, base_of (self, heddle_ids_index (operands, j)))->readers, k);
    }
}

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

/* Counts bytes as held from the first kernel to the last. */
static void
hold_between (Holding *self, gint64 bytes, guint first, guint last)
{
  self->change[first] += bytes;
  self->change[last + 1] -= bytes;
}

/* Counts a value as held. What is above global memory is there only for the kernels that use it. */
static void
hold (Holding *self, const char *value, const Uses *uses, guint first, guint last)
{
  gint64 bytes = bytes_of (self->context, value);

  if (!g_hash_table_contains (self->placed, value))
    {
      hold_between (self, bytes, first, last);
      return;
    }
  for (guint k = first; k <= last; k++)
    {
      gboolean made = contains (uses->makers, k);
      HeddleWhere now = made ? heddle_residency_made (self->context, value)
                             : heddle_residency_read (self->context, value, kernel_at (self, k)->operations);

      if (now.kind != HEDDLE_AT_ABOVE || made || contains (uses->readers, k))
        hold_between (self, bytes, k, k);
    }
}

static guint
last_of (const GArray *kernels)
{
  return g_array_index (kernels, guint, kernels->len - 1);
}

static void
hold_value (Holding *self, const HeddleValue *value, const Uses *uses)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self->context->diagram, value->id);
  guint n = self->derivation->kernels->len, first = producer == NULL ? 0 : n, last = 0;
  gboolean read = uses != NULL && uses->readers->len > 0;

  if (producer != NULL && uses->makers->len > 0)
    first = last = last_of (uses->makers);
  if (read)
    last = MAX (last, last_of (uses->readers));
  if (heddle_diagram_is_output (self->context->diagram, value->id)
      || (producer == NULL && value->role != HEDDLE_ROLE_INTERMEDIATE))
    {
      read = read || producer != NULL;
      last = n - 1;
    }
  if (read && first < n)
    hold (self, value->id, uses, first, last);
}

/* Returns the bytes that a kernel stores for itself: partial states, and values that it reads again. */
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

static void
holding_init (Holding *self, HeddleDerivation *derivation, const HeddleDeriveContext *context)
{
  const HeddleSchedule *schedule = context->schedule;

  self->derivation = derivation;
  self->context = context;
  self->uses = g_hash_table_new_full (NULL, NULL, NULL, uses_free);
  self->placed = g_hash_table_new (NULL, NULL);
  self->change = g_new0 (__int128, derivation->kernels->len + 1);
  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    g_hash_table_add (
        self->placed, (gpointer) ((HeddleResidency *) g_ptr_array_index (schedule->residency, i))->value);
  for (guint k = 0; k < derivation->kernels->len; k++)
    add_uses (self, kernel_at (self, k), k);
}

static void
holding_clear (Holding *self)
{
  g_hash_table_unref (self->uses);
  g_hash_table_unref (self->placed);
  g_free (self->change);
}

void
heddle_derivation_find_peak_memory (HeddleDerivation *self, const HeddleDeriveContext *context)
{
  __int128 held = 0;
  Holding holding;
  GHashTableIter used;
  gpointer value, uses;

  holding_init (&holding, self, context);
  g_hash_table_iter_init (&used, holding.uses); /* there may be many more values than those that are used */
  while (g_hash_table_iter_next (&used, &value, &uses))
    hold_value (&holding, heddle_diagram_get_value (context->diagram, value), uses);
  self->held_bytes = 0;
  for (guint k = 0; k < self->kernels->len; k++)
    {
      gint64 meanwhile;

      held += holding.change[k];
      meanwhile = heddle_saturating_add ((gint64) MIN (held, (__int128) G_MAXINT64),
          put_by (&holding, g_ptr_array_index (self->kernels, k)));
      g_array_append_val (self->held, meanwhile);
      if (meanwhile > self->held_bytes)
        {
          self->held_bytes = meanwhile;
          self->held_at = k;
        }
    }
  holding_clear (&holding);
}
