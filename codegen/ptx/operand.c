/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/ptx/lexer.h"
#include "codegen/ptx/literal.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/operand.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"
#include "codegen/ptx/special.h"

/* The letters of an operand list. Sources: a of the first type, b of the second, A of twice the width, B of
 * the second type or wider, u of 32 bits, q of 64 bits, p a predicate, N of a move (register, vector,
 * address), W of a store. Results: d of the first type, D of twice the width, x of the type or wider, U of 32
 * bits, e of 32 bits with an optional predicate, P a predicate, Q one or two predicates, M of a move, V of a
 * load. Others: m an address in memory, C a tensor map and coordinates in it, t a label, T a list of labels,
 * S and R vectors of registers of 32 bits, as sources and as results. */

static gboolean
fail (PtxParser *self, const char *problem)
{
  g_autofree char *word = ptx_lexer_word (&self->lexer);
  return ptx_lexer_fail (
      &self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX, "%s: “%.60s”", problem, word);
}

/* Makes the register that holds an address of this function's local memory. */
static gboolean
local_address (PtxParser *self, gsize offset, guint32 *slot)
{
  if (!ptx_parser_new_register (self, slot))
    return FALSE;
  PtxLocalAddress address = { *slot, offset };
  g_array_append_val (self->function->local_addresses, address);
  return TRUE;
}

/* Finds the slot that holds the address of @symbol plus @offset, in its own state space. */
gboolean
ptx_operand_symbol (PtxParser *self, const PtxSymbol *symbol, gint64 offset, guint32 *slot)
{
  switch (symbol->kind)
    {
    case PTX_SYMBOL_VARIABLE:
      *slot = ptx_parser_address (self, symbol->variable, (guint64) offset);
      return TRUE;
    case PTX_SYMBOL_KERNEL_PARAMETER:
      *slot = ptx_parser_constant (self, PTX_WINDOW_PARAMETERS + symbol->offset + (guint64) offset);
      return TRUE;
    case PTX_SYMBOL_CALL_PARAMETER:
      *slot = ptx_parser_constant (self, PTX_WINDOW_CALL + symbol->offset + (guint64) offset);
      return TRUE;
    case PTX_SYMBOL_LOCAL:
      return local_address (self, symbol->offset + (gsize) offset, slot);
    case PTX_SYMBOL_FUNCTION:
      *slot = ptx_parser_constant (self, PTX_WINDOW_CODE + symbol->function->index);
      return offset == 0 || fail (self, _ ("an address inside a function"));
    default:
      return fail (self, _ ("this name is not a value"));
    }
}

/* Parses a number at the current token, which may begin with a minus. */
static gboolean
parse_number (PtxParser *self, PtxType type, guint bits, guint64 *value)
{
  gboolean negative;
  if (!ptx_lexer_accept (&self->lexer, '-', &negative))
    return FALSE;
  g_autofree char *word = ptx_lexer_word (&self->lexer);
  gboolean predicate = bits == 1;
  if (self->lexer.token.kind != PTX_TOKEN_WORD
      || !ptx_literal_parse (word, negative, type, predicate ? 64 : bits, value))
    return fail (self, _ ("not a number that can stand here"));
  if (predicate)
    *value = *value != 0;
  return ptx_lexer_next (&self->lexer);
}

/* Parses "+ 4" and "- 4" after a name. */
static gboolean
parse_offset (PtxParser *self, gint64 *offset)
{
  gboolean plus;
  guint64 value = 0;
  *offset = 0;
  if (!ptx_lexer_accept (&self->lexer, '+', &plus))
    return FALSE;
  if (!plus && self->lexer.token.kind != '-')
    return TRUE;
  if (!parse_number (self, PTX_S64, 64, &value))
    return FALSE;
  *offset = (gint64) value;
  return TRUE;
}

static gboolean
check_width (PtxParser *self, const char *name, guint bits, guint least, guint most)
{
  if (bits >= least && bits <= most)
    return TRUE;
  return ptx_lexer_fail (&self->lexer, self->lexer.token.line, HEDDLE_PTX_ERROR_SYNTAX,
      _ ("“%s” has %u bits where %u are expected"), name, bits, least);
}

/* Parses a register, a special register, a number or the address of a name. */
static gboolean
parse_source (PtxParser *self, PtxType type, guint bits, guint most, PtxOperand *operand)
{
  operand->bits = bits;
  if (self->lexer.token.kind == '-'
      || (self->lexer.token.kind == PTX_TOKEN_WORD && g_ascii_isdigit (self->lexer.token.start[0])))
    {
      guint64 value;
      if (!parse_number (self, type, bits, &value))
        return FALSE;
      operand->slot = ptx_parser_constant (self, value);
      return TRUE;
    }
  g_autofree char *name = NULL;
  guint width = 0;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  const PtxSymbol *symbol = ptx_scope_find (self, name);
  if (g_str_equal (name, "WARP_SZ"))
    operand->slot = ptx_parser_constant (self, PTX_LANES);
  else if (symbol != NULL && symbol->kind != PTX_SYMBOL_REGISTER)
    {
      gint64 offset;
      if (!parse_offset (self, &offset) || !check_width (self, name, bits, 32, 64))
        return FALSE;
      if (most == 32
          && symbol->kind == PTX_SYMBOL_KERNEL_PARAMETER) /* its place in the window of parameters */
        operand->slot = ptx_parser_constant (self, symbol->offset + (guint64) offset);
      else
        return ptx_operand_symbol (self, symbol, offset, &operand->slot);
    }
  else
    {
      if (!ptx_special_find (name, &operand->slot, &width)
          && !ptx_scope_register (self, name, &operand->slot, &width))
        return FALSE;
      operand->bits = width;
      return check_width (self, name, width, bits, most);
    }
  return TRUE;
}

/* Parses a register, or "_" for a result that nobody wants. */
static gboolean
parse_result (PtxParser *self, guint bits, guint most, guint32 *slot, guint8 *width)
{
  g_autofree char *name = NULL;
  guint found = bits;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  if (g_str_equal (name, "_"))
    {
      *width = bits;
      return ptx_parser_new_register (self, slot);
    }
  if (!ptx_scope_register (self, name, slot, &found))
    return FALSE;
  *width = found;
  return check_width (self, name, found, bits, most);
}

static gboolean
parse_predicate (PtxParser *self, PtxOperand *operand)
{
  gboolean negate;
  if (!ptx_lexer_accept (&self->lexer, '!', &negate))
    return FALSE;
  operand->negate = negate;
  return parse_source (self, PTX_PRED, 1, 1, operand);
}

/* Parses a result with an optional predicate after a bar. */
static gboolean
parse_pair (PtxParser *self, guint bits, PtxOperand *operand)
{
  gboolean bar;
  guint8 width;
  operand->second = PTX_NO_SLOT;
  return parse_result (self, bits, bits, &operand->slot, &operand->bits)
         && ptx_lexer_accept (&self->lexer, '|', &bar)
         && (!bar || parse_result (self, 1, 1, &operand->second, &width));
}

static gboolean
parse_element (PtxParser *self, gboolean result, PtxType type, guint bits, guint most, PtxOperand *element)
{
  if (result)
    return parse_result (self, bits, most, &element->slot, &element->bits);
  return parse_source (self, type, bits, most, element);
}

/* Parses "{a, b}": every element has @bits, or one share of them if @share is set. */
static gboolean
parse_vector (PtxParser *self, gboolean result, gboolean share, PtxType type, guint bits, guint most,
    PtxOperand *operand)
{
  PtxLexer ahead = self->lexer;
  guint count = 1;
  while (ahead.token.kind != '}' && ahead.token.kind != PTX_TOKEN_END && count <= PTX_MOST_VECTOR)
    {
      count += ahead.token.kind == ',';
      if (!ptx_lexer_next (&ahead))
        return FALSE;
    }
  if (count > PTX_MOST_VECTOR || (share && (bits % count != 0 || bits / count < 8)))
    return fail (self, _ ("a vector of the wrong length"));
  operand->elements = ptx_module_alloc (self->module, count * sizeof (guint32));
  operand->count = count;
  if (share)
    {
      bits = most = bits / count;
      type = PTX_NONE;
    }
  for (guint i = 0; i < count; i++)
    {
      PtxOperand element = { 0 };
      if (!ptx_lexer_expect (&self->lexer, i == 0 ? '{' : ',')
          || !parse_element (self, result, type, bits, most, &element))
        return FALSE;
      operand->elements[i] = element.slot;
      operand->bits = element.bits;
    }
  return ptx_lexer_expect (&self->lexer, '}');
}

/* Parses a register or a vector of them; a plain register counts as a vector of one. */
static gboolean
parse_tuple (PtxParser *self, gboolean result, gboolean share, PtxType type, guint bits, guint most,
    PtxOperand *operand)
{
  if (self->lexer.token.kind == '{')
    return parse_vector (self, result, share, type, bits, most, operand);
  operand->elements = ptx_module_alloc (self->module, sizeof (guint32));
  operand->count = 1;
  if (!parse_element (self, result, type, bits, most, operand))
    return FALSE;
  operand->elements[0] = operand->slot;
  return TRUE;
}

/* Parses "[%rd1+8]", "[name+8]" or "[4096]". */
static gboolean
parse_address (PtxParser *self, PtxOperand *operand)
{
  return ptx_lexer_expect (&self->lexer, '[') && parse_source (self, PTX_NONE, 32, 64, operand)
         && parse_offset (self, &operand->offset) && ptx_lexer_expect (&self->lexer, ']');
}

/* Parses "[%rd1, {%r1, %r2}]": the address of the map, then its elements. */
static gboolean
parse_coordinates (PtxParser *self, PtxOperand *operand)
{
  return ptx_lexer_expect (&self->lexer, '[') && parse_source (self, PTX_U64, 64, 64, operand)
         && ptx_lexer_expect (&self->lexer, ',')
         && parse_vector (self, FALSE, FALSE, PTX_B32, 32, 32, operand)
         && ptx_lexer_expect (&self->lexer, ']');
}

static gboolean
parse_label (PtxParser *self)
{
  g_autofree char *name = NULL;
  guint line = self->lexer.token.line;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  ptx_scope_add_fixup (self, name, -1, line);
  return TRUE;
}

static gboolean
parse_targets (PtxParser *self, PtxInstruction *in)
{
  guint line = self->lexer.token.line;
  g_autofree char *name = NULL;
  if (!ptx_lexer_take_word (&self->lexer, &name))
    return FALSE;
  const PtxSymbol *symbol = ptx_scope_find (self, name);
  if (symbol == NULL || symbol->kind != PTX_SYMBOL_TARGETS)
    return ptx_lexer_fail (
        &self->lexer, line, HEDDLE_PTX_ERROR_SYNTAX, _ ("“%s” is not a list of branch targets"), name);
  in->n_targets = g_strv_length (symbol->targets);
  in->targets = ptx_module_alloc (self->module, in->n_targets * sizeof (guint32));
  for (guint i = 0; i < in->n_targets; i++)
    ptx_scope_add_fixup (self, symbol->targets[i], (gint) i, line);
  return TRUE;
}

/* Reads one operand of the kind that the letter @kind means. */
gboolean
ptx_operand_parse (PtxParser *self, PtxInstruction *in, char kind, PtxOperand *operand)
{
  guint bits = ptx_type_bits (in->type), bits2 = ptx_type_bits (in->type2);
  operand->second = PTX_NO_SLOT;
  switch (kind)
    {
    case 'a':
      return parse_source (self, in->type, bits, bits, operand);
    case 'b':
      return parse_source (self, in->type2, bits2, bits2, operand);
    case 'A':
      return parse_source (self, PTX_NONE, 2 * bits, 2 * bits, operand);
    case 'B':
      return parse_source (self, in->type2, bits2, 64, operand);
    case 'u':
      return parse_source (self, PTX_U32, 32, 32, operand);
    case 'q':
      return parse_source (self, PTX_U64, 64, 64, operand);
    case 'p':
      return parse_predicate (self, operand);
    case 'N':
      return parse_tuple (self, FALSE, TRUE, in->type, bits, bits, operand);
    case 'W':
      return parse_tuple (self, FALSE, FALSE, in->type, bits, 64, operand);
    case 'd':
      return parse_result (self, bits, bits, &operand->slot, &operand->bits);
    case 'D':
      return parse_result (self, 2 * bits, 2 * bits, &operand->slot, &operand->bits);
    case 'x':
      return parse_result (self, bits, 64, &operand->slot, &operand->bits);
    case 'U':
      return parse_result (self, 32, 32, &operand->slot, &operand->bits);
    case 'e':
      return parse_pair (self, 32, operand);
    case 'P':
      return parse_result (self, 1, 1, &operand->slot, &operand->bits);
    case 'Q':
      return parse_pair (self, 1, operand);
    case 'M':
      return parse_tuple (self, TRUE, TRUE, in->type, bits, bits, operand);
    case 'V':
      return parse_tuple (self, TRUE, FALSE, in->type, bits, 64, operand);
    case 'S':
      return parse_tuple (self, FALSE, FALSE, PTX_B32, 32, 32, operand);
    case 'R':
      return parse_tuple (self, TRUE, FALSE, PTX_B32, 32, 32, operand);
    case 'F': /* a factor of a product: registers, or what describes it in shared memory */
      return ptx_operand_parse (self, in, self->lexer.token.kind == '{' ? 'S' : 'q', operand);
    case 'h': /* 16 bits, as blocks of a cluster */
      return parse_source (self, PTX_U16, 16, 16, operand);
    case 'f':
      return parse_source (self, PTX_F32, 32, 32, operand);
    case 'm':
      return parse_address (self, operand);
    case 'C':
      return parse_coordinates (self, operand);
    case 't':
      return parse_label (self);
    default:
      g_assert (kind == 'T');
      return parse_targets (self, in);
    }
}
