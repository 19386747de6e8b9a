/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/lexer.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

/* The parser of PTX: a lexer, the module that is filled, the function that is read, and the stack of scopes. It
 * owns the scopes alone; all that it makes belongs to the module. */

/* The bounds on what a text may ask for, so that a hostile one cannot exhaust memory. */
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

/* The meaning of a name. @slots holds for each member of a range one more than its slot, 0 before the first
 * use. */
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

/* Parses @length bytes of PTX, or up to the zero byte where @length is negative. The caller frees the module,
 * which keeps a copy of the text. Returns NULL with a HEDDLE_PTX_ERROR that names the line where the text is
 * wrong, too long, or has an instruction that the interpreter does not know. */
HeddlePtxModule *heddle_ptx_module_new (const char *text, gssize length, GError **error);
