/* SPDX-License-Identifier: MIT */

/* The part of the menu that says where the array under the pointer is kept, and for whom it is worked out again. */

#include <glib/gi18n.h>

#include "app/canvas/placing.h"
#include "app/derivation/placement.h"
#include "app/editor/editor.h"
#include "app/editor/target.h"
#include "derive/machine/machine.h"
#include "derive/report/step-title.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "app/canvas/private.h"

/* Beyond this many readers the inspector has all. */
#define MOST_COLUMNS 8
#define GROUP "here"

/* A subject is the array that an action is about; ids are interned. */
typedef struct
{
  HeddleEditor *editor;
  const char *value, *column;
} Subject;

static void
subject_free (gpointer data, GClosure *closure)
{
  Subject *self = data;

  g_object_unref (self->editor);
  g_free (self);
}

static Subject *
subject_new (HeddleCanvas *canvas, const char *value, const char *column)
{
  Subject *self = g_new0 (Subject, 1);

  *self = (Subject){ g_object_ref (canvas->editor), value, column };
  return self;
}

static void
on_place (GSimpleAction *action, GVariant *state, Subject *subject)
{
  const char *level = g_variant_get_string (state, NULL);

  heddle_placement_set (subject->editor, subject->value, subject->column, *level != '\0' ? level : NULL);
}

static void
on_again (GSimpleAction *action, GVariant *state, Subject *subject)
{
  heddle_recompute_set (subject->editor, subject->value, subject->column, g_variant_get_boolean (state));
}

static void
add_action (GSimpleActionGroup *group, const char *name, const GVariantType *parameter, GVariant *state,
    GCallback callback, Subject *subject)
{
  GSimpleAction *action = g_simple_action_new_stateful (name, parameter, state);

  g_signal_connect_data (action, "change-state", callback, subject, subject_free, 0);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  g_object_unref (action);
}

/* Returns a choice among the levels, as an action and its items. */
static GMenu *
new_levels (
    HeddleCanvas *self, GSimpleActionGroup *group, const HeddleValue *value, const char *column, guint number)
{
  g_autofree char *name = g_strdup_printf ("place%u", number);
  g_autofree char *action = g_strdup_printf (GROUP ".%s", name);
  g_autoptr (GPtrArray) levels = heddle_placement_get_levels (self->editor);
  const char *level = heddle_placement_get_level (self->editor, value->id, column);
  GMenu *menu = g_menu_new ();

  add_action (group, name, G_VARIANT_TYPE_STRING, g_variant_new_string (level != NULL ? level : ""),
      G_CALLBACK (on_place), subject_new (self, value->id, column));
  for (guint i = 0; i <= levels->len; i++)
    {
      const HeddleLevel *at = i > 0 ? g_ptr_array_index (levels, i - 1) : NULL;
      g_autoptr (GMenuItem) item
          = g_menu_item_new (at != NULL ? _ (at->title) : _ ("As the Kernels Have It"), NULL);

      g_menu_item_set_action_and_target (item, action, "s", at != NULL ? at->name : "");
      g_menu_append_item (menu, item);
    }
  return menu;
}

/* An underline of a name is no mnemonic. */
static char *
label_of (const HeddleDiagram *diagram, const char *value)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, value);
  g_auto (GStrv) parts = g_strsplit (label, "_", -1);

  return g_strjoinv ("__", parts);
}

static void
append_levels (GMenu *menu, const char *label, GMenu *levels)
{
  g_menu_append_submenu (menu, label, G_MENU_MODEL (levels));
  g_object_unref (levels);
}

static void
append_places (HeddleCanvas *self, GSimpleActionGroup *group, GMenu *section, const HeddleValue *value,
    GPtrArray *columns)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  g_autofree char *label = label_of (diagram, value->id);
  g_autofree char *title = g_strdup_printf (_ ("_Keep %s at"), label);

  append_levels (section, title, new_levels (self, group, value, NULL, 0));
  for (guint i = 0; i < MIN (columns->len, MOST_COLUMNS); i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (columns, i);
      g_autofree char *of = label_of (diagram, reader->result);
      g_autofree char *for_one = g_strdup_printf (_ ("Keep %s for %s at"), label, of);

      append_levels (section, for_one, new_levels (self, group, value, reader->id, i + 1));
    }
}

static void
append_again (HeddleCanvas *self, GSimpleActionGroup *group, GMenu *section, const HeddleValue *value,
    GPtrArray *columns)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);

  for (guint i = 0; i < MIN (columns->len, MOST_COLUMNS); i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (columns, i);
      const HeddleRecompute recompute = { value->id, reader->id };
      g_autofree char *title = heddle_step_title_of_recompute (diagram, &recompute);
      g_autofree char *name = g_strdup_printf ("again%u", i);
      g_autofree char *action = g_strdup_printf (GROUP ".%s", name);

      add_action (group, name, NULL,
          g_variant_new_boolean (heddle_recompute_get (self->editor, value->id, reader->id)),
          G_CALLBACK (on_again), subject_new (self, value->id, reader->id));
      g_menu_append (section, title, action);
    }
}

void
heddle_canvas_append_placing (HeddleCanvas *self, GMenu *menu)
{
  const HeddleValue *value = heddle_placement_get_selected (self->editor);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GPtrArray) columns = NULL;
  g_autoptr (GMenu) section = g_menu_new ();

  gtk_widget_insert_action_group (GTK_WIDGET (self), GROUP, G_ACTION_GROUP (group));
  if (value == NULL || heddle_editor_get_machine (self->editor) == NULL)
    return;
  columns = heddle_placement_get_columns (self->editor, value->id);
  append_places (self, group, section, value, columns);
  if (heddle_diagram_get_producer (heddle_editor_get_diagram (self->editor), value->id) != NULL)
    append_again (self, group, section, value, columns);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}
