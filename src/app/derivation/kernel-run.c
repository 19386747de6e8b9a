/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <dlfcn.h>

#include <glib/gi18n.h>

#include "app/derivation/kernel-run.h"

#define DRIVER "libcuda.so.1"

/* Whether NVIDIA's driver can be opened, and finds a GPU. */
static gboolean
find_gpu (const char **missing)
{
  void *driver = dlopen (DRIVER, RTLD_LAZY | RTLD_LOCAL);
  int (*initialise) (unsigned) = NULL, (*count) (int *) = NULL;
  int n = 0;

  *missing = _ ("NVIDIA's driver (libcuda.so.1) was not found on this computer.");
  if (driver == NULL)
    return FALSE;
  *(void **) &initialise = dlsym (driver, "cuInit");
  *(void **) &count = dlsym (driver, "cuDeviceGetCount");
  if (initialise != NULL && count != NULL && initialise (0) == 0 && count (&n) == 0 && n > 0)
    *missing = NULL;
  else
    *missing = _ ("NVIDIA's driver is here, but finds no GPU.");
  dlclose (driver);
  return *missing == NULL;
}

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

static GtkWidget *
new_explanation (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  GtkWidget *export = gtk_button_new_with_mnemonic (_ ("E_xport as a Python Module…"));
  const char *missing = NULL;

  gtk_widget_add_css_class (box, "explanation");
  if (!find_gpu (&missing))
    gtk_box_append (GTK_BOX (box), new_words (missing, "heading"));
  gtk_box_append (GTK_BOX (box),
      new_words (
          _ ("The editor runs no kernel itself: it compiles them, and verifies them on the CPU. To run and "
             "time them, export them as a Python module, and call it from PyTorch on a computer with a GPU."),
          "body"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (export), "win.export");
  gtk_widget_set_halign (export, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), export);
  return box;
}

static void
on_open (GtkMenuButton *button, gpointer data)
{
  GtkWidget *popover = gtk_popover_new ();

  gtk_popover_set_child (GTK_POPOVER (popover), new_explanation ());
  gtk_menu_button_set_popover (button, popover);
}

GtkWidget *
heddle_kernel_run_button_new (void)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), _ ("_Run and Time"));
  gtk_menu_button_set_use_underline (GTK_MENU_BUTTON (button), TRUE);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (button), GTK_ARROW_UP);
  gtk_widget_set_tooltip_text (button, _ ("What running the kernels on a GPU takes"));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (button), on_open, NULL, NULL);
  return button;
}
