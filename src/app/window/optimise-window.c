/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>

#include "app/derivation/verification-words.h"
#include "app/editor/editor.h"
#include "app/window/optimise-job.h"
#include "app/widgets/format.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/wrap-box.h"
#include "app/window/open.h"
#include "app/window/close-with-parent.h"
#include "app/window/optimise-window.h"
#include "app/window/toasts.h"
#include "app/widgets/lost-focus.h"
#include "codegen/base/codegen.h"
#include "codegen/emit/emit.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "files/optimise/findings.h"
#include "files/optimise/save.h"

struct _HeddleOptimiseWindow
{
  AdwWindow parent_instance;
  HeddleWindow *window; /* whose diagram it is; not owned: it is transient for it */
  HeddleOptimised *made;
  GCancellable *cancellable;

  GtkWidget *stack;
  GtkWidget *what, *bar;
  GtkWidget *failure;
  GtkWidget *gain, *grid, *found, *parts, *save, *open;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (HeddleOptimiseWindow, heddle_optimise_window, ADW_TYPE_WINDOW)

const HeddleOptimised *
heddle_optimise_window_get_result (HeddleOptimiseWindow *self)
{
  return self->made;
}

/* --- what came of it ---------------------------------------------------------------- */

static GtkWidget *
new_label (const char *text, float xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_selectable (GTK_LABEL (label), *text != '\0');
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

static void
add_row (HeddleOptimiseWindow *self, int row, const char *title, char *before, char *after)
{
  gtk_grid_attach (GTK_GRID (self->grid), new_label (title, 0), 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), new_label (before, 1), 1, row, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid), new_label (after, 1), 2, row, 1, 1);
  gtk_widget_add_css_class (gtk_grid_get_child_at (GTK_GRID (self->grid), 0, row), "dim-label");
  gtk_widget_add_css_class (gtk_grid_get_child_at (GTK_GRID (self->grid), 1, row), "dim-label");
  gtk_widget_add_css_class (gtk_grid_get_child_at (GTK_GRID (self->grid), 2, row), "heading");
  g_free (before);
  g_free (after);
}

static void
add_bytes (HeddleOptimiseWindow *self, int row, const char *title, double before, double after)
{
  add_row (self, row, title, g_format_size ((guint64) before), g_format_size ((guint64) after));
}

static void
show_costs (HeddleOptimiseWindow *self)
{
  const HeddleOptimisedCost *before = &self->made->before, *after = &self->made->after;

  g_autofree char *title
      = after->expected_s < .995 * before->expected_s
            ? g_strdup_printf (_ ("%.2f Times as Fast, by the Model"), before->expected_s / after->expected_s)
            : g_strdup (_ ("As Fast as Before: No Improvement Found"));

  gtk_label_set_text (GTK_LABEL (self->gain), title);
  add_row (self, 0, "", g_strdup (_ ("Before")), g_strdup (_ ("After")));
  add_row (self, 1, _ ("Kernels"), g_strdup_printf ("%u", before->kernels),
      g_strdup_printf ("%u", after->kernels));
  add_bytes (self, 2, _ ("Moved into and out of blocks"), before->transfer_bytes, after->transfer_bytes);
  add_bytes (self, 3, _ ("From and to global memory"), before->dram_bytes, after->dram_bytes);
  add_row (self, 4, _ ("Expected time"), heddle_format_seconds (before->expected_s),
      heddle_format_seconds (after->expected_s));
}

/* Shows what the kernels replaced; of attention it is said above the parts, too. */
static void
show_found (HeddleOptimiseWindow *self, const HeddleOptimisedPiece *piece, GtkWidget *row)
{
  g_autoptr (GPtrArray) found = heddle_optimised_find (self->made, piece);

  for (guint i = 0; i < found->len; i++)
    {
      const HeddleOptimiseFinding *finding = g_ptr_array_index (found, i);
      g_autofree char *sentence = g_markup_escape_text (finding->sentence, -1);
      GtkWidget *one = adw_action_row_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (one), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (one), finding->values);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (one), sentence);
      adw_expander_row_add_row (ADW_EXPANDER_ROW (row), one);
      if (finding->is_attention)
        gtk_box_append (GTK_BOX (self->found), new_label (finding->sentence, 0));
    }
}

static void
show_part (HeddleOptimiseWindow *self, guint i)
{
  const HeddleOptimisedPiece *piece = g_ptr_array_index (self->made->pieces, i);
  GtkWidget *row = adw_expander_row_new ();
  g_autofree char *title
      = piece->times > 1 ? g_strdup_printf (
            ngettext ("Part %u, %u time", "Part %u, %u times", piece->times), i + 1, piece->times)
                         : g_strdup_printf (_ ("Part %u"), i + 1);

  g_autofree char *words = heddle_verification_words (piece->verification);
  g_autofree char *verified = g_markup_escape_text (words, -1);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  heddle_accessible_name_set (row, title);
  show_found (self, piece, row);
  for (guint k = 0; k < piece->plan->texts->len; k++)
    {
      const HeddleKernelText *text = g_ptr_array_index (piece->plan->texts, k);
      GtkWidget *kernel = adw_action_row_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (kernel), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (kernel), text->name);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (kernel), heddle_family_to_string (text->family));
      adw_expander_row_add_row (ADW_EXPANDER_ROW (row), kernel);
    }
  for (guint k = 0; k < piece->refusals->len; k++)
    {
      const HeddleOptimiseRefusal *refusal = g_ptr_array_index (piece->refusals, k);
      g_autofree char *between = g_strdup_printf (_ ("%s not with %s"), refusal->first, refusal->second);
      g_autofree char *reason = g_markup_escape_text (refusal->reason, -1);
      GtkWidget *apart = adw_action_row_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (apart), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (apart), between);
      adw_action_row_set_subtitle (ADW_ACTION_ROW (apart), reason);
      adw_expander_row_add_row (ADW_EXPANDER_ROW (row), apart);
    }
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), verified);
  gtk_list_box_append (GTK_LIST_BOX (self->parts), row);
}

/* --- doing -------------------------------------------------------------------------- */

static void
show_progress (double fraction, const char *what, gpointer data)
{
  HeddleOptimiseWindow *self = data;

  gtk_label_set_text (GTK_LABEL (self->what), what);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->bar), fraction);
}

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  HeddleOptimiseWindow *self = HEDDLE_OPTIMISE_WINDOW (object);
  g_autoptr (GError) error = NULL;

  self->made = heddle_optimise_finish (result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (self->made == NULL)
    {
      adw_status_page_set_description (ADW_STATUS_PAGE (self->failure), error->message);
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "failed");
      return;
    }
  show_costs (self);
  for (guint i = 0; i < self->made->pieces->len; i++)
    show_part (self, i);
  gtk_window_set_focus (
      GTK_WINDOW (self), NULL); /* the stack would give it to the first label, and select that */
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "done");
  gtk_widget_grab_focus (self->open);
}

static void
open_result (HeddleOptimiseWindow *self)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_optimised_snapshot (self->made);

  heddle_window_open_snapshot (self->window, snapshot, self->made->original->name);
  gtk_window_close (GTK_WINDOW (self));
}

static void
on_saved (GObject *object, GAsyncResult *result, gpointer data)
{
  HeddleOptimiseWindow *self = HEDDLE_OPTIMISE_WINDOW (object);
  g_autoptr (GError) error = NULL;
  gboolean good = heddle_optimised_save_finish (result, &error);

  gtk_widget_set_sensitive (self->save, TRUE);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  heddle_window_show_toast (
      self->window, good ? _ ("Saved; report.html says what was done") : error->message);
}

static void
on_folder_chosen (HeddleOptimiseWindow *self, int response)
{
  g_autoptr (GFile) folder
      = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (self->chooser)) : NULL;
  const char *path = folder != NULL ? g_file_peek_path (folder) : NULL;

  g_clear_object (&self->chooser);
  if (path == NULL)
    return;
  gtk_widget_set_sensitive (self->save, FALSE);
  heddle_optimised_save_async (self->made, path, self->cancellable, on_saved, G_OBJECT (self));
}

static void
choose_folder (HeddleOptimiseWindow *self)
{
  self->chooser = gtk_file_chooser_native_new (_ ("Save the Module and Its Report"), GTK_WINDOW (self),
      GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, NULL, NULL);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_folder_chosen), self, G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* --- construction ------------------------------------------------------------------- */

static void
heddle_optimise_window_dispose (GObject *object)
{
  HeddleOptimiseWindow *self = HEDDLE_OPTIMISE_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->chooser);
  G_OBJECT_CLASS (heddle_optimise_window_parent_class)->dispose (object);
}

static void
heddle_optimise_window_finalize (GObject *object)
{
  HeddleOptimiseWindow *self = HEDDLE_OPTIMISE_WINDOW (object);

  g_clear_pointer (&self->made, heddle_optimised_free);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (heddle_optimise_window_parent_class)->finalize (object);
}

/* Work that nobody waits for any more ends with the window. */
static gboolean
heddle_optimise_window_close_request (GtkWindow *window)
{
  g_cancellable_cancel (HEDDLE_OPTIMISE_WINDOW (window)->cancellable);
  return GTK_WINDOW_CLASS (heddle_optimise_window_parent_class)->close_request (window);
}

static void
heddle_optimise_window_class_init (HeddleOptimiseWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = heddle_optimise_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = heddle_optimise_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = heddle_optimise_window_close_request;
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  g_type_ensure (HEDDLE_TYPE_WRAP_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/heddle/Heddle/optimise-window.ui");
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, what);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, bar);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, failure);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, gain);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, grid);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, found);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, parts);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, save);
  gtk_widget_class_bind_template_child (widget_class, HeddleOptimiseWindow, open);
  gtk_widget_class_bind_template_callback (widget_class, choose_folder);
  gtk_widget_class_bind_template_callback (widget_class, open_result);
  heddle_lost_focus_guard (GTK_WINDOW_CLASS (klass));
}

static void
heddle_optimise_window_init (HeddleOptimiseWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  heddle_accessible_name_set (self->failure, _ ("Not Optimised"));
  self->cancellable = g_cancellable_new ();
}

GtkWidget *
heddle_optimise_window_new (HeddleWindow *parent)
{
  HeddleEditor *editor = heddle_window_get_editor (parent);
  HeddleSnapshot *snapshot = heddle_document_get_snapshot (heddle_editor_get_document (editor));
  HeddleOptimiseWindow *self = g_object_new (HEDDLE_TYPE_OPTIMISE_WINDOW, NULL);

  self->window = parent;
  heddle_window_close_with_parent (GTK_WINDOW (self), GTK_WINDOW (parent));
  heddle_optimise_async (snapshot, heddle_editor_get_diagram (editor)->name, show_progress, self->cancellable,
      on_done, G_OBJECT (self));
  return GTK_WIDGET (self);
}
