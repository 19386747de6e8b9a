/* SPDX-License-Identifier: MIT */
#include "derive/suggest/fusion.h"
#include "derive/suggest/order-ideals.h"

/* The greatest number of order ideals; diagrams of many operations side by side have more than can be
 * visited. */
#define MAX_IDEALS 4096

static guint64
bit (guint i)
{
  return G_GUINT64_CONSTANT (1) << i;
}

static gboolean
share_a_value (const HeddleOperation *a, const HeddleOperation *b)
{
  for (guint i = 0; i < a->operands->len; i++)
    if (heddle_ids_contain (b->operands, heddle_ids_index (a->operands, i)))
      return TRUE;
  return FALSE;
}

static void
relate (HeddleOrderIdeals *self, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; k < i; k++)
      {
        const HeddleOperation *late = g_ptr_array_index (diagram->operations, self->first + i);
        const HeddleOperation *early = g_ptr_array_index (diagram->operations, self->first + k);
        gboolean reads = heddle_ids_contain (late->operands, early->result);

        if (reads)
          self->before[i] |= bit (k);
        if (!reads && !share_a_value (late, early))
          continue;
        self->beside[i] |= bit (k);
        self->beside[k] |= bit (i);
      }
}

guint
heddle_order_ideals_hash_set (gconstpointer set)
{
  /* the golden ratio times 2^64, as of Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4) */
  return (guint) (*(const guint64 *) set * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 32);
}

/* Adds to @set each operation that it lets run. Returns FALSE if there are too many. */
static gboolean
grow (HeddleOrderIdeals *self, GHashTable *known, guint64 set)
{
  for (guint i = 0; i < self->n; i++)
    {
      guint64 larger = set | bit (i);

      if ((set & bit (i)) != 0 || (self->before[i] & ~set) != 0)
        continue;
      if (g_hash_table_contains (known, &larger))
        continue;
      if (self->ideals->len == MAX_IDEALS)
        return FALSE;
      g_hash_table_add (known, g_memdup2 (&larger, sizeof larger));
      g_array_append_val (self->ideals, larger);
    }
  return TRUE;
}

static void
enumerate (HeddleOrderIdeals *self)
{
  g_autoptr (GHashTable) known
      = g_hash_table_new_full (heddle_order_ideals_hash_set, g_int64_equal, g_free, NULL);
  guint64 none = 0;

  g_array_append_val (self->ideals, none);
  self->all = TRUE;
  for (guint i = 0; self->all && i < self->ideals->len; i++)
    self->all = grow (self, known, g_array_index (self->ideals, guint64, i));
  if (self->all)
    return;
  g_array_set_size (self->ideals, 1);
  for (guint i = 0; i < self->n; i++)
    {
      guint64 next = g_array_index (self->ideals, guint64, i) | bit (i);

      g_array_append_val (self->ideals, next);
    }
}

HeddleOrderIdeals *
heddle_order_ideals_new (const HeddleDiagram *diagram, guint first, guint n)
{
  HeddleOrderIdeals *self = g_new0 (HeddleOrderIdeals, 1);

  g_assert (n <= HEDDLE_MAX_WINDOW && first + n <= diagram->operations->len);
  self->first = first;
  self->n = n;
  self->before = g_new0 (guint64, MAX (self->n, 1));
  self->beside = g_new0 (guint64, MAX (self->n, 1));
  self->ideals = g_array_new (FALSE, FALSE, sizeof (guint64));
  relate (self, diagram);
  enumerate (self);
  return self;
}

void
heddle_order_ideals_free (HeddleOrderIdeals *self)
{
  g_free (self->before);
  g_free (self->beside);
  g_array_unref (self->ideals);
  g_free (self);
}

gboolean
heddle_order_ideals_is_connected (const HeddleOrderIdeals *self, guint64 set)
{
  guint64 reached = set & (~set + 1), before = 0;

  while (reached != before)
    {
      guint64 fresh = reached & ~before;

      before = reached;
      for (; fresh != 0; fresh &= fresh - 1)
        reached |= self->beside[__builtin_ctzll (fresh)] & set;
    }
  return reached == set;
}
