/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/kernel-run.h"
#include "app/widgets/popover-width.h"
#include "app/widgets/tooltip.h"
#include "codegen/gpu/gpu.h"

typedef struct
{
  GCallback run;
  gpointer data;
} Offer;

static GtkWidget *
new_words (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 52);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_button (GtkWidget *box, GtkWidget *button)
{
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), button);
}

static void
add_offer (GtkWidget *box, const Offer *offer, const HeddleGpu *gpu)
{
  GtkWidget *run = gtk_button_new_with_mnemonic (_ ("_Run"));

  gtk_box_append (GTK_BOX (box), new_words (heddle_gpu_get_name (gpu), "heading"));
  gtk_box_append (GTK_BOX (box), new_words (_ ("Every kernel is compiled, run, and compared with the "
                                               "reference at small sizes; then timed at those of "
                                               "the diagram, each launch on arrays that have left the L2."),
                                     "body"));
  gtk_widget_add_css_class (run, "suggested-action");
  g_signal_connect_swapped (run, "clicked", offer->run, offer->data);
  g_signal_connect_swapped (
      run, "clicked", G_CALLBACK (gtk_popover_popdown), gtk_widget_get_ancestor (box, GTK_TYPE_POPOVER));
  add_button (box, run);
}

static void
add_way (GtkWidget *box, const GError *missing)
{
  GtkWidget *export = gtk_button_new_with_mnemonic (_ ("E_xport as a Python Module…"));

  gtk_box_append (GTK_BOX (box), new_words (_ ("No GPU to run them"), "heading"));
  gtk_box_append (GTK_BOX (box), new_words (missing->message, "dim-label"));
  gtk_box_append (GTK_BOX (box),
      new_words (_ ("Here kernels are compiled, and verified on the CPU. To run and time them, export them "
                    "as a Python module, and call it from PyTorch on a computer with an NVIDIA GPU."),
          "body"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (export), "win.export-module");
  add_button (box, export);
}

static void
on_open (GtkMenuButton *button, gpointer data)
{
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  g_autoptr (GError) missing = NULL;
  g_autoptr (HeddleGpu) gpu = heddle_gpu_open (&missing);

  gtk_widget_add_css_class (box, "explanation");
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  if (gpu != NULL)
    add_offer (box, data, gpu);
  else
    add_way (box, missing);
  heddle_popover_keep_width (GTK_POPOVER (popover));
  gtk_menu_button_set_popover (button, popover);
}

GtkWidget *
heddle_kernel_run_button_new (GCallback run, gpointer data)
{
  GtkWidget *button
      = heddle_menu_button_new (_ ("_Run and Time"), _ ("Run the kernels on the GPU of this computer"));
  Offer *offer = g_new (Offer, 1);

  *offer = (Offer){ run, data };
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), on_open, offer, g_free);
  return button;
}
