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
heddle_found_labels_key (const HeddleDiagram *diagram, const HeddleRegionTerm *term, const HeddleSizes *sizes,
    const HeddleDeriveOptions *options, GCancellable *cancellable)
{
  HeddleDeriveContext context;

  if (term == NULL
      || !heddle_derive_context_init (&context, diagram, NULL, sizes, options, cancellable, NULL))
    return NULL;
  return heddle_search_cache_key (&context, term, NULL, NULL, FALSE);
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
