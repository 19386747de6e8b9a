/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/call.h"
#include "codegen/ptx/instruction.h"
#include "codegen/ptx/lexer.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/operand.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/scope.h"
#include "codegen/ptx/table.h"

/* Returns whether the letter is that of an operand that an instruction writes; see operand.c. */
static gboolean
is_result (char kind)
{
  return strchr ("dDxUePQMVR", kind) != NULL;
}

/* Returns how many operands stand before the semicolon: the number of commas outside brackets, plus one. */
static gboolean
count_operands (PtxParser *self, guint *count)
{
  PtxLexer ahead = self->lexer;
  gint depth = 0;
  *count = ahead.token.kind == ';' ? 0 : 1;
  while (ahead.token.kind != ';')
    {
      guint kind = ahead.token.kind;
      if (kind == PTX_TOKEN_END)
        return ptx_lexer_unexpected (&ahead, "“;”");
      depth += (kind == '[' || kind == '{' || kind == '(') - (kind == ']' || kind == '}' || kind == ')');
      *count += kind == ',' && depth == 0;
      if (!ptx_lexer_next (&ahead))
        return FALSE;
    }
  return TRUE;
}

/* Returns, of the operand lists "Qaa/Qaap", the one with @count letters; NULL if there is none. */
static const char *
choose_operands (const char *lists, guint count)
{
  for (const char *list = lists; list != NULL;)
    {
      if (strcspn (list, "/") == count)
        return list;
      list = strchr (list, '/');
      if (list != NULL)
        list++;
    }
  return NULL;
}

static void
note (GArray *list, guint32 slot)
{
  if (slot != PTX_NO_SLOT && PTX_SLOT_BASE (slot) == PTX_BASE_REGISTER)
    g_array_append_val (list, slot);
}

static void
note_operand (GArray *list, const PtxOperand *operand)
{
  if (operand->count == 0)
    note (list, operand->slot);
  for (guint i = 0; i < operand->count; i++)
    note (list, operand->elements[i]);
}

static guint32 *
keep_list (PtxParser *self, const GArray *list, guint16 *count)
{
  *count = (guint16) list->len;
  guint32 *copy = ptx_module_alloc (self->module, list->len * sizeof (guint32));
  if (list->len > 0)
    memcpy (copy, list->data, list->len * sizeof (guint32));
  return copy;
}

/* Records which registers the instruction reads and writes, so that reads of what was never written are
 * noticed. */
static void
note_registers (PtxParser *self, PtxInstruction *in, const char *kinds)
{
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) writes = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < in->n_operands; i++)
    {
      const PtxOperand *operand = &in->operands[i];
      if (strchr ("tT", kinds[i]) != NULL)
        continue;
      note_operand (is_result (kinds[i]) ? writes : reads, operand);
      note (writes, operand->second);
    }
  in->reads = keep_list (self, reads, &in->n_reads);
  in->writes = keep_list (self, writes, &in->n_writes);
}

static gboolean
parse_operands (PtxParser *self, PtxInstruction *in)
{
  guint count;
  if (!count_operands (self, &count))
    return FALSE;
  const char *kinds = choose_operands (in->row->operands, count);
  if (kinds == NULL)
    return ptx_lexer_fail (&self->lexer, in->line, HEDDLE_PTX_ERROR_SYNTAX,
        _ ("“%s” does not take %u operands"), in->row->name, count);
  in->n_operands = (guint16) count;
  in->operands = ptx_module_alloc (self->module, count * sizeof (PtxOperand));
  for (guint i = 0; i < count; i++)
    if ((i > 0 && !ptx_lexer_expect (&self->lexer, ','))
        || !ptx_operand_parse (self, in, kinds[i], &in->operands[i]))
      return FALSE;
  note_registers (self, in, kinds);
  return TRUE;
}

/* Checks that a vector of a load or store has as many elements as the modifier says. */
static gboolean
check_vector (PtxParser *self, const PtxInstruction *in)
{
  if ((in->row->modifiers & PTX_M (VECTOR)) == 0)
    return TRUE;
  guint wanted = MAX (in->modifier[PTX_VECTOR], 1);
  guint bytes = wanted * ptx_type_bits (in->type) / 8;
  for (guint i = 0; i < in->n_operands; i++)
    if (in->operands[i].count != 0 && in->operands[i].count != wanted)
      return ptx_lexer_fail (&self->lexer, in->line, HEDDLE_PTX_ERROR_SYNTAX,
          _ ("a vector of %u where %u are expected"), in->operands[i].count, wanted);
  if (bytes > 32)
    return ptx_lexer_fail (
        &self->lexer, in->line, HEDDLE_PTX_ERROR_SYNTAX, _ ("an access of %u bytes"), bytes);
  return TRUE;
}

/* Parses "@%p1" and "@!%p1". */
static gboolean
parse_guard (PtxParser *self, PtxInstruction *in)
{
  gboolean guarded, negated;
  guint bits;
  g_autofree char *name = NULL;
  if (!ptx_lexer_accept (&self->lexer, '@', &guarded))
    return FALSE;
  if (!guarded)
    return TRUE;
  if (!ptx_lexer_accept (&self->lexer, '!', &negated) || !ptx_lexer_take_word (&self->lexer, &name)
      || !ptx_scope_register (self, name, &in->guard, &bits))
    return FALSE;
  in->guarded = negated ? 2 : 1;
  if (bits != 1)
    return ptx_lexer_fail (
        &self->lexer, in->line, HEDDLE_PTX_ERROR_SYNTAX, _ ("“%s” is not a predicate"), name);
  return TRUE;
}

/* Records where the text of the statement ends, for messages. */
static void
note_text (PtxParser *self, PtxInstruction *in, const char *start)
{
  in->text = (guint32) (start - self->lexer.text);
  in->text_length = (guint32) (self->lexer.token.start - start);
}

static gboolean
fail_opcode (PtxParser *self, const char *start, guint line, const char *problem)
{
  gsize left = self->lexer.end - start;
  gsize length = 0;
  while (length < MIN (left, 120) && start[length] != ';' && start[length] != '\n')
    length++;
  g_autofree char *text = g_utf8_make_valid (start, length);
  return ptx_lexer_fail (&self->lexer, line, HEDDLE_PTX_ERROR_UNKNOWN, "%s: %s", problem, text);
}

/* Reads one instruction, with its guard and its semicolon, into the current function. */
gboolean
ptx_instruction_parse (PtxParser *self)
{
  const char *start = self->lexer.token.start;
  PtxInstruction in = { .guard = PTX_NO_SLOT, .line = self->lexer.token.line };
  g_autofree char *opcode = NULL;
  g_autofree char *problem = NULL;

  if (!parse_guard (self, &in))
    return FALSE;
  opcode = ptx_lexer_word (&self->lexer);
  if (self->lexer.token.kind != PTX_TOKEN_WORD)
    return ptx_lexer_unexpected (&self->lexer, _ ("an instruction"));
  in.row = ptx_table_find (opcode, &in, &problem);
  if (in.row == NULL)
    return fail_opcode (self, start, in.line, problem);
  in.execute = in.row->execute;
  in.class = ptx_table_class (in.row);
  if (in.class == HEDDLE_PTX_MEMORY && in.modifier[PTX_SPACE] == PTX_PARAM)
    in.class = HEDDLE_PTX_ARITHMETIC; /* parameters are constants */
  if (!ptx_lexer_next (&self->lexer))
    return FALSE;
  gboolean call = g_str_equal (in.row->name, "call");
  if (!(call ? ptx_call_parse (self, &in) : parse_operands (self, &in)) || !check_vector (self, &in))
    return FALSE;
  note_text (self, &in, start);
  g_array_append_val (self->function->code, in);
  return ptx_lexer_expect (&self->lexer, ';');
}
