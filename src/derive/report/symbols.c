/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/report/symbols.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/print.h"

/* The size of an axis that has none, for as long as formulas are made: larger than any label is likely to be, and small
 * enough that products of a few of them have 64 bits. */
#define ASSUMED (G_GINT64_CONSTANT (1) << 16)

static char *
name_leaf (const HeddleExpr *leaf, gpointer diagram)
{
  const HeddleAxis *axis = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_SIZE
                               ? heddle_diagram_get_axis (diagram, heddle_expr_get_symbol (leaf))
                               : NULL;

  return axis != NULL ? g_strdup (axis->name) : NULL;
}

char *
heddle_costs_symbolic (const HeddleDiagram *diagram, const HeddleExpr *expr)
{
  return expr != NULL ? heddle_expr_to_string (expr, name_leaf, (gpointer) diagram) : NULL;
}

/* --- sizes that are not given ------------------------------------------------------------------- */

static void
note_first (const char *axis, const char *message, gpointer data)
{
  const char **first = data;

  if (*first == NULL)
    *first = axis;
}

static GHashTable *
copy_overrides (GHashTable *overrides)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name, size;

  if (overrides == NULL)
    return copy;
  g_hash_table_iter_init (&iter, overrides);
  while (g_hash_table_iter_next (&iter, &name, &size))
    g_hash_table_insert (copy, g_strdup (name), g_memdup2 (size, sizeof (gint64)));
  return copy;
}

/* Returns the sizes of all axes, one after the other assumed where none is given and none follows; NULL where a size that
 * is given is none. */
static HeddleSizes *
assume_sizes (const HeddleDiagram *diagram, GHashTable *overrides)
{
  const gint64 size = ASSUMED;
  g_autoptr (GHashTable) all = copy_overrides (overrides);

  for (guint i = 0; i <= diagram->axes->len; i++)
    {
      const char *missing = NULL;
      g_autoptr (HeddleSizes) sizes = heddle_sizes_resolve (diagram, all, note_first, &missing);
      const HeddleAxis *axis = missing != NULL ? heddle_diagram_get_axis (diagram, missing) : NULL;

      if (missing == NULL)
        return g_steal_pointer (&sizes);
      if (axis == NULL || axis->name == NULL || axis->size != NULL
          || !g_hash_table_insert (all, g_strdup (axis->name), g_memdup2 (&size, sizeof size)))
        return NULL;
    }
  return NULL;
}

/* --- kernels ---------------------------------------------------------------------------------- */

static void
add_kernel (GString *text, const HeddleDiagram *diagram, const HeddleKernel *kernel, gboolean alone)
{
  const HeddleLevelCost *level = kernel->levels->len > 0 ? g_ptr_array_index (kernel->levels, 0) : NULL;
  g_autofree char *moved = level != NULL ? heddle_costs_symbolic (diagram, level->transfer_symbolic) : NULL;
  g_autofree char *held = level != NULL && kernel->labels->len > 0
                              ? heddle_costs_symbolic (diagram, level->memory_symbolic)
                              : NULL;

  g_string_append (text, text->len > 0 ? "\n" : "");
  if (!alone)
    g_string_append_printf (text, "%s: ", kernel->title);
  if (moved == NULL)
    g_string_append (text, "–");
  else if (held == NULL)
    g_string_append (text, moved);
  else
    g_string_append_printf (text, _ ("%s; held: %s"), moved, held);
}

char *
heddle_prices_symbolic (const HeddleDiagram *diagram, const HeddleSchedule *schedule, GHashTable *overrides,
    const HeddleDeriveOptions *options, guint most)
{
  HeddleDeriveOptions own = *options;
  g_autoptr (HeddleSizes) sizes = assume_sizes (diagram, overrides);
  g_autoptr (HeddleDerivation) derivation = NULL;
  GString *text = NULL;

  own.suggest = FALSE;
  own.product_shares = NULL;
  if (sizes != NULL)
    derivation = heddle_derive (diagram, schedule, sizes, &own, NULL, NULL);
  if (derivation == NULL || derivation->kernels->len == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < MIN (derivation->kernels->len, most); i++)
    add_kernel (text, heddle_derivation_diagram (derivation, diagram),
        g_ptr_array_index (derivation->kernels, i), derivation->kernels->len == 1);
  if (derivation->kernels->len > most)
    g_string_append (text, "\n…");
  return g_string_free (text, FALSE);
}
