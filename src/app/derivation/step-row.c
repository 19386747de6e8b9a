/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/step-row.h"

static GtkWidget *
new_text (const char *text, const char *css_class, float xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_ellipsize (GTK_LABEL (label), xalign < .5 ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

char *
heddle_step_describe (const HeddleForecast *forecast, HeddleStepBadge badge)
{
  g_autofree char *quantity = NULL;

  g_return_val_if_fail (forecast != NULL, NULL);

  if (!forecast->legal)
    return g_strdup (_ ("not legal yet"));
  if (!forecast->fits && forecast->full_level == NULL)
    return g_strdup (_ ("does not fit yet"));
  if (!forecast->fits)
    {
      quantity = heddle_format_memory (forecast->needs, forecast->in_values);
      return g_strdup_printf (_ ("needs %s held"), quantity);
    }
  if (badge == HEDDLE_STEP_SUGGESTED && forecast->bound != NULL && forecast->seconds > 0)
    {
      quantity = heddle_format_limit (forecast);
      return g_strdup_printf (_ ("suggested, %s"), quantity);
    }
  quantity = heddle_format_count (forecast->values);
  return g_strdup_printf (_ ("%s moved"), quantity);
}

static GtkWidget *
new_badge (guint number, HeddleStepBadge badge)
{
  static const char *const classes[] = { "past", "now", "suggested" };
  g_autofree char *digits = g_strdup_printf ("%u", number);
  GtkWidget *label = new_text (digits, "step-badge", .5);

  gtk_widget_add_css_class (label, classes[badge]);
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  return label;
}

/* A row of the list: rows stay from one frame of a drag to the next, and only what they say changes. */
typedef struct
{
  guint number;
  char *title;
  HeddleStepBadge badge;
  GtkLabel *words, *caption, *time;
} Row;

static void
row_free (gpointer data)
{
  Row *self = data;

  g_free (self->title);
  g_free (self);
}

static Row *
get_row (GtkListBoxRow *widget)
{
  return g_object_get_data (G_OBJECT (widget), "row");
}

static void
set_css_class (GtkWidget *widget, const char *css_class, gboolean has)
{
  if (has)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

/* Shows a step; @forecast is NULL while it is being computed. */
static void
say (Row *row, const HeddleForecast *forecast)
{
  g_autofree char *words = forecast != NULL ? heddle_step_describe (forecast, row->badge) : g_strdup ("…");
  g_autofree char *time = forecast != NULL ? heddle_format_seconds (forecast->seconds) : NULL;
  const gboolean timed = forecast != NULL && heddle_forecast_is_timed (forecast);
  /* Of steps on the way it is no fault that a tile is too large yet. */
  const gboolean wrong
      = forecast != NULL && !(forecast->fits && forecast->legal) && row->badge == HEDDLE_STEP_NOW;

  gtk_label_set_text (row->caption, words);
  gtk_label_set_text (row->time, timed ? time : "");
  set_css_class (GTK_WIDGET (row->caption), "dim-label", !wrong);
  set_css_class (GTK_WIDGET (row->caption), "error", wrong);
}

static GtkWidget *
new_words (Row *row)
{
  GtkWidget *text = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  row->caption = GTK_LABEL (new_text ("", "caption", 0));
  row->time = GTK_LABEL (new_text ("", "step-time", 1));
  gtk_widget_set_hexpand (GTK_WIDGET (row->caption), TRUE);
  gtk_box_append (GTK_BOX (below), GTK_WIDGET (row->caption));
  gtk_box_append (GTK_BOX (below), GTK_WIDGET (row->time));
  row->words = GTK_LABEL (new_text ("", "step-title", 0));
  gtk_label_set_wrap (row->words, TRUE);
  gtk_label_set_lines (row->words, 2); /* the size of a label stands at the end */
  gtk_box_append (GTK_BOX (text), GTK_WIDGET (row->words));
  gtk_box_append (GTK_BOX (text), below);
  gtk_widget_set_hexpand (text, TRUE);
  return text;
}

static void
set_title (GtkListBoxRow *widget, Row *row, const char *title)
{
  if (g_strcmp0 (row->title, title) == 0)
    return;
  g_free (row->title);
  row->title = g_strdup (title);
  gtk_label_set_text (row->words, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

static GtkListBoxRow *
add_row (GtkListBox *list, guint number, HeddleStepBadge badge)
{
  static const char *const classes[] = { "past", "now", "suggested" };
  Row *row = g_new0 (Row, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9), *widget;

  row->number = number;
  row->badge = badge;
  gtk_box_append (GTK_BOX (box), new_badge (number, badge));
  gtk_box_append (GTK_BOX (box), new_words (row));
  gtk_list_box_append (list, box);
  widget = gtk_widget_get_parent (box);
  g_object_set_data_full (G_OBJECT (widget), "row", row, row_free);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (widget), badge != HEDDLE_STEP_SUGGESTED);
  gtk_widget_add_css_class (widget, classes[badge]);
  return GTK_LIST_BOX_ROW (widget);
}

void
heddle_step_rows_put (GtkListBox *list, guint place, guint number, const char *title,
    const HeddleForecast *forecast, HeddleStepBadge badge)
{
  GtkListBoxRow *widget = NULL;
  Row *row = NULL;

  g_return_if_fail (GTK_IS_LIST_BOX (list));
  g_return_if_fail (title != NULL);

  widget = gtk_list_box_get_row_at_index (list, (int) place);
  row = widget != NULL ? get_row (widget) : NULL;
  if (row == NULL || row->number != number || row->badge != badge)
    {
      heddle_step_rows_end (list, place);
      widget = add_row (list, number, badge);
      row = get_row (widget);
    }
  set_title (widget, row, title);
  say (row, forecast);
}

void
heddle_step_rows_end (GtkListBox *list, guint place)
{
  GtkListBoxRow *row = NULL;

  g_return_if_fail (GTK_IS_LIST_BOX (list));

  while ((row = gtk_list_box_get_row_at_index (list, (int) place)) != NULL)
    gtk_list_box_remove (list, GTK_WIDGET (row));
}

char *
heddle_step_row_describe (GtkListBoxRow *widget)
{
  const Row *row = GTK_IS_LIST_BOX_ROW (widget) ? get_row (widget) : NULL;
  const char *time = NULL;

  g_return_val_if_fail (row != NULL, NULL);

  time = gtk_label_get_text (row->time);
  return *time != '\0'
             ? g_strdup_printf (_ ("%s: %s, %s"), row->title, gtk_label_get_text (row->caption), time)
             : g_strdup_printf (_ ("%s: %s"), row->title, gtk_label_get_text (row->caption));
}

const char *
heddle_step_row_get_title (GtkListBoxRow *row)
{
  g_return_val_if_fail (GTK_IS_LIST_BOX_ROW (row), NULL);
  return get_row (row)->title;
}
