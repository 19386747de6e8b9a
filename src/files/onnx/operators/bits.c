/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/table.h"

/* This file has operators on the bits of whole numbers: each bit is a number along an axis of its own, and
 * those of the result are summed. */

/* The bit number $2 of an operand; negative numbers are in two's complement. */
#define FIRST "mod(floor($0/2^$2), 2)"
#define SECOND "mod(floor($1/2^$2), 2)"

static gboolean
is_signed (int type)
{
  return type == HEDDLE_ONNX_INT8 || type == HEDDLE_ONNX_INT16 || type == HEDDLE_ONNX_INT32
         || type == HEDDLE_ONNX_INT64;
}

/* Returns the number of bits of a type; 0 if it is not known. */
static guint
bits_of (int type)
{
  switch (type)
    {
    case HEDDLE_ONNX_INT8:
    case HEDDLE_ONNX_UINT8:
      return 8;
    case HEDDLE_ONNX_INT16:
    case HEDDLE_ONNX_UINT16:
      return 16;
    case HEDDLE_ONNX_INT32:
    case HEDDLE_ONNX_UINT32:
      return 32;
    case HEDDLE_ONNX_INT64:
    case HEDDLE_ONNX_UINT64:
      return 64;
    default:
      return 0;
    }
}

static HeddleExpr *
replace_bit (const HeddleExpr *leaf, gpointer bit)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT && heddle_expr_get_operand (leaf) == 2
             ? heddle_expr_ref (bit)
             : NULL;
}

/* Returns the bit of the result that `text` computes, with its weight. The last bit of a type with a sign is
 * negative. */
static HeddleExpr *
weigh_bit (HeddleImport *self, const char *text, int type, const HeddleDim *bit)
{
  g_autoptr (HeddleExpr) index = heddle_dim_index (self->sketch, bit);
  g_autoptr (HeddleExpr) weighed = heddle_expr_binary (HEDDLE_EXPR_MUL,
      heddle_import_expr (
          is_signed (type) ? "where($2 == a, -2^$2, 2^$2)" : "2^$2", (double) bit->size - 1., 0., 0.),
      heddle_import_expr (text, 0., 0., 0.));

  return heddle_expr_substitute (weighed, replace_bit, index);
}

/* Computes bit by bit. Numbers are exact to 53 bits while they are computed: of wider types that many bits
 * are distinguished, the last as the sign. */
static gboolean
bitwise (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *given[] = { heddle_import_input (self, 0), heddle_import_input (self, 1) }, *inputs[2];
  gboolean flags[HEDDLE_ONNX_MAX_RANK] = { FALSE };
  HeddleFlow spread[2], bits, result;
  HeddleDim bit;
  guint n;

  if (given[0] == NULL || given[1] == NULL || MAX (given[0]->rank, given[1]->rank) >= HEDDLE_ONNX_MAX_RANK
      || (n = bits_of (given[0]->type)) == 0)
    return heddle_import_refuse (self, _ ("an input is missing"));
  bit = heddle_dim_new (self->sketch, MIN (n, 53), "b");
  for (guint i = 0; i < 2; i++)
    {
      spread[i] = *given[i];
      spread[i].dims[spread[i].rank++]
          = i == 0 ? bit : (HeddleDim){ 1, -1 }; /* no value has it: it is broadcast */
      inputs[i] = &spread[i];
    }
  if (!heddle_flow_map (
          self->sketch, inputs, 2, weigh_bit (self, row->text, given[0]->type, &bit), given[0]->type, &bits))
    return heddle_import_refuse (self, _ ("the shapes of the inputs do not fit together"));
  flags[bits.rank - 1] = TRUE;
  heddle_flow_reduce (self->sketch, &bits, "sum", flags, FALSE, given[0]->type, &result);
  return heddle_import_give (self, 0, &result);
}

static gboolean
bitwise_not (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);

  if (input == NULL || bits_of (input->type) == 0)
    return heddle_import_refuse (self, _ ("an input is missing"));
  return heddle_import_map (self, 0, &input, 1,
      heddle_import_expr (
          "a - $0", is_signed (input->type) ? -1. : ldexp (1., (int) bits_of (input->type)) - 1., 0., 0.),
      input->type);
}

const HeddleOnnxOperator heddle_onnx_bits[] = {
  { "BitwiseAnd", 18, 0, bitwise, FIRST "*" SECOND },
  { "BitwiseNot", 18, 0, bitwise_not },
  { "BitwiseOr", 18, 0, bitwise, "max(" FIRST ", " SECOND ")" },
  { "BitwiseXor", 18, 0, bitwise, "abs(" FIRST " - " SECOND ")" },
  { NULL },
};
