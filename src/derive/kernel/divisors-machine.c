/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/context.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/divisors-machine.h"
#include "derive/kernel/divisors.h"
#include "derive/machine/derive-options.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

/* This file adds the divisors that the machine asks for, if the options want them: the shape of the tensor
 * core's instructions, the rows of the warps that share them, copies of 16 bytes and lines of 128 along what
 * is contiguous. */

#define COPY_BYTES 16
#define LINE_BYTES 128
#define WARPS 4

/* The smallest instruction that takes the type: m16 n8 k16 of two bytes, k for 32 bytes of a row. */
typedef struct
{
  const char *name;
  gint64 m, n, k;
} Shape;

static const Shape *
find_shape (guint bytes)
{
  static const Shape shapes[]
      = { { "mma m16n8k32", 16, 8, 32 }, { "mma m16n8k16", 16, 8, 16 }, { "mma m16n8k8", 16, 8, 8 } };

  return bytes == 1 ? &shapes[0] : bytes == 2 ? &shapes[1] : bytes == 4 ? &shapes[2] : NULL;
}

/* Adds a divisor, once for each reason. */
static void
add (HeddleLabelling *self, const char *axis, guint depth, gint64 size, const char *reason)
{
  GPtrArray *divisors = self->kernel->divisors;

  for (guint i = 0; i < divisors->len; i++)
    {
      const HeddleDivisor *known = g_ptr_array_index (divisors, i);

      if (known->axis == axis && known->depth == depth && known->size == size
          && g_str_equal (known->reason, reason))
        return;
    }
  if (axis != NULL && size > 1)
    heddle_divisors_add (divisors, axis, depth, size, g_strdup (reason));
}

/* Returns the last axis of @value that @other has not and that is reduced, or is not; NULL if there is
 * none. */
static const char *
last_axis (const HeddleValue *value, const HeddleValue *other, const GArray *reduced, gboolean is_reduced)
{
  for (guint i = value->axes->len; i-- > 0;)
    {
      const char *axis = heddle_ids_index (value->axes, i);

      if (heddle_ids_contain (reduced, axis) == is_reduced
          && (is_reduced || !heddle_ids_contain (other->axes, axis)))
        return axis;
    }
  return NULL;
}

static void
add_contraction (HeddleLabelling *self, const HeddleOperation *operation)
{
  const HeddleDeriveContext *context = self->context;
  const char *ids[]
      = { heddle_ids_index (operation->operands, 0), heddle_ids_index (operation->operands, 1) };
  const HeddleValue *first = heddle_diagram_get_value (context->diagram, ids[0]),
                    *second = heddle_diagram_get_value (context->diagram, ids[1]);
  HeddleDtype a = heddle_diagram_dtype (context->diagram, ids[0], context->dtype),
              b = heddle_diagram_dtype (context->diagram, ids[1], context->dtype);
  HeddleDtype widest = heddle_dtype_bytes (a) >= heddle_dtype_bytes (b) ? a : b;
  const Shape *shape = find_shape (heddle_dtype_bytes (widest));
  guint flags = heddle_schedule_divisors (context->schedule, context->options->divisors);
  const char *rows = last_axis (first, second, operation->axes, FALSE);
  g_autofree char *warps = NULL;

  if (shape == NULL || context->options->machine->tensor_flops[widest] <= 0.)
    return;
  warps = g_strdup_printf (_ ("%d warps of %d rows"), WARPS, (int) shape->m);
  if ((flags & HEDDLE_DIVISORS_MMA) != 0)
    {
      add (self, rows, context->n_lower, shape->m, shape->name);
      add (self, last_axis (second, first, operation->axes, FALSE), context->n_lower, shape->n, shape->name);
      add (self, last_axis (first, second, operation->axes, TRUE), context->n_lower, shape->k, shape->name);
    }
  if ((flags & HEDDLE_DIVISORS_WARPS) != 0)
    add (self, rows, 0, WARPS * shape->m, warps);
}

/* Adds the divisor of the last axis of an array that is read or written. */
static void
add_contiguous (HeddleLabelling *self, const char *id, guint bytes, const char *reason)
{
  const HeddleValue *value = heddle_diagram_get_value (self->context->diagram, id);
  guint size = heddle_dtype_bytes (heddle_diagram_dtype (self->context->diagram, id, self->context->dtype));

  if (value->axes->len > 0 && size > 0)
    add (self, heddle_ids_index (value->axes, value->axes->len - 1), 0, bytes / size, reason);
}

void
heddle_labelling_add_machine_divisors (HeddleLabelling *self)
{
  const HeddleDeriveContext *context = self->context;
  guint flags = heddle_schedule_divisors (context->schedule, context->options->divisors);
  const GArray *lists[] = { self->term->inputs, self->term->outputs };

  if (flags == 0 || context->abstract)
    return;
  for (guint i = 0; i < self->term->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (context->diagram, heddle_ids_index (self->term->operations, i));

      if (operation->kind->form == HEDDLE_FORM_CONTRACT && operation->operands->len == 2)
        add_contraction (self, operation);
    }
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        if ((flags & HEDDLE_DIVISORS_COPIES) != 0)
          add_contiguous (self, heddle_ids_index (lists[l], i), COPY_BYTES, _ ("16-byte copies"));
        if ((flags & HEDDLE_DIVISORS_LINES) != 0)
          add_contiguous (self, heddle_ids_index (lists[l], i), LINE_BYTES, _ ("128-byte lines"));
      }
}

static const char *const names[] = { "mma", "copies", "lines", "warps" };

gboolean
heddle_divisors_from_string (const char *text, guint *flags)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  g_return_val_if_fail (text != NULL && flags != NULL, FALSE);

  *flags = 0;
  for (char **part = parts; *part != NULL; part++)
    {
      guint flag = 0;

      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        flag |= g_str_equal (g_strstrip (*part), names[i]) ? 1u << i : 0;
      if (flag == 0)
        return FALSE;
      *flags |= flag;
    }
  return *flags != 0;
}

char *
heddle_divisors_to_string (guint flags)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if ((flags & 1u << i) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", names[i]);
  return g_string_free (text, text->len == 0);
}

guint
heddle_schedule_divisors (const HeddleSchedule *schedule, guint flags)
{
  guint own = 0;

  if (schedule != NULL && schedule->divisors != NULL
      && heddle_divisors_from_string (schedule->divisors, &own))
    flags |= own;
  return flags;
}
