/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/compare-page.h"
#include "app/derivation/compare-table.h"
#include "app/derivation/target-picker.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/target.h"
#include "derive/machine/machine.h"

#define CARD_PADDING 26 /* px that the table's card takes of the width, with its border */

struct _HeddleComparePage
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkWidget *pickers[HEDDLE_N_COMPARED];
  GtkWidget *table, *words;
  GtkWidget *actions; /* held: it is shown elsewhere */
  GtkWidget *keep;
  GCancellable *cancellable; /* of the pricing under way */
  HeddleCompareJob *result;
};

G_DEFINE_FINAL_TYPE (HeddleComparePage, heddle_compare_page, GTK_TYPE_BOX)

static void
say (HeddleComparePage *self, const char *words)
{
  gtk_label_set_text (GTK_LABEL (self->words), words);
  gtk_widget_set_visible (self->words, *words != '\0');
}

static void
stop (HeddleComparePage *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void begin (HeddleComparePage *self, gboolean crossings);

static void
on_priced (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HeddleComparePage) self = data;
  HeddleCompareJob *job = heddle_compare_job_run_finish (result, NULL);

  if (job == NULL)
    return; /* overtaken by another, or closed */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      heddle_compare_job_free (job);
      return;
    }
  g_clear_pointer (&self->result, heddle_compare_job_free);
  self->result = job;
  say (self, "");
  heddle_compare_table_show (HEDDLE_COMPARE_TABLE (self->table), job);
  if (!job->crossings)
    begin (self, TRUE);
}

/* The prices first, which are there at once; then what would move the bounds. */
static void
begin (HeddleComparePage *self, gboolean crossings)
{
  HeddleCompareJob *job
      = heddle_compare_job_new (self->editor, gtk_check_button_get_active (GTK_CHECK_BUTTON (self->keep)));
  const char *why = NULL;

  if (job == NULL)
    {
      heddle_editor_get_derivation (self->editor, &why);
      say (self, why != NULL ? why : _ ("There is nothing to derive yet."));
      heddle_compare_table_show (HEDDLE_COMPARE_TABLE (self->table), NULL);
      return;
    }
  job->crossings = crossings;
  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      HeddleTargetPicker *picker = HEDDLE_TARGET_PICKER (self->pickers[i]);

      heddle_compare_job_set_target (
          job, i, heddle_target_picker_get_machine (picker), heddle_target_picker_get_dtype (picker));
    }
  say (self, crossings ? _ ("Finding what would move the bounds…") : _ ("Pricing both…"));
  stop (self);
  self->cancellable = g_cancellable_new ();
  heddle_compare_job_run_async (job, self->cancellable, on_priced, g_object_ref (self));
}

void
heddle_compare_page_update (HeddleComparePage *self)
{
  g_return_if_fail (HEDDLE_IS_COMPARE_PAGE (self));

  stop (self);
  g_clear_pointer (&self->result, heddle_compare_job_free);
  if (heddle_editor_get_flat_diagram (self->editor) != NULL)
    begin (self, FALSE);
  else
    {
      say (self, _ ("There is nothing to derive yet."));
      heddle_compare_table_show (HEDDLE_COMPARE_TABLE (self->table), NULL);
    }
}

const HeddleCompareJob *
heddle_compare_page_get_result (HeddleComparePage *self)
{
  g_return_val_if_fail (HEDDLE_IS_COMPARE_PAGE (self), NULL);
  return self->result;
}

GtkWidget *
heddle_compare_page_get_actions (HeddleComparePage *self)
{
  g_return_val_if_fail (HEDDLE_IS_COMPARE_PAGE (self), NULL);
  return self->actions;
}

/* --- the widget --- */

/* Returns the GPU beside the document's: the one that most people know. */
static const char *
other_machine (HeddleEditor *editor)
{
  static const char *const known[] = { "h100-sxm", "a100-80-sxm" };
  const HeddleMachine *own = heddle_editor_get_machine (editor);

  return own != NULL && g_str_equal (own->name, known[0]) ? known[1] : known[0];
}

static void
heddle_compare_page_dispose (GObject *object)
{
  HeddleComparePage *self = HEDDLE_COMPARE_PAGE (object);

  stop (self);
  g_clear_pointer (&self->result, heddle_compare_job_free);
  g_clear_object (&self->actions);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_compare_page_parent_class)->dispose (object);
}

static void
heddle_compare_page_class_init (HeddleComparePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_compare_page_dispose;
}

static void
heddle_compare_page_init (HeddleComparePage *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 7);
}

static GtkWidget *
new_actions (HeddleComparePage *self)
{
  self->keep = gtk_check_button_new_with_mnemonic (_ ("With the Document's _Labels"));
  gtk_widget_set_tooltip_text (
      self->keep, _ ("Price the labels of the document on both; otherwise each gets its own best"));
  g_signal_connect_swapped (self->keep, "toggled", G_CALLBACK (heddle_compare_page_update), self);
  return g_object_ref_sink (self->keep);
}

/* Fits the table in a later frame, not in the midst of an allocation. */
static gboolean
fit_table (GtkWidget *table, GdkFrameClock *clock, gpointer room)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (table, GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller));

  heddle_compare_table_set_room (
      HEDDLE_COMPARE_TABLE (table), gtk_adjustment_get_page_size (adjustment) - CARD_PADDING);
  return G_SOURCE_REMOVE;
}

static void
on_room (GtkAdjustment *adjustment, GParamSpec *pspec, GtkWidget *table)
{
  gtk_widget_add_tick_callback (table, fit_table, NULL, NULL);
}

static void
add_table (HeddleComparePage *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->table = heddle_compare_table_new (self->pickers);
  gtk_widget_add_css_class (self->table, "derivation-card");
  gtk_widget_set_halign (self->table, GTK_ALIGN_START);
  gtk_widget_set_valign (self->table, GTK_ALIGN_START);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->table);
  gtk_widget_set_vexpand (scroller, TRUE);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller)),
      "notify::page-size", G_CALLBACK (on_room), self->table, 0);
  gtk_box_append (GTK_BOX (self), scroller);
}

GtkWidget *
heddle_compare_page_new (HeddleEditor *editor)
{
  HeddleComparePage *self = g_object_new (HEDDLE_TYPE_COMPARE_PAGE, NULL);
  const HeddleMachine *own = heddle_editor_get_machine (editor);

  self->editor = g_object_ref (editor);
  self->actions = new_actions (self);
  for (guint i = 0; i < HEDDLE_N_COMPARED; i++)
    {
      self->pickers[i] = heddle_target_picker_new_free (
          editor, i == 0 && own != NULL ? own->name : other_machine (editor));
      g_signal_connect_swapped (self->pickers[i], "chosen", G_CALLBACK (heddle_compare_page_update), self);
    }
  add_table (self);
  self->words = gtk_label_new ("");
  gtk_label_set_xalign (GTK_LABEL (self->words), 0);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_widget_add_css_class (self->words, "dim-label");
  gtk_box_append (GTK_BOX (self), self->words);
  return GTK_WIDGET (self);
}
