/* SPDX-License-Identifier: MIT */
#pragma once

/* The lexer splits PTX into tokens and looks one token ahead. The text is the caller's and must outlive the
 * lexer; the first error is kept where @error of the lexer points. */

/* The kinds of token besides the punctuation marks, which stand for themselves. */
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

/* Sets the lexer to the start of @text, @length bytes that it does not own, and reads the first token. Errors
 * go to @error. Returns FALSE where the first token is wrong. */
gboolean ptx_lexer_init (PtxLexer *self, const char *text, gsize length, GError **error);

/* Skips blanks and comments and reads the next token; at the end of the text it has the kind PTX_TOKEN_END.
 * Returns FALSE, with the error set, at a character that PTX does not use or a string or comment that does not
 * end. */
gboolean ptx_lexer_next (PtxLexer *self);

/* Drops the rest of the line that the present token is in, and reads the first token after it. Returns FALSE,
 * with the error set, where that token is wrong. */
gboolean ptx_lexer_skip_line (PtxLexer *self);

/* Moves past the present token, which must be of @kind. Returns FALSE, with a syntax error set, where it is
 * another. */
gboolean ptx_lexer_expect (PtxLexer *self, guint kind);

/* Moves past the present token if it is of @kind, and tells in @accepted if it was. Returns FALSE, with the
 * error set, only where the token after it is wrong. */
gboolean ptx_lexer_accept (PtxLexer *self, guint kind, gboolean *accepted);

/* Returns whether the present token is exactly the word @word. */
gboolean ptx_lexer_is (const PtxLexer *self, const char *word);

/* Returns a copy of the text of the present token, of whatever kind; the caller frees it. */
char *ptx_lexer_word (const PtxLexer *self);

/* Puts a copy of the present word into @word, which the caller frees, and moves past it. Returns FALSE, with
 * the error set, where no word stands or the next token is wrong; the copy must be freed in the latter case
 * too. */
gboolean ptx_lexer_take_word (PtxLexer *self, char **word);

/* Reads a number in C's notation, of at most @most, into @number, and moves past it. Returns FALSE with a
 * syntax error where no number stands, and with HEDDLE_PTX_ERROR_LIMIT where it is more than @most. */
gboolean ptx_lexer_take_number (PtxLexer *self, guint64 most, guint64 *number);

/* Sets the error to a message that names line @line, with code @code of HeddlePtxError. Always returns FALSE,
 * so that a parser can return it. */
gboolean ptx_lexer_fail (PtxLexer *self, guint line, int code, const char *format, ...) G_GNUC_PRINTF (4, 5);

/* Sets a syntax error that tells what stands at the present token, and that @wanted should. Always returns
 * FALSE. */
gboolean ptx_lexer_unexpected (PtxLexer *self, const char *wanted);
