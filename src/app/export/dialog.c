/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>
#include <string.h>

#include "app/export/checks.h"
#include "app/export/dialog.h"
#include "app/export/job.h"
#include "app/export/options.h"
#include "app/export/preview.h"
#include "app/widgets/scene-paintable.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "files/exchange/export.h"
#include "app/export/dialog-private.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/lost-focus.h"

/* A person turning a number is not answered at each of its steps. */
#define PAUSE_MS 120
#define INCH 72.
#define SIDE_WIDTH 400

G_DEFINE_FINAL_TYPE (HeddleExportDialog, heddle_export_dialog, ADW_TYPE_WINDOW)

const HeddleExportChoice *
heddle_export_dialog_get_choice (HeddleExportDialog *self)
{
  g_return_val_if_fail (HEDDLE_IS_EXPORT_DIALOG (self), NULL);
  return heddle_export_form_get_choice (self->form);
}

/* Returns the options to export with; their strings are borrowed from the dialog and its editor. */
static HeddleExportOptions
export_dialog_get_options (HeddleExportDialog *self)
{
  return heddle_export_options_of (self->editor, heddle_export_form_get_choice (self->form));
}

/* --- preview --- */

static void
show_page (HeddleExportDialog *self, const char *name, const char *description)
{
  adw_status_page_set_description (ADW_STATUS_PAGE (self->failure), description);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), name);
  gtk_widget_set_visible (self->size, g_str_equal (name, "figure"));
}

/* Shows what the file will be, where it is no figure. */
static void
show_listing (HeddleExportDialog *self)
{
  const char *suffix = heddle_export_form_get_choice (self->form)->suffix;
  const gboolean kernels = !g_str_equal (suffix, ".eq") && !g_str_equal (suffix, ".h");
  g_autofree char *text = g_strjoin ("\n\n", heddle_export_format_use (suffix),
      kernels ? _ ("Kernels are checked against the meaning of the diagram before they are written.") : NULL,
      NULL);

  adw_status_page_set_title (ADW_STATUS_PAGE (self->listing), heddle_export_format_title (suffix));
  adw_status_page_set_description (ADW_STATUS_PAGE (self->listing), text);
  show_page (self, "listing", NULL);
}

static void
show_proof (HeddleExportDialog *self, HeddleProof *proof)
{
  const HeddleColor paper = heddle_theme_paper (heddle_export_form_get_choice (self->form)->theme);
  g_autofree char *size = g_strdup_printf (_ ("%.2f × %.2f in (%.0f × %.0f pt), shown at true size"),
      proof->width_pt / INCH, proof->height_pt / INCH, proof->width_pt, proof->height_pt);

  heddle_export_dialog_show_checks (self, proof->problems);
  gtk_label_set_text (GTK_LABEL (self->size), size);
  heddle_export_preview_point_out (HEDDLE_EXPORT_PREVIEW (self->preview), NULL);
  heddle_export_preview_set_proof (HEDDLE_EXPORT_PREVIEW (self->preview), proof, &paper);
  show_page (self, "figure", NULL);
}

static void
on_proved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  HeddleProof *proof = heddle_proof_finish (result, &error);
  HeddleExportDialog *self = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the dialog may be gone */
  self = data;
  g_clear_object (&self->proving);
  if (proof != NULL)
    show_proof (self, proof);
  else
    {
      heddle_export_dialog_show_checks (self, NULL);
      show_page (self, "failure", error->message);
    }
}

static void
stop_proving (HeddleExportDialog *self)
{
  if (self->proving != NULL)
    g_cancellable_cancel (self->proving);
  g_clear_object (&self->proving);
}

static void export_dialog_show_command (HeddleExportDialog *self);

static gboolean
refresh (gpointer data)
{
  HeddleExportDialog *self = data;
  const HeddleExportOptions options = export_dialog_get_options (self);

  self->pause = 0;
  stop_proving (self);
  export_dialog_show_command (self);
  if (!heddle_export_is_figure (heddle_export_form_get_choice (self->form)->suffix))
    {
      heddle_export_dialog_show_checks (self, NULL);
      show_listing (self);
      return G_SOURCE_REMOVE;
    }
  self->proving = g_cancellable_new ();
  heddle_proof_async (heddle_editor_get_snapshot (self->editor), &options, self->proving, on_proved, self);
  return G_SOURCE_REMOVE;
}

static void
queue_refresh (HeddleExportDialog *self)
{
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE_MS, refresh, self);
}

/* --- what it is made of --- */

static void
on_export (HeddleExportDialog *self)
{
  heddle_export_choice_save (heddle_export_form_get_choice (self->form));
  g_signal_emit_by_name (self, "chosen");
}

static gboolean
show_options (gpointer data)
{
  HeddleExportDialog *self = data;

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_set_visible (self->options, adw_flap_get_folded (ADW_FLAP (self->flap)));
  return G_SOURCE_REMOVE;
}

/* It folds while it is allocated, when no button may come: the head would be left without a place. */
static void
on_folded (HeddleExportDialog *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_options, g_object_ref (self), g_object_unref);
}

static GtkWidget *
new_header (HeddleExportDialog *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel")),
            *export = gtk_button_new_with_mnemonic (_ ("_Export…"));
  GtkWidget *options = self->options = gtk_toggle_button_new ();

  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  gtk_widget_add_css_class (export, "suggested-action");
  heddle_export_dialog_mark_options (self, 0);
  g_object_bind_property (
      self->flap, "reveal-flap", options, "active", G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  gtk_widget_hide (options);
  g_signal_connect_object (self->flap, "notify::folded", G_CALLBACK (on_folded), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (cancel, "clicked", G_CALLBACK (gtk_window_close), self);
  g_signal_connect_swapped (export, "clicked", G_CALLBACK (on_export), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), export);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), options);
  gtk_window_set_default_widget (GTK_WINDOW (self), export);
  return header;
}

static GtkWidget *
new_status (const char *icon, const char *title, const char *description)
{
  GtkWidget *page = g_object_new (
      ADW_TYPE_STATUS_PAGE, "icon-name", icon, "title", title, "description", description, NULL);

  heddle_accessible_name_set (page, title);
  return page;
}

static GtkWidget *
new_stack (HeddleExportDialog *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->stack = gtk_stack_new ();
  self->preview = heddle_export_preview_new ();
  self->listing = new_status ("text-x-generic-symbolic", _ ("File"), NULL);
  self->failure = new_status ("dialog-warning-symbolic", _ ("No Figure"), NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->preview);
  g_object_set (
      self->preview, "margin-top", 24, "margin-bottom", 24, "margin-start", 24, "margin-end", 24, NULL);
  heddle_accessible_name_set (scrolled, _ ("Figure"));
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, "figure");
  gtk_stack_add_named (GTK_STACK (self->stack), self->listing, "listing");
  gtk_stack_add_named (GTK_STACK (self->stack), self->failure, "failure");
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_add_css_class (self->stack, "export-desk");
  return self->stack;
}

static void
on_copy (HeddleExportDialog *self)
{
  gdk_clipboard_set_text (
      gtk_widget_get_clipboard (GTK_WIDGET (self)), gtk_label_get_text (GTK_LABEL (self->command)));
}

/* Returns a new row (floating) for the command line, with a button that copies it. */
static GtkWidget *
export_dialog_new_command (HeddleExportDialog *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *copy = heddle_icon_button_new ("edit-copy-symbolic", _ ("Copy the Command That Does the Same"));

  self->command = gtk_label_new (NULL);
  g_object_set (self->command, "selectable", TRUE, "wrap", TRUE, "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign",
      0., "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (self->command, "monospace");
  gtk_widget_add_css_class (self->command, "caption");
  gtk_widget_set_valign (copy, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (copy, "flat");
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (on_copy), self);
  gtk_box_append (GTK_BOX (row), self->command);
  gtk_box_append (GTK_BOX (row), copy);
  return row;
}

static GtkWidget *
new_desk (HeddleExportDialog *self)
{
  GtkWidget *desk = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *foot = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->size = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->size), TRUE);
  gtk_widget_add_css_class (self->size, "dim-label");
  gtk_widget_add_css_class (foot, "export-foot");
  gtk_box_append (GTK_BOX (foot), self->size);
  gtk_box_append (GTK_BOX (foot), export_dialog_new_command (self));
  gtk_box_append (GTK_BOX (desk), new_stack (self));
  gtk_box_append (GTK_BOX (desk), foot);
  gtk_widget_set_size_request (desk, 300, -1);
  gtk_widget_set_hexpand (desk, TRUE);
  return desk;
}

/* Takes @choice. */
static void
build (HeddleExportDialog *self, HeddleExportChoice *choice)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new ();
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18), *clamp = adw_clamp_new ();

  self->flap = adw_flap_new ();
  self->form = heddle_export_form_new (side, self->editor, choice);
  g_signal_connect_object (self->form, "changed", G_CALLBACK (queue_refresh), self, G_CONNECT_SWAPPED);
  self->checks_box = side;
  g_object_set (side, "margin-top", 12, "margin-bottom", 18, "margin-start", 12, "margin-end", 12, NULL);
  /* A figure as wide as a page is seen whole beside it. */
  g_object_set (clamp, "child", side, "maximum-size", SIDE_WIDTH, "tightening-threshold", SIDE_WIDTH, NULL);
  g_object_set (scrolled, "child", clamp, "hexpand", FALSE, "hscrollbar-policy", GTK_POLICY_NEVER,
      "width-request", 340 + (int) (MAX (0, heddle_text_scale () - 1) * 100), NULL);
  gtk_widget_add_css_class (scrolled, "sidebar-pane");
  g_object_set (self->flap, "flap", scrolled, "content", new_desk (self), "flap-position", GTK_PACK_END,
      "separator", gtk_separator_new (GTK_ORIENTATION_VERTICAL), "vexpand", TRUE, NULL);
  gtk_box_append (GTK_BOX (box), new_header (self));
  gtk_box_append (GTK_BOX (box), self->flap);
  adw_window_set_content (ADW_WINDOW (self), box);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  gtk_window_close (GTK_WINDOW (widget));
  return TRUE;
}

static void
heddle_export_dialog_dispose (GObject *object)
{
  HeddleExportDialog *self = HEDDLE_EXPORT_DIALOG (object);

  g_clear_handle_id (&self->pause, g_source_remove);
  stop_proving (self);
  g_clear_object (&self->form);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_export_dialog_parent_class)->dispose (object);
}

static void
heddle_export_dialog_class_init (HeddleExportDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = heddle_export_dialog_dispose;
  g_signal_new ("chosen", HEDDLE_TYPE_EXPORT_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, on_escape, NULL);
  heddle_lost_focus_guard (GTK_WINDOW_CLASS (class));
}

static void
heddle_export_dialog_init (HeddleExportDialog *self)
{
}

GtkWidget *
heddle_export_dialog_new (HeddleEditor *editor, GtkWindow *parent, HeddleExportChoice *choice)
{
  HeddleExportDialog *self
      = g_object_new (HEDDLE_TYPE_EXPORT_DIALOG, "title", _ ("Export"), "modal", TRUE, "transient-for",
          parent, "destroy-with-parent", TRUE, "default-width", 1240, "default-height", 820, NULL);

  self->editor = g_object_ref (editor);
  build (self, choice);
  refresh (self);
  return GTK_WIDGET (self);
}

/* Lines end at spaces, and not after the hyphens of options; long paths where they must. */
static PangoAttrList *
keep_options_whole (const char *command)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  for (const char *option = strstr (command, " -"); option != NULL; option = strstr (option + 1, " -"))
    {
      PangoAttribute *whole = pango_attr_allow_breaks_new (FALSE);

      whole->start_index = option + 1 - command;
      whole->end_index = whole->start_index + strcspn (option + 1, " ");
      pango_attr_list_insert (attributes, whole);
    }
  return attributes;
}

/* Shows the command line that exports what is chosen now. */
static void
export_dialog_show_command (HeddleExportDialog *self)
{
  const HeddleExportOptions options = export_dialog_get_options (self);
  const HeddleExportChoice *choice = heddle_export_form_get_choice (self->form);
  g_autofree char *title = heddle_editor_dup_title (self->editor);
  char *dot = strrchr (title, '.');
  g_autofree char *input = NULL;
  g_autofree char *output = NULL;
  g_autofree char *command = NULL;
  PangoAttrList *attributes = NULL;

  if (dot != NULL && dot != title)
    *dot = '\0';
  input = g_strconcat (title, ".ncd", NULL);
  output = g_strconcat (title, choice->suffix, NULL);
  command = heddle_export_choice_command (choice, &options, input, output);
  attributes = keep_options_whole (command);
  gtk_label_set_text (GTK_LABEL (self->command), command);
  gtk_label_set_attributes (GTK_LABEL (self->command), attributes);
  pango_attr_list_unref (attributes);
}
