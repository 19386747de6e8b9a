/* SPDX-License-Identifier: MIT */

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/derivation/figure-job.h"
#include "app/derivation/figure-strip.h"
#include "app/editor/flat.h"
#include "app/widgets/scene-paintable.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* More than a person looks through, and more than are worth drawing each time. */
#define MOST_STEPS 60
#define MOST_OPERATIONS 400
#define LEAST_WIDTH 260
#define MOST_WIDTH 520
#define FIGURE_HEIGHT 190

struct _HeddleFigureStrip
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleStepsCard *steps;
  GtkWidget *row; /* of toggle buttons, one for each step */
  GtkWidget *words; /* why there are none */
  GtkWidget *scroller;
  GCancellable *drawing;
  guint n_drawn;
  gboolean marking;
};

G_DEFINE_FINAL_TYPE (HeddleFigureStrip, heddle_figure_strip, GTK_TYPE_BOX)

static GtkWidget *
nth_card (HeddleFigureStrip *self, guint n)
{
  GtkWidget *card = gtk_widget_get_first_child (self->row);

  while (card != NULL && n-- > 0)
    card = gtk_widget_get_next_sibling (card);
  return card;
}

/* --- looking at a step --- */

void
heddle_figure_strip_mark (HeddleFigureStrip *self)
{
  const guint looked_at = heddle_steps_card_get_looked_at (self->steps);
  guint n = 0, at;

  for (GtkWidget *card = gtk_widget_get_first_child (self->row); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    n++;
  at = looked_at > 0 ? looked_at : n;
  self->marking = TRUE;
  for (guint i = 0; i < n; i++)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (nth_card (self, i)), i + 1 == at);
  self->marking = FALSE;
}

static void
on_toggled (GtkToggleButton *card, HeddleFigureStrip *self)
{
  const guint number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (card), "number"));

  if (self->marking)
    return;
  heddle_steps_card_look_at (
      self->steps, number == heddle_steps_card_get_looked_at (self->steps) ? 0 : number);
  heddle_figure_strip_mark (self);
}

/* --- cards --- */

static GtkWidget *
new_text (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_card (HeddleFigureStrip *self, guint number, const char *title, const char *caption)
{
  GtkWidget *card = gtk_toggle_button_new (), *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *picture = gtk_picture_new ();
  g_autofree char *digits = g_strdup_printf ("%u", number);
  g_autofree char *spoken = g_strdup_printf (_ ("Step %u: %s, %s"), number, title, caption);
  GtkWidget *badge = gtk_label_new (digits);

  gtk_widget_add_css_class (badge, "step-badge");
  gtk_widget_set_valign (badge, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (head), badge);
  gtk_box_append (GTK_BOX (head), new_text (title, "heading"));
  gtk_widget_set_size_request (picture, LEAST_WIDTH, FIGURE_HEIGHT);
  gtk_widget_set_vexpand (picture, TRUE);
  gtk_box_append (GTK_BOX (column), head);
  gtk_box_append (GTK_BOX (column), picture);
  gtk_box_append (GTK_BOX (column), new_text (caption, "caption"));
  gtk_widget_add_css_class (gtk_widget_get_last_child (column), "dim-label");
  gtk_button_set_child (GTK_BUTTON (card), column);
  gtk_widget_add_css_class (card, "step-figure");
  gtk_widget_set_tooltip_text (card, _ ("Show this step on the canvas; click again for the present state"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (card), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  g_object_set_data (G_OBJECT (card), "number", GUINT_TO_POINTER (number));
  g_object_set_data (G_OBJECT (card), "picture", picture);
  g_signal_connect (card, "toggled", G_CALLBACK (on_toggled), self);
  gtk_box_append (GTK_BOX (self->row), card);
}

static void
remove_cards (HeddleFigureStrip *self)
{
  GtkWidget *card;

  while ((card = gtk_widget_get_first_child (self->row)) != NULL)
    gtk_box_remove (GTK_BOX (self->row), card);
}

/* --- drawing --- */

static void
on_drawn (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HeddleFigureStrip) self = data;
  g_autoptr (GPtrArray) scenes = heddle_figure_job_run_finish (result, NULL);

  if (scenes == NULL || g_task_get_cancellable (G_TASK (result)) != self->drawing)
    return; /* overtaken, or closed */
  self->n_drawn = 0;
  for (guint i = 0; i < scenes->len; i++)
    {
      GtkWidget *card = nth_card (self, i), *picture = NULL;
      g_autoptr (GdkPaintable) paintable = heddle_scene_paintable_new (g_ptr_array_index (scenes, i), 1);
      double wide = FIGURE_HEIGHT * (double) gdk_paintable_get_intrinsic_width (paintable)
                    / gdk_paintable_get_intrinsic_height (paintable);

      if (card == NULL)
        return;
      picture = g_object_get_data (G_OBJECT (card), "picture");
      gtk_widget_set_size_request (picture, (int) CLAMP (wide, LEAST_WIDTH, MOST_WIDTH), FIGURE_HEIGHT);
      gtk_picture_set_paintable (GTK_PICTURE (picture), paintable);
      self->n_drawn++;
    }
}

/* Adds a card for each step; returns their schedules. */
static GPtrArray *
add_cards (HeddleFigureStrip *self, guint n)
{
  GPtrArray *schedules = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_schedule_free);

  for (guint number = 1; number <= n; number++)
    {
      g_autofree char *caption = NULL;
      g_autofree char *title = heddle_steps_card_describe (self->steps, number, &caption);
      HeddleSchedule *schedule = heddle_steps_card_get_schedule (self->steps, number);

      if (schedule == NULL)
        break;
      add_card (self, number, title, caption);
      g_ptr_array_add (schedules, schedule);
    }
  return schedules;
}

static const char *
why_none (HeddleFigureStrip *self, guint n)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (self->editor);

  if (diagram == NULL || n == 0)
    return _ ("No steps yet: fuse operations, or drag an axis onto a level, and each step is drawn here.");
  if (n > MOST_STEPS || diagram->operations->len > MOST_OPERATIONS)
    return _ ("There are too many steps to draw; they are listed beside the levels.");
  return NULL;
}

void
heddle_figure_strip_update (HeddleFigureStrip *self)
{
  const guint n = heddle_steps_card_get_n_steps (self->steps);
  const char *words = why_none (self, n);

  if (self->drawing != NULL)
    g_cancellable_cancel (self->drawing);
  g_clear_object (&self->drawing);
  self->n_drawn = 0;
  remove_cards (self);
  gtk_widget_set_visible (self->words, words != NULL);
  gtk_widget_set_visible (self->scroller, words == NULL);
  gtk_label_set_text (GTK_LABEL (self->words), words != NULL ? words : "");
  if (words != NULL)
    return;
  self->drawing = g_cancellable_new ();
  heddle_figure_job_run_async (self->editor, add_cards (self, n), heddle_theme_of_desktop (), self->drawing,
      on_drawn, g_object_ref (self));
  heddle_figure_strip_mark (self);
}

guint
heddle_figure_strip_get_n_figures (HeddleFigureStrip *self)
{
  g_return_val_if_fail (HEDDLE_IS_FIGURE_STRIP (self), 0);

  return self->n_drawn;
}

/* --- the widget --- */

static void
on_dark (HeddleFigureStrip *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    heddle_figure_strip_update (self);
}

static void
heddle_figure_strip_dispose (GObject *object)
{
  HeddleFigureStrip *self = HEDDLE_FIGURE_STRIP (object);

  if (self->drawing != NULL)
    g_cancellable_cancel (self->drawing);
  g_clear_object (&self->drawing);
  g_clear_object (&self->steps);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_figure_strip_parent_class)->dispose (object);
}

static void
heddle_figure_strip_class_init (HeddleFigureStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_figure_strip_dispose;
}

static void
heddle_figure_strip_init (HeddleFigureStrip *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->row), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Figures of the steps"), -1);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (
      GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->row);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  self->words = gtk_label_new ("");
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_label_set_justify (GTK_LABEL (self->words), GTK_JUSTIFY_CENTER);
  gtk_widget_add_css_class (self->words, "dim-label");
  gtk_widget_set_vexpand (self->words, TRUE);
  gtk_box_append (GTK_BOX (self), self->scroller);
  gtk_box_append (GTK_BOX (self), self->words);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (on_dark), self, G_CONNECT_SWAPPED);
}

GtkWidget *
heddle_figure_strip_new (HeddleEditor *editor, HeddleStepsCard *steps)
{
  HeddleFigureStrip *self = g_object_new (HEDDLE_TYPE_FIGURE_STRIP, NULL);

  self->editor = g_object_ref (editor);
  self->steps = g_object_ref (steps);
  return GTK_WIDGET (self);
}
