/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <string.h>

#include "app/widgets/tooltip.h"
#include "app/widgets/format.h"
#include "app/window/close-with-parent.h"
#include "app/window/measure-window.h"
#include "app/window/pages.h"
#include "app/widgets/lost-focus.h"
#include "files/base/save.h"

#define LAUNCHES 20

struct _HeddleMeasureWindow
{
  AdwWindow parent_instance;
  HeddleMeasured *made;
  GCancellable *cancellable;

  GtkWidget *stack;
  GtkWidget *what, *bar;
  GtkWidget *failure;
  GtkWidget *rows, *where;
};

G_DEFINE_FINAL_TYPE (HeddleMeasureWindow, heddle_measure_window, ADW_TYPE_WINDOW)

const HeddleMeasured *
heddle_measure_window_get_result (HeddleMeasureWindow *self)
{
  return self->made;
}

const char *
heddle_measure_window_get_failure (HeddleMeasureWindow *self)
{
  return adw_status_page_get_description (ADW_STATUS_PAGE (self->failure));
}

/* --- the work, in a thread of its own -------------------------------------------------- */

/* A step is on its way to the main thread. */
typedef struct
{
  HeddleMeasureWindow *window;
  double fraction;
  char *what;
} Step;

static void
step_free (gpointer data)
{
  Step *self = data;

  g_object_unref (self->window);
  g_free (self->what);
  g_free (self);
}

static gboolean
show_step (gpointer data)
{
  const Step *self = data;

  if (!g_cancellable_is_cancelled (self->window->cancellable))
    {
      g_autofree char *text = g_strdup_printf (_ ("Measuring: %s"), self->what);

      gtk_label_set_text (GTK_LABEL (self->window->what), text);
      gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->window->bar), self->fraction);
    }
  return G_SOURCE_REMOVE;
}

static void
report_progress (double fraction, const char *what, gpointer data)
{
  Step *step = g_new (Step, 1);

  *step = (Step){ g_object_ref (data), fraction, g_strdup (what) };
  g_idle_add_full (G_PRIORITY_DEFAULT, show_step, step, step_free);
}

static void
measure (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const HeddleMeasureOptions how = { .launches = LAUNCHES };
  GError *error = NULL;
  HeddleMeasured *made = heddle_measure (&how, report_progress, source, cancellable, &error);
  g_autofree char *path = made != NULL ? heddle_measured_own_path (made) : NULL;

  if (made != NULL && heddle_file_save (path, made->text, strlen (made->text), &error))
    {
      g_task_return_pointer (task, made, (GDestroyNotify) heddle_measured_free);
      return;
    }
  heddle_measured_free (made);
  g_task_return_error (task, error);
}

/* --- what came of it ------------------------------------------------------------------- */

/* Returns a rate: "2.95 TB/s", "612 TFLOP/s". */
static char *
format_rate (double rate, const char *unit)
{
  g_autofree char *count = NULL;

  if (g_str_equal (unit, "bytes"))
    return heddle_format_rate (rate);
  count = heddle_format_count (rate);
  return g_str_equal (unit, "FLOP") ? g_strdup_printf ("%sFLOP/s", count)
                                    : g_strdup_printf (_ ("%s operations/s"), count);
}

/* A driver tells no figure of a unit that its GPU does not have. */
static char *
describe (const HeddleMeasurement *measurement)
{
  g_autofree char *rate = format_rate (measurement->rate, measurement->unit);
  g_autofree char *expected = format_rate (measurement->expected, measurement->unit);

  if (measurement->failure != NULL)
    return g_strdup_printf (_ ("not measured: %s"), measurement->failure);
  return measurement->expected > 0 ? g_strdup_printf (_ ("%s; by its driver’s figures %s"), rate, expected)
                                   : g_steal_pointer (&rate);
}

static void
show_row (HeddleMeasureWindow *self, const HeddleMeasurement *measurement)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *words = describe (measurement);
  g_autofree char *escaped = g_markup_escape_text (words, -1);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), measurement->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped);
  gtk_list_box_append (GTK_LIST_BOX (self->rows), row);
}

/* In every window that is open. */
static void
offer_machine (void)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (windows, i);

      if (HEDDLE_IS_WINDOW (window))
        heddle_window_reload_machines (HEDDLE_WINDOW (window));
    }
}

static void
on_done (GObject *object, GAsyncResult *result, gpointer data)
{
  HeddleMeasureWindow *self = HEDDLE_MEASURE_WINDOW (object);
  g_autoptr (GError) error = NULL;
  g_autofree char *where = NULL;

  self->made = g_task_propagate_pointer (G_TASK (result), &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (self->made == NULL)
    {
      adw_status_page_set_description (ADW_STATUS_PAGE (self->failure), error->message);
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "failed");
      return;
    }
  for (guint i = 0; i < self->made->rows->len; i++)
    show_row (self, g_ptr_array_index (self->made->rows, i));
  where = g_strdup_printf (_ ("“%s” is now among the GPUs to choose from."), self->made->machine->title);
  gtk_label_set_text (GTK_LABEL (self->where), where);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "done");
  offer_machine ();
}

/* --- construction ---------------------------------------------------------------------- */

static void
heddle_measure_window_dispose (GObject *object)
{
  g_cancellable_cancel (HEDDLE_MEASURE_WINDOW (object)->cancellable);
  G_OBJECT_CLASS (heddle_measure_window_parent_class)->dispose (object);
}

static void
heddle_measure_window_finalize (GObject *object)
{
  HeddleMeasureWindow *self = HEDDLE_MEASURE_WINDOW (object);

  g_clear_pointer (&self->made, heddle_measured_free);
  g_object_unref (self->cancellable);
  G_OBJECT_CLASS (heddle_measure_window_parent_class)->finalize (object);
}

/* Work that nobody waits for any more ends with the window. */
static gboolean
heddle_measure_window_close_request (GtkWindow *window)
{
  g_cancellable_cancel (HEDDLE_MEASURE_WINDOW (window)->cancellable);
  return GTK_WINDOW_CLASS (heddle_measure_window_parent_class)->close_request (window);
}

static void
heddle_measure_window_class_init (HeddleMeasureWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = heddle_measure_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = heddle_measure_window_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = heddle_measure_window_close_request;
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/heddle/Heddle/measure-window.ui");
  gtk_widget_class_bind_template_child (widget_class, HeddleMeasureWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, HeddleMeasureWindow, what);
  gtk_widget_class_bind_template_child (widget_class, HeddleMeasureWindow, bar);
  gtk_widget_class_bind_template_child (widget_class, HeddleMeasureWindow, failure);
  gtk_widget_class_bind_template_child (widget_class, HeddleMeasureWindow, rows);
  gtk_widget_class_bind_template_child (widget_class, HeddleMeasureWindow, where);
  heddle_lost_focus_guard (GTK_WINDOW_CLASS (klass));
}

static void
heddle_measure_window_init (HeddleMeasureWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  heddle_accessible_name_set (self->failure, _ ("Not Measured"));
  self->cancellable = g_cancellable_new ();
}

GtkWidget *
heddle_measure_window_new (HeddleWindow *parent)
{
  HeddleMeasureWindow *self = g_object_new (HEDDLE_TYPE_MEASURE_WINDOW, NULL);
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, on_done, NULL);

  heddle_window_close_with_parent (GTK_WINDOW (self), GTK_WINDOW (parent));
  g_task_run_in_thread (task, measure);
  return GTK_WIDGET (self);
}
