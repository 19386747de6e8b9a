/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/diagram-private.h"
#include "diagram/graph/operation.h"

/* This file orders operations and values independently of the drawing. From the outputs down, what an
 * operation reads comes before it, in the order in which it is read; but of operations that are near each
 * other those with fewer statements before them come first, as queries, keys and values side by side before
 * what is made of two of them. That leaves open only the order of results that nobody reads; those go by
 * their names, and unnamed ones by how they are made. */

typedef struct
{
  const HeddleDiagram *diagram;
  guint8 *state; /* of each operation */
  GPtrArray *order; /* of the operations that are placed */
} Placing;

enum
{
  NEW,
  OPEN,
  PLACED
};

/* Returns the position of the operation that makes an operand; -1 if none does. */
static int
position_of (const HeddleDiagram *self, const char *operand)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self, operand);
  return producer != NULL ? heddle_diagram_index_of_operation (self, producer->id) : -1;
}

/* Puts what makes the operands on the stack, the first on top. Returns %FALSE if there is a cycle. */
static gboolean
open_operands (Placing *self, guint position, GArray *stack)
{
  const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, position);
  for (guint i = operation->operands->len; i-- > 0;)
    {
      int before = position_of (self->diagram, heddle_ids_index (operation->operands, i));
      if (before < 0 || self->state[before] == PLACED)
        continue;
      if (self->state[before] == OPEN)
        return FALSE;
      g_array_append_val (stack, before);
    }
  return TRUE;
}

/* Appends @position's operation to the order after what it reads from, without recursion. Returns %FALSE if
 * there is a cycle. */
static gboolean
place (Placing *self, guint position)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  if (self->state[position] == NEW)
    g_array_append_val (stack, position);
  while (stack->len > 0)
    {
      guint top = g_array_index (stack, guint, stack->len - 1), depth = stack->len;
      self->state[top] = self->state[top] == NEW ? OPEN : self->state[top];
      if (self->state[top] == OPEN && !open_operands (self, top, stack))
        return FALSE;
      if (stack->len > depth)
        continue;
      g_array_set_size (stack, depth - 1);
      if (self->state[top] != PLACED)
        g_ptr_array_add (self->order, g_ptr_array_index (self->diagram->operations, top));
      self->state[top] = PLACED;
    }
  return TRUE;
}

/* Puts @order, of all operations, in the place of the present one. */
static void
take_order (HeddleDiagram *self, const GPtrArray *order)
{
  if (order->len > 0)
    memcpy (self->operations->pdata, order->pdata, order->len * sizeof (gpointer));
  heddle_diagram_index_graph_changed (heddle_diagram_own_index (self));
}

gboolean
heddle_diagram_sort (HeddleDiagram *self)
{
  guint n = self->operations->len;
  g_autofree guint8 *state = g_new0 (guint8, MAX (n, 1));
  g_autoptr (GPtrArray) order = g_ptr_array_sized_new (n);
  Placing placing = { self, state, order };
  for (guint i = 0; i < n; i++)
    if (!place (&placing, i))
      return FALSE;
  take_order (self, order);
  return TRUE;
}

/* --- the same order for the same meaning ----------------------------------------- */

typedef struct
{
  const HeddleDiagram *diagram;
  GHashTable *makings; /* value id -> a number that says how it is made; NULL until it is asked for */
} Ordering;

static guint
making_of (Ordering *self, const HeddleValue *value)
{
  if (self->makings == NULL)
    self->makings = heddle_diagram_number_makings (self->diagram);
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->makings, value->id));
}

/* Compares values by name; those without a name come after all others. */
static int
compare_values (gconstpointer a, gconstpointer b, gpointer ordering)
{
  const HeddleValue *left = *(const HeddleValue *const *) a, *right = *(const HeddleValue *const *) b;
  if (left->name != NULL && right->name != NULL)
    return strcmp (left->name, right->name);
  if (left->name != NULL || right->name != NULL)
    return left->name != NULL ? -1 : 1;
  guint made = making_of (ordering, left), other = making_of (ordering, right);
  return (made > other) - (made < other);
}

/* Appends those of @values that @taken does not have yet, sorted. */
static void
append_sorted (Ordering *self, GPtrArray *values, GHashTable *taken, GPtrArray *to)
{
  g_ptr_array_sort_with_data (values, compare_values, self);
  for (guint i = 0; i < values->len; i++)
    if (g_hash_table_add (taken, g_ptr_array_index (values, i)))
      g_ptr_array_add (to, g_ptr_array_index (values, i));
}

static void
append_value (const HeddleDiagram *self, const char *id, GHashTable *taken, GPtrArray *to)
{
  gpointer value = (gpointer) heddle_diagram_get_value (self, id);
  if (value != NULL && g_hash_table_add (taken, value))
    g_ptr_array_add (to, value);
}

static const GArray *
operands_of (const HeddleDiagram *self, const HeddleValue *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self, value->id);
  return producer != NULL ? producer->operands : NULL;
}

/* Returns the list in @of that an operand belongs to by how it is made. */
static GPtrArray *
made_of (Ordering *self, GHashTable *of, const char *operand)
{
  gpointer making = GUINT_TO_POINTER (making_of (self, heddle_diagram_get_value (self->diagram, operand)));
  GPtrArray *list = g_hash_table_lookup (of, making);
  if (list == NULL)
    g_hash_table_insert (of, making, list = g_ptr_array_new ());
  return list;
}

/* Puts those of @unread, which are sorted, in @ends; values made of the same value are next to each other, as
 * keys and values of the same rows: with queries of others made in between, a kernel of them would hold both
 * rows. */
static void
append_together (Ordering *self, const GPtrArray *unread, GHashTable *taken, GPtrArray *ends)
{
  g_autoptr (GHashTable) of = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < unread->len; i++)
    {
      const GArray *operands = operands_of (self->diagram, g_ptr_array_index (unread, i));
      for (guint k = 0; operands != NULL && k < operands->len; k++)
        g_ptr_array_add (made_of (self, of, heddle_ids_index (operands, k)), g_ptr_array_index (unread, i));
    }
  for (guint i = 0; i < unread->len; i++)
    {
      const GArray *operands = operands_of (self->diagram, g_ptr_array_index (unread, i));
      if (!g_hash_table_add (taken, g_ptr_array_index (unread, i)))
        continue;
      g_ptr_array_add (ends, g_ptr_array_index (unread, i));
      for (guint k = 0; operands != NULL && k < operands->len; k++)
        append_sorted (self, made_of (self, of, heddle_ids_index (operands, k)), taken, ends);
    }
}

/* Returns the values that are made for their own sake: the outputs, in their order where it was given, then
 * what nobody reads. */
static GPtrArray *
find_ends (Ordering *self)
{
  const HeddleDiagram *diagram = self->diagram;
  GPtrArray *ends = g_ptr_array_new ();
  g_autoptr (GPtrArray) unread = g_ptr_array_new ();
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  for (guint i = 0; diagram->explicit_outputs && i < diagram->outputs->len; i++)
    append_value (diagram, heddle_ids_index (diagram->outputs, i), taken, ends);
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      if (!g_hash_table_contains (heddle_diagram_readers (diagram), value->id))
        g_ptr_array_add (unread, (gpointer) value);
    }
  if (unread->len <= 2)
    append_sorted (self, unread, taken, ends);
  else
    {
      g_ptr_array_sort_with_data (unread, compare_values, self);
      append_together (self, unread, taken, ends);
    }
  return ends;
}

/* Orders the values as operations use them, then those that no operation uses. */
static void
order_values (Ordering *self, const GPtrArray *operations, GPtrArray *values)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (GPtrArray) order = g_ptr_array_sized_new (values->len);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_ptr_array_extend (all, values, NULL, NULL);
  for (guint i = 0; i < operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (operations, i);
      for (guint k = 0; k < operation->operands->len; k++)
        append_value (self->diagram, heddle_ids_index (operation->operands, k), taken, order);
      for (guint k = 0; k < heddle_operation_n_results (operation); k++)
        append_value (self->diagram, heddle_operation_get_result (operation, k), taken, order);
    }
  append_sorted (self, all, taken, order);
  if (order->len > 0)
    memcpy (values->pdata, order->pdata, order->len * sizeof (gpointer));
}

/* Returns how many statements there are on the longest way to each operation's, by position; @read has what
 * makes an operand before what reads it. What reads nothing counts as the first operation that reads it. */
static guint *
count_steps (const HeddleDiagram *self, const GPtrArray *read)
{
  guint *steps = g_new0 (guint, MAX (read->len, 1));
  for (guint i = 0; i < read->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (read, i);
      const char *statement = heddle_diagram_statement_of (self, operation->id);
      guint own = operation->operands->len == 0 ? G_MAXUINT : 0;
      for (guint k = 0; k < operation->operands->len; k++)
        {
          const HeddleOperation *producer
              = heddle_diagram_get_producer (self, heddle_ids_index (operation->operands, k));
          if (producer != NULL && producer->operands->len > 0)
            own = MAX (own, steps[heddle_diagram_index_of_operation (self, producer->id)]
                                + (heddle_diagram_statement_of (self, producer->id) != statement));
        }
      for (guint k = 0; k < operation->operands->len; k++)
        {
          const HeddleOperation *producer
              = heddle_diagram_get_producer (self, heddle_ids_index (operation->operands, k));
          int before = producer != NULL && producer->operands->len == 0
                           ? heddle_diagram_index_of_operation (self, producer->id)
                           : -1;
          if (before >= 0)
            steps[before] = MIN (steps[before], own);
        }
      steps[heddle_diagram_index_of_operation (self, operation->id)] = own;
    }
  return steps;
}

/* Orders the operations from @ends down, as one reads them. Returns %NULL if not all operations can be
 * placed. */
static GPtrArray *
place_as_read (const HeddleDiagram *self, const GPtrArray *ends)
{
  guint n = self->operations->len;
  g_autofree guint8 *state = g_new0 (guint8, MAX (n, 1));
  g_autoptr (GPtrArray) order = g_ptr_array_sized_new (n);
  Placing placing = { self, state, order };
  for (guint i = 0; i < ends->len; i++)
    {
      int position = position_of (self, ((const HeddleValue *) g_ptr_array_index (ends, i))->id);
      if (position >= 0 && !place (&placing, (guint) position))
        return NULL;
    }
  return order->len == n ? g_steal_pointer (&order) : NULL;
}

/* The number of operations, in reading order, that one which can come before them may pass. */
#define MOST_PASSED 8

static gboolean
is_ready (const HeddleDiagram *self, const HeddleOperation *operation, const guint8 *placed)
{
  for (guint i = 0; i < operation->operands->len; i++)
    {
      int before = position_of (self, heddle_ids_index (operation->operands, i));
      if (before >= 0 && !placed[before])
        return FALSE;
    }
  return TRUE;
}

/* Orders the operations so that, of those that may come next as they are read, one with the fewest steps
 * always comes first. */
static GPtrArray *
place_by_steps (const HeddleDiagram *self, const GPtrArray *read)
{
  g_autofree guint *steps = count_steps (self, read);
  g_autofree guint8 *placed = g_new0 (guint8, MAX (read->len, 1)); /* by position */
  g_autofree guint *positions = g_new (guint, MAX (read->len, 1)); /* of those as they are read */
  GPtrArray *order = g_ptr_array_sized_new (read->len);
  for (guint i = 0; i < read->len; i++)
    positions[i] = (guint) heddle_diagram_index_of_operation (
        self, ((const HeddleOperation *) g_ptr_array_index (read, i))->id);
  for (guint first = 0; first < read->len;)
    {
      guint best = first;
      for (guint i = first + 1; i < MIN (read->len, first + 1 + MOST_PASSED); i++)
        if (!placed[positions[i]] && steps[positions[i]] < steps[positions[best]]
            && is_ready (self, g_ptr_array_index (read, i), placed))
          best = i;
      placed[positions[best]] = TRUE;
      g_ptr_array_add (order, g_ptr_array_index (read, best));
      while (first < read->len && placed[positions[first]])
        first++;
    }
  return order;
}

void
heddle_diagram_put_in_order (HeddleDiagram *self)
{
  g_return_if_fail (self != NULL);
  Ordering ordering = { .diagram = self };
  g_autoptr (GPtrArray) ends = find_ends (&ordering);
  g_autoptr (GPtrArray) read = place_as_read (self, ends);
  if (read != NULL)
    {
      HeddleDiagramIndex *index = heddle_diagram_own_index (self);
      g_autoptr (GPtrArray) order = place_by_steps (self, read);
      order_values (&ordering, read, self->values);
      take_order (self, order);
      heddle_diagram_index_names_changed (index);
    }
  g_clear_pointer (&ordering.makings, g_hash_table_unref);
}
