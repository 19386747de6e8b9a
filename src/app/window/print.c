/* SPDX-License-Identifier: MIT */

/* Printing puts what is shown of the diagram, or of its derivation, on paper as large as it is in print;
 * smaller, or on several pages, where the paper asks for it. */

#include <glib/gi18n.h>

#include "app/editor/editor.h"
#include "app/editor/measured.h"
#include "app/editor/target.h"
#include "app/export/options.h"
#include "app/widgets/tooltip.h"
#include "app/window/pages.h"
#include "app/window/print.h"
#include "app/window/toasts.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"
#include "figure/page/paginate.h"
#include "figure/scene/draw.h"
#include "files/exchange/export.h"
#include "app/window/private.h"

/* A figure is made smaller than this for nothing but its width: what is still higher goes on on another page. */
#define LEAST_SHRINK .7

/* A print is a figure on its way to the printer. */
typedef struct
{
  HeddleWindow *window;
  HeddleExportPicture picture;
  HeddleProof *proof;
  double scale; /* pt a px */
  GArray *cuts; /* where the pages start and the last ends, px */
} Print;

static void
print_free (gpointer data)
{
  Print *print = data;

  g_clear_pointer (&print->proof, heddle_proof_free);
  g_clear_pointer (&print->cuts, g_array_unref);
  g_object_unref (print->window);
  g_free (print);
}

/* @width_pt is how wide it is to be, 0: as it is. */
static HeddleProof *
make_proof (HeddleWindow *self, HeddleExportPicture picture, double width_pt, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  const HeddleExportOptions options = { .diagram = diagram != NULL ? diagram->name : NULL,
    .gpu = machine != NULL ? machine->name : NULL,
    .dtype = heddle_editor_get_dtype (self->editor),
    .picture = picture,
    .width_pt = width_pt,
    .measured = heddle_editor_peek_measurements (self->editor) };

  return heddle_export_proof (heddle_editor_get_snapshot (self->editor), &options, NULL, error);
}

static void
show_failure (HeddleWindow *self, const GError *error)
{
  g_autofree char *text = g_strdup_printf (_ ("Not printed: %s"), error->message);

  heddle_window_show_toast (self, text);
}

/* --- what is to be printed, a page of the dialog --- */

static GtkWidget *
on_create_choice (GtkPrintOperation *operation, Print *print)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12),
            *choice = gtk_drop_down_new_from_strings (heddle_export_picture_titles ());

  heddle_accessible_name_set (choice, _ ("Figure"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (choice), print->picture);
  g_object_set (
      row, "halign", GTK_ALIGN_START, "valign", GTK_ALIGN_START, "margin-top", 18, "margin-start", 18, NULL);
  gtk_box_append (GTK_BOX (row), gtk_label_new (_ ("Picture")));
  gtk_box_append (GTK_BOX (row), choice);
  return row;
}

static void
on_choice (GtkPrintOperation *operation, GtkWidget *row, Print *print)
{
  GtkWidget *choice = gtk_widget_get_last_child (row);
  g_autoptr (GError) error = NULL;
  HeddleProof *proof = NULL;

  print->picture = gtk_drop_down_get_selected (GTK_DROP_DOWN (choice));
  proof = make_proof (print->window, print->picture, 0, &error);
  if (proof == NULL)
    {
      show_failure (print->window, error);
      gtk_print_operation_cancel (operation);
      return;
    }
  heddle_proof_free (print->proof);
  print->proof = proof;
}

/* --- pages --- */

/* Steps stand below each other as wide as the page is. */
static void
lay_out_steps (Print *print, double width_pt)
{
  HeddleProof *proof = make_proof (print->window, HEDDLE_EXPORT_STEPS, width_pt, NULL);

  if (proof == NULL)
    return;
  heddle_proof_free (print->proof);
  print->proof = proof;
}

static void
on_begin (GtkPrintOperation *operation, GtkPrintContext *context, Print *print)
{
  const double width = gtk_print_context_get_width (context), height = gtk_print_context_get_height (context);
  double shrink, fits;
  gboolean one;

  if (print->picture == HEDDLE_EXPORT_STEPS)
    lay_out_steps (print, width);
  shrink = MIN (1, width / print->proof->width_pt);
  fits = MIN (shrink, height / print->proof->height_pt);
  one = fits >= LEAST_SHRINK * shrink;
  print->scale = (one ? fits : shrink) * print->proof->width_pt / print->proof->width;
  g_clear_pointer (&print->cuts, g_array_unref);
  print->cuts = heddle_scene_paginate (print->proof->scene, print->proof->y, print->proof->height,
      one ? print->proof->height : height / print->scale);
  gtk_print_operation_set_n_pages (operation, print->cuts->len - 1);
}

static void
on_draw (GtkPrintOperation *operation, GtkPrintContext *context, int page, Print *print)
{
  const HeddleProof *proof = print->proof;
  const double width = gtk_print_context_get_width (context) / print->scale;
  const double top = g_array_index (print->cuts, double, page),
               bottom = g_array_index (print->cuts, double, page + 1);
  cairo_t *cr = gtk_print_context_get_cairo_context (context);

  cairo_scale (cr, print->scale, print->scale);
  cairo_rectangle (cr, 0, 0, width, bottom - top);
  cairo_clip (cr);
  cairo_translate (cr, (width - proof->width) / 2 - proof->x, -top);
  heddle_scene_draw (proof->scene, cr);
}

/* Names a file that is printed to after the diagram. */
static void
name_file (GtkPrintOperation *operation, const char *title)
{
  g_autoptr (GtkPrintSettings) settings = gtk_print_settings_new ();
  g_autofree char *name = g_strdelimit (g_strdup (title), "/", '-');

  if (g_str_has_suffix (name, ".ncd"))
    name[strlen (name) - strlen (".ncd")] = '\0';
  gtk_print_settings_set (settings, GTK_PRINT_SETTINGS_OUTPUT_BASENAME, name);
  gtk_print_operation_set_print_settings (operation, settings);
}

GtkPrintOperation *
heddle_window_new_print_operation (HeddleWindow *self, HeddleExportPicture picture, GError **error)
{
  g_autofree char *title = heddle_editor_dup_title (self->editor);
  GtkPrintOperation *operation = NULL;
  HeddleProof *proof = NULL;
  Print *print = NULL;

  heddle_window_flush (self);
  proof = make_proof (self, picture, 0, error);
  if (proof == NULL)
    return NULL;
  print = g_new0 (Print, 1);
  *print = (Print){ .window = g_object_ref (self), .picture = picture, .proof = proof };
  operation = gtk_print_operation_new ();
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, title);
  name_file (operation, title);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  gtk_print_operation_set_custom_tab_label (operation, _ ("Figure"));
  g_object_set_data_full (G_OBJECT (operation), "print", print, print_free);
  g_signal_connect (operation, "create-custom-widget", G_CALLBACK (on_create_choice), print);
  g_signal_connect (operation, "custom-widget-apply", G_CALLBACK (on_choice), print);
  g_signal_connect (operation, "begin-print", G_CALLBACK (on_begin), print);
  g_signal_connect (operation, "draw-page", G_CALLBACK (on_draw), print);
  return operation;
}

void
heddle_window_print (HeddleWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkPrintOperation) operation
      = heddle_window_new_print_operation (self, HEDDLE_EXPORT_DIAGRAM, &error);

  if (operation != NULL)
    gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, GTK_WINDOW (self), &error);
  if (error != NULL)
    show_failure (self, error);
}
