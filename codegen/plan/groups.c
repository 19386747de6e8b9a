/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "codegen/plan/groups.h"
#include "codegen/plan/priced-region.h"
#include "codegen/plan/tiles.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/derive-options.h"
#include "derive/region/region.h"
#include "diagram/graph/operation-table.h"

/* This file joins kernels one after another, the nearest first: the result hardly depends on the order of
 * independent ones. What must stay between two of them forbids it; everything else that stands there runs
 * before or after the joined kernel. */

/* The number of groups that are searched for one that could run right after the first. */
#define FURTHEST 8

/* The number of operations beyond which they are not tried as one kernel: each one more is derived with all
 * before it. */
#define MOST_TOGETHER 64

/* The number of visits of operations after which the groups stay as they are: each price visits all
 * operations of the diagram. What is the same but for its names, as layers are, is priced once. */
#define MOST_LOOKS 2000000

void
heddle_group_free (HeddleGroup *self)
{
  heddle_region_free (self->region);
  g_free (self);
}

GHashTable *
heddle_priced_groups_new (void)
{
  return g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
}

/* Prices a group, whose region is one of @alone. */
static void
price (const HeddleGrouping *grouping, HeddleGroup *self, HeddleSchedule *alone)
{
  self->seconds = heddle_plan_price_region_once (
      grouping->diagram, alone, self->region, grouping->plan, grouping->priced, grouping->cancellable);
  if (!isfinite (self->seconds))
    self->seconds = HEDDLE_PLAN_NEVER;
}

HeddleGroup *
heddle_group_new (const HeddleGrouping *grouping, const GArray *operations)
{
  HeddleSchedule *alone = grouping->schedule != NULL ? heddle_schedule_copy (grouping->schedule)
                                                     : heddle_schedule_new (grouping->diagram->id);
  HeddleGroup *self = g_new0 (HeddleGroup, 1);

  self->region = heddle_schedule_add_region (alone);
  g_array_append_vals (self->region->operations, operations->data, operations->len);
  price (grouping, self, alone);
  self->region = g_ptr_array_steal_index (alone->regions, alone->regions->len - 1);
  heddle_schedule_free (alone);
  return self;
}

static const HeddleGroup *
group_at (const HeddleGrouping *self, guint i)
{
  return g_ptr_array_index (self->groups, i);
}

static gboolean
has_product (const HeddleGrouping *self, guint place)
{
  const GArray *operations = group_at (self, place)->region->operations;

  for (guint i = 0; i < operations->len; i++)
    if (heddle_diagram_get_operation (self->diagram, heddle_ids_index (operations, i))->kind->form
        == HEDDLE_FORM_CONTRACT)
      return TRUE;
  return FALSE;
}

static gboolean
reads (const HeddleGrouping *self, const GArray *operations, const char *value)
{
  for (guint i = 0; i < operations->len; i++)
    if (heddle_ids_contain (
            heddle_diagram_get_operation (self->diagram, heddle_ids_index (operations, i))->operands, value))
      return TRUE;
  return FALSE;
}

/* Returns whether the group at @reader reads what that at @maker makes or, with @shared, what that reads,
 * except inputs. */
static gboolean
is_fed_by (const HeddleGrouping *self, guint reader, guint maker, gboolean shared)
{
  const GArray *read = group_at (self, reader)->region->operations;
  const GArray *made = group_at (self, maker)->region->operations;

  for (guint i = 0; i < read->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (self->diagram, heddle_ids_index (read, i));

      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *operand = heddle_ids_index (operation->operands, k);
          const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, operand);

          if (producer != NULL
              && (heddle_ids_contain (made, producer->id) || (shared && reads (self, made, operand))))
            return TRUE;
        }
    }
  return FALSE;
}

/* --- several groups as one --- */

/* The places, in ascending order, of groups that may become one kernel. */
typedef struct
{
  const guint *places;
  guint n;
} Members;

static gboolean
has_member (Members members, guint place)
{
  for (guint i = 0; i < members.n; i++)
    if (members.places[i] == place)
      return TRUE;
  return FALSE;
}

static GArray *
operations_of (const HeddleGrouping *self, Members members)
{
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; i < members.n; i++)
    {
      const GArray *own = group_at (self, members.places[i])->region->operations;

      g_array_append_vals (operations, own->data, own->len);
    }
  return operations;
}

/* Returns whether a group reads what a member before it makes, or what must run @later than those. */
static gboolean
is_after (const HeddleGrouping *self, Members members, const guint8 *later, guint place)
{
  guint first = members.places[0];

  for (guint k = first; k < place; k++)
    if ((later[k - first] || (has_member (members, k) && !has_member (members, place)))
        && is_fed_by (self, place, k, FALSE))
      return TRUE;
  return FALSE;
}

/* Returns whether a member reads what a group between the members makes. */
static gboolean
reads_between (const HeddleGrouping *self, Members members)
{
  for (guint i = 1; i < members.n; i++)
    for (guint k = members.places[0] + 1; k < members.places[i]; k++)
      if (!has_member (members, k) && is_fed_by (self, members.places[i], k, FALSE))
        return TRUE;
  return FALSE;
}

/* Returns which of the groups from the first member to the last must run after the joined members; the others
 * between them run before. Returns %NULL if one can do neither. */
static guint8 *
find_later (const HeddleGrouping *self, Members members)
{
  guint first = members.places[0], length = members.places[members.n - 1] - first + 1;
  g_autofree guint8 *later = g_new0 (guint8, length);

  if (!self->moving && reads_between (self, members))
    return NULL;
  for (guint i = 1; i < length; i++)
    {
      later[i] = is_after (self, members, later, first + i);
      if (later[i] && has_member (members, first + i))
        return NULL;
    }
  return g_steal_pointer (&later);
}

/* Puts @all in the place of its members. */
static void
put_together (HeddleGrouping *self, Members members, const guint8 *later, HeddleGroup *all)
{
  guint first = members.places[0], last = members.places[members.n - 1];
  g_autoptr (GPtrArray) before = g_ptr_array_new ();
  GPtrArray *after = g_ptr_array_new ();

  for (guint i = first; i <= last; i++)
    if (has_member (members, i))
      heddle_group_free (self->groups->pdata[i]);
    else
      g_ptr_array_add (later[i - first] ? after : before, self->groups->pdata[i]);
  g_ptr_array_add (before, all);
  g_ptr_array_extend_and_steal (before, after);
  memcpy (self->groups->pdata + first, before->pdata, before->len * sizeof (gpointer));
  for (guint i = last; i > last + 1 - members.n; i--)
    g_ptr_array_steal_index (self->groups, i);
}

/* Tries the groups at @n places, in order, as one kernel, and takes it if it is legal and faster. */
static gboolean
try_together (HeddleGrouping *self, const guint *places, guint n)
{
  Members members = { places, n };
  g_autofree guint8 *later = find_later (self, members);
  g_autoptr (GArray) operations = operations_of (self, members);
  g_autoptr (GBytes) key = g_bytes_new (operations->data, operations->len * sizeof (const char *));
  double apart = 0;
  HeddleGroup *all;

  if (later == NULL || operations->len > MOST_TOGETHER
      || (guint64) g_hash_table_size (self->priced) * self->diagram->operations->len >= MOST_LOOKS
      || !g_hash_table_add (self->tried, g_bytes_ref (key)))
    return FALSE;
  for (guint i = 0; i < n; i++)
    apart += group_at (self, places[i])->seconds;
  all = heddle_group_new (self, operations);
  if (all->seconds >= HEDDLE_PLAN_NEVER || all->seconds >= apart)
    {
      heddle_group_free (all);
      return FALSE;
    }
  put_together (self, members, later, all);
  return TRUE;
}

/* --- which ones --- */

/* Returns whether the group at @place is connected with that at @first, or with that at @middle. */
static gboolean
is_related (const HeddleGrouping *self, guint first, guint middle, guint place)
{
  return place == first + 1 || is_fed_by (self, place, first, TRUE)
         || (middle > first && is_fed_by (self, place, middle, TRUE));
}

/* Tries three groups: what stands between two products may be fused with both of them but with none alone. */
static gboolean
try_between (HeddleGrouping *self, guint first, guint middle, guint end)
{
  for (guint i = middle + 1; i < end; i++)
    if (has_product (self, i) && is_related (self, first, middle, i)
        && try_together (self, (const guint[]){ first, middle, i }, 3))
      return TRUE;
  return FALSE;
}

/* Tries two groups, or three, the first of which is @first. */
static gboolean
try_next (HeddleGrouping *self, guint first)
{
  guint end = MIN (self->groups->len, first + 2 + FURTHEST);

  for (guint i = first + 1; i < end; i++)
    if (is_related (self, first, first, i)
        && (try_together (self, (const guint[]){ first, i }, 2)
            || (has_product (self, first) && !has_product (self, i) && try_between (self, first, i, end))))
      return TRUE;
  return FALSE;
}

static void
try_all (HeddleGrouping *self)
{
  for (guint first = 0; first + 1 < self->groups->len && !g_cancellable_is_cancelled (self->cancellable);)
    if (!try_next (self, first))
      first++;
    else /* those before may go with what there is now */
      first -= MIN (first, FURTHEST + 1);
}

/* Fuses groups. Those that would have to wait for others in between come second: queries are fused with keys
 * and values rather than with the softmax of all of them. */
void
heddle_grouping_fuse (HeddleGrouping *self)
{
  self->moving = FALSE;
  try_all (self);
  self->moving = TRUE;
  try_all (self);
}
