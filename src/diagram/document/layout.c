/* SPDX-License-Identifier: MIT */
#include "diagram/document/layout.h"
#include "diagram/graph/axes-order.h"
#include "diagram/graph/copy-in-order.h"

/* The id of a copying region. Diagrams number their values and operations by themselves; no region of a
 * document is ever called so. */
#define COPY_REGION "copy.%s"

gboolean
heddle_value_layout_is_for (const HeddleValueLayout *self, const HeddleDiagram *diagram)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, self->value);

  return value != NULL && !heddle_diagram_is_output (diagram, self->value)
         && heddle_ids_same_set (value->axes, self->axes);
}

static gboolean
is_given (const HeddleDiagram *diagram, const char *value)
{
  return heddle_diagram_get_producer (diagram, value) == NULL;
}

/* Returns the one operation that reads the value, if it copies it into the order of the layout; else NULL. */
static const HeddleOperation *
find_copy (const HeddleDiagram *diagram, const HeddleValueLayout *layout)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, layout->value);
  const HeddleOperation *reader = readers->len == 1 ? g_ptr_array_index (readers, 0) : NULL;

  return reader != NULL && heddle_operation_is_copy (reader)
                 && heddle_diagram_is_internal (diagram, reader->result)
                 && heddle_ids_equal (heddle_diagram_get_value (diagram, reader->result)->axes, layout->axes)
             ? reader
             : NULL;
}

static const char *
copy_for_all (HeddleDiagram *diagram, const HeddleValueLayout *layout)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, layout->value);
  g_autoptr (GArray) operations = heddle_ids_new ();

  for (guint i = 0; i < readers->len; i++)
    heddle_ids_append (operations, ((const HeddleOperation *) g_ptr_array_index (readers, i))->id);
  return heddle_diagram_copy_in_order (diagram, layout->value, layout->axes,
      heddle_diagram_get_value (diagram, layout->value)->dtype, operations);
}

static void
add_copy_region (HeddleSchedule *schedule, const HeddleValueLayout *layout, const char *operation)
{
  g_autofree char *id = g_strdup_printf (COPY_REGION, layout->value);
  HeddleRegion *region = heddle_region_new (id);

  heddle_ids_append (region->operations, operation);
  for (guint i = 0; i < layout->labels->len; i++)
    g_ptr_array_add (region->labels, heddle_label_copy (g_ptr_array_index (layout->labels, i)));
  g_ptr_array_add (schedule->regions, region);
}

typedef struct
{
  const HeddleSchedule *schedule;
  const HeddleDiagram *diagram;
  HeddleDiagram *laid; /* NULL: nothing lies otherwise */
  HeddleSchedule *whole; /* NULL: nothing is copied */
} LayOut;

static HeddleDiagram *
get_laid (LayOut *self)
{
  if (self->laid == NULL)
    self->laid = heddle_diagram_copy (self->diagram);
  return self->laid;
}

static void
copy_given (LayOut *self, const HeddleValueLayout *layout)
{
  const HeddleOperation *copy = find_copy (self->laid != NULL ? self->laid : self->diagram, layout);
  const char *id = copy != NULL ? copy->id : copy_for_all (get_laid (self), layout);

  if (heddle_schedule_region_of (self->schedule, id) != NULL)
    return;
  if (self->whole == NULL)
    self->whole = heddle_schedule_copy (self->schedule);
  add_copy_region (self->whole, layout, id);
}

static void
lay_out (LayOut *self, const HeddleValueLayout *layout)
{
  if (!heddle_value_layout_is_for (layout, self->diagram)
      || heddle_ids_equal (heddle_diagram_get_value (self->diagram, layout->value)->axes, layout->axes))
    return;
  if (is_given (self->diagram, layout->value))
    copy_given (self, layout);
  else
    heddle_diagram_reorder_axes (get_laid (self), layout->value, layout->axes);
}

HeddleDiagram *
heddle_schedule_lay_out (const HeddleSchedule *self, const HeddleDiagram *diagram, HeddleSchedule **whole)
{
  LayOut state = { self, diagram };

  for (guint i = 0; self != NULL && i < self->layouts->len; i++)
    lay_out (&state, g_ptr_array_index (self->layouts, i));
  if (whole != NULL)
    *whole = state.whole;
  else if (state.whole != NULL)
    heddle_schedule_free (state.whole);
  return state.laid;
}

/* Returns whether the operation was added to @diagram, in @laid, to copy what is given there. */
static gboolean
is_added_copy (const HeddleDiagram *diagram, const HeddleDiagram *laid, const HeddleOperation *operation)
{
  const char *from;

  if (heddle_diagram_get_operation (diagram, operation->id) != NULL || !heddle_operation_is_copy (operation))
    return FALSE;
  from = heddle_ids_index (operation->operands, 0);
  return heddle_diagram_get_value (diagram, from) != NULL && is_given (laid, from);
}

void
heddle_schedule_take_layouts (HeddleSchedule *self, const HeddleDiagram *diagram, const HeddleDiagram *laid)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      const HeddleValue *other = heddle_diagram_get_value (laid, value->id);

      if (other != NULL && !heddle_ids_equal (value->axes, other->axes))
        heddle_schedule_set_layout (self, value->id, other->axes);
    }
  for (guint i = 0; i < laid->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (laid->operations, i);

      if (is_added_copy (diagram, laid, operation))
        heddle_schedule_set_layout (self, heddle_ids_index (operation->operands, 0),
            heddle_diagram_get_value (laid, operation->result)->axes);
    }
}

HeddleValueLayout *
heddle_schedule_get_copied (HeddleSchedule *self, const HeddleDiagram *laid, const char *operation)
{
  const HeddleOperation *copy = heddle_diagram_get_operation (laid, operation);
  const HeddleValueLayout *layout = copy != NULL && copy->operands->len == 1 ? heddle_schedule_get_layout (
                                        self, heddle_ids_index (copy->operands, 0))
                                                                             : NULL;

  return layout != NULL && is_given (laid, layout->value) && find_copy (laid, layout) == copy
             ? (HeddleValueLayout *) layout
             : NULL;
}
