/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/target-picker.h"

static const HeddleDtype dtypes[]
    = { HEDDLE_DTYPE_F16, HEDDLE_DTYPE_BF16, HEDDLE_DTYPE_F32, HEDDLE_DTYPE_F64 };

struct _HeddleTargetPicker
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkDropDown *gpu, *dtype;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (HeddleTargetPicker, heddle_target_picker, GTK_TYPE_BOX)

void
heddle_target_picker_update (HeddleTargetPicker *self)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  GPtrArray *machines = heddle_editor_get_machines (self->editor);

  self->updating = TRUE;
  for (guint i = 0; i < machines->len; i++)
    if (machine && g_str_equal (((HeddleMachine *) g_ptr_array_index (machines, i))->name, machine->name))
      gtk_drop_down_set_selected (self->gpu, i);
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    if (dtypes[i] == heddle_editor_get_dtype (self->editor))
      gtk_drop_down_set_selected (self->dtype, i);
  self->updating = FALSE;
}

static void
on_gpu (HeddleTargetPicker *self)
{
  GPtrArray *machines = heddle_editor_get_machines (self->editor);
  guint i = gtk_drop_down_get_selected (self->gpu);

  if (!self->updating && i < machines->len)
    heddle_editor_set_machine (self->editor, ((HeddleMachine *) g_ptr_array_index (machines, i))->name);
}

static void
on_dtype (HeddleTargetPicker *self)
{
  guint i = gtk_drop_down_get_selected (self->dtype);

  if (!self->updating && i < G_N_ELEMENTS (dtypes))
    heddle_editor_set_dtype (self->editor, dtypes[i]);
}

static void
heddle_target_picker_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_TARGET_PICKER (object)->editor);
  G_OBJECT_CLASS (heddle_target_picker_parent_class)->dispose (object);
}

static void
heddle_target_picker_class_init (HeddleTargetPickerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_target_picker_dispose;
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
  gtk_accessible_update_property (GTK_ACCESSIBLE (picker), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  g_signal_connect_swapped (picker, "notify::selected", callback, self);
  gtk_box_append (GTK_BOX (self), picker);
  return GTK_DROP_DOWN (picker);
}

GtkWidget *
heddle_target_picker_new (HeddleEditor *editor)
{
  HeddleTargetPicker *self = g_object_new (HEDDLE_TYPE_TARGET_PICKER, NULL);
  GPtrArray *machines = heddle_editor_get_machines (editor);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  const char *names[G_N_ELEMENTS (dtypes) + 1] = { NULL };

  self->editor = g_object_ref (editor);
  self->updating = TRUE;
  for (guint i = 0; i < machines->len; i++)
    g_ptr_array_add (titles, ((HeddleMachine *) g_ptr_array_index (machines, i))->title);
  g_ptr_array_add (titles, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    names[i] = heddle_dtype_to_string (dtypes[i]);
  self->gpu = add_picker (self, (const char *const *) titles->pdata, _ ("The GPU the kernel is derived for"),
      G_CALLBACK (on_gpu));
  self->dtype
      = add_picker (self, names, _ ("The data type of arrays that declare none"), G_CALLBACK (on_dtype));
  heddle_target_picker_update (self);
  return GTK_WIDGET (self);
}
