/* SPDX-License-Identifier: MIT */
#include "derive/derivation/derive.h"
#include "derive/report/layouts.h"
#include "diagram/document/layout.h"
#include "diagram/graph/diagram-names.h"

/* Returns whether an operation outside of the kernel reads the value. */
static gboolean
leaves (const HeddleDiagram *diagram, const HeddleKernel *kernel, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);

  for (guint i = 0; i < readers->len; i++)
    if (!heddle_ids_contain (
            kernel->operations, ((const HeddleOperation *) g_ptr_array_index (readers, i))->id))
      return TRUE;
  return FALSE;
}

GPtrArray *
heddle_derivation_laid_values (
    const HeddleDerivation *self, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; self->laid != NULL && i < kernel->operations->len; i++)
    {
      const char *made
          = heddle_diagram_get_operation (self->laid, heddle_ids_index (kernel->operations, i))->result;
      const HeddleValue *laid = heddle_diagram_get_value (self->laid, made);

      const HeddleValue *drawn = heddle_diagram_get_value (diagram, made);

      if (leaves (self->laid, kernel, made) && (drawn == NULL || !heddle_ids_equal (laid->axes, drawn->axes)))
        g_ptr_array_add (values, (gpointer) laid);
    }
  return values;
}

char *
heddle_derivation_layout_text (
    const HeddleDerivation *self, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (GPtrArray) values = heddle_derivation_laid_values (self, diagram, kernel);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      g_autofree char *name = heddle_diagram_value_label (self->laid, value->id);

      g_string_append_printf (text, "%s%s[", i > 0 ? ", " : "", name);
      for (guint k = 0; k < value->axes->len; k++)
        g_string_append_printf (
            text, "%s%s", k > 0 ? "," : "", heddle_axis_name (self->laid, heddle_ids_index (value->axes, k)));
      g_string_append_c (text, ']');
    }
  return g_string_free (text, values->len == 0);
}

void
heddle_derivation_write_layouts (
    const HeddleDerivation *self, const HeddleDiagram *diagram, HeddleSchedule *schedule)
{
  if (self->laid == NULL)
    return;
  heddle_schedule_take_layouts (schedule, diagram, self->laid);
  for (guint i = 0; i < self->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->kernels, i);
      HeddleValueLayout *layout = heddle_derivation_is_inserted (self, kernel) ? heddle_schedule_get_copied (
                                      schedule, self->laid, heddle_ids_index (kernel->operations, 0))
                                                                               : NULL;

      for (guint k = 0; layout != NULL && k < kernel->labels->len; k++)
        g_ptr_array_add (layout->labels, heddle_label_copy (g_ptr_array_index (kernel->labels, k)));
    }
}
