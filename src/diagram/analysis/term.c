/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/merge.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const HeddleOperation *operation;
  HeddleExpr *count; /* put in place of n; NULL: n stays */
} Context;

/* Returns the product of the sizes of the core axes. */
static HeddleExpr *
count_points (const HeddleOperation *operation)
{
  HeddleExpr *count = NULL;

  for (guint i = 0; operation->axes != NULL && i < operation->axes->len; i++)
    {
      HeddleExpr *size = heddle_expr_size (heddle_ids_index (operation->axes, i));

      count = count == NULL ? size : heddle_expr_binary (HEDDLE_EXPR_MUL, count, size);
    }
  return count != NULL ? count : heddle_expr_number (1.);
}

static HeddleExpr *
replace_parameter (const HeddleExpr *leaf, gpointer data)
{
  const Context *context = data;
  const HeddleOperationKind *kind = context->operation->kind;
  const char *name;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE)
    return NULL;
  name = heddle_expr_get_symbol (leaf);
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS && kind->options[i].name != NULL; i++)
    if (g_str_equal (kind->options[i].name, name))
      return heddle_expr_number (context->operation->options[i]);
  if (context->count != NULL && g_str_equal (name, "n"))
    return heddle_expr_ref (context->count);
  if (g_str_equal (name, "place"))
    return heddle_merge_index (context->operation->axes);
  return NULL;
}

static HeddleExpr *
read_row_text (const char *text, Context *context)
{
  g_autoptr (HeddleExpr) literal = heddle_expr_literal (text);

  return heddle_expr_substitute (literal, replace_parameter, context);
}

static void
add_stage (HeddleTerm *self, const char *name, HeddleMonoid monoid, HeddleExpr *body, const char *title)
{
  g_assert (self->n_stages < HEDDLE_MAX_STAGES);
  self->stages[self->n_stages++] = (HeddleStage){ g_intern_string (name), monoid, body, title };
}

static HeddleExpr *
product_of_operands (const HeddleOperation *operation)
{
  HeddleExpr *product = heddle_expr_argument (0);

  for (guint i = 1; i < operation->operands->len; i++)
    product = heddle_expr_binary (HEDDLE_EXPR_MUL, product, heddle_expr_argument (i));
  return product;
}

static void
add_row_stages (HeddleTerm *self, Context *context)
{
  const HeddleStageRow *rows = context->operation->kind->stages;

  for (guint i = 0; i < HEDDLE_MAX_STAGES && rows[i].name != NULL; i++)
    add_stage (self, rows[i].name, rows[i].monoid, read_row_text (rows[i].body, context), rows[i].title);
}

static HeddleTerm *
term_new (Context *context)
{
  HeddleTerm *self = g_new0 (HeddleTerm, 1);

  self->operation = context->operation;
  switch (context->operation->kind->form)
    {
    case HEDDLE_FORM_MAP:
      self->result = heddle_expr_ref (context->operation->body);
      break;
    case HEDDLE_FORM_CONTRACT:
      add_stage (
          self, "s", HEDDLE_MONOID_SUM, product_of_operands (context->operation), N_ ("sum of products"));
      self->result = heddle_expr_variable ("s");
      break;
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      add_row_stages (self, context);
      self->result = read_row_text (context->operation->kind->result, context);
      break;
    case HEDDLE_FORM_REINDEX:
      self->result = heddle_expr_argument (0);
      break;
    case HEDDLE_FORM_CONCAT:
    case HEDDLE_FORM_SCAN:
    case HEDDLE_FORM_SELECT: /* no cascade: who asks knows the form */
      self->result = heddle_expr_argument (0);
      break;
    case HEDDLE_FORM_CALL:
      g_assert_not_reached ();
    }
  return self;
}

HeddleTerm *
heddle_term_new (const HeddleOperation *operation)
{
  g_autoptr (HeddleExpr) count = NULL;
  Context context = { operation, NULL };

  g_return_val_if_fail (operation != NULL && operation->kind != NULL, NULL);
  g_return_val_if_fail (operation->kind->form != HEDDLE_FORM_MAP || operation->body != NULL, NULL);
  g_return_val_if_fail (operation->kind->form != HEDDLE_FORM_CALL, NULL);

  count = count_points (operation);
  context.count = count;
  return term_new (&context);
}

HeddleTerm *
heddle_term_new_counted (const HeddleOperation *operation)
{
  Context context = { operation, NULL };

  return term_new (&context);
}

void
heddle_term_free (HeddleTerm *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < self->n_stages; i++)
    heddle_expr_unref (self->stages[i].body);
  heddle_expr_unref (self->result);
  g_free (self);
}
