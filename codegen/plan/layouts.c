/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "codegen/plan/axis-order.h"
#include "codegen/plan/derive.h"
#include "codegen/plan/layouts.h"
#include "codegen/plan/priced-region.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/axes-order.h"
#include "diagram/graph/copy-in-order.h"
#include "diagram/graph/diagram.h"

/* This file lays out arrays between kernels. A kernel that would have an array in another order gets it where
 * that is faster by the model for all kernels that read or write it together: each of those is labelled and
 * priced again. An array that is given, or given back, keeps its order; a kernel of its own may copy it into
 * another one before. */

/* The number of passes: what one kernel's array becomes may let others want more. */
#define MOST_PASSES 3

/* A kernel, with its price. */
typedef struct
{
  GArray *operations; /* of const char * */
  GPtrArray *labels; /* of HeddleLabel */
  HeddleDerivation *derivation; /* its own; NULL: the plan's */
  const HeddleKernel *kernel;
  double seconds;
  gboolean settled; /* nothing that it wants is faster */
} Part;

typedef struct
{
  HeddlePlan *plan;
  GCancellable *cancellable;
  HeddleDiagram *diagram; /* as it is now */
  GPtrArray *diagrams; /* of HeddleDiagram, those and the ones before: derivations borrow them */
  GPtrArray *parts; /* of Part */
  GHashTable *settled; /* char *: what kernels look like for which nothing was faster */
  HeddlePlanCopies copies;
  gboolean changed;
} Layouts;

static void
part_free (gpointer data)
{
  Part *self = data;

  g_array_unref (self->operations);
  g_ptr_array_unref (self->labels);
  g_clear_pointer (&self->derivation, heddle_derivation_free);
  g_free (self);
}

static Part *
part_new (const GArray *operations)
{
  Part *self = g_new0 (Part, 1);

  self->operations = heddle_ids_copy (operations);
  self->labels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_label_free);
  return self;
}

static const Part *
part_at (const Layouts *self, guint i)
{
  return g_ptr_array_index (self->parts, i);
}

static void
take_kernel (Part *self, const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  self->kernel = kernel;
  self->seconds
      = heddle_plan_price_of (plan, diagram, kernel) + heddle_plan_sector_seconds (plan, diagram, kernel);
  for (guint i = 0; i < kernel->labels->len; i++)
    g_ptr_array_add (self->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, i)));
}

/* Returns the operations of a part as a kernel of @diagram, with @labels (if NULL, those that a plan finds
 * there). Its seconds are infinite if it cannot be one. */
static Part *
part_with (
    const Layouts *self, const HeddleDiagram *diagram, const GArray *operations, const GPtrArray *labels)
{
  Part *part = part_new (operations);
  HeddleSchedule *schedule = heddle_schedule_new (diagram->id);
  HeddleRegion *region = heddle_schedule_add_region (schedule);

  part->seconds = INFINITY;
  g_array_append_vals (region->operations, operations->data, operations->len);
  for (guint i = 0; labels != NULL && i < labels->len; i++)
    g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (labels, i)));
  if (labels != NULL
      || isfinite (
          heddle_plan_price_region_once (diagram, schedule, region, self->plan, NULL, self->cancellable)))
    part->derivation = heddle_plan_derive (diagram, schedule, region, self->plan, self->cancellable, NULL);
  heddle_schedule_free (schedule);
  if (part->derivation != NULL && part->derivation->kernels->len == 1)
    take_kernel (part, self->plan, diagram, g_ptr_array_index (part->derivation->kernels, 0));
  return part;
}

/* Returns the part with the labels of @before, or with those that a plan finds there, whichever are
 * faster. */
static Part *
part_again (const Layouts *self, const HeddleDiagram *diagram, const Part *before)
{
  Part *found = part_with (self, diagram, before->operations, NULL);
  Part *kept = before->labels->len > 0 ? part_with (self, diagram, before->operations, before->labels) : NULL;

  if (kept != NULL && kept->seconds <= found->seconds)
    {
      part_free (found);
      return kept;
    }
  if (kept != NULL)
    part_free (kept);
  return found;
}

/* --- a change --- */

/* The changes that are tried together. */
typedef struct
{
  HeddleDiagram *diagram;
  GArray *values; /* of const char *: those that lie otherwise */
  GPtrArray *parts; /* of Part: kernels that touch those, or copy, anew */
  GArray *places; /* of guint: which of the parts they replace; G_MAXUINT: none */
  double gain; /* seconds */
} Change;

static void
change_clear (Change *self)
{
  g_clear_pointer (&self->parts, g_ptr_array_unref); /* before the diagram that they borrow */
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Change, change_clear)

static void
add_part (Change *self, Part *part, guint place)
{
  g_ptr_array_add (self->parts, part);
  g_array_append_val (self->places, place);
}

/* Returns the operations that shall read a copy of the value: those of @reader where each kernel may have its
 * own copy, else all that read the value. */
static GArray *
find_copy_readers (const Change *self, const Layouts *layouts, const char *value, const Part *reader)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, value);
  GArray *operations;

  if (layouts->copies == HEDDLE_PLAN_COPY_FOR_EACH)
    return heddle_ids_copy (reader->operations);
  operations = heddle_ids_new ();
  for (guint i = 0; i < readers->len; i++)
    heddle_ids_append (operations, ((const HeddleOperation *) g_ptr_array_index (readers, i))->id);
  return operations;
}

static void
add_copy (Change *self, const Layouts *layouts, const HeddlePlanWant *want, const Part *reader)
{
  g_autoptr (GArray) operations = heddle_ids_new ();
  g_autoptr (GArray) readers = find_copy_readers (self, layouts, want->value, reader);
  HeddleDtype dtype = heddle_diagram_dtype (self->diagram, want->value, layouts->plan->dtype);

  heddle_ids_append (
      operations, heddle_diagram_copy_in_order (self->diagram, want->value, want->axes, dtype, readers));
  add_part (self, part_new (operations), G_MAXUINT);
  heddle_ids_append (self->values, want->value);
  heddle_ids_append (
      self->values, heddle_diagram_get_operation (self->diagram, heddle_ids_index (operations, 0))->result);
}

/* Returns whether the value may be copied: for one kernel any array that it reads, else only an input. */
static gboolean
may_copy (const Change *self, const Layouts *layouts, const HeddlePlanWant *want)
{
  switch (layouts->copies)
    {
    case HEDDLE_PLAN_COPY_FOR_EACH:
      return !want->made;
    case HEDDLE_PLAN_COPY_INPUTS:
      return heddle_diagram_get_producer (self->diagram, want->value) == NULL
             && !heddle_diagram_is_output (self->diagram, want->value);
    default:
      return FALSE;
    }
}

static gboolean
touches (const HeddleDiagram *diagram, const Part *part, const GArray *values)
{
  for (guint i = 0; i < part->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (part->operations, i));

      if (heddle_ids_contain (values, operation->result))
        return TRUE;
      for (guint k = 0; k < operation->operands->len; k++)
        if (heddle_ids_contain (values, heddle_ids_index (operation->operands, k)))
          return TRUE;
    }
  return FALSE;
}

/* Prices all kernels that use the changed values again. */
static void
price (Change *self, const Layouts *layouts, guint place)
{
  for (guint i = 0; i < layouts->parts->len; i++)
    if (i == place || touches (self->diagram, part_at (layouts, i), self->values))
      {
        add_part (self, part_again (layouts, self->diagram, part_at (layouts, i)), i);
        self->gain += part_at (layouts, i)->seconds;
      }
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);

      if (part->kernel == NULL && g_array_index (self->places, guint, i) == G_MAXUINT)
        {
          self->parts->pdata[i] = part_again (layouts, self->diagram, part);
          part_free (part);
        }
      self->gain -= ((const Part *) g_ptr_array_index (self->parts, i))->seconds;
    }
}

static void
accept (Layouts *self, Change *change)
{
  for (guint i = 0; i < change->parts->len; i++)
    {
      guint place = g_array_index (change->places, guint, i);

      if (place == G_MAXUINT)
        {
          g_ptr_array_add (self->parts, change->parts->pdata[i]);
          continue;
        }
      part_free (self->parts->pdata[place]);
      self->parts->pdata[place] = change->parts->pdata[i];
    }
  g_ptr_array_set_free_func (change->parts, NULL);
  self->diagram = g_steal_pointer (&change->diagram);
  g_ptr_array_add (self->diagrams, self->diagram);
  self->changed = TRUE;
}

/* The ways to treat a wish of a kernel. */
typedef enum
{
  HOW_REORDER, /* a value that nobody outside sees gets another layout */
  HOW_COPY, /* an array that is read is copied */
  HOW_EITHER, /* the first where that can be */
} How;

static void
add_want (Change *self, const Layouts *layouts, const HeddlePlanWant *want, const Part *part, How how)
{
  gboolean own = heddle_diagram_is_internal (self->diagram, want->value);

  if (heddle_ids_contain (self->values, want->value))
    return;
  if (own && how != HOW_COPY)
    {
      heddle_diagram_reorder_axes (self->diagram, want->value, want->axes);
      heddle_ids_append (self->values, want->value);
    }
  else if (how != HOW_REORDER && may_copy (self, layouts, want))
    add_copy (self, layouts, want, part);
}

/* Tries @wants of a kernel together, from @first on up to @end; gives whether they are faster, and then has
 * them. */
static gboolean
try_wants (Layouts *self, guint place, const GPtrArray *wants, guint first, guint end, How how)
{
  g_auto (Change) change = { .diagram = heddle_diagram_copy (self->diagram),
    .values = heddle_ids_new (),
    .parts = g_ptr_array_new_with_free_func (part_free),
    .places = g_array_new (FALSE, FALSE, sizeof (guint)) };

  for (guint i = first; i < end; i++)
    add_want (&change, self, g_ptr_array_index (wants, i), part_at (self, place), how);
  if (change.values->len == 0 && change.parts->len == 0)
    return FALSE;
  price (&change, self, place);
  if (!(change.gain > 0) || g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  accept (self, &change);
  return TRUE;
}

static gboolean
is_private (const Layouts *self, const HeddlePlanWant *want)
{
  return heddle_diagram_is_internal (self->diagram, want->value);
}

/* Tries everything that the kernel wants together, as far as it makes no kernel slower, and else each wish by
 * itself. */
static gboolean
settle (Layouts *self, guint place)
{
  g_autoptr (GPtrArray) wants
      = heddle_plan_find_wants (self->plan, self->diagram, part_at (self, place)->kernel);
  gboolean some;

  if (wants->len == 0)
    return FALSE;
  if ((self->copies && try_wants (self, place, wants, 0, wants->len, HOW_EITHER))
      || try_wants (self, place, wants, 0, wants->len, HOW_REORDER))
    return TRUE;
  some = FALSE;
  for (guint i = 0; wants->len > 1 && i < wants->len; i++)
    some |= try_wants (self, place, wants, i, i + 1, self->copies ? HOW_EITHER : HOW_REORDER);
  for (guint i = 0; self->copies == HEDDLE_PLAN_COPY_FOR_EACH && !some && i < wants->len; i++)
    some |= is_private (self, g_ptr_array_index (wants, i))
            && try_wants (self, place, wants, i, i + 1, HOW_COPY);
  return some;
}

/* --- kernels that look the same, as those of a model's layers do --- */

static void
describe_axes (GString *text, const Layouts *self, GArray *seen, const char *value)
{
  const GArray *axes = heddle_diagram_get_value (self->diagram, value)->axes;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      if (!heddle_ids_contain (seen, axis))
        heddle_ids_append (seen, axis);
      g_string_append_printf (text, " %d/%" G_GINT64_FORMAT, heddle_ids_find (seen, axis),
          heddle_sizes_get (self->plan->sizes, axis));
    }
  g_string_append_printf (text, heddle_diagram_is_internal (self->diagram, value) ? "," : "!");
}

/* Returns a description of the kernel: its operations, how what they read and make lies, and its labels by
 * the axes' numbers. */
static char *
describe (const Layouts *self, const Part *part)
{
  g_autoptr (GArray) seen = heddle_ids_new ();
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < part->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (self->diagram, heddle_ids_index (part->operations, i));

      g_string_append (text, operation->kind->id);
      for (guint k = 0; k < operation->operands->len; k++)
        describe_axes (text, self, seen, heddle_ids_index (operation->operands, k));
      describe_axes (text, self, seen, operation->result);
    }
  for (guint i = 0; i < part->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (part->labels, i);

      g_string_append_printf (text, " %d %d %" G_GINT64_FORMAT, heddle_ids_find (seen, label->axis),
          (int) label->kind, label->size);
    }
  return g_string_free (text, FALSE);
}

/* Returns whether the kernel has got something that it wants; what was no use for one kernel is not tried for
 * one that looks the same. */
static gboolean
settle_new (Layouts *self, guint place)
{
  g_autofree char *text = describe (self, part_at (self, place));

  if (g_hash_table_contains (self->settled, text))
    return FALSE;
  if (settle (self, place))
    return TRUE;
  g_hash_table_add (self->settled, g_steal_pointer (&text));
  return FALSE;
}

static void
settle_all (Layouts *self)
{
  gboolean some = TRUE;

  for (guint pass = 0; some && pass < MOST_PASSES; pass++)
    {
      some = FALSE;
      for (guint i = 0; i < self->parts->len && !g_cancellable_is_cancelled (self->cancellable); i++)
        {
          Part *part = g_ptr_array_index (self->parts, i);

          if (part->settled)
            continue;
          if (settle_new (self, i))
            some = TRUE;
          else
            part->settled = TRUE;
        }
    }
}

/* --- all of a plan --- */

static HeddleSchedule *
schedule_of (const Layouts *self)
{
  HeddleSchedule *schedule = heddle_schedule_new (self->diagram->id);

  for (guint i = 0; i < self->parts->len; i++)
    {
      const Part *part = part_at (self, i);
      HeddleRegion *region = heddle_schedule_add_region (schedule);

      g_array_append_vals (region->operations, part->operations->data, part->operations->len);
      for (guint k = 0; k < part->labels->len; k++)
        g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (part->labels, k)));
    }
  return schedule;
}

/* Lets the plan take what was found; it stays as it was if that cannot be derived as a whole. */
static void
take_over (Layouts *self)
{
  HeddlePlan *plan = self->plan;
  HeddleSchedule *schedule = schedule_of (self);
  HeddleDiagram *diagram = heddle_diagram_copy (self->diagram);
  HeddleDerivation *derivation = heddle_plan_derive (diagram, schedule, NULL, plan, self->cancellable, NULL);

  heddle_schedule_free (schedule);
  if (derivation == NULL)
    {
      heddle_diagram_free (diagram);
      return;
    }
  g_ptr_array_set_size (self->parts, 0);
  heddle_derivation_free (plan->derivation);
  heddle_diagram_free (plan->diagram);
  plan->derivation = derivation;
  plan->diagram = diagram;
}

/* Searches better layouts, and puts the result into @done if something is faster. */
static void
search (HeddlePlan *plan, HeddlePlanCopies copies, GCancellable *cancellable, void (*done) (Layouts *))
{
  g_autoptr (GPtrArray) diagrams = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_diagram_free);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (part_free);
  g_autoptr (GHashTable) settled = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Layouts self = { .plan = plan,
    .cancellable = cancellable,
    .diagram = plan->diagram,
    .diagrams = diagrams,
    .parts = parts,
    .settled = settled,
    .copies = copies };

  for (guint i = 0; i < plan->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (plan->derivation->kernels, i);
      Part *part = part_new (kernel->operations);

      take_kernel (part, plan, plan->diagram, kernel);
      g_ptr_array_add (parts, part);
    }
  settle_all (&self);
  if (self.changed && !g_cancellable_is_cancelled (cancellable))
    done (&self);
  g_ptr_array_set_size (parts, 0); /* before the diagrams that they borrow */
}

void
heddle_plan_lay_out (HeddlePlan *plan, HeddlePlanCopies copies, GCancellable *cancellable)
{
  search (plan, copies, cancellable, take_over);
}

static void
take_diagram (Layouts *self)
{
  self->plan->diagram = heddle_diagram_copy (self->diagram);
}

HeddleDiagram *
heddle_plan_find_layouts (const HeddlePlan *plan, const HeddleDiagram *diagram, HeddleDerivation *derivation,
    GCancellable *cancellable)
{
  HeddlePlan own = *plan;

  own.diagram = (HeddleDiagram *) diagram;
  own.derivation = derivation;
  search (&own, HEDDLE_PLAN_COPY_INPUTS, cancellable, take_diagram);
  return own.diagram != diagram ? own.diagram : NULL;
}
