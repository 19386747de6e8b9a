/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "files/onnx/context.h"
#include "files/onnx/model.h"
#include "files/onnx/operators/products.h"
#include "files/onnx/reshaped.h"
#include "files/onnx/table.h"

/* This file has sums of products: one contraction each. */

static gboolean
contract (HeddleImport *self, const HeddleLabelled *operands, guint n, const int *labels, guint rank,
    int type, HeddleFlow *result)
{
  return heddle_flow_contract (self->sketch, operands, n, labels, rank, type, result)
         || heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
}

#define SUMMED 64
#define ROW 65
#define COLUMN 66

/* Labels a matrix. Dimensions before the last two are labelled from the end, so that they are broadcast. */
static void
label_matrix (HeddleLabelled *operand, const HeddleFlow *flow, gboolean is_second)
{
  guint rank = flow->rank;

  operand->flow = flow;
  for (guint i = 0; i + 2 < rank; i++)
    operand->labels[i] = (int) (rank - 3 - i);
  if (rank >= 2)
    operand->labels[rank - 2] = is_second ? SUMMED : ROW;
  operand->labels[rank - 1] = is_second && rank >= 2 ? COLUMN : SUMMED;
}

static gboolean
multiply (HeddleImport *self, const HeddleFlow *a, const HeddleFlow *b, int type, HeddleFlow *result)
{
  HeddleLabelled operands[2];
  int labels[HEDDLE_ONNX_MAX_RANK + 2];
  guint rank = 0;

  if (a->dims[a->rank - 1].size != b->dims[b->rank >= 2 ? b->rank - 2 : 0].size)
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  label_matrix (&operands[0], a, FALSE);
  label_matrix (&operands[1], b, TRUE);
  for (guint i = MAX (MAX (a->rank, b->rank), 2) - 2; i-- > 0;)
    labels[rank++] = (int) i;
  if (a->rank >= 2)
    labels[rank++] = ROW;
  if (b->rank >= 2)
    labels[rank++] = COLUMN;
  return contract (self, operands, 2, labels, rank, type, result);
}

gboolean
heddle_import_matmul (
    HeddleImport *self, const HeddleFlow *a, const HeddleFlow *b, int type, HeddleFlow *result)
{
  const HeddleFlow *rows = a, *columns = b;
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow product;

  if (a == NULL || b == NULL || a->rank == 0 || b->rank == 0)
    return heddle_import_refuse (self, _ ("an input has no dimensions"));
  if (!heddle_flow_factors_apart (self->sketch, &rows, &columns))
    return multiply (self, a, b, type, result);
  if (!multiply (self, rows, columns, type, &product))
    return FALSE;
  for (guint i = 0; i < a->rank; i++)
    shape[i] = i + 1 < a->rank ? a->dims[i].size : b->dims[i].size;
  heddle_flow_reshape (self->sketch, &product, shape, a->rank, result);
  return TRUE;
}

static gboolean
matmul (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *a = heddle_import_input (self, 0), *b = heddle_import_input (self, 1);
  HeddleFlow result;

  return heddle_import_matmul (self, a, b, a != NULL ? a->type : 0, &result)
         && heddle_import_give (self, 0, &result);
}

/* Computes alpha A' B' + beta C. */
static gboolean
gemm (HeddleImport *self, const HeddleOnnxOperator *row)
{
  static const guint swapped[] = { 1, 0 };
  double alpha = heddle_onnx_node_float (self->node, "alpha", 1.);
  double beta = heddle_onnx_node_float (self->node, "beta", 1.);
  const HeddleFlow *c = heddle_import_input (self, 2), *parts[2];
  const char *scale = alpha != 1. ? "a*$0" : "$0";
  HeddleFlow sides[2], product;

  for (guint i = 0; i < 2; i++)
    {
      const HeddleFlow *side = heddle_import_input (self, i);

      if (side == NULL || side->rank != 2)
        return heddle_import_refuse (self, _ ("an input is not a matrix"));
      sides[i] = *side;
      if (heddle_onnx_node_int (self->node, i == 0 ? "transA" : "transB", 0) != 0)
        heddle_flow_permute (side, swapped, &sides[i]);
    }
  if (!heddle_import_matmul (self, &sides[0], &sides[1], sides[0].type, &product))
    return FALSE;
  parts[0] = &product;
  parts[1] = c;
  if (c == NULL || beta == 0.)
    return alpha == 1. ? heddle_import_give (self, 0, &product)
                       : heddle_import_map (
                           self, 0, parts, 1, heddle_import_expr (scale, alpha, 0., 0.), product.type);
  return heddle_import_map (self, 0, parts, 2,
      heddle_expr_binary (HEDDLE_EXPR_ADD, heddle_import_expr (scale, alpha, 0., 0.),
          heddle_import_expr (beta != 1. ? "b*$1" : "$1", 0., beta, 0.)),
      product.type);
}

/* --- Einstein sums --------------------------------------------------------------------------------- */

#define FIRST_OF_DOTS 64 /* letters have the labels below */
#define MOST_DOTS 16

static int
label_of (char letter)
{
  return g_ascii_isupper (letter) ? letter - 'A' : letter - 'a' + 26;
}

/* Reads the labels of one term; dots stand for the other dimensions, labelled from the end. */
static gboolean
read_term (const char **at, guint rank, guint *n_dots, int *labels, guint *n)
{
  guint letters = 0;

  for (const char *c = *at; *c != '\0' && *c != ',' && *c != '-'; c++)
    letters += g_ascii_isalpha (*c) != 0;
  *n = 0;
  for (; **at != '\0' && **at != ',' && **at != '-'; (*at)++)
    if (g_str_has_prefix (*at, "...") && letters <= rank && rank - letters <= MOST_DOTS)
      {
        for (guint i = rank - letters; i-- > 0 && *n < HEDDLE_ONNX_MAX_RANK;)
          labels[(*n)++] = FIRST_OF_DOTS + (int) i;
        *n_dots = MAX (*n_dots, rank - letters);
        *at += 2;
      }
    else if (g_ascii_isalpha (**at) && *n < HEDDLE_ONNX_MAX_RANK)
      labels[(*n)++] = label_of (**at);
    else if (**at != ' ')
      return FALSE;
  return TRUE;
}

/* Finds the labels of a result without an arrow: the dots, then what occurs once, in the order of the
 * alphabet. */
static guint
implied_labels (const char *inputs, guint n_dots, int *labels)
{
  guint n = 0;

  for (guint i = n_dots; i-- > 0;)
    labels[n++] = FIRST_OF_DOTS + (int) i;
  for (char c = 'A'; c <= 'z'; c++)
    if (g_ascii_isalpha (c) && strchr (inputs, c) != NULL && strchr (inputs, c) == strrchr (inputs, c)
        && n < HEDDLE_ONNX_MAX_RANK)
      labels[n++] = label_of (c);
  return n;
}

static gboolean
einsum (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const char *equation = heddle_onnx_node_text (self->node, "equation", ""), *at = equation;
  g_autofree char *inputs = g_strndup (equation, strcspn (equation, "-"));
  HeddleLabelled operands[8];
  int labels[HEDDLE_ONNX_MAX_RANK];
  guint n = 0, n_dots = 0, rank, seen;
  HeddleFlow result;

  for (; n < heddle_import_n_inputs (self) && n < G_N_ELEMENTS (operands); n++)
    {
      operands[n].flow = heddle_import_input (self, n);
      while (*at == ' ')
        at++;
      if (operands[n].flow == NULL
          || !read_term (&at, operands[n].flow->rank, &n_dots, operands[n].labels, &seen)
          || seen != operands[n].flow->rank)
        return heddle_import_refuse (self, _ ("the equation “%s”"), equation);
      at += *at == ',';
    }
  if (n == 0 || n != heddle_import_n_inputs (self))
    return heddle_import_refuse (self, _ ("the equation “%s”"), equation);
  if (!g_str_has_prefix (at, "->"))
    rank = implied_labels (inputs, n_dots, labels);
  else
    {
      g_autofree char *output = g_strdup (at + 2);
      guint letters = 0;

      for (const char *c = output; *c != '\0'; c++)
        letters += g_ascii_isalpha (*c) != 0;
      at = output;
      if (!read_term (&at, letters + n_dots, &n_dots, labels, &rank))
        return heddle_import_refuse (self, _ ("the equation “%s”"), equation);
    }
  return contract (self, operands, n, labels, rank, operands[0].flow->type, &result)
         && heddle_import_give (self, 0, &result);
}

const HeddleOnnxOperator heddle_onnx_products[] = {
  { "Einsum", 12, 0, einsum },
  { "Gemm", 1, 0, gemm },
  { "MatMul", 1, 0, matmul },
  { NULL },
};
