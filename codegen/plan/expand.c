/* SPDX-License-Identifier: MIT */
#include "codegen/plan/derive.h"
#include "codegen/plan/expand.h"
#include "codegen/plan/plan.h"
#include "codegen/plan/tiles.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/rewrite.h"

/* This file rewrites operations before kernels are made of them: softmaxes and norms that fit no memory, and
 * sums over products of three arrays, which are no product of two tiles until they are split. */

static gboolean
has_tiles (const HeddleKernel *kernel, gpointer plan)
{
  return heddle_plan_has_tiles (plan, ((const HeddlePlan *) plan)->diagram, kernel);
}

gboolean
heddle_plan_expand (HeddlePlan *plan, const HeddleSchedule *schedule, GCancellable *cancellable)
{
  HeddleDerivation *derivation = heddle_plan_derive_apart (plan->diagram, schedule, plan, cancellable, NULL);
  g_autoptr (GArray) values = derivation != NULL ? heddle_derivation_expand_oversized (
                                  derivation, plan->diagram, schedule, has_tiles, plan)
                                                 : heddle_ids_new ();

  g_clear_pointer (&derivation, heddle_derivation_free);
  return values->len > 0;
}

GArray *
heddle_diagram_split_products (HeddleDiagram *diagram)
{
  const HeddleRewriteRule *rule = heddle_rewrite_rule ("split-contractions");
  g_autoptr (GArray) products = heddle_ids_new ();
  GArray *values = heddle_ids_new ();

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (operation->kind->form == HEDDLE_FORM_CONTRACT && operation->operands->len > 2
          && operation->axes->len > 0)
        heddle_ids_append (products, operation->id);
    }
  for (guint i = 0; i < products->len; i++)
    {
      const char *id = heddle_ids_index (products, i);
      const char *value = heddle_diagram_get_operation (diagram, id)->result;

      if (heddle_diagram_rewrite_at (diagram, rule, id))
        heddle_ids_append (values, value);
      while (heddle_diagram_rewrite_at (diagram, rule, id))
        ;
    }
  return values;
}
