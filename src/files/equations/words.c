/* SPDX-License-Identifier: MIT */
#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/words.h"

gboolean
heddle_eq_is_later (const char *name)
{
  static const char *const later[] = { "topk", NULL };

  return g_strv_contains (later, name);
}

gboolean
heddle_eq_is_function (const char *name)
{
  HeddleExprKind kind;

  for (guint arity = 1; arity <= 3; arity++)
    if (heddle_expr_kind_from_function (name, arity, &kind))
      return TRUE;
  return FALSE;
}

const HeddleOperationKind *
heddle_eq_reduction (const char *name)
{
  const HeddleOperationKind *kind = heddle_operation_kind (name);

  return kind != NULL && kind->form != HEDDLE_FORM_MAP && kind->form != HEDDLE_FORM_CONTRACT
                 && kind->form != HEDDLE_FORM_REINDEX && kind->form != HEDDLE_FORM_CALL
             ? kind
             : NULL;
}

gboolean
heddle_eq_is_reserved (const char *name)
{
  static const char *const words[]
      = { "and", "or", "not", "inf", "axis", "param", "shared", "def", "size", "index", NULL };

  return g_strv_contains (words, name) || heddle_eq_is_later (name) || heddle_eq_is_function (name)
         || heddle_eq_reduction (name) != NULL;
}
