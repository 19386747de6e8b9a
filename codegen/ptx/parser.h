/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/lexer.h"
#include "codegen/ptx/module.h"

G_BEGIN_DECLS

/* Bounds on what a text may ask for, so that a hostile one cannot exhaust memory. */
#define PTX_MOST_TEXT (8u << 20)
#define PTX_MOST_RANGE (1u << 20)
#define PTX_MOST_RANGES (1u << 22)
#define PTX_MOST_REGISTERS (1u << 17)
#define PTX_MOST_VARIABLE (64u << 20)
#define PTX_MOST_VARIABLES (256u << 20)
#define PTX_MOST_PARAMETERS 32764u
#define PTX_MOST_DEPTH 64
#define PTX_MOST_NAMES 4096u
#define PTX_MOST_VECTOR 256
#define PTX_MOST_OPERANDS 8

typedef enum
{
  PTX_SYMBOL_REGISTER,
  PTX_SYMBOL_RANGE,
  PTX_SYMBOL_VARIABLE,
  PTX_SYMBOL_KERNEL_PARAMETER,
  PTX_SYMBOL_CALL_PARAMETER,
  PTX_SYMBOL_LOCAL,
  PTX_SYMBOL_FUNCTION,
  PTX_SYMBOL_PROTOTYPE,
  PTX_SYMBOL_TARGETS,
} PtxSymbolKind;

/* What a name stands for. @slots: of the members of a range, one more than the slot, 0 before the first use. */
typedef struct
{
  PtxSymbolKind kind;
  guint bits;
  guint32 slot;
  guint32 count;
  guint32 *slots;
  gsize offset;
  gsize size;
  PtxVariable *variable;
  PtxFunction *function;
  char **targets;
} PtxSymbol;

/* A branch whose label may come later. @place: which of several targets, -1 for the only one. */
typedef struct
{
  guint32 instruction;
  gint place;
  guint line;
  char *label;
} PtxFixup;

typedef struct _PtxScope PtxScope;
struct _PtxScope
{
  PtxScope *parent;
  guint depth;
  GHashTable *symbols;
  GHashTable *labels;
  GArray *fixups;
};

typedef struct
{
  PtxLexer lexer;
  HeddlePtxModule *module;
  PtxFunction *function;
  PtxScope *scope;
  GHashTable *values;
  guint32 ranges;
  gsize variable_bytes;
} PtxParser;

gboolean ptx_scope_push (PtxParser *self);
gboolean ptx_scope_pop (PtxParser *self);
void ptx_scope_free_all (PtxParser *self);
PtxSymbol *ptx_scope_add (PtxParser *self, const char *name, PtxSymbolKind kind);
PtxSymbol *ptx_scope_find (PtxParser *self, const char *name);
gboolean ptx_scope_register (PtxParser *self, const char *name, guint32 *slot, guint *bits);
gboolean ptx_scope_add_label (PtxParser *self, const char *name, guint line);
void ptx_scope_add_fixup (PtxParser *self, const char *label, gint place, guint line);
gboolean ptx_parser_new_register (PtxParser *self, guint32 *slot);
guint32 ptx_parser_constant (PtxParser *self, guint64 value);
guint32 ptx_parser_address (PtxParser *self, const PtxVariable *variable, guint64 offset);

gboolean ptx_special_find (const char *name, guint32 *slot, guint *bits);

gboolean ptx_literal_parse (const char *word, gboolean negative, PtxType type, guint bits, guint64 *value);

gboolean ptx_operand_parse (PtxParser *self, PtxInstruction *in, char kind, PtxOperand *operand);
gboolean ptx_operand_symbol (PtxParser *self, const PtxSymbol *symbol, gint64 offset, guint32 *slot);

gboolean ptx_instruction_parse (PtxParser *self);
gboolean ptx_call_parse (PtxParser *self, PtxInstruction *in);

gboolean ptx_parse_parameters (PtxParser *self, PtxSymbolKind kind, GArray *list, gsize *bytes);
gboolean ptx_parse_register_declaration (PtxParser *self);
gboolean ptx_parse_call_parameter (PtxParser *self);
gboolean ptx_parse_variable (PtxParser *self, gboolean external);
gboolean ptx_parse_function (PtxParser *self, gboolean entry);
gboolean ptx_parser_run (PtxParser *self);
gboolean ptx_parse_body (PtxParser *self);

G_END_DECLS
