/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/check-placement.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/legality.h"
#include "derive/region/region.h"

#include <glib/gi18n-lib.h>

/* This file finds out whether a value can be placed somewhere, and what would have to be fused or cut before
 * it can. */

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSchedule *schedule; /* or NULL */
  const HeddleSizes *sizes;
  const HeddleDeriveOptions *options;
  const char *value, *column, *level;
} Trial;

static HeddleSchedule *
copy_of (const HeddleSchedule *schedule, const HeddleDiagram *diagram)
{
  return schedule != NULL ? heddle_schedule_copy (schedule) : heddle_schedule_new (diagram->id);
}

/* Returns whether the value can be placed so. @fused: (nullable): operations that are to be one kernel. */
static gboolean
derives (const Trial *self, const GArray *fused, GError **error)
{
  HeddleSchedule *schedule = copy_of (self->schedule, self->diagram);
  HeddleDeriveOptions options = *self->options;
  g_autoptr (HeddleDerivation) derivation = NULL;

  options.suggest = FALSE;
  if (fused != NULL)
    heddle_schedule_fuse_operations (schedule, self->diagram, fused);
  heddle_schedule_set_residency (schedule, self->value, self->column, self->level);
  derivation = heddle_derive (self->diagram, schedule, self->sizes, &options, NULL, error);
  heddle_schedule_free (schedule);
  return derivation != NULL;
}

static void
append_new (GArray *operations, const GArray *more)
{
  for (guint i = 0; i < more->len; i++)
    if (!heddle_ids_contain (operations, heddle_ids_index (more, i)))
      heddle_ids_append (operations, heddle_ids_index (more, i));
}

/* Returns the operations of its kernel and of all kernels that read it. */
static GArray *
with_readers (const Trial *self, const char *producer)
{
  GArray *operations = heddle_kernel_operations (self->diagram, self->schedule, producer);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, self->value);

  for (guint i = 0; i < readers->len; i++)
    {
      g_autoptr (GArray) more = heddle_kernel_operations (
          self->diagram, self->schedule, ((HeddleOperation *) g_ptr_array_index (readers, i))->id);

      append_new (operations, more);
    }
  return operations;
}

/* Returns the operations of its kernel that lead to it, with whole statements. */
static GArray *
up_to_value (const Trial *self, const char *producer)
{
  g_autoptr (GArray) kernel = heddle_kernel_operations (self->diagram, self->schedule, producer);
  g_autoptr (GHashTable) needed = g_hash_table_new (NULL, NULL);
  GArray *operations = heddle_ids_new ();

  g_hash_table_add (needed, (gpointer) self->value);
  for (guint i = self->diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (!heddle_ids_contain (kernel, operation->id) || !g_hash_table_contains (needed, operation->result))
        continue;
      heddle_ids_append (operations, operation->id);
      for (guint k = 0; k < operation->operands->len; k++)
        g_hash_table_add (needed, (gpointer) heddle_ids_index (operation->operands, k));
    }
  if (operations->len == kernel->len)
    g_array_set_size (operations, 0); /* it is the kernel as it is */
  return operations;
}

static void
offer (const Trial *self, HeddleRefusal *refusal, HeddleRemedyKind kind, GArray *operations)
{
  g_autoptr (GArray) taken = operations;
  g_autofree char *label = heddle_diagram_value_label (self->diagram, self->value);

  if (taken->len == 0 || !derives (self, taken, NULL))
    return;
  refusal->remedy_kind = kind;
  g_array_set_size (refusal->remedy_operations, 0);
  append_new (refusal->remedy_operations, taken);
  g_free (refusal->remedy);
  refusal->remedy
      = g_strdup_printf (kind == HEDDLE_REMEDY_FUSE
                             ? _ ("Fuse what makes %s with what reads it, and it never leaves the kernel.")
                             : _ ("Run what leads to %s as a kernel of its own, and it passes between two."),
          label);
}

HeddleRefusal *
heddle_derive_check_placement (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, const char *value, const char *column,
    const char *level)
{
  const Trial self = { diagram, schedule, sizes, options, g_intern_string (value), g_intern_string (column),
    g_intern_string (level) };
  const HeddleOperation *producer = NULL;
  g_autoptr (GError) error = NULL;
  HeddleRefusal *refusal;

  g_return_val_if_fail (diagram != NULL && sizes != NULL && options != NULL, NULL);
  g_return_val_if_fail (value != NULL && level != NULL, NULL);

  if (derives (&self, NULL, &error))
    return NULL;
  producer = heddle_diagram_get_producer (diagram, self.value);
  refusal = heddle_refusal_new (NULL, HEDDLE_LABEL_GROUP,
      column != NULL     ? self.column
      : producer != NULL ? producer->id
                         : NULL,
      g_strdup (error->message), NULL);
  refusal->value = self.value;
  refusal->column = self.column;
  refusal->level = self.level;
  if (producer == NULL || !g_error_matches (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL))
    return refusal;
  offer (&self, refusal, HEDDLE_REMEDY_CUT, up_to_value (&self, producer->id));
  if (refusal->remedy_kind == HEDDLE_REMEDY_NONE)
    offer (&self, refusal, HEDDLE_REMEDY_FUSE, with_readers (&self, producer->id));
  return refusal;
}

void
heddle_derive_find_cut (const HeddleDiagram *diagram, const HeddleSchedule *schedule, HeddleRefusal *refusal)
{
  g_autoptr (GArray) operations = NULL;
  g_autoptr (HeddleRegionTerm) region = NULL;

  g_return_if_fail (diagram != NULL && refusal != NULL);

  if (refusal->operation == NULL || refusal->axis == NULL || refusal->remedy_kind != HEDDLE_REMEDY_NONE
      || *refusal->remedy != '\0')
    return;
  operations = heddle_kernel_operations (diagram, schedule, refusal->operation);
  region = heddle_region_term_new (diagram, operations, NULL, NULL);
  if (region != NULL)
    heddle_refusal_find_cut (refusal, region);
}
