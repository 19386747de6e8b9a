/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>
#include <gtksourceview/gtksource.h>

#include "app/derivation/kernel-listing.h"
#include "app/editor/flat.h"
#include "app/editor/selection.h"
#include "app/widgets/tooltip.h"

struct _HeddleKernelListing
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkSourceBuffer *buffer; /* the view's */
  GtkSourceView *view;
  GtkTextTag *label_tag; /* the buffer's */
  GtkLabel *subtitle;
  GPtrArray *lines; /* of const char *: operation ids or NULL */
  guint n_lit;
};

G_DEFINE_FINAL_TYPE (HeddleKernelListing, heddle_kernel_listing, GTK_TYPE_BOX)

static void
light_line (HeddleKernelListing *self, guint line)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_line (buffer, &start, line);
  end = start;
  gtk_text_iter_forward_line (&end);
  gtk_text_buffer_apply_tag_by_name (buffer, "lit", &start, &end);
  if (self->n_lit++ == 0)
    gtk_text_view_scroll_to_iter (GTK_TEXT_VIEW (self->view), &start, .05, TRUE, 0, .25);
}

static void
light (HeddleKernelListing *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag_by_name (buffer, "lit", &start, &end);
  self->n_lit = 0;
  for (guint i = 0; self->lines != NULL && i < self->lines->len; i++)
    {
      const char *operation = g_ptr_array_index (self->lines, i);

      operation = heddle_editor_get_shown_operation (self->editor, operation);
      if (operation != NULL && heddle_editor_is_selected (self->editor, operation))
        light_line (self, i);
    }
}

/* The language definitions take labels, as in "y:group@smem", for addresses of mail, and underline them as links. */
static void
unlink_labels (HeddleKernelListing *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (self->buffer);
  GtkTextIter from, to;

  gtk_text_buffer_get_start_iter (buffer, &from);
  while (gtk_text_iter_forward_search (&from, "@", GTK_TEXT_SEARCH_TEXT_ONLY, &from, &to, NULL))
    {
      gtk_text_iter_backward_word_start (&from);
      gtk_text_iter_forward_word_end (&to);
      gtk_text_buffer_apply_tag (buffer, self->label_tag, &from, &to);
      from = to;
    }
}

void
heddle_kernel_listing_set_text (
    HeddleKernelListing *self, const char *text, GPtrArray *lines, const char *subtitle)
{
  gtk_text_buffer_set_text (GTK_TEXT_BUFFER (self->buffer), text, -1);
  unlink_labels (self);
  gtk_label_set_text (self->subtitle, subtitle != NULL ? subtitle : "");
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  self->lines = lines;
  light (self);
}

char *
heddle_kernel_listing_dup_text (HeddleKernelListing *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (GTK_TEXT_BUFFER (self->buffer), &start, &end);
  return gtk_text_buffer_get_text (GTK_TEXT_BUFFER (self->buffer), &start, &end, TRUE);
}

guint
heddle_kernel_listing_get_n_lit (HeddleKernelListing *self)
{
  return self->n_lit;
}

static void
on_copy (HeddleKernelListing *self)
{
  g_autofree char *text = heddle_kernel_listing_dup_text (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
apply_scheme (HeddleKernelListing *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme (
      gtk_source_style_scheme_manager_get_default (), dark ? "Adwaita-dark" : "Adwaita");
  GtkSourceStyle *comment = scheme != NULL ? gtk_source_style_scheme_get_style (scheme, "def:comment") : NULL;

  gtk_source_buffer_set_style_scheme (self->buffer, scheme);
  if (comment != NULL)
    gtk_source_style_apply (comment, self->label_tag);
  g_object_set (self->label_tag, "underline", PANGO_UNDERLINE_NONE, NULL);
}

static void
heddle_kernel_listing_dispose (GObject *object)
{
  HeddleKernelListing *self = HEDDLE_KERNEL_LISTING (object);

  if (self->editor != NULL)
    g_signal_handlers_disconnect_by_data (self->editor, self);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  G_OBJECT_CLASS (heddle_kernel_listing_parent_class)->dispose (object);
}

static void
heddle_kernel_listing_class_init (HeddleKernelListingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_kernel_listing_dispose;
}

static void
heddle_kernel_listing_init (HeddleKernelListing *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 4);
  gtk_widget_add_css_class (GTK_WIDGET (self), "derivation-card");
  gtk_widget_add_css_class (GTK_WIDGET (self), "kernel-listing");
}

static GtkWidget *
new_head (HeddleKernelListing *self, const char *title)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10), *label = gtk_label_new (title);
  GtkWidget *copy = heddle_icon_button_new ("edit-copy-symbolic", _ ("Copy"));

  self->subtitle = GTK_LABEL (gtk_label_new (""));
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (GTK_WIDGET (self->subtitle), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->subtitle), "dim-label");
  gtk_label_set_ellipsize (self->subtitle, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->subtitle, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->subtitle), TRUE);
  gtk_widget_add_css_class (copy, "flat");
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (on_copy), self);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->subtitle));
  gtk_box_append (GTK_BOX (row), copy);
  return row;
}

static GtkWidget *
new_view (HeddleKernelListing *self, const char *title, const char *language)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkSourceLanguage *lang = language ? gtk_source_language_manager_get_language (
                                gtk_source_language_manager_get_default (), language)
                                     : NULL;

  self->view = GTK_SOURCE_VIEW (gtk_source_view_new ());
  self->buffer = GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view)));
  gtk_source_buffer_set_language (self->buffer, lang);
  gtk_text_buffer_create_tag (
      GTK_TEXT_BUFFER (self->buffer), "lit", "paragraph-background", "rgba(56,160,96,0.22)", NULL);
  self->label_tag = gtk_text_buffer_create_tag (GTK_TEXT_BUFFER (self->buffer), "label", NULL);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->view), TRUE);
  gtk_source_view_set_show_line_numbers (self->view, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  return scroller;
}

GtkWidget *
heddle_kernel_listing_new (HeddleEditor *editor, const char *title, const char *language)
{
  HeddleKernelListing *self = g_object_new (HEDDLE_TYPE_KERNEL_LISTING, NULL);

  self->editor = g_object_ref (editor);
  gtk_box_append (GTK_BOX (self), new_head (self, title));
  gtk_box_append (GTK_BOX (self), new_view (self, title, language));
  g_signal_connect_swapped (editor, "selection-changed", G_CALLBACK (light), self);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (apply_scheme), self, G_CONNECT_SWAPPED);
  apply_scheme (self);
  return GTK_WIDGET (self);
}
