/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/kernel-job.h"
#include "app/derivation/kernel-page-text.h"
#include "app/derivation/kernel-page.h"
#include "app/derivation/kernel-resources.h"
#include "app/derivation/kernel-run.h"
#include "app/derivation/verification-words.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/measured.h"
#include "app/editor/target.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/wrap-box.h"
#include "derive/kernel/derived-kernel.h"
#include "diagram/graph/diagram.h"
#include "app/derivation/kernel-page-private.h"

/* In a page narrower than the first of these, in px, the listings stand below each other, together as high
 * as the second. */
#define SIDE_BY_SIDE 560
#define STACKED_HEIGHT 320

G_DEFINE_FINAL_TYPE (HeddleKernelPage, heddle_kernel_page, GTK_TYPE_BOX)

/* --- state --- */

static void
set_state (HeddleKernelPage *self, HeddleKernelState state, const char *words)
{
  static const struct
  {
    const char *icon, *css_class;
  } looks[] = { { NULL, "dim-label" }, { NULL, "dim-label" }, { "emblem-ok-symbolic", "success" },
    { "dialog-error-symbolic", "error" } };

  self->state = state;
  gtk_widget_set_css_classes (
      GTK_WIDGET (self->words), (const char *[]){ "kernel-state", looks[state].css_class, NULL });
  gtk_widget_set_css_classes (GTK_WIDGET (self->image), (const char *[]){ looks[state].css_class, NULL });
  gtk_image_set_from_icon_name (self->image, looks[state].icon);
  gtk_widget_set_visible (GTK_WIDGET (self->image), looks[state].icon != NULL);
  gtk_label_set_text (self->words, words);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->words), words);
  gtk_spinner_set_spinning (self->spinner, state == HEDDLE_KERNEL_BUSY);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), state == HEDDLE_KERNEL_BUSY);
  gtk_widget_set_visible (self->cancel, state == HEDDLE_KERNEL_BUSY);
  gtk_widget_hide (GTK_WIDGET (self->progress)); /* until there is some */
  gtk_widget_set_sensitive (self->verify, state != HEDDLE_KERNEL_BUSY);
}

static void
show_failure (HeddleKernelPage *self, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_state (self, HEDDLE_KERNEL_PLANNED, _ ("Cancelled"));
  else
    set_state (self, HEDDLE_KERNEL_FAILED, error->message);
}

/* A plan that fails leaves no text that would be another's. What can be said of the kernels is said. */
static void
show_no_plan (HeddleKernelPage *self)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (self->editor, NULL);
  const HeddleSizes *sizes = heddle_editor_get_flat_sizes (self->editor);

  if (derivation != NULL && sizes != NULL)
    heddle_kernel_page_show_program (self, derivation, sizes);
  else
    heddle_kernel_listing_set_text (HEDDLE_KERNEL_LISTING (self->program), "", NULL, NULL);
  heddle_kernel_listing_set_text (HEDDLE_KERNEL_LISTING (self->cuda), "", NULL, NULL);
  heddle_kernel_page_show_resources (self, NULL);
}

static void
show_job (HeddleKernelPage *self, const HeddleKernelJob *job)
{
  heddle_kernel_page_show_program (self, job->plan->derivation, job->plan->sizes);
  heddle_kernel_page_show_cuda (self, job);
  heddle_kernel_page_show_resources (self, job);
  if (job->failure != NULL)
    show_failure (self, job->failure);
  else if (job->ran != NULL)
    set_state (self, HEDDLE_KERNEL_VERIFIED, job->ran);
  else if (job->verified != NULL)
    {
      g_autofree char *words = heddle_verification_words (job->verified);

      set_state (self,
          g_str_has_prefix (job->verified, "NOT") ? HEDDLE_KERNEL_FAILED : HEDDLE_KERNEL_VERIFIED, words);
    }
  else
    set_state (self, HEDDLE_KERNEL_PLANNED, _ ("Not compiled or verified yet"));
}

/* --- runs --- */

static void
on_done (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HeddleKernelPage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleKernelJob) job = heddle_kernel_job_run_finish (result, &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable || self->editor == NULL)
    return; /* overtaken by another run, or closed */
  if (job != NULL)
    {
      show_job (self, job);
      if (job->bench != NULL)
        heddle_editor_add_measurement (self->editor, heddle_kernel_job_keep_result (job));
      return;
    }
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    show_no_plan (self);
  show_failure (self, error);
}

static void
on_progress (guint done, guint n, const char *words, gpointer data)
{
  HeddleKernelPage *self = data;

  if (self->state != HEDDLE_KERNEL_BUSY)
    return;
  gtk_label_set_text (self->words, words);
  gtk_progress_bar_set_fraction (self->progress, done / (double) n);
  gtk_widget_show (GTK_WIDGET (self->progress));
}

/* Starts a run, which replaces the one under way. */
static void
start (HeddleKernelPage *self, HeddleKernelTask task)
{
  static const char *const words[] = { N_ ("Planning the kernels…"),
    N_ ("Compiling, then verifying on the CPU…"), N_ ("Compiling, then running on the GPU…") };

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (heddle_editor_get_diagram (self->editor) == NULL || heddle_editor_get_machine (self->editor) == NULL)
    return;
  self->cancellable = g_cancellable_new ();
  set_state (self, HEDDLE_KERNEL_BUSY, _ (words[task]));
  heddle_kernel_job_run_async (
      self->editor, task, self->cancellable, on_progress, on_done, g_object_ref (G_OBJECT (self)));
}

void
heddle_kernel_page_update (HeddleKernelPage *self)
{
  start (self, HEDDLE_KERNEL_TASK_PLAN);
}

/* Compiles, then verifies on the CPU. */
static void
kernel_page_verify (HeddleKernelPage *self)
{
  start (self, HEDDLE_KERNEL_TASK_VERIFY);
}

static void
run_on_gpu (HeddleKernelPage *self)
{
  start (self, HEDDLE_KERNEL_TASK_RUN);
}

static void
on_cancel (HeddleKernelPage *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* --- the widget --- */

HeddleKernelState
heddle_kernel_page_get_state (HeddleKernelPage *self, const char **words)
{
  if (words != NULL)
    *words = gtk_label_get_text (self->words);
  return self->state;
}

HeddleKernelListing *
heddle_kernel_page_get_program (HeddleKernelPage *self)
{
  return HEDDLE_KERNEL_LISTING (self->program);
}

HeddleKernelListing *
heddle_kernel_page_get_cuda (HeddleKernelPage *self)
{
  return HEDDLE_KERNEL_LISTING (self->cuda);
}

GtkWidget *
heddle_kernel_page_get_actions (HeddleKernelPage *self)
{
  return self->actions;
}

static void
heddle_kernel_page_dispose (GObject *object)
{
  HeddleKernelPage *self = HEDDLE_KERNEL_PAGE (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->editor);
  g_clear_object (&self->actions);
  G_OBJECT_CLASS (heddle_kernel_page_parent_class)->dispose (object);
}

static void
heddle_kernel_page_class_init (HeddleKernelPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_kernel_page_dispose;
}

static GtkWidget *
new_actions (HeddleKernelPage *self)
{
  GtkWidget *row = heddle_wrap_box_new (6);
  GtkWidget *export = gtk_button_new_with_mnemonic (_ ("E_xport…"));

  self->verify = gtk_button_new_with_mnemonic (_ ("Compile and _Verify"));
  gtk_widget_add_css_class (self->verify, "suggested-action");
  gtk_widget_set_tooltip_text (
      self->verify, _ ("Compile every kernel, and compare what it computes with the reference"));
  gtk_widget_set_tooltip_text (export, _ ("Save as .cu, .ptx or .cubin"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (export), "win.export-kernel");
  g_signal_connect_swapped (self->verify, "clicked", G_CALLBACK (kernel_page_verify), self);
  heddle_wrap_box_append (
      HEDDLE_WRAP_BOX (row), heddle_kernel_run_button_new (G_CALLBACK (run_on_gpu), self));
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), self->verify);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (row), export);
  return g_object_ref_sink (row);
}

static GtkWidget *
new_state_row (HeddleKernelPage *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);

  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->image = GTK_IMAGE (gtk_image_new ());
  self->words = GTK_LABEL (gtk_label_new (""));
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  self->cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
  gtk_widget_set_valign (GTK_WIDGET (self->progress), GTK_ALIGN_CENTER);
  gtk_label_set_wrap (self->words, TRUE);
  gtk_label_set_lines (self->words, 3);
  gtk_label_set_ellipsize (self->words, PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (self->words, TRUE);
  gtk_label_set_xalign (self->words, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->words), TRUE); /* as words change, the button stays where it is */
  g_signal_connect_swapped (self->cancel, "clicked", G_CALLBACK (on_cancel), self);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->spinner));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->image));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->words));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->progress));
  gtk_box_append (GTK_BOX (row), self->cancel);
  return row;
}

static void
heddle_kernel_page_init (HeddleKernelPage *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 7);
  self->actions = new_actions (self);
}

/* Fits the listings in a later frame, not in the midst of an allocation. */
static gboolean
fit_listings (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  HeddleKernelPage *self = HEDDLE_KERNEL_PAGE (widget);
  const gboolean narrow = gtk_widget_get_width (widget) < SIDE_BY_SIDE;
  GtkWidget *listings = gtk_widget_get_parent (self->program);

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (listings), narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (listings, -1, narrow ? STACKED_HEIGHT : -1);
  return G_SOURCE_REMOVE;
}

static void
on_room (HeddleKernelPage *self)
{
  gtk_widget_add_tick_callback (GTK_WIDGET (self), fit_listings, NULL, NULL);
}

/* Returns the resources, at first a row of them: the text has the rest, and whoever wants to see more of
 * them pulls them up. */
static GtkWidget *
new_resources (HeddleKernelPage *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  heddle_accessible_name_set (scroller, _ ("Kernels"));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->resources);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller)),
      "notify::page-size", G_CALLBACK (on_room), self, G_CONNECT_SWAPPED);
  return scroller;
}

static GtkWidget *
new_split (HeddleKernelPage *self, GtkWidget *listings)
{
  GtkWidget *split = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  heddle_accessible_name_set (split, _ ("Kernels"));
  self->scroller = new_resources (self);
  gtk_paned_set_start_child (GTK_PANED (split), listings);
  gtk_paned_set_end_child (GTK_PANED (split), self->scroller);
  gtk_paned_set_resize_end_child (GTK_PANED (split), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (split), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (split), FALSE);
  gtk_widget_set_vexpand (split, TRUE);
  return split;
}

GtkWidget *
heddle_kernel_page_new (HeddleEditor *editor)
{
  HeddleKernelPage *self = g_object_new (HEDDLE_TYPE_KERNEL_PAGE, NULL);
  GtkWidget *listings = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);

  self->editor = g_object_ref (editor);
  self->program = heddle_kernel_listing_new (editor, _ ("Loop Program"), NULL);
  self->cuda = heddle_kernel_listing_new (editor, _ ("CUDA"), "cpp");
  self->resources = heddle_kernel_resources_new ();
  gtk_box_set_homogeneous (GTK_BOX (listings), TRUE);
  gtk_box_append (GTK_BOX (listings), self->program);
  gtk_box_append (GTK_BOX (listings), self->cuda);
  gtk_box_append (GTK_BOX (self), new_split (self, listings));
  gtk_box_append (GTK_BOX (self), new_state_row (self));
  set_state (self, HEDDLE_KERNEL_PLANNED, "");
  return GTK_WIDGET (self);
}
