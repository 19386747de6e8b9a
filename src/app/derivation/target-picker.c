/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/target-picker.h"
#include "app/editor/target.h"
#include "app/widgets/tooltip.h"

static const HeddleDtype dtypes[]
    = { HEDDLE_DTYPE_F16, HEDDLE_DTYPE_BF16, HEDDLE_DTYPE_F32, HEDDLE_DTYPE_F64 };

struct _HeddleTargetPicker
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GPtrArray *machines; /* those listed */
  GtkDropDown *gpu, *dtype;
  gboolean is_free; /* it has one data type more: as declared */
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (HeddleTargetPicker, heddle_target_picker, GTK_TYPE_BOX)

static guint chosen_signal;

static void
select_machine (HeddleTargetPicker *self, const char *name)
{
  for (guint i = 0; i < self->machines->len; i++)
    if (g_strcmp0 (((HeddleMachine *) g_ptr_array_index (self->machines, i))->name, name) == 0)
      gtk_drop_down_set_selected (self->gpu, i);
}

const HeddleMachine *
heddle_target_picker_get_machine (HeddleTargetPicker *self)
{
  const guint i = gtk_drop_down_get_selected (self->gpu);

  return i < self->machines->len ? g_ptr_array_index (self->machines, i) : NULL;
}

HeddleDtype
heddle_target_picker_get_dtype (HeddleTargetPicker *self)
{
  const guint i = gtk_drop_down_get_selected (self->dtype) - (self->is_free ? 1 : 0);

  return i < G_N_ELEMENTS (dtypes) ? dtypes[i] : HEDDLE_DTYPE_UNSET;
}

void
heddle_target_picker_update (HeddleTargetPicker *self)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);

  self->updating = TRUE;
  if (machine != NULL)
    select_machine (self, machine->name);
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (dtypes[i] == heddle_editor_get_dtype (self->editor))
      gtk_drop_down_set_selected (self->dtype, i);
  self->updating = FALSE;
}

/* Returns the titles of those listed (const char *), %NULL-terminated. */
static GPtrArray *
list_titles (HeddleTargetPicker *self)
{
  GPtrArray *titles = g_ptr_array_new ();

  for (guint i = 0; i < self->machines->len; i++)
    g_ptr_array_add (titles, ((HeddleMachine *) g_ptr_array_index (self->machines, i))->title);
  g_ptr_array_add (titles, NULL);
  return titles;
}

/* Keeps what was chosen, though another place in the list may be its own now. */
static void
follow_machines (HeddleTargetPicker *self)
{
  GPtrArray *machines = heddle_editor_get_machines (self->editor);
  const HeddleMachine *chosen = heddle_target_picker_get_machine (self);
  g_autofree char *name = g_strdup (chosen != NULL ? chosen->name : NULL);
  g_autoptr (GPtrArray) titles = NULL;
  g_autoptr (GtkStringList) model = NULL;

  if (machines == self->machines)
    return;
  g_ptr_array_unref (self->machines);
  self->machines = g_ptr_array_ref (machines);
  titles = list_titles (self);
  model = gtk_string_list_new ((const char *const *) titles->pdata);
  self->updating = TRUE;
  gtk_drop_down_set_model (self->gpu, G_LIST_MODEL (model));
  select_machine (self, name);
  self->updating = FALSE;
}

static void
on_gpu (HeddleTargetPicker *self)
{
  const HeddleMachine *machine = heddle_target_picker_get_machine (self);

  if (self->updating || machine == NULL)
    return;
  if (self->is_free)
    g_signal_emit (self, chosen_signal, 0);
  else
    heddle_editor_set_machine (self->editor, machine->name);
}

static void
on_dtype (HeddleTargetPicker *self)
{
  if (self->updating)
    return;
  if (self->is_free)
    g_signal_emit (self, chosen_signal, 0);
  else
    heddle_editor_set_dtype (self->editor, heddle_target_picker_get_dtype (self));
}

static void
heddle_target_picker_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_TARGET_PICKER (object)->editor);
  g_clear_pointer (&HEDDLE_TARGET_PICKER (object)->machines, g_ptr_array_unref);
  G_OBJECT_CLASS (heddle_target_picker_parent_class)->dispose (object);
}

static void
heddle_target_picker_class_init (HeddleTargetPickerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_target_picker_dispose;
  chosen_signal = g_signal_new (
      "chosen", HEDDLE_TYPE_TARGET_PICKER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
heddle_target_picker_init (HeddleTargetPicker *self)
{
  gtk_box_set_spacing (GTK_BOX (self), 6);
}

static GtkDropDown *
add_picker (HeddleTargetPicker *self, const char *const *names, const char *tip, GCallback callback)
{
  GtkWidget *picker = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_tooltip_text (picker, tip);
  heddle_accessible_name_set (picker, tip);
  g_signal_connect_swapped (picker, "notify::selected", callback, self);
  gtk_box_append (GTK_BOX (self), picker);
  return GTK_DROP_DOWN (picker);
}

static HeddleTargetPicker *
picker_new (HeddleEditor *editor, gboolean is_free, const char *gpu_tip, const char *dtype_tip)
{
  HeddleTargetPicker *self = g_object_new (HEDDLE_TYPE_TARGET_PICKER, NULL);
  g_autoptr (GPtrArray) titles = NULL;
  const char *names[G_N_ELEMENTS (dtypes) + 2] = { NULL };
  guint n = 0;

  self->editor = g_object_ref (editor);
  self->machines = g_ptr_array_ref (heddle_editor_get_machines (editor));
  self->is_free = is_free;
  self->updating = TRUE;
  titles = list_titles (self);
  if (is_free)
    names[n++] = _ ("as declared");
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    names[n++] = heddle_dtype_to_string (dtypes[i]);
  self->gpu = add_picker (self, (const char *const *) titles->pdata, gpu_tip, G_CALLBACK (on_gpu));
  self->dtype = add_picker (self, names, dtype_tip, G_CALLBACK (on_dtype));
  self->updating = FALSE;
  g_signal_connect_object (
      editor, "derivation-changed", G_CALLBACK (follow_machines), self, G_CONNECT_SWAPPED);
  return self;
}

GtkWidget *
heddle_target_picker_new (HeddleEditor *editor)
{
  HeddleTargetPicker *self = picker_new (editor, FALSE, _ ("The GPU the kernel is derived for"),
      _ ("The data type of arrays that declare none"));

  heddle_target_picker_update (self);
  return GTK_WIDGET (self);
}

GtkWidget *
heddle_target_picker_new_free (HeddleEditor *editor, const char *machine)
{
  HeddleTargetPicker *self
      = picker_new (editor, TRUE, _ ("A GPU to compare"), _ ("The data type of every array"));

  self->updating = TRUE;
  select_machine (self, machine);
  self->updating = FALSE;
  return GTK_WIDGET (self);
}
