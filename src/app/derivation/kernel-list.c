/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/kernel-list.h"
#include "app/widgets/explain.h"
#include "app/widgets/format.h"
#include "app/widgets/tooltip.h"

/* More are told of in one line. */
#define MOST_ROWS 12
#define NAME_CHARS 11

struct _HeddleKernelList
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleKernelTimes *times; /* what is listed; or NULL */
  GtkListBox *list;
  GtkWidget *warmth;
  GtkLabel *names[MOST_ROWS], *seconds[MOST_ROWS], *rest;
  GtkLevelBar *bars[MOST_ROWS];
};

G_DEFINE_FINAL_TYPE (HeddleKernelList, heddle_kernel_list, GTK_TYPE_BOX)

/* Returns the kernel's title, "Y.1.F × 12" where it is the same one of twelve layers. */
static char *
title_of (const HeddleKernelTime *kernel)
{
  return kernel->n > 1 ? g_strdup_printf ("%s × %u", kernel->title, kernel->n) : g_strdup (kernel->title);
}

char *
heddle_kernel_list_describe (const HeddleKernelTime *kernel)
{
  g_autofree char *time = heddle_format_seconds (kernel->seconds), *title = title_of (kernel);

  return g_strdup_printf (_ ("%s: %s, %.0f %% of all, bound by %s"), title, time, 100 * kernel->share,
      heddle_format_unit (kernel->bound));
}

static void
fill_row (HeddleKernelList *self, guint place)
{
  const gboolean used = self->times != NULL && place < self->times->longest->len;
  GtkWidget *row = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int) place));
  const HeddleKernelTime *kernel = used ? self->times->longest->pdata[place] : NULL;
  g_autofree char *time = used ? heddle_format_seconds (kernel->seconds) : NULL;
  g_autofree char *words = used ? heddle_kernel_list_describe (kernel) : NULL;
  g_autofree char *title = used ? title_of (kernel) : NULL;

  gtk_widget_set_visible (row, used);
  if (!used)
    return;
  gtk_label_set_text (self->names[place], title);
  gtk_label_set_text (self->seconds[place], time);
  gtk_level_bar_set_value (
      self->bars[place], kernel->seconds / ((HeddleKernelTime *) self->times->longest->pdata[0])->seconds);
  heddle_accessible_name_set (row, words);
}

/* Shows the rest: "51 more: 12.4 µs". */
static void
fill_rest (HeddleKernelList *self)
{
  guint n = self->times != NULL ? self->times->n : 0;
  double seconds = self->times != NULL ? self->times->seconds : 0;
  g_autofree char *time = NULL, *text = NULL;

  for (guint i = 0; self->times != NULL && i < MIN (self->times->longest->len, MOST_ROWS); i++)
    {
      const HeddleKernelTime *kernel = self->times->longest->pdata[i];

      n -= kernel->n;
      seconds -= kernel->seconds;
    }
  time = heddle_format_seconds (MAX (seconds, 0));
  text = g_strdup_printf (ngettext ("%u more: %s", "%u more: %s", n), n, time);
  gtk_label_set_text (self->rest, text);
  gtk_widget_set_visible (GTK_WIDGET (self->rest), n > 0);
}

static void
show_warmth (HeddleKernelList *self)
{
  const gboolean wanted = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->warmth));

  if (wanted || heddle_editor_is_warm (self->editor))
    heddle_editor_set_warmth (self->editor, wanted ? self->times : NULL);
}

void
heddle_kernel_list_update (HeddleKernelList *self, const HeddleKernelTimes *times)
{
  g_return_if_fail (HEDDLE_IS_KERNEL_LIST (self));

  g_clear_pointer (&self->times, heddle_kernel_times_free);
  self->times = heddle_kernel_times_copy (times);
  for (guint i = 0; i < MOST_ROWS; i++)
    fill_row (self, i);
  fill_rest (self);
  show_warmth (self);
}

gboolean
heddle_kernel_list_has_many (HeddleKernelList *self)
{
  g_return_val_if_fail (HEDDLE_IS_KERNEL_LIST (self), FALSE);

  return self->times != NULL && self->times->n > 1;
}

/* --- the widget --- */

static void
on_row (GtkListBox *list, GtkListBoxRow *row, HeddleKernelList *self)
{
  const guint place = (guint) gtk_list_box_row_get_index (row);

  if (self->times != NULL && place < self->times->longest->len)
    heddle_editor_select_kernel (self->editor, self->times->longest->pdata[place]);
}

static char *
explain (GtkWidget *list, double x, double y, gpointer data)
{
  HeddleKernelList *self = data;
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (list), (int) y);
  const guint place = row != NULL ? (guint) gtk_list_box_row_get_index (row) : MOST_ROWS;
  g_autofree char *words = NULL;

  if (self->times == NULL || place >= MIN (self->times->longest->len, MOST_ROWS))
    return NULL;
  words = heddle_kernel_list_describe (self->times->longest->pdata[place]);
  return g_strdup_printf (_ ("A kernel by what it makes; its bar is its time beside the longest. A click "
                             "selects it on the canvas.\n%s"),
      words);
}

static GtkLabel *
new_label (float xalign)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  return GTK_LABEL (label);
}

static void
add_row (HeddleKernelList *self, guint place)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->names[place] = new_label (0);
  self->seconds[place] = new_label (1);
  self->bars[place] = GTK_LEVEL_BAR (gtk_level_bar_new ());
  gtk_label_set_ellipsize (self->names[place], PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (self->names[place], NAME_CHARS);
  gtk_label_set_max_width_chars (self->names[place], NAME_CHARS);
  gtk_widget_add_css_class (GTK_WIDGET (self->bars[place]), "fp32");
  gtk_widget_set_hexpand (GTK_WIDGET (self->bars[place]), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->bars[place]), GTK_ALIGN_CENTER);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->bars[place]), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Time"), -1);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->names[place]));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->bars[place]));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->seconds[place]));
  gtk_list_box_append (self->list, row);
}

static GtkWidget *
new_head (HeddleKernelList *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *title = gtk_label_new (_ ("longest first"));

  self->warmth = gtk_toggle_button_new_with_label (_ ("Warmth"));
  gtk_widget_set_tooltip_text (self->warmth, _ ("Colour the canvas by time: the warmer, the longer"));
  gtk_widget_add_css_class (self->warmth, "caption");
  gtk_widget_add_css_class (self->warmth, "warmth");
  gtk_widget_add_css_class (title, "caption");
  gtk_widget_add_css_class (title, "dim-label");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  g_signal_connect_swapped (self->warmth, "toggled", G_CALLBACK (show_warmth), self);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), self->warmth);
  return head;
}

static void
heddle_kernel_list_dispose (GObject *object)
{
  HeddleKernelList *self = HEDDLE_KERNEL_LIST (object);

  g_clear_pointer (&self->times, heddle_kernel_times_free);
  g_clear_object (&self->editor);
  G_OBJECT_CLASS (heddle_kernel_list_parent_class)->dispose (object);
}

static void
heddle_kernel_list_class_init (HeddleKernelListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_kernel_list_dispose;
}

static void
heddle_kernel_list_init (HeddleKernelList *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 3);
  gtk_box_append (GTK_BOX (self), new_head (self));
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "kernel-times");
  heddle_accessible_name_set (GTK_WIDGET (self->list), _ ("Kernels by Time"));
  heddle_explain_set (GTK_WIDGET (self->list), explain, self, HEDDLE_PAGE_DERIVING);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row), self);
  for (guint i = 0; i < MOST_ROWS; i++)
    add_row (self, i);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->list));
  self->rest = new_label (0);
  gtk_widget_add_css_class (GTK_WIDGET (self->rest), "dim-label");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->rest));
}

GtkWidget *
heddle_kernel_list_new (HeddleEditor *editor)
{
  HeddleKernelList *self = g_object_new (HEDDLE_TYPE_KERNEL_LIST, NULL);

  self->editor = g_object_ref (editor);
  heddle_kernel_list_update (self, NULL);
  return GTK_WIDGET (self);
}
