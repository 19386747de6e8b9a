/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#include "app/derivation/format.h"
#include "app/derivation/kernel-job.h"
#include "app/derivation/kernel-page.h"

/* One of the two texts, and which operation each of its lines belongs to. */
typedef struct
{
  GtkSourceBuffer *buffer;
  GtkSourceView *view;
  GPtrArray *lines; /* of const char *: operation ids or NULL */
} Listing;

struct _HeddleKernelPage
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  Listing program, cuda;
  GtkLabel *resources, *state;
  GtkSpinner *spinner;
  GtkButton *verify, *cancel;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (HeddleKernelPage, heddle_kernel_page, GTK_TYPE_BOX)

/* --- lines of the selected operation --- */

static void
light_listing (Listing *listing, HeddleEditor *editor)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (listing->buffer);
  gboolean scrolled = FALSE;
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, "lit", &start, &end);
  for (guint i = 0; listing->lines != NULL && i < listing->lines->len; i++)
    {
      const char *operation = g_ptr_array_index (listing->lines, i);

      if (operation == NULL || !heddle_editor_is_selected (editor, operation))
        continue;
      gtk_text_buffer_get_iter_at_line (buffer, &start, i);
      end = start;
      gtk_text_iter_forward_line (&end);
      gtk_text_buffer_apply_tag_by_name (buffer, "lit", &start, &end);
      if (!scrolled)
        gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (listing->view), &start, .1, FALSE, 0, 0);
      scrolled = TRUE;
    }
}

static void
light (HeddleKernelPage *self)
{
  light_listing (&self->program, self->editor);
  light_listing (&self->cuda, self->editor);
}

static void
set_listing (Listing *listing, GString *text, GPtrArray *lines)
{
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (listing->buffer), text->str, text->len);
  g_clear_pointer (&listing->lines, g_ptr_array_unref);
  listing->lines = lines;
}

/* --- results --- */

static void
append_lines (GPtrArray *to, GPtrArray *from)
{
  for (guint i = 0; from != NULL && i < from->len; i++)
    g_ptr_array_add (to, g_ptr_array_index (from, i));
}

static void
show_texts (HeddleKernelPage *self, const HeddleKernelJob *job)
{
  g_autoptr (GString) program = g_string_new (NULL), cuda = g_string_new (NULL);
  GPtrArray *program_lines = g_ptr_array_new (), *cuda_lines = g_ptr_array_new ();

  for (guint i = 0; i < job->plan->texts->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (job->plan->derivation->kernels, i);
      const HeddleKernelText *text = g_ptr_array_index (job->plan->texts, i);
      g_autoptr (GPtrArray) lines = NULL;
      g_autofree char *listing
          = heddle_loop_program_to_pseudocode (kernel->program, job->plan->sizes, &lines);

      if (i > 0)
        {
          g_string_append_c (program, '\n');
          g_string_append_c (cuda, '\n');
          g_ptr_array_add (program_lines, NULL);
          g_ptr_array_add (cuda_lines, NULL);
        }
      g_string_append (program, listing);
      append_lines (program_lines, lines);
      g_string_append (cuda, text->cuda);
      append_lines (cuda_lines, text->line_operations);
    }
  set_listing (&self->program, program, program_lines);
  set_listing (&self->cuda, cuda, cuda_lines);
  light (self);
}

static void
show_resources (HeddleKernelPage *self, const HeddleKernelJob *job)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; job->compilations != NULL && i < job->compilations->len; i++)
    {
      const HeddleCompilation *compilation = g_ptr_array_index (job->compilations, i);
      const HeddleKernelText *kernel = g_ptr_array_index (job->plan->texts, i);
      g_autofree char *shared = heddle_format_bytes (compilation->shared_bytes);
      g_autofree char *spills = heddle_format_bytes (compilation->spill_bytes);

      g_string_append_printf (text, _ ("%s%s, %s: %d registers · %s shared · %s spilled · %.0f ms by %s"),
          i ? "\n" : "", kernel->entry, kernel->arch, compilation->registers, shared, spills,
          compilation->milliseconds, compilation->compiler);
    }
  if (job->compilations == NULL)
    for (guint i = 0; i < job->plan->texts->len; i++)
      {
        const HeddleKernelText *kernel = g_ptr_array_index (job->plan->texts, i);
        g_autofree char *shared = heddle_format_bytes (kernel->shared_bytes);

        g_string_append_printf (text,
            _ ("%s%s, %s: %u threads a block · %" G_GINT64_FORMAT " blocks · %s shared"), i ? "\n" : "",
            kernel->entry, kernel->arch, kernel->threads, kernel->blocks, shared);
      }
  gtk_label_set_text (self->resources, text->str);
}

static void
set_state (HeddleKernelPage *self, const char *text, const char *css_class)
{
  static const char *const classes[] = { "success", "error", "dim-label" };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_strcmp0 (classes[i], css_class) == 0)
      gtk_widget_add_css_class (GTK_WIDGET (self->state), classes[i]);
    else
      gtk_widget_remove_css_class (GTK_WIDGET (self->state), classes[i]);
  gtk_label_set_text (self->state, text);
}

static void
set_busy (HeddleKernelPage *self, gboolean busy)
{
  gtk_spinner_set_spinning (self->spinner, busy);
  gtk_widget_set_visible (GTK_WIDGET (self->cancel), busy);
  gtk_widget_set_sensitive (GTK_WIDGET (self->verify), !busy);
}

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HeddleKernelPage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleKernelJob) job = heddle_kernel_job_run_finish (result, &error);
  gboolean latest = g_task_get_cancellable (G_TASK (result)) == self->cancellable;

  if (!latest || gtk_widget_in_destruction (GTK_WIDGET (self)) || self->editor == NULL)
    return;
  set_busy (self, FALSE);
  if (error != NULL)
    {
      gboolean cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

      set_state (self, cancelled ? _ ("Cancelled") : error->message, cancelled ? "dim-label" : "error");
      return;
    }
  show_texts (self, job);
  show_resources (self, job);
  if (job->verified != NULL)
    set_state (self, job->verified, g_str_has_prefix (job->verified, "NOT") ? "error" : "success");
  else
    set_state (self, _ ("Not verified yet"), "dim-label");
}

/* A run replaces the one under way. */
static void
start (HeddleKernelPage *self, gboolean verify)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (heddle_editor_get_diagram (self->editor) == NULL || heddle_editor_get_machine (self->editor) == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  set_busy (self, TRUE);
  set_state (self, verify ? _ ("Compiling, then verifying on the CPU…") : _ ("Planning…"), "dim-label");
  heddle_kernel_job_run_async (self->editor, verify, self->cancellable, on_done, g_object_ref (self));
}

void
heddle_kernel_page_update (HeddleKernelPage *self)
{
  start (self, FALSE);
}

void
heddle_kernel_page_verify (HeddleKernelPage *self)
{
  start (self, TRUE);
}

static void
on_cancel (HeddleKernelPage *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* --- the widget --- */

static void
heddle_kernel_page_dispose (GObject *object)
{
  HeddleKernelPage *self = HEDDLE_KERNEL_PAGE (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->program.lines, g_ptr_array_unref);
  g_clear_pointer (&self->cuda.lines, g_ptr_array_unref);
  G_OBJECT_CLASS (heddle_kernel_page_parent_class)->dispose (object);
}

static void
heddle_kernel_page_class_init (HeddleKernelPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_kernel_page_dispose;
}

static void
apply_scheme (HeddleKernelPage *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme (
      gtk_source_style_scheme_manager_get_default (), dark ? "Adwaita-dark" : "Adwaita");

  gtk_source_buffer_set_style_scheme (self->program.buffer, scheme);
  gtk_source_buffer_set_style_scheme (self->cuda.buffer, scheme);
}

static GtkWidget *
new_listing (Listing *listing, const char *title, const char *language)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *label = gtk_label_new (title);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkSourceLanguage *lang = language ? gtk_source_language_manager_get_language (
                                gtk_source_language_manager_get_default (), language)
                                     : NULL;

  listing->buffer = gtk_source_buffer_new (NULL);
  gtk_source_buffer_set_language (listing->buffer, lang);
  gtk_text_buffer_create_tag (
      GTK_TEXT_BUFFER (listing->buffer), "lit", "paragraph-background", "rgba(87,227,137,0.28)", NULL);
  listing->view = GTK_SOURCE_VIEW (gtk_source_view_new_with_buffer (listing->buffer));
  g_object_unref (listing->buffer);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (listing->view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (listing->view), TRUE);
  gtk_source_view_set_show_line_numbers (listing->view, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (listing->view), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_widget_add_css_class (label, "heading");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (listing->view));
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_widget_add_css_class (box, "derivation-card");
  return box;
}

static void
heddle_kernel_page_init (HeddleKernelPage *self)
{
  GtkWidget *listings = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 8);
  gtk_box_append (GTK_BOX (listings), new_listing (&self->program, _ ("Loop Program"), NULL));
  gtk_box_append (GTK_BOX (listings), new_listing (&self->cuda, _ ("CUDA"), "cpp"));
  gtk_box_set_homogeneous (GTK_BOX (listings), TRUE);
  gtk_box_append (GTK_BOX (self), listings);
  self->resources = GTK_LABEL (gtk_label_new (""));
  self->state = GTK_LABEL (gtk_label_new (""));
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->verify = GTK_BUTTON (gtk_button_new_with_mnemonic (_ ("Compile and _Verify")));
  self->cancel = GTK_BUTTON (gtk_button_new_with_mnemonic (_ ("_Cancel")));
  gtk_label_set_xalign (self->resources, 0);
  gtk_label_set_wrap (self->resources, TRUE);
  gtk_label_set_wrap (self->state, TRUE);
  gtk_label_set_xalign (self->state, 1);
  gtk_widget_add_css_class (GTK_WIDGET (self->resources), "numeric");
  gtk_widget_add_css_class (GTK_WIDGET (self->verify), "suggested-action");
  gtk_widget_set_hexpand (GTK_WIDGET (self->state), TRUE);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->resources));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->state));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->spinner));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->cancel));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->verify));
  gtk_box_append (GTK_BOX (self), row);
  g_signal_connect_swapped (self->verify, "clicked", G_CALLBACK (heddle_kernel_page_verify), self);
  g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (on_cancel), self);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (apply_scheme), self, G_CONNECT_SWAPPED);
  apply_scheme (self);
  set_busy (self, FALSE);
}

GtkWidget *
heddle_kernel_page_new (HeddleEditor *editor)
{
  HeddleKernelPage *self = g_object_new (HEDDLE_TYPE_KERNEL_PAGE, NULL);

  self->editor = g_object_ref (editor);
  g_signal_connect_swapped (editor, "selection-changed", G_CALLBACK (light), self);
  return GTK_WIDGET (self);
}
