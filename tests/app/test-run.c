/* SPDX-License-Identifier: MIT */

/* Kernels run on the GPU of this computer from the window: here the driver that stands in for NVIDIA's. */

#include <glib/gstdio.h>

#include "app/derivation/kernel-page.h"
#include "app/derivation/pane.h"
#include "app/editor/editor.h"
#include "app/editor/measured.h"
#include "app/editor/target.h"
#include "app/window/window.h"
#include "codegen/compile/compile.h"
#include "derive/report/roofline.h"
#include "files/measure/bench-result.h"
#include "robot.h"

#define EQUATIONS "X : f16[x=20, m=12]\nW : f16[m, n=10]\nY[x,n] = X[x,m] W[m,n]\nZ[x,n] = relu(Y[x,n])\n"

static GtkWidget *
find_labelled (GtkWidget *root, GType type, const char *text)
{
  if (GTK_IS_LABEL (root) && gtk_widget_get_mapped (root)
      && g_str_has_prefix (gtk_label_get_text (GTK_LABEL (root)), text))
    return type == GTK_TYPE_LABEL ? root : gtk_widget_get_ancestor (root, type);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_labelled (child, type, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
click (GtkWidget *widget)
{
  robot_settle (widget);
  robot_click (widget, gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);
}

static HeddleKernelPage *
open_kernel_page (HeddleWindow *window)
{
  GtkWidget *pane = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);
  GtkWidget *switcher = robot_find (pane, GTK_TYPE_STACK_SWITCHER, NULL, NULL), *page = NULL;

  click (gtk_widget_get_next_sibling (gtk_widget_get_first_child (switcher)));
  page = robot_find (pane, HEDDLE_TYPE_KERNEL_PAGE, NULL, NULL);
  robot_until (gtk_widget_get_mapped (page));
  return HEDDLE_KERNEL_PAGE (page);
}

/* A point of the roofline, and a file that the command line draws too. */
static void
check_kept (HeddleEditor *editor)
{
  g_autoptr (GPtrArray) measured = heddle_editor_get_measured (editor);
  g_autoptr (GError) error = NULL;
  const HeddleBenchResult *one = NULL;
  HeddleBenchResult *again = NULL;

  g_assert_cmpuint (measured->len, ==, 1);
  one = g_ptr_array_index (measured, 0);
  g_assert_cmpstr (one->gpu, ==, "Stand-in GPU");
  g_assert_nonnull (one->path);
  again = heddle_bench_result_read (one->path, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (again->median_s, ==, one->median_s);
  g_assert_cmpfloat (again->flops, ==, one->flops);
  /* Read again it is the same point. */
  heddle_editor_add_measurement (editor, again);
  g_clear_pointer (&measured, g_ptr_array_unref);
  measured = heddle_editor_get_measured (editor);
  g_assert_cmpuint (measured->len, ==, 1);
  /* Of another machine it says nothing. */
  heddle_editor_set_machine (editor, "h100-sxm");
  g_clear_pointer (&measured, g_ptr_array_unref);
  measured = heddle_editor_get_measured (editor);
  g_assert_cmpuint (measured->len, ==, 0);
}

/* The stand-in's clock counts instructions: the times are not known here, but that they are told is. */
static void
test_run (void)
{
  g_autofree char *folder = g_dir_make_tmp ("heddle-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "layer.eq", NULL);
  HeddleWindow *window = NULL;
  HeddleKernelPage *page = NULL;
  GtkWidget *popover = NULL;
  const char *words = NULL;

  if (!heddle_compile_is_available (NULL))
    {
      g_test_skip ("no CUDA compiler here");
      return;
    }
  g_assert_true (g_file_set_contents (path, EQUATIONS, -1, NULL));
  window = robot_open_path (path);
  heddle_editor_set_machine (heddle_window_get_editor (window), "a100-80-sxm");
  page = open_kernel_page (window);
  robot_until (heddle_kernel_page_get_state (page, NULL) == HEDDLE_KERNEL_PLANNED);
  click (robot_find (
      GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL, "Run the kernels on the GPU of this computer"));
  robot_until (find_labelled (GTK_WIDGET (window), GTK_TYPE_LABEL, "Stand-in GPU") != NULL);
  popover = find_labelled (GTK_WIDGET (window), GTK_TYPE_POPOVER, "Stand-in GPU");
  click (find_labelled (popover, GTK_TYPE_BUTTON, "Run"));
  robot_until (heddle_kernel_page_get_state (page, NULL) != HEDDLE_KERNEL_PLANNED
               && heddle_kernel_page_get_state (page, NULL) != HEDDLE_KERNEL_BUSY);
  g_assert_cmpint (heddle_kernel_page_get_state (page, &words), ==, HEDDLE_KERNEL_VERIFIED);
  g_test_message ("%s", words);
  g_assert_true (g_str_has_prefix (words, "Ran on Stand-in GPU: "));
  g_assert_nonnull (strstr (words, "the median of 50 launches; relative error "));
  robot_until (find_labelled (GTK_WIDGET (page), GTK_TYPE_LABEL, "Measured") != NULL);
  check_kept (heddle_window_get_editor (window));
  robot_close (window);
  g_unlink (path);
  g_rmdir (folder);
}

/* A driver without a GPU: what is missing is said, and the way there. */
static void
test_without (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  GtkWidget *export = NULL;

  g_setenv ("STAND_IN_WITHOUT_GPU", "1", TRUE);
  open_kernel_page (window);
  click (robot_find (
      GTK_WIDGET (window), GTK_TYPE_MENU_BUTTON, NULL, "Run the kernels on the GPU of this computer"));
  robot_until (find_labelled (GTK_WIDGET (window), GTK_TYPE_LABEL, "No GPU to run them") != NULL);
  g_assert_nonnull (find_labelled (GTK_WIDGET (window), GTK_TYPE_LABEL, "NVIDIA’s driver finds no GPU"));
  /* that is the command line's */
  g_assert_null (find_labelled (GTK_WIDGET (window), GTK_TYPE_LABEL, "--on"));
  export = find_labelled (GTK_WIDGET (window), GTK_TYPE_BUTTON, "Export as a Python Module");
  g_assert_cmpstr (gtk_actionable_get_action_name (GTK_ACTIONABLE (export)), ==, "win.export-module");
  g_unsetenv ("STAND_IN_WITHOUT_GPU");
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/run/stand-in", test_run);
  g_test_add_func ("/run/without-gpu", test_without);
  return g_test_run ();
}
