/* SPDX-License-Identifier: MIT */

/* Results that `heddle bench --json` wrote are shown on the roofline of the window. */

#include <glib/gi18n.h>

#include "app/editor/measured.h"
#include "app/editor/target.h"
#include "app/window/chooser.h"
#include "app/window/pages.h"
#include "app/window/results.h"
#include "app/window/toasts.h"
#include "derive/machine/machine.h"
#include "derive/report/roofline.h"
#include "diagram/base/dtype.h"
#include "files/measure/bench-result.h"
#include "app/window/private.h"

static void
show_result (HeddleWindow *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  HeddleBenchResult *result = heddle_bench_result_read (path, &error);
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  g_autofree char *text = NULL;

  if (result == NULL)
    {
      heddle_window_show_toast (self, error->message);
      return;
    }
  if (machine == NULL || !g_str_equal (result->machine, machine->name)
      || result->dtype != heddle_editor_get_dtype (self->editor))
    text = g_strdup_printf (_ ("It is shown when the target is %s and %s"), result->machine,
        heddle_dtype_to_string (result->dtype));
  heddle_editor_add_measurement (self->editor, result);
  if (text != NULL)
    heddle_window_show_toast (self, text);
}

static void
on_response (GtkNativeDialog *chooser, int response, HeddleWindow *self)
{
  g_autoptr (GFile) file = NULL;
  const gboolean there = heddle_window_return_to_page (self, chooser);

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  g_clear_object (&self->chooser);
  if (file != NULL && g_file_peek_path (file) != NULL && there)
    show_result (self, g_file_peek_path (file));
}

void
heddle_window_open_results (HeddleWindow *self)
{
  static const char *const results[] = { "*.json", NULL };
  GtkFileChooser *chooser = heddle_window_new_chooser (
      self, _ ("Show Measured Results"), GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Show"));

  heddle_window_add_filter (chooser, _ ("Results of heddle bench (.json)"), results);
  heddle_window_ask_about_page (self, chooser);
  g_signal_connect (chooser, "response", G_CALLBACK (on_response), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}
