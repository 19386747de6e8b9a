/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "diagram/expression/kind.h"
#include "diagram/graph/name.h"
#include "diagram/graph/operation-table.h"

#define MAX_NAME_BYTES 256

static const char *const reserved[] = { "axis", "param", "def", "shared", "inf", "and", "or", "not", "where",
  "concat", "size", "index", "mean", "argmax", "cumsum", "topk" };

static const char *
skip_letters (const char *p)
{
  while (g_ascii_isalpha (*p))
    p++;
  return p;
}

static const char *
skip_alnum (const char *p)
{
  while (g_unichar_isalnum (g_utf8_get_char (p)))
    p = g_utf8_next_char (p);
  return p;
}

/* Skips "_{ … }" or "_word"; returns NULL if it is neither. */
static const char *
skip_subscript (const char *p)
{
  if (*++p != '{')
    {
      const char *end = skip_alnum (p);
      return end > p ? end : NULL;
    }
  int depth = 0;
  for (; *p != '\0' && (guchar) *p >= ' '; p++)
    {
      depth += (*p == '{') - (*p == '}');
      if (depth == 0)
        return p + 1;
    }
  return NULL;
}

/* Returns the end of part = ["\\word "] ["\\"] letter {alnum} ["_" ("{" … "}" | alnum+)] {"'"}, or NULL. */
static const char *
skip_part (const char *p)
{
  if (*p == '\\')
    {
      const char *space = skip_letters (p + 1);
      if (space > p + 1 && *space == ' ')
        p = space + 1;
    }
  p += *p == '\\';
  if (!g_unichar_isalpha (g_utf8_get_char (p)))
    return NULL;
  p = skip_alnum (p);
  if (*p == '_' && (p = skip_subscript (p)) == NULL)
    return NULL;
  while (*p == '\'')
    p++;
  return p;
}

/* Returns whether the name follows NAME = part {"." [digits "."] part}: what is within a call is named after
 * the call's result. */
static gboolean
follows_grammar (const char *name)
{
  const char *p = skip_part (name);
  while (p != NULL && *p == '.')
    {
      const char *digits = p + 1 + strspn (p + 1, "0123456789");
      p = skip_part (digits > p + 1 && *digits == '.' ? digits + 1 : p + 1);
    }
  return p != NULL && *p == '\0';
}

static gboolean
is_reserved (const char *name)
{
  HeddleExprKind kind;
  for (guint i = 0; i < G_N_ELEMENTS (reserved); i++)
    if (strcmp (name, reserved[i]) == 0)
      return TRUE;
  for (guint arity = 1; arity <= 3; arity++)
    if (heddle_expr_kind_from_function (name, arity, &kind))
      return TRUE;
  const HeddleOperationKind *row = heddle_operation_kind (name);
  return row != NULL && row->form != HEDDLE_FORM_MAP && row->form != HEDDLE_FORM_CONTRACT
         && row->form != HEDDLE_FORM_REINDEX && row->form != HEDDLE_FORM_CALL;
}

gboolean
heddle_name_is_valid (const char *name, char **why)
{
  char *reason = NULL;
  if (name == NULL || *name == '\0')
    reason = g_strdup (_ ("A name is needed"));
  else if (!g_utf8_validate (name, -1, NULL))
    reason = g_strdup (_ ("The name is not valid UTF-8"));
  else if (strlen (name) > MAX_NAME_BYTES)
    reason = g_strdup_printf (_ ("A name has at most %d bytes"), MAX_NAME_BYTES);
  else if (!follows_grammar (name))
    reason = g_strdup_printf (_ ("“%s” cannot be a name: a name is a letter, then letters or digits, such as "
                                 "x, \\bar x, c_{i+1} or W'"),
        name);
  else if (is_reserved (name))
    reason = g_strdup_printf (_ ("“%s” already means something in equations"), name);
  gboolean valid = reason == NULL;
  if (why != NULL)
    *why = reason;
  else
    g_free (reason);
  return valid;
}
