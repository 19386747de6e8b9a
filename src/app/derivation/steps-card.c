/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/explain.h"
#include "app/widgets/format.h"
#include "app/derivation/step-row.h"
#include "app/derivation/steps-card.h"
#include "app/derivation/steps.h"
#include "app/editor/derive.h"
#include "app/editor/preview.h"
#include "derive/report/forecast.h"

struct _HeddleStepsCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleOutlook *outlook;
  HeddleSteps *steps;
  GtkListBox *list;
  guint looked_at; /* the step of that number is shown as it was; 0: what there is */
  gconstpointer looked; /* what is tried meanwhile */
};

G_DEFINE_FINAL_TYPE (HeddleStepsCard, heddle_steps_card, GTK_TYPE_BOX)

/* While a step is looked at its schedule is tried, and the list is still of what there is. */
static const HeddleSchedule *
listed_schedule (HeddleStepsCard *self)
{
  if (heddle_editor_get_preview_schedule (self->editor) != self->looked)
    self->looked_at = 0; /* something else was done */
  return self->looked_at > 0 ? heddle_editor_get_schedule (self->editor)
                             : heddle_editor_get_shown_schedule (self->editor);
}

void
heddle_steps_card_update (HeddleStepsCard *self)
{
  const HeddleSchedule *schedule = listed_schedule (self);
  g_autoptr (GPtrArray) steps
      = heddle_steps_find (self->steps, schedule, heddle_outlook_get_alone (self->outlook));
  const HeddleForecast *baseline = heddle_outlook_get_baseline (self->outlook);
  const char *title = NULL;
  const HeddleForecast *suggestion = heddle_outlook_get_suggestion (self->outlook, &title);
  const guint now = self->looked_at > 0 ? self->looked_at : steps->len + 1;
  guint place = 0;

  if (baseline != NULL)
    heddle_step_rows_put (self->list, place++, 1, _ ("One equation at a time"), baseline,
        now == 1 ? HEDDLE_STEP_NOW : HEDDLE_STEP_PAST);
  for (guint i = 0; i < steps->len; i++)
    {
      const HeddleStep *step = g_ptr_array_index (steps, i);

      heddle_step_rows_put (self->list, place++, i + 2, step->title, step->pending ? NULL : &step->forecast,
          now == i + 2 ? HEDDLE_STEP_NOW : HEDDLE_STEP_PAST);
    }
  if (suggestion != NULL && heddle_editor_get_preview_schedule (self->editor) == NULL)
    heddle_step_rows_put (self->list, place++, steps->len + 2, title, suggestion, HEDDLE_STEP_SUGGESTED);
  heddle_step_rows_end (self->list, place);
}

/* --- looking at a step --- */

guint
heddle_steps_card_get_looked_at (HeddleStepsCard *self)
{
  return heddle_editor_get_preview_schedule (self->editor) == self->looked ? self->looked_at : 0;
}

static GPtrArray *
find_steps (HeddleStepsCard *self)
{
  return heddle_steps_find (
      self->steps, heddle_editor_get_schedule (self->editor), heddle_outlook_get_alone (self->outlook));
}

guint
heddle_steps_card_get_n_steps (HeddleStepsCard *self)
{
  g_autoptr (GPtrArray) steps = find_steps (self);

  return heddle_outlook_get_baseline (self->outlook) != NULL ? steps->len + 1 : 0;
}

char *
heddle_steps_card_describe (HeddleStepsCard *self, guint number, char **caption)
{
  g_autoptr (GPtrArray) steps = find_steps (self);
  const HeddleStep *step
      = number >= 2 && number - 2 < steps->len ? g_ptr_array_index (steps, number - 2) : NULL;
  const HeddleForecast *forecast = step == NULL    ? heddle_outlook_get_baseline (self->outlook)
                                   : step->pending ? NULL
                                                   : &step->forecast;
  g_autofree char *words
      = forecast != NULL ? heddle_step_describe (forecast, HEDDLE_STEP_PAST) : g_strdup ("…");
  g_autofree char *time = forecast != NULL ? heddle_format_seconds (forecast->seconds) : NULL;

  *caption = forecast != NULL && heddle_forecast_is_timed (forecast)
                 ? g_strdup_printf ("%s · %s", words, time)
                 : g_steal_pointer (&words);
  return g_strdup (step != NULL ? step->title : _ ("One equation at a time"));
}

HeddleSchedule *
heddle_steps_card_get_schedule (HeddleStepsCard *self, guint number)
{
  const HeddleSchedule *alone = heddle_outlook_get_alone (self->outlook);

  if (number <= 1)
    return alone != NULL ? heddle_schedule_copy (alone) : NULL;
  return heddle_steps_get_schedule (
      self->steps, heddle_editor_get_schedule (self->editor), alone, number - 1);
}

void
heddle_steps_card_look_at (HeddleStepsCard *self, guint number)
{
  g_autoptr (GPtrArray) steps = heddle_steps_find (
      self->steps, heddle_editor_get_schedule (self->editor), heddle_outlook_get_alone (self->outlook));
  HeddleSchedule *schedule
      = number == 0 || number > steps->len ? NULL : heddle_steps_card_get_schedule (self, number);

  /* The last one is what there is. */
  self->looked_at = schedule != NULL ? number : 0;
  self->looked = schedule;
  heddle_editor_set_preview_schedule (self->editor, schedule);
  heddle_steps_card_update (self);
}

static void
focus_row (HeddleStepsCard *self, guint number)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, (int) number - 1);

  if (row != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
on_row (GtkListBox *list, GtkListBoxRow *row, HeddleStepsCard *self)
{
  const guint number = (guint) gtk_list_box_row_get_index (row) + 1;

  heddle_steps_card_look_at (self, number == self->looked_at ? 0 : number);
  focus_row (self, number);
}

static gboolean
on_key (
    GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, HeddleStepsCard *self)
{
  const guint number = self->looked_at;

  if (keyval != GDK_KEY_Escape || number == 0)
    return FALSE;
  heddle_steps_card_look_at (self, 0);
  focus_row (self, number);
  return TRUE;
}

/* Returns the card of the row there; rows come and go at every frame of a drag, and a card of their own would ask
 * the display where the pointer is. */
static char *
explain (GtkWidget *list, double x, double y, gpointer data)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (list), (int) y);
  g_autofree char *after = row != NULL ? heddle_step_row_describe (row) : NULL;

  if (after == NULL)
    return NULL;
  return g_strdup_printf (
      gtk_list_box_row_get_activatable (row)
          ? _ ("A step of the derivation: a click shows the diagram as it was after it.\n%s")
          : _ ("The next step that is suggested, with what it would take.\n%s"),
      after);
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
  self->looked_at = 0;
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
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "steps");
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row), self);
  heddle_explain_set (GTK_WIDGET (self->list), explain, NULL, HEDDLE_PAGE_DERIVING);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
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
