/* SPDX-License-Identifier: MIT */

/* Printing: the diagram shown, as large as it is in print, or as large as the page. */

#include "config.h"

#include <glib/gi18n.h>

#include "app/window-private.h"
#include "files/files.h"

static void
draw_page (GtkPrintOperation *operation, GtkPrintContext *context, int page, HeddleProof *proof)
{
  const double width = gtk_print_context_get_width (context), height = gtk_print_context_get_height (context);
  const double fits = MIN (1., MIN (width / proof->width_pt, height / proof->height_pt));
  const double scale = fits * proof->width_pt / proof->width;
  cairo_t *cr = gtk_print_context_get_cairo_context (context);

  cairo_translate (cr, (width - fits * proof->width_pt) / 2, 0);
  cairo_scale (cr, scale, scale);
  cairo_translate (cr, -proof->x, -proof->y);
  heddle_scene_draw (proof->scene, cr);
}

GtkPrintOperation *
heddle_window_new_print_operation (HeddleWindow *self, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  const HeddleExportOptions options = { .diagram = diagram != NULL ? diagram->name : NULL,
    .gpu = machine != NULL ? machine->name : NULL,
    .dtype = heddle_editor_get_dtype (self->editor) };
  g_autofree char *title = heddle_editor_dup_title (self->editor);
  GtkPrintOperation *operation = NULL;
  HeddleProof *proof = NULL;

  heddle_window_flush (self);
  proof = heddle_export_proof (heddle_editor_get_snapshot (self->editor), &options, NULL, error);
  if (proof == NULL)
    return NULL;
  operation = gtk_print_operation_new ();
  gtk_print_operation_set_n_pages (operation, 1);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_job_name (operation, title);
  gtk_print_operation_set_embed_page_setup (operation, TRUE);
  g_object_set_data_full (G_OBJECT (operation), "proof", proof, (GDestroyNotify) heddle_proof_free);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_page), proof);
  return operation;
}

void
heddle_window_print (HeddleWindow *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GtkPrintOperation) operation = heddle_window_new_print_operation (self, &error);

  if (operation != NULL)
    gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, GTK_WINDOW (self), &error);
  if (error != NULL)
    {
      g_autofree char *text = g_strdup_printf (_ ("Not printed: %s"), error->message);

      heddle_window_show_toast (self, text);
    }
}
