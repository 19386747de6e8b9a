/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/derivation/derivation-actions.h"
#include "app/derivation/derivation-pane.h"
#include "app/derivation/kernel-page.h"
#include "app/derivation/level-card.h"
#include "app/derivation/predicted-card.h"
#include "app/derivation/roofline-chart.h"
#include "app/derivation/steps-card.h"

struct _HeddleDerivationPane
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkDropDown *gpu, *dtype;
  GtkStack *stack;
  GtkBox *strip;
  GtkWidget *chart, *predicted, *steps, *kernel;
  GtkRevealer *refusal;
  GtkLabel *refusal_reason, *hint;
  GtkButton *remedy;
  char *strip_machine; /* the strip shows this one */
  gboolean updating;
  guint update_source;
};

G_DEFINE_FINAL_TYPE (HeddleDerivationPane, heddle_derivation_pane, GTK_TYPE_BOX)

static const HeddleDtype dtypes[]
    = { HEDDLE_DTYPE_F16, HEDDLE_DTYPE_BF16, HEDDLE_DTYPE_F32, HEDDLE_DTYPE_F64 };

/* --- what the panes show --- */

static void
rebuild_strip (HeddleDerivationPane *self)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  GtkWidget *child;

  if (g_strcmp0 (self->strip_machine, machine ? machine->name : NULL) == 0)
    return;
  g_free (self->strip_machine);
  self->strip_machine = g_strdup (machine ? machine->name : NULL);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->strip))) != NULL)
    gtk_box_remove (self->strip, child);
  for (guint i = 0; machine != NULL && i < machine->levels->len; i++)
    gtk_box_append (self->strip, heddle_level_card_new (self->editor, i));
}

static void
select_target (HeddleDerivationPane *self)
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

static gboolean
shows_kernel (HeddleDerivationPane *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "kernel") == 0;
}

static void
update_levels (HeddleDerivationPane *self)
{
  for (GtkWidget *card = gtk_widget_get_first_child (GTK_WIDGET (self->strip)); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    heddle_level_card_update (HEDDLE_LEVEL_CARD (card));
  heddle_roofline_chart_update (HEDDLE_ROOFLINE_CHART (self->chart));
  heddle_predicted_card_update (HEDDLE_PREDICTED_CARD (self->predicted));
  heddle_steps_card_update (HEDDLE_STEPS_CARD (self->steps));
}

static void
update_refusal (HeddleDerivationPane *self)
{
  const HeddleRefusal *refusal = heddle_editor_get_refusal (self->editor);
  g_autofree char *text = NULL;

  gtk_revealer_set_reveal_child (self->refusal, refusal != NULL);
  if (refusal == NULL)
    return;
  text = g_strdup_printf ("%s %s", refusal->reason, refusal->remedy ? refusal->remedy : "");
  gtk_label_set_text (self->refusal_reason, text);
  gtk_widget_set_visible (GTK_WIDGET (self->remedy), refusal->remedy_kind == HEDDLE_REMEDY_FUSE);
}

static void
update_hint (HeddleDerivationPane *self)
{
  const HeddleSchedule *schedule = heddle_editor_get_schedule (self->editor);

  if (heddle_editor_get_preview_schedule (self->editor) != NULL)
    gtk_label_set_text (self->hint, _ ("Drop to keep; another size is another target; Esc cancels"));
  else if (schedule == NULL || schedule->regions->len == 0)
    gtk_label_set_text (self->hint, _ ("One operation at a time. Fuse, then drag an axis onto a level"));
  else
    gtk_label_set_text (self->hint, "");
}

static void
update_preview (HeddleDerivationPane *self)
{
  update_levels (self);
  update_refusal (self);
  update_hint (self);
}

static gboolean
update_now (gpointer data)
{
  HeddleDerivationPane *self = data;

  self->update_source = 0;
  rebuild_strip (self);
  select_target (self);
  update_preview (self);
  if (shows_kernel (self))
    heddle_kernel_page_update (HEDDLE_KERNEL_PAGE (self->kernel));
  return G_SOURCE_REMOVE;
}

/* A document's change tells of itself in several signals: the pane follows once, before the next frame. */
static void
queue_update (HeddleDerivationPane *self)
{
  if (self->update_source == 0)
    self->update_source = g_idle_add_full (GDK_PRIORITY_REDRAW - 5, update_now, self, NULL);
}

/* --- what the person does --- */

static void
on_gpu (HeddleDerivationPane *self)
{
  GPtrArray *machines = heddle_editor_get_machines (self->editor);
  guint i = gtk_drop_down_get_selected (self->gpu);

  if (!self->updating && i < machines->len)
    heddle_editor_set_machine (self->editor, ((HeddleMachine *) g_ptr_array_index (machines, i))->name);
}

static void
on_dtype (HeddleDerivationPane *self)
{
  guint i = gtk_drop_down_get_selected (self->dtype);

  if (!self->updating && i < G_N_ELEMENTS (dtypes))
    heddle_editor_set_dtype (self->editor, dtypes[i]);
}

static void
on_page (HeddleDerivationPane *self)
{
  if (shows_kernel (self))
    heddle_kernel_page_update (HEDDLE_KERNEL_PAGE (self->kernel));
}

static void
on_fuse (HeddleDerivationPane *self)
{
  heddle_derivation_fuse (self->editor);
}

static void
on_unfuse (HeddleDerivationPane *self)
{
  heddle_derivation_unfuse (self->editor);
}

static void
on_suggest (HeddleDerivationPane *self)
{
  heddle_derivation_suggest (self->editor);
}

static void
on_remedy (HeddleDerivationPane *self)
{
  heddle_derivation_apply_remedy (self->editor);
}

static void
on_dismiss (HeddleDerivationPane *self)
{
  heddle_editor_set_refusal (self->editor, NULL);
}

static void
on_explain (GtkMenuButton *button, HeddleDerivationPane *self)
{
  g_autofree char *text = heddle_derivation_explain (self->editor);
  GtkWidget *popover = gtk_popover_new (), *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_popover_set_child (GTK_POPOVER (popover), label);
  gtk_menu_button_set_popover (button, popover);
}

/* --- the widget --- */

static GtkWidget *
new_button (HeddleDerivationPane *self, const char *label, const char *tip, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_tooltip_text (button, tip);
  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkDropDown *
new_gpu_picker (HeddleDerivationPane *self)
{
  GPtrArray *machines = heddle_editor_get_machines (self->editor);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GtkWidget *picker;

  for (guint i = 0; i < machines->len; i++)
    g_ptr_array_add (names, ((HeddleMachine *) g_ptr_array_index (machines, i))->title);
  g_ptr_array_add (names, NULL);
  picker = gtk_drop_down_new_from_strings ((const char *const *) names->pdata);
  gtk_widget_set_tooltip_text (picker, _ ("The GPU the kernel is derived for"));
  g_signal_connect_swapped (picker, "notify::selected", G_CALLBACK (on_gpu), self);
  return GTK_DROP_DOWN (picker);
}

static GtkDropDown *
new_dtype_picker (HeddleDerivationPane *self)
{
  const char *names[G_N_ELEMENTS (dtypes) + 1] = { NULL };
  GtkWidget *picker;

  for (guint i = 0; i < G_N_ELEMENTS (dtypes); i++)
    names[i] = heddle_dtype_to_string (dtypes[i]);
  picker = gtk_drop_down_new_from_strings (names);
  gtk_widget_set_tooltip_text (picker, _ ("The data type of arrays that declare none"));
  g_signal_connect_swapped (picker, "notify::selected", G_CALLBACK (on_dtype), self);
  return GTK_DROP_DOWN (picker);
}

static GtkWidget *
new_explain_button (HeddleDerivationPane *self)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("_Explain"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  gtk_menu_button_set_create_popup_func (
      GTK_MENU_BUTTON (button), (GtkMenuButtonCreatePopupFunc) on_explain, self, NULL);
  return button;
}

static GtkWidget *
new_header (HeddleDerivationPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *title = gtk_label_new (_ ("Derivation"));
  GtkWidget *switcher = gtk_stack_switcher_new (), *suggest;

  gtk_widget_add_css_class (title, "heading");
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), self->stack);
  self->gpu = new_gpu_picker (self);
  self->dtype = new_dtype_picker (self);
  self->hint = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_ellipsize (self->hint, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->hint, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->hint), "dim-label");
  gtk_widget_set_hexpand (GTK_WIDGET (self->hint), TRUE);
  suggest
      = new_button (self, _ ("_Suggest"), _ ("The best legal labels for this GPU"), G_CALLBACK (on_suggest));
  gtk_widget_add_css_class (suggest, "suggested-action");
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->gpu));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->dtype));
  gtk_box_append (GTK_BOX (row), switcher);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->hint));
  gtk_box_append (
      GTK_BOX (row), new_button (self, _ ("_Fuse"), _ ("Make the selected operations, or all, one kernel"),
                         G_CALLBACK (on_fuse)));
  gtk_box_append (GTK_BOX (row), new_button (self, _ ("_Unfuse"),
                                     _ ("Take the selected kernels, or all, apart"), G_CALLBACK (on_unfuse)));
  gtk_box_append (GTK_BOX (row), new_explain_button (self));
  gtk_box_append (GTK_BOX (row), suggest);
  return row;
}

static GtkWidget *
new_refusal (HeddleDerivationPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *close = gtk_button_new_from_icon_name ("window-close-symbolic");

  self->refusal = GTK_REVEALER (gtk_revealer_new ());
  self->refusal_reason = GTK_LABEL (gtk_label_new (""));
  self->remedy = GTK_BUTTON (gtk_button_new_with_mnemonic (_ ("_Fuse Them")));
  gtk_label_set_wrap (self->refusal_reason, TRUE);
  gtk_label_set_xalign (self->refusal_reason, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->refusal_reason), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->remedy), "suggested-action");
  gtk_widget_add_css_class (close, "flat");
  gtk_widget_set_tooltip_text (close, _ ("Close"));
  gtk_widget_add_css_class (row, "refusal");
  gtk_box_append (GTK_BOX (row), gtk_image_new_from_icon_name ("dialog-warning-symbolic"));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->refusal_reason));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->remedy));
  gtk_box_append (GTK_BOX (row), close);
  g_signal_connect_swapped (self->remedy, "clicked", G_CALLBACK (on_remedy), self);
  g_signal_connect_swapped (close, "clicked", G_CALLBACK (on_dismiss), self);
  gtk_revealer_set_child (self->refusal, row);
  return GTK_WIDGET (self->refusal);
}

static GtkWidget *
new_card (const char *title, GtkWidget *child, gboolean expand)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *label = gtk_label_new (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (card, "derivation-card");
  gtk_widget_set_hexpand (card, expand);
  gtk_widget_set_vexpand (child, TRUE);
  gtk_box_append (GTK_BOX (card), label);
  gtk_box_append (GTK_BOX (card), child);
  return card;
}

static GtkWidget *
new_levels_page (HeddleDerivationPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *scroller = gtk_scrolled_window_new (),
            *steps;

  self->strip = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->strip));
  gtk_widget_set_size_request (scroller, 430, -1);
  self->chart = heddle_roofline_chart_new (self->editor);
  self->predicted = heddle_predicted_card_new (self->editor);
  self->steps = heddle_steps_card_new (self->editor);
  gtk_box_append (GTK_BOX (row), scroller);
  gtk_box_append (GTK_BOX (row), new_card (_ ("Roofline, TFLOP/s"), self->chart, TRUE));
  gtk_box_append (GTK_BOX (row), new_card (_ ("Predicted"), self->predicted, FALSE));
  steps = new_card (_ ("Steps"), self->steps, FALSE);
  gtk_widget_set_size_request (steps, 250, -1);
  gtk_box_append (GTK_BOX (row), steps);
  return row;
}

static void
heddle_derivation_pane_dispose (GObject *object)
{
  HeddleDerivationPane *self = HEDDLE_DERIVATION_PANE (object);

  g_clear_handle_id (&self->update_source, g_source_remove);
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->strip_machine, g_free);
  G_OBJECT_CLASS (heddle_derivation_pane_parent_class)->dispose (object);
}

static void
heddle_derivation_pane_class_init (HeddleDerivationPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_derivation_pane_dispose;
}

static void
heddle_derivation_pane_init (HeddleDerivationPane *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_widget_add_css_class (GTK_WIDGET (self), "derivation");
}

GtkWidget *
heddle_derivation_pane_new (HeddleEditor *editor)
{
  HeddleDerivationPane *self = g_object_new (HEDDLE_TYPE_DERIVATION_PANE, NULL);

  self->editor = g_object_ref (editor);
  self->updating = TRUE;
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_box_append (GTK_BOX (self), new_header (self));
  gtk_box_append (GTK_BOX (self), new_refusal (self));
  self->kernel = heddle_kernel_page_new (editor);
  gtk_stack_add_titled (self->stack, new_levels_page (self), "levels", _ ("Levels"));
  gtk_stack_add_titled (self->stack, self->kernel, "kernel", _ ("Kernel"));
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->stack));
  self->updating = FALSE;
  g_signal_connect_swapped (self->stack, "notify::visible-child", G_CALLBACK (on_page), self);
  g_signal_connect_swapped (editor, "changed", G_CALLBACK (queue_update), self);
  g_signal_connect_swapped (editor, "derivation-changed", G_CALLBACK (queue_update), self);
  g_signal_connect_swapped (editor, "preview-changed", G_CALLBACK (update_preview), self);
  update_now (self);
  return GTK_WIDGET (self);
}

GtkWidget *
heddle_derivation_pane_get_half (HeddleDerivationPane *self, const char *level, HeddleLabelKind kind)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  int i = machine ? heddle_machine_find_level (machine, level) : -1;
  GtkWidget *card = gtk_widget_get_first_child (GTK_WIDGET (self->strip));

  while (card != NULL && i-- > 0)
    card = gtk_widget_get_next_sibling (card);
  return card && i == -1 ? heddle_level_card_get_half (HEDDLE_LEVEL_CARD (card), kind) : NULL;
}
