/* SPDX-License-Identifier: MIT */
#include "codegen/plan/found-labels.h"
#include "derive/cost/context.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/search-cache-key.h"
#include "diagram/document/schedule.h"

typedef struct
{
  guint axis; /* number in the kernel */
  HeddleLabelKind kind;
  gint64 size;
} FoundLabel;

GBytes *
heddle_found_labels_key (const HeddleDiagram *diagram, const HeddleRegionTerm *term, const HeddlePlan *plan,
    const HeddleDeriveOptions *options, GCancellable *cancellable)
{
  const guint8 how[] = { (guint8) plan->family, (guint8) plan->thorough, (guint8) plan->by_units };
  g_autoptr (GBytes) of_term = NULL;
  HeddleDeriveContext context;
  GByteArray *key;

  if (term == NULL
      || !heddle_derive_context_init (&context, diagram, NULL, plan->sizes, options, cancellable, NULL))
    return NULL;
  of_term = heddle_search_cache_key (&context, term, NULL, NULL, FALSE);
  if (of_term == NULL)
    return NULL;
  key = g_bytes_unref_to_array (g_steal_pointer (&of_term));
  g_byte_array_append (key, how, sizeof how);
  return g_byte_array_free_to_bytes (key);
}

GArray *
heddle_found_labels_new (const HeddleRegionTerm *term, const GPtrArray *labels)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (FoundLabel));

  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);
      FoundLabel number = { 0, label->kind, label->size };

      while (number.axis < term->axes->len && heddle_ids_index (term->axes, number.axis) != label->axis)
        number.axis++;
      if (number.axis == term->axes->len || !g_str_equal (label->level, HEDDLE_PLAN_LEVEL))
        {
          g_array_unref (self);
          return NULL;
        }
      g_array_append_val (self, number);
    }
  return self;
}

GPtrArray *
heddle_found_labels_name (const GArray *self, const HeddleRegionTerm *term)
{
  GPtrArray *labels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_label_free);

  for (guint i = 0; i < self->len; i++)
    {
      const FoundLabel *label = &g_array_index (self, FoundLabel, i);

      g_ptr_array_add (labels, heddle_label_new (heddle_ids_index (term->axes, label->axis),
                                   HEDDLE_PLAN_LEVEL, label->kind, label->size));
    }
  return labels;
}
