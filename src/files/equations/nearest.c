/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "diagram/base/texts.h"
#include "diagram/expression/kind.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/nearest.h"

/* The greatest number of letters: a longer name is none that somebody mistyped. */
#define LONGEST 40

static gpointer
collect_functions (gpointer unused)
{
  GPtrArray *names = g_ptr_array_new ();
  guint n;
  const HeddleOperationKind *table = heddle_operation_table (&n);

  for (guint i = 0; i < n; i++)
    if (table[i].form != HEDDLE_FORM_MAP && table[i].form != HEDDLE_FORM_CONTRACT
        && table[i].form != HEDDLE_FORM_REINDEX)
      g_ptr_array_add (names, (gpointer) table[i].id);
  for (guint i = 0; i < HEDDLE_N_EXPR_KINDS; i++)
    {
      const HeddleExprKindInfo *info = heddle_expr_kind_info (i);

      if (info->is_function && !g_ptr_array_find_with_equal_func (names, info->name, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) info->name);
    }
  g_ptr_array_sort (names, heddle_texts_compare);
  return names;
}

const GPtrArray *
heddle_equations_get_functions (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, collect_functions, NULL);
}

/* Returns the distance of Damerau and Levenshtein, in which no part is changed twice, of @a and @b with at
 * most LONGEST bytes. */
static guint
get_distance (const char *a, const char *b)
{
  guint rows[LONGEST + 1][LONGEST + 1];
  const guint n = strlen (a), m = strlen (b);

  for (guint i = 0; i <= n; i++)
    for (guint j = 0; j <= m; j++)
      {
        guint least = i == 0 ? j : j == 0 ? i : rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

        if (i > 0)
          least = MIN (least, rows[i - 1][j] + 1);
        if (j > 0)
          least = MIN (least, rows[i][j - 1] + 1);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          least = MIN (least, rows[i - 2][j - 2] + 1);
        rows[i][j] = least;
      }
  return rows[n][m];
}

const char *
heddle_equations_find_nearest (const char *name, const GPtrArray *names)
{
  const gsize length = strlen (name);
  guint least = length >= 5 ? 3 : 2;
  const char *nearest = NULL;

  g_return_val_if_fail (names != NULL, NULL);

  if (length < 3 || length > LONGEST)
    return NULL;
  for (guint i = 0; i < names->len; i++)
    {
      const char *other = g_ptr_array_index (names, i);
      const gsize other_length = strlen (other);
      guint distance = G_MAXUINT;

      if (MAX (length, other_length) - MIN (length, other_length) < least && other_length <= LONGEST)
        distance = get_distance (name, other);
      if (distance >= least)
        continue;
      least = distance;
      nearest = other;
    }
  return nearest;
}
