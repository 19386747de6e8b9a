/* SPDX-License-Identifier: MIT */

/* The inspector's page for an axis has its size, where it is, how it is labelled, and what is carried from
 * step to step of its loop. */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/edits/definitions.h"
#include "app/edits/label.h"
#include "app/panes/inspector-axis.h"
#include "app/panes/inspector-pages.h"
#include "app/panes/inspector-rows.h"
#include "app/widgets/level-swatch.h"
#include "derive/index/extent.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/document/schedule.h"

static GPtrArray *
values_on (const HeddleDiagram *diagram, const char *axis)
{
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);

      if (heddle_ids_contain (value->axes, axis))
        g_ptr_array_add (values, (gpointer) value);
    }
  return values;
}

static char *
describe_use (const HeddleDiagram *diagram, GPtrArray *values)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *list = NULL;

  for (guint i = 0; i < values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);

      if (value->name != NULL)
        g_ptr_array_add (names, g_strdup (value->name));
    }
  list = heddle_describe_list (names);
  if (names->len < values->len)
    return g_strdup_printf (
        ngettext ("on %u array, %s among them", "on %u arrays, %s among them", values->len), values->len,
        list);
  return g_strdup_printf (ngettext ("on %u array: %s", "on %u arrays: %s", values->len), values->len, list);
}

static char *
describe_label (const HeddleLabel *label)
{
  g_autofree char *text
      = g_strdup_printf ("%s %" G_GINT64_FORMAT, _ (heddle_label_kind_to_string (label->kind)), label->size);

  return label->inactive != NULL ? g_strdup_printf ("%s (%s)", text, _ ("inactive"))
                                 : g_steal_pointer (&text);
}

/* "stream 64" for every label that the axis has at a level; kernels that have the same are said once. */
static char *
labels_at (const HeddleSchedule *schedule, const char *axis, const char *level)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint j = 0; j < region->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, j);
          char *text = NULL;

          if (label->axis != axis || g_strcmp0 (label->level, level) != 0)
            continue;
          text = describe_label (label);
          if (g_ptr_array_find_with_equal_func (texts, text, g_str_equal, NULL))
            g_free (text);
          else
            g_ptr_array_add (texts, text);
        }
    }
  if (texts->len == 0)
    return NULL;
  g_ptr_array_add (texts, NULL);
  return g_strjoinv (", ", (char **) texts->pdata);
}

/* Those of levels say so where there are none, and those of links, of which there are seldom any, only where there are. */
static void
add_labels (GtkWidget *box, HeddleEditor *editor, const HeddleAxis *axis)
{
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  GtkWidget *group = NULL, *hint = NULL;

  if (machine == NULL)
    return;
  group = heddle_inspector_add_group (box, _ ("Labels"));
  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);
      g_autofree char *labels = NULL;
      GtkWidget *row = NULL;

      if (!level->labels)
        continue;
      labels = labels_at (heddle_editor_get_shown_schedule (editor), axis->id, level->name);
      row = heddle_inspector_add_fact (
          group, heddle_format_place (level->title), labels != NULL ? labels : _ ("none"));
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), heddle_level_swatch_new (level->name));
    }
  for (guint i = 0; i < machine->links->len; i++)
    {
      const HeddleLink *link = g_ptr_array_index (machine->links, i);
      g_autofree char *labels = labels_at (heddle_editor_get_shown_schedule (editor), axis->id, link->name);

      if (labels != NULL)
        heddle_inspector_add_fact (group, _ (link->title), labels);
    }
  hint = gtk_label_new (_ ("Drag the wire onto a level below to label it."));
  g_object_set (hint, "xalign", 0., "wrap", TRUE, NULL);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_add_css_class (hint, "caption");
  gtk_box_append (GTK_BOX (box), hint);
}

/* Returns how much of each axis a buffer holds, as it is written: [g_y, k]. */
static char *
describe_extents (const HeddleDiagram *diagram, const HeddleBuffer *buffer)
{
  static const char *const prefixes[] = { [HEDDLE_EXTENT_FULL] = "",
    [HEDDLE_EXTENT_TILE] = "g_",
    [HEDDLE_EXTENT_CHUNK] = "s_",
    [HEDDLE_EXTENT_WINDOW] = "" };
  GString *text = g_string_new ("[");

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const HeddleAxis *axis = heddle_diagram_get_axis (diagram, heddle_ids_index (buffer->axes, i));

      g_string_append_printf (text, "%s%s%s", i > 0 ? ", " : "",
          prefixes[g_array_index (buffer->extents, HeddleExtent, i)], axis != NULL ? axis->name : "?");
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static void
add_state (GtkWidget *group, const HeddleDiagram *diagram, const HeddleBuffer *buffer)
{
  g_autofree char *extents = describe_extents (diagram, buffer);
  GtkWidget *row
      = heddle_inspector_add_fact (group, buffer->title != NULL ? _ (buffer->title) : buffer->name, extents);

  adw_action_row_add_prefix (ADW_ACTION_ROW (row), heddle_inspector_new_symbol (buffer->name, 17));
}

/* Adds what the kernels that stream @axis carry from one chunk to the next. */
static void
add_states (GtkWidget *box, HeddleEditor *editor, const HeddleAxis *axis)
{
  const HeddleDerivation *derivation = heddle_editor_get_shown_derivation (editor);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GtkWidget *group = NULL;

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->program == NULL
          || heddle_loop_program_get_band (kernel->program, axis->id, HEDDLE_BAND_STREAM) == NULL)
        continue;
      for (guint j = 0; j < kernel->program->buffers->len; j++)
        {
          const HeddleBuffer *buffer = g_ptr_array_index (kernel->program->buffers, j);

          if (buffer->role != HEDDLE_BUFFER_STATE)
            continue;
          if (group == NULL)
            group = heddle_inspector_add_group (box, _ ("Carried from step to step"));
          add_state (group, diagram, buffer);
        }
    }
}

static gboolean
is_labelled (const HeddleSchedule *schedule, const char *axis)
{
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint j = 0; j < region->labels->len; j++)
        if (((const HeddleLabel *) g_ptr_array_index (region->labels, j))->axis == axis)
          return TRUE;
    }
  return FALSE;
}

void
heddle_inspector_show_axis (GtkWidget *box, HeddleEditor *editor, const HeddleAxis *axis)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GPtrArray) values = values_on (diagram, axis->id);
  g_autofree char *title = g_strdup_printf (_ ("Axis %s"), axis->name);
  g_autofree char *use = describe_use (diagram, values);
  g_autofree char *size = heddle_describe_size (diagram, axis);
  GtkWidget *group = NULL;

  heddle_inspector_add_heading (box, axis->name, title, use);
  group = heddle_inspector_add_group (box, _ ("Axis"));
  heddle_inspector_add_entry (group, editor, _ ("Name"), axis->name, axis->id, heddle_edits_rename);
  heddle_inspector_add_entry (group, editor, _ ("Size"), size, axis->id, heddle_edits_set_size);
  /* What was decided comes before what there is. */
  if (is_labelled (heddle_editor_get_shown_schedule (editor), axis->id))
    {
      add_labels (box, editor, axis);
      add_states (box, editor, axis);
      heddle_inspector_add_values (heddle_inspector_add_group (box, _ ("Where used")), editor, values);
    }
  else
    {
      heddle_inspector_add_values (heddle_inspector_add_group (box, _ ("Where used")), editor, values);
      add_labels (box, editor, axis);
    }
  heddle_inspector_add_problems (box, editor, axis->id);
}
