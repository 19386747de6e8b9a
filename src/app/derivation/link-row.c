/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/label-chips.h"
#include "app/derivation/level-half.h"
#include "app/derivation/link-row.h"
#include "app/derivation/size-row.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/widgets/explain.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/document/schedule.h"

struct _HeddleLinkRow
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  guint index;
  GtkBox *chips;
  GtkLabel *passed;
  GtkWidget *sizes, *half; /* where an axis is dropped */
};

G_DEFINE_FINAL_TYPE (HeddleLinkRow, heddle_link_row, GTK_TYPE_BOX)

static const HeddleLink *
find_link (HeddleLinkRow *self)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);

  return machine != NULL && self->index < machine->links->len
             ? g_ptr_array_index (machine->links, self->index)
             : NULL;
}

/* --- what is passed -------------------------------------------------------------------- */

static void
update_passed (HeddleLinkRow *self)
{
  const HeddleDerivation *derivation = heddle_editor_get_shown_derivation (self->editor);
  const HeddleSharding *sharding = derivation != NULL ? derivation->sharding : NULL;
  g_autofree char *bytes = NULL, *time = NULL, *text = NULL;
  double sent = 0., seconds = 0.;

  for (guint i = 0; sharding != NULL && i < sharding->steps->len; i++)
    {
      const HeddleShardStep *step = g_ptr_array_index (sharding->steps, i);

      if (step->segment == NULL && step->link == self->index)
        {
          sent += step->sent_bytes;
          seconds += step->seconds;
        }
    }
  bytes = heddle_format_bytes (sent);
  time = heddle_format_seconds (seconds);
  text = g_strdup_printf (_ ("each sends %s, %s"), bytes, time);
  gtk_label_set_text (self->passed, sent > 0. ? text : _ ("nothing passed"));
}

void
heddle_link_row_update (HeddleLinkRow *self)
{
  const HeddleLink *link = find_link (self);
  g_autoptr (GPtrArray) labels = link != NULL ? heddle_label_chips_find (self->editor, link->name) : NULL;

  if (link == NULL)
    return;
  heddle_label_chips_update (self->editor, self->chips, labels, 0, G_MAXUINT);
  update_passed (self);
}

void
heddle_link_row_set_carried (HeddleLinkRow *self, const char *axis)
{
  heddle_level_half_set_carried (HEDDLE_LEVEL_HALF (self->half), axis);
}

GtkWidget *
heddle_link_row_get_half (HeddleLinkRow *self)
{
  return self->half;
}

/* --- the widget ------------------------------------------------------------------------ */

static void
heddle_link_row_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_LINK_ROW (object)->editor);
  G_OBJECT_CLASS (heddle_link_row_parent_class)->dispose (object);
}

static void
heddle_link_row_class_init (HeddleLinkRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_link_row_dispose;
}

static void
heddle_link_row_init (HeddleLinkRow *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 3);
  gtk_widget_add_css_class (GTK_WIDGET (self), "level-card");
}

static GtkWidget *
new_caption (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

/* Returns "8 GPUs, 450 GB/s from each". */
static char *
describe_link (const HeddleLink *link, guint index)
{
  g_autofree char *rate = heddle_format_rate (link->bandwidth);

  return g_strdup_printf (
      index == 0 ? _ ("%u GPUs, %s from each") : _ ("%u of the level before, %s from each"), link->count,
      rate);
}

static GtkWidget *
new_words (const HeddleLink *link, guint index)
{
  g_autofree char *words = describe_link (link, index);
  GtkWidget *caption = new_caption (words);

  gtk_widget_set_hexpand (caption, TRUE);
  gtk_widget_set_halign (caption, GTK_ALIGN_START);
  return caption;
}

static GtkWidget *
new_column (HeddleLinkRow *self, const HeddleLink *link)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3),
            *title = gtk_label_new (heddle_format_place (link->title));
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_halign (GTK_WIDGET (self->passed), GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), new_words (link, self->index));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->chips));
  gtk_box_append (GTK_BOX (column), row);
  gtk_box_append (GTK_BOX (column), GTK_WIDGET (self->passed));
  gtk_widget_set_hexpand (column, TRUE);
  return column;
}

static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  HeddleLinkRow *self = data;
  const HeddleLink *link = find_link (self);
  g_autofree char *words = link != NULL ? describe_link (link, self->index) : NULL;

  return words != NULL ? g_strdup_printf (
             _ ("A link joins GPUs; what one needs of another passes over it.\nHere: %s"), words)
                       : NULL;
}

GtkWidget *
heddle_link_row_new (HeddleEditor *editor, guint index)
{
  HeddleLinkRow *self = g_object_new (HEDDLE_TYPE_LINK_ROW, NULL);
  const HeddleLink *link = g_ptr_array_index (heddle_editor_get_machine (editor)->links, index);
  GtkWidget *body = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);

  self->editor = g_object_ref (editor);
  self->index = index;
  self->chips = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5));
  self->passed = GTK_LABEL (new_caption (""));
  self->sizes = heddle_size_row_new (editor, link->name);
  self->half = heddle_level_half_new (editor, link->name, HEDDLE_LABEL_GROUP, HEDDLE_SIZE_ROW (self->sizes));
  gtk_box_append (GTK_BOX (body), new_column (self, link));
  gtk_box_append (GTK_BOX (body), self->half);
  gtk_box_append (GTK_BOX (self), body);
  gtk_box_append (GTK_BOX (self), self->sizes);
  heddle_explain_set (GTK_WIDGET (self), explain, self, HEDDLE_PAGE_DERIVING);
  heddle_link_row_update (self);
  return GTK_WIDGET (self);
}
