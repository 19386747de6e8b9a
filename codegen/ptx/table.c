/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/table.h"

/* The tables of instructions, each with its class. A table ends with a row that has no name; rows of one name
 * stand together. */
static const struct
{
  const PtxRow *rows;
  HeddlePtxClass class;
} tables[] = {
  { ptx_rows_integer, HEDDLE_PTX_ARITHMETIC },
  { ptx_rows_bits, HEDDLE_PTX_ARITHMETIC },
  { ptx_rows_float, HEDDLE_PTX_ARITHMETIC },
  { ptx_rows_special_functions, HEDDLE_PTX_SPECIAL },
  { ptx_rows_half, HEDDLE_PTX_ARITHMETIC },
  { ptx_rows_compare, HEDDLE_PTX_ARITHMETIC },
  { ptx_rows_convert, HEDDLE_PTX_ARITHMETIC },
  { ptx_rows_move, HEDDLE_PTX_ARITHMETIC },
  { ptx_rows_access, HEDDLE_PTX_MEMORY },
  { ptx_rows_atomic, HEDDLE_PTX_MEMORY },
  { ptx_rows_control, HEDDLE_PTX_CONTROL },
  { ptx_rows_lanes, HEDDLE_PTX_LANES },
  { ptx_rows_barrier, HEDDLE_PTX_BARRIER },
  { ptx_rows_cluster, HEDDLE_PTX_BARRIER },
  { ptx_rows_async, HEDDLE_PTX_MEMORY },
  { ptx_rows_matrix, HEDDLE_PTX_MEMORY },
  { ptx_rows_mma, HEDDLE_PTX_PRODUCT },
  { ptx_rows_wmma, HEDDLE_PTX_PRODUCT },
  { ptx_rows_wgmma, HEDDLE_PTX_PRODUCT },
  { ptx_rows_mbarrier, HEDDLE_PTX_BARRIER },
  { ptx_rows_bulk, HEDDLE_PTX_MEMORY },
  { ptx_rows_store, HEDDLE_PTX_MEMORY },
  { ptx_rows_tensor_map, HEDDLE_PTX_MEMORY },
  { ptx_rows_registers, HEDDLE_PTX_CONTROL },
};

/* Returns the class of a row. Fences, groups and waits for them stand in the tables of what they are for, and
 * are barriers. */
HeddlePtxClass
ptx_table_class (const PtxRow *row)
{
  if (strstr (row->name, "fence") != NULL || g_str_equal (row->name, "membar")
      || strstr (row->name, "_group") != NULL || g_str_has_prefix (row->name, "cp.async.wait"))
    return HEDDLE_PTX_BARRIER;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    for (const PtxRow *one = tables[i].rows; one->name != NULL; one++)
      if (one == row)
        return tables[i].class;
  g_assert_not_reached ();
}

/* Returns a map from each name to its rows. */
static GHashTable *
table_index (void)
{
  static gsize ready = 0;
  static GHashTable *index = NULL;
  if (g_once_init_enter (&ready))
    {
      index = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
      for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
        for (const PtxRow *row = tables[i].rows; row->name != NULL; row++)
          {
            GPtrArray *rows = g_hash_table_lookup (index, row->name);
            if (rows == NULL)
              {
                rows = g_ptr_array_new ();
                g_hash_table_insert (index, (gpointer) row->name, rows);
              }
            g_ptr_array_add (rows, (gpointer) row);
          }
      g_once_init_leave (&ready, 1);
    }
  return index;
}

/* Reads one word behind the name as a type or a modifier that @row allows. */
static gboolean
take_word (const PtxRow *row, const char *word, PtxInstruction *in)
{
  PtxModifier modifier;
  guint8 value;
  PtxType type = ptx_type_from_name (word);
  if (type != PTX_NONE && in->type == PTX_NONE && (row->types & 1u << type) != 0)
    {
      in->type = type;
      return TRUE;
    }
  if (type != PTX_NONE && in->type != PTX_NONE && in->type2 == PTX_NONE && (row->types2 & 1u << type) != 0)
    {
      in->type2 = type;
      return TRUE;
    }
  if (!ptx_modifier_find (word, row->modifiers | row->needs, &modifier, &value))
    return FALSE;
  /* A cache hint, an order and a scope may come in several words; xorsign comes with abs. */
  gboolean again
      = modifier == PTX_CACHE || modifier == PTX_ORDER || modifier == PTX_SCOPE || modifier == PTX_XORSIGN;
  if (in->modifier[modifier] != 0 && !again)
    return FALSE;
  in->modifier[modifier] = value;
  return TRUE;
}

/* Returns whether @words fit @row; @taken receives how many of them do. */
static gboolean
row_fits (const PtxRow *row, char **words, PtxInstruction *in, guint *taken)
{
  in->type = in->type2 = PTX_NONE;
  memset (in->modifier, 0, sizeof in->modifier);
  for (*taken = 0; words[*taken] != NULL; (*taken)++)
    if (!take_word (row, words[*taken], in))
      return FALSE;
  for (guint i = 0; i < PTX_N_MODIFIERS; i++)
    if ((row->needs & 1u << i) != 0 && in->modifier[i] == 0)
      return FALSE;
  return (row->types == 0 || in->type != PTX_NONE) && (row->types2 == 0 || in->type2 != PTX_NONE);
}

/* Returns the first row that fits. If none does, @wrong receives the word at which the row failed that came
 * furthest. */
static const PtxRow *
find_among (const GPtrArray *rows, char **words, PtxInstruction *in, const char **wrong)
{
  guint furthest = 0;
  for (guint i = 0; i < rows->len; i++)
    {
      guint taken = 0;
      if (row_fits (g_ptr_array_index (rows, i), words, in, &taken))
        return g_ptr_array_index (rows, i);
      furthest = MAX (furthest, taken);
    }
  *wrong = words[furthest];
  return NULL;
}

/* Returns why @words after @name were refused. */
static char *
describe (const char *name, const char *wrong)
{
  if (name == NULL)
    return g_strdup (_ ("unknown instruction"));
  if (wrong == NULL)
    return g_strdup_printf (_ ("“%s” lacks a type or a modifier"), name);
  return g_strdup_printf (_ ("“%s” with “.%s” is not supported"), name, wrong);
}

const PtxRow *
ptx_table_find (const char *opcode, PtxInstruction *in, char **problem)
{
  g_auto (GStrv) words = g_strsplit (opcode, ".", 24);
  g_autoptr (GString) name = g_string_new (opcode);
  g_autofree char *known = NULL;
  const char *wrong = NULL;

  for (guint n = g_strv_length (words); n > 0; n--)
    {
      const GPtrArray *rows = g_hash_table_lookup (table_index (), name->str);
      if (rows != NULL)
        {
          const char *word = NULL;
          const PtxRow *row = find_among (rows, words + n, in, &word);
          if (row != NULL)
            return row;
          if (known == NULL)
            {
              known = g_strdup (name->str);
              wrong = word;
            }
        }
      g_string_truncate (name, name->len - MIN (name->len, strlen (words[n - 1]) + 1));
    }
  *problem = describe (known, wrong);
  return NULL;
}
