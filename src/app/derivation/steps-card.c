/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/format.h"
#include "app/derivation/steps-card.h"
#include "app/derivation/steps.h"

typedef enum
{
  BADGE_PAST,
  BADGE_NOW,
  BADGE_SUGGESTED,
} Badge;

struct _HeddleStepsCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleOutlook *outlook;
  HeddleSteps *steps;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (HeddleStepsCard, heddle_steps_card, GTK_TYPE_BOX)

static GtkWidget *
new_text (const char *text, const char *css_class, float xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), xalign < .5 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

/* "34.6 M moved", or what stands against the step. */
static char *
describe (const HeddleForecast *forecast, Badge badge)
{
  g_autofree char *quantity = NULL;

  if (!forecast->legal)
    return g_strdup (_ ("not legal yet"));
  if (!forecast->fits && forecast->full_level == NULL)
    return g_strdup (_ ("does not fit yet"));
  if (!forecast->fits)
    {
      quantity = heddle_format_memory (forecast->needs, forecast->in_values);
      return g_strdup_printf (_ ("needs %s held"), quantity);
    }
  if (badge == BADGE_SUGGESTED && forecast->bound != NULL && forecast->seconds > 0)
    return g_strdup_printf (_ ("suggested, %s-bound"), heddle_format_unit (forecast->bound));
  quantity = heddle_format_count (forecast->values);
  return g_strdup_printf (_ ("%s moved"), quantity);
}

static GtkWidget *
new_badge (guint number, Badge badge)
{
  static const char *const classes[] = { "past", "now", "suggested" };
  g_autofree char *digits = g_strdup_printf ("%u", number);
  GtkWidget *label = new_text (digits, "step-badge", .5);

  gtk_widget_add_css_class (label, classes[badge]);
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

/* @forecast: NULL while it is being found out */
static void
add_row (HeddleStepsCard *self, guint number, const char *title, const HeddleForecast *forecast, Badge badge)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *caption;
  g_autofree char *words = forecast != NULL ? describe (forecast, badge) : g_strdup ("…");
  g_autofree char *time = forecast != NULL ? heddle_format_seconds (forecast->seconds) : NULL;
  gboolean timed = forecast != NULL && heddle_forecast_is_timed (forecast);

  caption = new_text (words, "caption", 0);
  gtk_widget_add_css_class (
      caption, forecast == NULL || (forecast->fits && forecast->legal) ? "dim-label" : "error");
  gtk_widget_set_hexpand (caption, TRUE);
  gtk_box_append (GTK_BOX (below), caption);
  gtk_box_append (GTK_BOX (below), new_text (timed ? time : "", "step-time", 1));
  gtk_box_append (GTK_BOX (text), new_text (title, "step-title", 0));
  gtk_box_append (GTK_BOX (text), below);
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (row), new_badge (number, badge));
  gtk_box_append (GTK_BOX (row), text);
  gtk_widget_set_tooltip_text (row, title);
  gtk_list_box_append (self->list, row);
  row = gtk_widget_get_parent (row);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_add_css_class (row, badge == BADGE_NOW         ? "now"
                                 : badge == BADGE_SUGGESTED ? "suggested"
                                                            : "past");
}

void
heddle_steps_card_update (HeddleStepsCard *self)
{
  g_autoptr (GPtrArray) steps
      = heddle_steps_find (self->steps, heddle_editor_get_shown_schedule (self->editor));
  const HeddleForecast *baseline = heddle_outlook_get_baseline (self->outlook);
  const char *title = NULL;
  const HeddleForecast *suggestion = heddle_outlook_get_suggestion (self->outlook, &title);
  GtkWidget *child;
  guint n = 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  if (baseline != NULL)
    add_row (self, ++n, _ ("One operation at a time"), baseline, steps->len == 0 ? BADGE_NOW : BADGE_PAST);
  for (guint i = 0; i < steps->len; i++)
    {
      const HeddleStep *step = g_ptr_array_index (steps, i);

      add_row (self, ++n, step->title, step->pending ? NULL : &step->forecast,
          i + 1 == steps->len ? BADGE_NOW : BADGE_PAST);
    }
  if (suggestion != NULL && heddle_editor_get_preview_schedule (self->editor) == NULL)
    add_row (self, ++n, title, suggestion, BADGE_SUGGESTED);
}

static gboolean
on_priced (gpointer self)
{
  heddle_steps_card_update (self);
  return G_SOURCE_REMOVE;
}

void
heddle_steps_card_forget (HeddleStepsCard *self)
{
  heddle_steps_forget (self->steps);
}

static void
heddle_steps_card_dispose (GObject *object)
{
  HeddleStepsCard *self = HEDDLE_STEPS_CARD (object);

  g_clear_pointer (&self->steps, heddle_steps_free);
  g_clear_object (&self->outlook);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_steps_card_parent_class)->dispose (object);
}

static void
heddle_steps_card_class_init (HeddleStepsCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_steps_card_dispose;
}

static void
heddle_steps_card_init (HeddleStepsCard *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "steps");
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Steps of the derivation"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (self), scroller);
}

GtkWidget *
heddle_steps_card_new (HeddleEditor *editor, HeddleOutlook *outlook)
{
  HeddleStepsCard *self = g_object_new (HEDDLE_TYPE_STEPS_CARD, NULL);

  self->editor = g_object_ref (editor);
  self->outlook = g_object_ref (outlook);
  self->steps = heddle_steps_new (editor, on_priced, self);
  heddle_steps_card_update (self);
  return GTK_WIDGET (self);
}
