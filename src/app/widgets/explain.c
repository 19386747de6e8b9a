/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/explain.h"
#include "app/widgets/tooltip.h"

typedef struct
{
  HeddleExplain explain;
  gpointer data;
  const char *page;
} Card;

static const Card *
card_of (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "heddle-card");
}

void
heddle_explain_register (GtkWidget *widget, HeddleExplain explain, gpointer data, const char *page)
{
  Card *card = g_new (Card, 1);

  g_return_if_fail (GTK_IS_WIDGET (widget));

  *card = (Card){ explain, data, page };
  g_object_set_data_full (G_OBJECT (widget), "heddle-card", card, g_free);
}

static gboolean
on_query (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = heddle_menu_is_open (widget) ? NULL : heddle_explain_get (widget, x, y);

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void
heddle_explain_set (GtkWidget *widget, HeddleExplain explain, gpointer data, const char *page)
{
  heddle_explain_register (widget, explain, data, page);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query), NULL);
}

char *
heddle_explain_get (GtkWidget *widget, double x, double y)
{
  const Card *card = card_of (widget);
  g_autofree char *text = card != NULL ? card->explain (widget, x, y, card->data) : NULL;

  return text != NULL ? g_strdup_printf (_ ("%s\nF1: more of this in the help"), text) : NULL;
}

/* Gives where the pointer is in @root; FALSE: there is none. */
static gboolean
find_pointer (GtkWidget *root, double *x, double *y)
{
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (root));
  GdkDevice *pointer = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;
  double left, top;

  if (pointer == NULL || !GTK_IS_NATIVE (root) || !gtk_widget_get_realized (root)
      || !gdk_surface_get_device_position (gtk_native_get_surface (GTK_NATIVE (root)), pointer, x, y, NULL))
    return FALSE;
  gtk_native_get_surface_transform (GTK_NATIVE (root), &left, &top);
  *x -= left;
  *y -= top;
  return TRUE;
}

const char *
heddle_explain_find_page (GtkWidget *root)
{
  GtkWidget *widget = NULL;
  double x, y;

  g_return_val_if_fail (GTK_IS_WIDGET (root), NULL);

  if (find_pointer (root, &x, &y))
    widget = gtk_widget_pick (root, x, y, GTK_PICK_DEFAULT);
  while (widget != NULL && card_of (widget) == NULL)
    widget = gtk_widget_get_parent (widget);
  return widget != NULL ? card_of (widget)->page : NULL;
}
