/* SPDX-License-Identifier: MIT */
#include "derive/region/view.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "diagram/rewrite/tools.h"
#include "files/optimise/baseline.h"

/* The most operations between the products of one attention, views not counted. */
#define MOST_BETWEEN 16

typedef enum
{
  WORK_VIEW, /* says where something lies, or moves nothing that its reader could not read there */
  WORK_LIBRARY, /* a kernel of a library, which is joined with nothing else */
  WORK_POINTWISE,
  WORK_REDUCTION, /* a sum, or a norm, which sums and goes over its numbers once more */
} Work;

/* A kernel in the making. */
typedef struct
{
  Work work; /* VIEW: it has views alone */
  gint64 points, terms; /* a reduction has a result, or a row, for each point, and sums as many terms */
  GArray *members; /* of guint: places of operations; none: it was joined to another one */
} Group;

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  guint *group_of; /* by the place of an operation in the diagram: the group it is in */
  Group *groups; /* each operation begins as the one of its own place */
  GArray **makers, **readers; /* by the place: those of other operations, views left out */
  GPtrArray **reads; /* by the place: inputs of the diagram, likewise */
  guint n;
} Grouping;

static const HeddleOperation *
operation_at (const HeddleDiagram *diagram, guint i)
{
  return g_ptr_array_index (diagram->operations, i);
}

/* Returns whether nothing but the place is said of what is read. */
static gboolean
is_view (const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_REINDEX && operation->operands->len == 1;
}

static Work
work_of (const HeddleOperation *operation)
{
  switch (operation->kind->form)
    {
    case HEDDLE_FORM_REINDEX:
      return is_view (operation) ? WORK_VIEW : WORK_POINTWISE;
    case HEDDLE_FORM_CONTRACT:
      return operation->axes->len > 0 ? WORK_LIBRARY : WORK_POINTWISE;
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      return WORK_REDUCTION;
    case HEDDLE_FORM_MAP:
    case HEDDLE_FORM_CONCAT:
      return WORK_POINTWISE;
    default:
      return WORK_LIBRARY;
    }
}

/* --- views with one reader ---------------------------------------------------------------------------- */

/* Makes a copy of the view, which operand @slot of @reader reads instead. */
static void
add_view (HeddleDiagram *diagram, const HeddleOperation *view, const char *reader, guint slot)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, view->result);
  HeddleOperation *copy
      = heddle_rewrite_add (diagram, reader, view->kind->id, view->operands, value->axes, view->axes);
  const char *result = copy->result;

  heddle_operation_copy_details (copy, view, NULL, NULL);
  heddle_diagram_edit_value (diagram, result)->dtype = value->dtype;
  g_array_index (heddle_diagram_edit_operation (diagram, reader)->operands, const char *, slot) = result;
}

/* Gives each reader of the view a copy of its own; the first keeps the view unless that is an output. */
static void
part_view (HeddleDiagram *diagram, const char *id)
{
  const char *result = heddle_diagram_get_operation (diagram, id)->result;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, result);
  g_autoptr (GArray) ids = heddle_ids_new ();
  gboolean is_taken = heddle_diagram_is_output (diagram, result);

  for (guint i = 0; i < readers->len; i++)
    heddle_ids_append (ids, ((const HeddleOperation *) readers->pdata[i])->id);
  for (guint i = 0; i < ids->len; i++)
    {
      const char *reader = heddle_ids_index (ids, i);

      for (guint k = 0; k < heddle_diagram_get_operation (diagram, reader)->operands->len; k++)
        {
          if (heddle_ids_index (heddle_diagram_get_operation (diagram, reader)->operands, k) != result)
            continue;
          if (is_taken)
            add_view (diagram, heddle_diagram_get_operation (diagram, id), reader, k);
          is_taken = TRUE;
        }
    }
}

/* Returns a diagram that gives the same as @diagram, in which each view has one reader, in order. */
static HeddleDiagram *
part_views (const HeddleDiagram *diagram)
{
  HeddleDiagram *made = heddle_diagram_copy (diagram);
  g_autoptr (GArray) views = heddle_ids_new ();

  heddle_diagram_put_in_order (made);
  for (guint i = 0; i < made->operations->len; i++)
    if (is_view (operation_at (made, i)))
      heddle_ids_append (views, operation_at (made, i)->id);
  for (guint i = views->len; i-- > 0;)
    part_view (made, heddle_ids_index (views, i));
  heddle_diagram_put_in_order (made);
  return made;
}

/* --- who reads what ------------------------------------------------------------------------------------- */

/* Adds the operation that makes @value, that of what it is a view of, if there is one. */
static void
add_maker (Grouping *self, guint reader, const char *value)
{
  const HeddleOperation *maker = heddle_diagram_get_producer (self->diagram, value);

  while (maker != NULL && is_view (maker))
    {
      value = heddle_ids_index (maker->operands, 0);
      maker = heddle_diagram_get_producer (self->diagram, value);
    }
  if (maker == NULL)
    {
      g_ptr_array_add (self->reads[reader], (gpointer) value);
      return;
    }
  const guint i = (guint) heddle_diagram_index_of_operation (self->diagram, maker->id);
  g_array_append_val (self->makers[reader], i);
  g_array_append_val (self->readers[i], reader);
}

static gint64
points_of (const Grouping *self, const HeddleOperation *operation)
{
  return heddle_sizes_elements (self->sizes, heddle_diagram_get_value (self->diagram, operation->result));
}

static void
add_group (Grouping *self, guint i)
{
  const HeddleOperation *operation = operation_at (self->diagram, i);
  Group *group = &self->groups[i];

  *group = (Group){ work_of (operation), points_of (self, operation), 1,
    g_array_new (FALSE, FALSE, sizeof (guint)) };
  g_array_append_val (group->members, i);
  self->group_of[i] = i;
  for (guint k = 0; group->work == WORK_REDUCTION && k < operation->axes->len; k++)
    group->terms *= heddle_sizes_get (self->sizes, heddle_ids_index (operation->axes, k));
  if (operation->kind->form == HEDDLE_FORM_NORMALISE)
    group->points /= MAX (group->terms, 1);
}

static void
grouping_init (Grouping *self)
{
  self->group_of = g_new (guint, self->n + 1);
  self->groups = g_new0 (Group, self->n + 1);
  self->makers = g_new (GArray *, self->n + 1);
  self->readers = g_new (GArray *, self->n + 1);
  self->reads = g_new (GPtrArray *, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      add_group (self, i);
      self->makers[i] = g_array_new (FALSE, FALSE, sizeof (guint));
      self->readers[i] = g_array_new (FALSE, FALSE, sizeof (guint));
      self->reads[i] = g_ptr_array_new ();
    }
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; self->groups[i].work != WORK_VIEW && k < operation_at (self->diagram, i)->operands->len;
         k++)
      add_maker (self, i, heddle_ids_index (operation_at (self->diagram, i)->operands, k));
}

static void
grouping_clear (Grouping *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      g_array_unref (self->groups[i].members);
      g_array_unref (self->makers[i]);
      g_array_unref (self->readers[i]);
      g_ptr_array_unref (self->reads[i]);
    }
  g_free (self->group_of);
  g_free (self->groups);
  g_free (self->makers);
  g_free (self->readers);
  g_free (self->reads);
}

/* Puts all of @from into @into. */
static void
merge (Grouping *self, guint into, guint from)
{
  Group *one = &self->groups[into], *other = &self->groups[from];

  for (guint i = 0; i < other->members->len; i++)
    self->group_of[g_array_index (other->members, guint, i)] = into;
  g_array_append_vals (one->members, other->members->data, other->members->len);
  g_array_set_size (other->members, 0);
  if (one->work != WORK_REDUCTION && other->work == WORK_REDUCTION)
    {
      one->work = WORK_REDUCTION;
      one->points = other->points;
      one->terms = other->terms;
    }
  else if (one->work == WORK_POINTWISE)
    one->points = MAX (one->points, other->points);
}

/* --- kernels of libraries --------------------------------------------------------------------------------- */

static gboolean
is_product (const Grouping *self, guint i)
{
  return self->groups[i].work == WORK_LIBRARY
         && operation_at (self->diagram, i)->kind->form == HEDDLE_FORM_CONTRACT;
}

/* Returns the operation that alone reads what @i makes, or -1. */
static int
only_reader (const Grouping *self, guint i)
{
  if (self->readers[i]->len != 1
      || heddle_diagram_is_output (self->diagram, operation_at (self->diagram, i)->result))
    return -1;
  return (int) g_array_index (self->readers[i], guint, 0);
}

/* Finds the product whose numbers the softmax @i is of, and adds it and what is done to them to @chain. */
static gboolean
find_scores (const Grouping *self, guint i, gint64 points, GArray *chain)
{
  for (guint k = 0; k < self->makers[i]->len && chain->len < MOST_BETWEEN; k++)
    {
      const guint maker = g_array_index (self->makers[i], guint, k);

      if (points_of (self, operation_at (self->diagram, maker)) != points
          || only_reader (self, maker) != (int) i || self->group_of[maker] != maker)
        continue;
      if (is_product (self, maker)
          || (self->groups[maker].work == WORK_POINTWISE && find_scores (self, maker, points, chain)))
        {
          g_array_append_val (chain, maker);
          return TRUE;
        }
    }
  return FALSE;
}

/* Finds the product that weighs by the softmax @i, and adds it and what is between them to @chain. */
static gboolean
find_weighing (const Grouping *self, guint i, GArray *chain)
{
  for (guint n = 0; n < MOST_BETWEEN; n++)
    {
      const int reader = only_reader (self, i);

      if (reader < 0)
        return FALSE;
      i = (guint) reader;
      g_array_append_val (chain, i);
      if (is_product (self, i))
        return self->group_of[i] == i;
      if (self->groups[i].work != WORK_POINTWISE)
        return FALSE;
    }
  return FALSE;
}

/* Makes a softmax of products that weighs others a kernel of the library. */
static void
take_attention (Grouping *self, guint i)
{
  const HeddleOperation *operation = operation_at (self->diagram, i);
  g_autoptr (GArray) chain = g_array_new (FALSE, FALSE, sizeof (guint));

  if (!g_str_equal (operation->kind->id, "softmax")
      || !find_scores (self, i, points_of (self, operation), chain) || !find_weighing (self, i, chain))
    return;
  self->groups[i].work = WORK_LIBRARY;
  for (guint k = 0; k < chain->len; k++)
    merge (self, i, g_array_index (chain, guint, k));
}

/* Returns whether the map adds a parameter to what it reads. */
static gboolean
adds_bias (const Grouping *self, guint i)
{
  const HeddleOperation *operation = operation_at (self->diagram, i);
  g_autoptr (HeddleExpr) sum = heddle_expr_literal ("$0 + $1"), turned = heddle_expr_literal ("$1 + $0");

  if (operation->kind->form != HEDDLE_FORM_MAP || operation->operands->len != 2 || self->reads[i]->len != 1
      || !(heddle_expr_equal (operation->body, sum) || heddle_expr_equal (operation->body, turned)))
    return FALSE;
  return heddle_diagram_get_value (self->diagram, g_ptr_array_index (self->reads[i], 0))->role
         == HEDDLE_ROLE_PARAMETER;
}

static void
take_library (Grouping *self)
{
  for (guint i = 0; i < self->n; i++)
    take_attention (self, i);
  for (guint i = 0; i < self->n; i++)
    {
      const int reader
          = is_product (self, i) && self->groups[i].members->len == 1 ? only_reader (self, i) : -1;

      if (reader >= 0 && adds_bias (self, (guint) reader) && self->group_of[reader] == (guint) reader)
        merge (self, i, (guint) reader);
    }
}

/* --- what Inductor joins ------------------------------------------------------------------------------------ */

/* Returns whether nothing outside of the two groups reads what @one makes. */
static gboolean
is_read_there (const Grouping *self, guint one, guint other)
{
  const GArray *members = self->groups[one].members;

  for (guint k = 0; k < members->len; k++)
    {
      const guint i = g_array_index (members, guint, k);

      if (heddle_diagram_is_output (self->diagram, operation_at (self->diagram, i)->result))
        return FALSE;
      for (guint j = 0; j < self->readers[i]->len; j++)
        {
          const guint reader = self->group_of[g_array_index (self->readers[i], guint, j)];

          if (reader != one && reader != other)
            return FALSE;
        }
    }
  return TRUE;
}

/* Returns whether the loops of the two can be one. What is done element by element for fewer numbers is worked
 * out again where it is read, if nobody else reads it (@is_read). */
static gboolean
loops_fit (const Group *one, const Group *other, gboolean is_read)
{
  const Group *sum = one->work == WORK_REDUCTION ? one : other, *map = sum == one ? other : one;

  if (one->work == WORK_REDUCTION && other->work == WORK_REDUCTION)
    return one->points == other->points && one->terms == other->terms;
  if (one->work == WORK_POINTWISE && is_read && one->points < other->points * other->terms)
    return TRUE;
  if (sum->work != WORK_REDUCTION)
    return one->points == other->points;
  return map->points == sum->points || map->points == sum->points * sum->terms;
}

/* Returns whether something outside of the two groups has to run after @from and before @to. */
static gboolean
leads_around (const Grouping *self, guint from, guint to)
{
  g_autofree gboolean *seen = g_new0 (gboolean, self->n + 1);
  g_autoptr (GArray) next = g_array_new (FALSE, FALSE, sizeof (guint));

  g_array_append_val (next, from);
  while (next->len > 0)
    {
      const guint at = g_array_index (next, guint, next->len - 1);
      const GArray *members = self->groups[at].members;

      g_array_set_size (next, next->len - 1);
      for (guint k = 0; k < members->len; k++)
        {
          const GArray *readers = self->readers[g_array_index (members, guint, k)];

          for (guint j = 0; j < readers->len; j++)
            {
              const guint reader = self->group_of[g_array_index (readers, guint, j)];

              if (reader == to && at != from)
                return TRUE;
              if (reader == to || reader == from || seen[reader])
                continue;
              seen[reader] = TRUE;
              g_array_append_val (next, reader);
            }
        }
    }
  return FALSE;
}

static gboolean
is_generated (const Group *group)
{
  return group->work == WORK_POINTWISE || group->work == WORK_REDUCTION;
}

/* Makes one kernel of two groups where that is possible; @leads: the first makes what the second reads. */
static void
try_join (Grouping *self, guint one, guint other, gboolean leads)
{
  if (one == other || !is_generated (&self->groups[one]) || !is_generated (&self->groups[other])
      || !loops_fit (&self->groups[one], &self->groups[other], leads && is_read_there (self, one, other))
      || leads_around (self, one, other) || leads_around (self, other, one))
    return;
  merge (self, one, other);
}

/* Returns whether two operations read the same. */
static gboolean
share_reads (const Grouping *self, guint one, guint other)
{
  for (guint i = 0; i < self->reads[one]->len; i++)
    if (g_ptr_array_find (self->reads[other], self->reads[one]->pdata[i], NULL))
      return TRUE;
  for (guint i = 0; i < self->makers[one]->len; i++)
    for (guint k = 0; k < self->makers[other]->len; k++)
      if (g_array_index (self->makers[one], guint, i) == g_array_index (self->makers[other], guint, k))
        return TRUE;
  return FALSE;
}

/* Joins what reads one another first, then what reads the same. */
static void
join_all (Grouping *self)
{
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; k < self->makers[i]->len; k++)
      try_join (self, self->group_of[g_array_index (self->makers[i], guint, k)], self->group_of[i], TRUE);
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; is_generated (&self->groups[self->group_of[i]]) && k < i; k++)
      if (share_reads (self, k, i))
        try_join (self, self->group_of[k], self->group_of[i], FALSE);
}

/* --- the schedule --------------------------------------------------------------------------------------------- */

/* Puts views to what reads them, or, where nobody does, to what they are of. */
static void
place_views (Grouping *self)
{
  for (guint i = self->n; i-- > 0;)
    {
      const HeddleOperation *operation = operation_at (self->diagram, i);
      g_autoptr (GPtrArray) readers = NULL;
      const HeddleOperation *beside;

      if (!is_view (operation))
        continue;
      readers = heddle_diagram_get_readers (self->diagram, operation->result);
      beside = readers->len > 0
                   ? readers->pdata[0]
                   : heddle_diagram_get_producer (self->diagram, heddle_ids_index (operation->operands, 0));
      if (beside != NULL)
        merge (self, self->group_of[heddle_diagram_index_of_operation (self->diagram, beside->id)],
            self->group_of[i]);
    }
}

static int
compare_places (gconstpointer one, gconstpointer other)
{
  return *(const guint *) one < *(const guint *) other ? -1 : 1;
}

/* Returns a region for each group of what @made has of the operations, but for views of parameters, which a plan
 * leaves out. */
static HeddleSchedule *
schedule_of (const Grouping *self, const HeddleDiagram *made)
{
  HeddleSchedule *schedule = heddle_schedule_new (made->id);

  for (guint i = 0; i < self->n; i++)
    {
      GArray *members = self->groups[i].members;
      HeddleRegion *region = NULL;

      g_array_sort (members, compare_places);
      for (guint k = 0; k < members->len; k++)
        {
          const char *id = operation_at (self->diagram, g_array_index (members, guint, k))->id;
          const HeddleOperation *operation = heddle_diagram_get_operation (made, id);

          if (operation == NULL || heddle_view_is (made, self->sizes, NULL, operation))
            continue;
          if (region == NULL)
            region = heddle_schedule_add_region (schedule);
          heddle_ids_append (region->operations, id);
        }
    }
  return schedule;
}

/* --- what lies elsewhere --- */

/* Returns the value that the operation is a view of, at whatever distance, if it is not smaller than the view and
 * another kernel makes it, or none does, or the view is a result that nobody reads; else NULL. */
static const char *
base_elsewhere (const Grouping *self, guint i)
{
  const HeddleOperation *view = operation_at (self->diagram, i), *maker = view;
  const char *base = view->result;
  gboolean is_elsewhere;

  while (maker != NULL && is_view (maker))
    {
      base = heddle_ids_index (maker->operands, 0);
      maker = heddle_diagram_get_producer (self->diagram, base);
    }
  if (maker == view
      || points_of (self, view)
             > heddle_sizes_elements (self->sizes, heddle_diagram_get_value (self->diagram, base)))
    return NULL;
  is_elsewhere
      = maker == NULL
        || self->group_of[heddle_diagram_index_of_operation (self->diagram, maker->id)] != self->group_of[i];
  return is_elsewhere || heddle_diagram_count_readers (self->diagram, view->result) == 0 ? base : NULL;
}

/* Makes the result of a view an input. */
static void
cut_view (const Grouping *self, HeddleDiagram *made, const HeddleOperation *view)
{
  HeddleValue *value = heddle_diagram_edit_value (made, view->result);

  value->dtype = heddle_diagram_dtype (self->diagram, view->result, HEDDLE_DTYPE_UNSET);
  value->role = HEDDLE_ROLE_INPUT;
  heddle_diagram_remove (made, view->id);
}

/* Makes the results of views between kernels inputs, and what they are of outputs. */
static HeddleDiagram *
cut_views (const Grouping *self)
{
  HeddleDiagram *made = heddle_diagram_copy (self->diagram);
  GArray *outputs = heddle_diagram_get_outputs (self->diagram);

  for (guint i = self->n; i-- > 0;)
    {
      const HeddleOperation *view = operation_at (self->diagram, i);
      const char *base = base_elsewhere (self, i);

      if (base == NULL)
        continue;
      if (heddle_diagram_count_readers (made, view->result) > 0)
        cut_view (self, made, view);
      else
        heddle_rewrite_remove (made, view->result);
      if (heddle_diagram_get_producer (self->diagram, base) != NULL && !heddle_ids_contain (outputs, base))
        heddle_ids_append (outputs, base);
    }
  for (guint i = outputs->len; i-- > 0;)
    if (heddle_diagram_get_producer (made, heddle_ids_index (outputs, i)) == NULL)
      g_array_remove_index (outputs, i);
  g_array_unref (made->outputs);
  made->outputs = outputs;
  made->explicit_outputs = TRUE;
  return made;
}

HeddleDiagram *
heddle_baseline_new (const HeddleDiagram *diagram, HeddleBaseline how, HeddleSchedule **schedule)
{
  g_autoptr (HeddleDiagram) parted = part_views (diagram);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (parted, NULL, NULL);
  Grouping self = { .diagram = parted, .sizes = sizes, .n = parted->operations->len };
  HeddleDiagram *made;

  grouping_init (&self);
  take_library (&self);
  if (how == HEDDLE_BASELINE_INDUCTOR)
    join_all (&self);
  place_views (&self);
  made = cut_views (&self);
  *schedule = schedule_of (&self, made);
  grouping_clear (&self);
  return made;
}
