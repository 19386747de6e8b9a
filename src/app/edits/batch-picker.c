/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/edits/batch-picker.h"
#include "app/edits/batch.h"
#include "app/widgets/tooltip.h"
#include "diagram/graph/diagram.h"

#define COUNT_WIDTH 84 /* both alike */

static const gint64 usual[] = { 1, 2, 4, 8, 16, 32, 64, 128 };

struct _HeddleBatchPicker
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkWidget *button;
  GtkDropDown *counts[HEDDLE_N_BATCHES];
  gint64 listed[HEDDLE_N_BATCHES]; /* a number that each lists besides the usual ones, behind them; 0: none */
  gboolean updating;
};

G_DEFINE_FINAL_TYPE (HeddleBatchPicker, heddle_batch_picker, GTK_TYPE_BOX)

/* Returns "h = 32, b = 4", or "h = 1" where there is neither. */
static char *
describe (HeddleBatchPicker *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (HeddleBatch i = 0; i < HEDDLE_N_BATCHES; i++)
    {
      const HeddleAxis *axis = heddle_edits_find_batch (self->editor, i);

      if (axis != NULL && heddle_edits_get_batch (self->editor, i) > 0)
        g_string_append_printf (text, "%s%s = %" G_GINT64_FORMAT, text->len > 0 ? ", " : "", axis->name,
            heddle_edits_get_batch (self->editor, i));
    }
  return g_strdup (text->len > 0 ? text->str : "h = 1");
}

/* A number that is not among the usual ones is listed behind them. */
static void
list (HeddleBatchPicker *self, HeddleBatch batch, gint64 size)
{
  GtkStringList *model = GTK_STRING_LIST (gtk_drop_down_get_model (self->counts[batch]));
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, size);
  const char *more[] = { text, NULL };

  gtk_string_list_splice (
      model, G_N_ELEMENTS (usual), self->listed[batch] > 0 ? 1 : 0, size > 0 ? more : NULL);
  self->listed[batch] = size;
}

static void
show_count (HeddleBatchPicker *self, HeddleBatch batch)
{
  const gint64 size = heddle_edits_get_batch (self->editor, batch);
  guint i = 0;

  while (i < G_N_ELEMENTS (usual) && usual[i] != size)
    i++;
  if (i == G_N_ELEMENTS (usual) && self->listed[batch] != size)
    list (self, batch, size);
  gtk_drop_down_set_selected (self->counts[batch], size > 0 ? i : GTK_INVALID_LIST_POSITION);
}

void
heddle_batch_picker_update (HeddleBatchPicker *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  g_autofree char *text = describe (self);

  gtk_widget_set_sensitive (self->button, diagram != NULL && diagram->operations->len > 0);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), text);
  self->updating = TRUE;
  for (HeddleBatch i = 0; i < HEDDLE_N_BATCHES; i++)
    show_count (self, i);
  self->updating = FALSE;
}

static void
on_count (GtkDropDown *count, GParamSpec *pspec, HeddleBatchPicker *self)
{
  const guint i = gtk_drop_down_get_selected (count);
  const HeddleBatch batch
      = count == self->counts[HEDDLE_BATCH_HEADS] ? HEDDLE_BATCH_HEADS : HEDDLE_BATCH_BATCH;

  if (self->updating || i == GTK_INVALID_LIST_POSITION)
    return;
  heddle_edits_set_batch (self->editor, batch, i < G_N_ELEMENTS (usual) ? usual[i] : self->listed[batch]);
  heddle_batch_picker_update (self); /* also where it was refused */
}

static void
heddle_batch_picker_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_BATCH_PICKER (object)->editor);
  G_OBJECT_CLASS (heddle_batch_picker_parent_class)->dispose (object);
}

static void
heddle_batch_picker_class_init (HeddleBatchPickerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_batch_picker_dispose;
}

static void
heddle_batch_picker_init (HeddleBatchPicker *self)
{
}

static GtkWidget *
new_row (HeddleBatchPicker *self, HeddleBatch batch, const char *title)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *label = gtk_label_new (title);
  GtkWidget *count = gtk_drop_down_new (G_LIST_MODEL (gtk_string_list_new (NULL)), NULL);

  self->counts[batch] = GTK_DROP_DOWN (count);
  for (guint i = 0; i < G_N_ELEMENTS (usual); i++)
    {
      g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, usual[i]);

      gtk_string_list_append (GTK_STRING_LIST (gtk_drop_down_get_model (self->counts[batch])), text);
    }
  heddle_accessible_name_set (count, title);
  gtk_widget_set_size_request (count, COUNT_WIDTH, -1);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), count);
  g_signal_connect_object (count, "notify::selected", G_CALLBACK (on_count), self, 0);
  return row;
}

static GtkWidget *
new_popover (HeddleBatchPicker *self)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *words = gtk_label_new (
      _ ("The whole diagram for this many at once: each array but the parameters gets one more axis"));

  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (words), 30);
  gtk_label_set_xalign (GTK_LABEL (words), 0);
  gtk_widget_add_css_class (words, "dim-label");
  gtk_widget_add_css_class (words, "caption");
  gtk_box_append (GTK_BOX (box), new_row (self, HEDDLE_BATCH_HEADS, _ ("Heads")));
  gtk_box_append (GTK_BOX (box), new_row (self, HEDDLE_BATCH_BATCH, _ ("Batch")));
  gtk_box_append (GTK_BOX (box), words);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  return popover;
}

GtkWidget *
heddle_batch_picker_new (HeddleEditor *editor)
{
  HeddleBatchPicker *self = g_object_new (HEDDLE_TYPE_BATCH_PICKER, NULL);
  const char *tip = _ ("For how many heads and batches it is computed at once");

  self->editor = g_object_ref (editor);
  self->button = gtk_menu_button_new ();
  gtk_widget_set_tooltip_text (self->button, tip);
  self->updating = TRUE;
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), new_popover (self));
  gtk_box_append (GTK_BOX (self), self->button);
  heddle_batch_picker_update (self);
  return GTK_WIDGET (self);
}
