/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/ptx/literal.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/number.h"

static guint64
truncate_to (guint64 value, guint bits)
{
  return bits >= 64 ? value : value & ((G_GUINT64_CONSTANT (1) << bits) - 1);
}

/* Converts a real number to bits of @type; an untyped place takes the bits as they were written. */
static gboolean
real_bits (double real, PtxType type, guint64 *value)
{
  if (type == PTX_F32)
    *value = ptx_float_bits ((float) real);
  else if (type == PTX_F64)
    *value = ptx_double_bits (real);
  else
    return FALSE;
  return TRUE;
}

/* Parses 0f3F800000 and 0d3FF0000000000000: the bits of a float and of a double. */
static gboolean
parse_hexadecimal_float (const char *word, PtxType type, guint bits, guint64 *value)
{
  gboolean single = g_ascii_tolower (word[1]) == 'f';
  gsize digits = single ? 8 : 16;
  if (strlen (word) != 2 + digits || strspn (word + 2, "0123456789abcdefABCDEF") != digits)
    return FALSE;
  guint64 raw = g_ascii_strtoull (word + 2, NULL, 16);
  if (ptx_type_is_float (type) && bits >= 32)
    return real_bits (single ? (double) ptx_bits_float ((guint32) raw) : ptx_bits_double (raw), type, value);
  *value = raw;
  return bits == (single ? 32 : 64);
}

static gboolean
parse_integer (const char *word, guint64 *value)
{
  char *end = NULL;
  if (!g_ascii_isdigit (word[0]))
    return FALSE;
  if (word[0] == '0' && g_ascii_tolower (word[1]) == 'b' && word[2] != '\0')
    *value = g_ascii_strtoull (word + 2, &end, 2);
  else
    *value = g_ascii_strtoull (word, &end, 0);
  return *end == '\0' || g_str_equal (end, "U");
}

gboolean
ptx_literal_parse (const char *word, gboolean negative, PtxType type, guint bits, guint64 *value)
{
  char form = g_ascii_tolower (word[0] == '0' ? word[1] : '\0');
  if (form == 'f' || form == 'd')
    return !negative && parse_hexadecimal_float (word, type, bits, value);
  if (form != 'x' && strchr (word, '.') != NULL)
    {
      char *end = NULL;
      double real = g_ascii_strtod (word, &end);
      return *end == '\0' && real_bits (negative ? -real : real, type, value);
    }
  if (!parse_integer (word, value) || (ptx_type_is_float (type) && bits >= 32 && form != 'x'))
    return FALSE;
  *value = truncate_to (negative ? -*value : *value, bits);
  return TRUE;
}
