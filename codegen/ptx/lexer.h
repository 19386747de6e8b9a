/* SPDX-License-Identifier: MIT */
#pragma once

G_BEGIN_DECLS

/* Kinds of token besides the punctuation marks, which stand for themselves. */
enum
{
  PTX_TOKEN_END = 0,
  PTX_TOKEN_WORD = 256,
  PTX_TOKEN_STRING,
};

/* A token is a piece of the text; a word is an opcode with its modifiers, a name, a directive or a number. */
typedef struct
{
  guint kind;
  const char *start;
  gsize length;
  guint line;
} PtxToken;

typedef struct
{
  const char *text;
  const char *position;
  const char *end;
  guint line;
  PtxToken token;
  GError **error;
} PtxLexer;

gboolean ptx_lexer_init (PtxLexer *self, const char *text, gsize length, GError **error);
gboolean ptx_lexer_next (PtxLexer *self);
gboolean ptx_lexer_skip_line (PtxLexer *self);
gboolean ptx_lexer_expect (PtxLexer *self, guint kind);
gboolean ptx_lexer_accept (PtxLexer *self, guint kind, gboolean *accepted);
gboolean ptx_lexer_is (const PtxLexer *self, const char *word);
char *ptx_lexer_word (const PtxLexer *self);
gboolean ptx_lexer_take_word (PtxLexer *self, char **word);
gboolean ptx_lexer_take_number (PtxLexer *self, guint64 most, guint64 *number);
gboolean ptx_lexer_fail (PtxLexer *self, guint line, int code, const char *format, ...) G_GNUC_PRINTF (4, 5);
gboolean ptx_lexer_unexpected (PtxLexer *self, const char *wanted);

G_END_DECLS
