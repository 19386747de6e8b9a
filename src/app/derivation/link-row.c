/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/format.h"
#include "app/derivation/label-chip.h"
#include "app/derivation/link-row.h"
#include "derive/shard.h"

struct _HeddleLinkRow
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  guint index;
  GtkBox *chips;
  GtkLabel *passed;
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

/* --- labels ---------------------------------------------------------------------------- */

static gboolean
has_chip (HeddleLinkRow *self, const HeddleLabel *label)
{
  for (GtkWidget *chip = gtk_widget_get_first_child (GTK_WIDGET (self->chips)); chip != NULL;
       chip = gtk_widget_get_next_sibling (chip))
    if (heddle_label_chip_is_for (HEDDLE_LABEL_CHIP (chip), label))
      {
        heddle_label_chip_update (HEDDLE_LABEL_CHIP (chip), label);
        return TRUE;
      }
  return FALSE;
}

/* Of const HeddleLabel *: those at the link, each once. */
static GPtrArray *
labels_here (HeddleLinkRow *self, const char *level)
{
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (self->editor);
  GPtrArray *labels = g_ptr_array_new ();

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint k = 0; k < region->labels->len && !heddle_editor_is_read (self->editor, region); k++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, k);
          gboolean seen = !g_str_equal (label->level, level);

          for (guint j = 0; j < labels->len && !seen; j++)
            seen = ((const HeddleLabel *) g_ptr_array_index (labels, j))->axis == label->axis;
          if (!seen)
            g_ptr_array_add (labels, (gpointer) label);
        }
    }
  return labels;
}

static void
update_chips (HeddleLinkRow *self, const HeddleLink *link)
{
  g_autoptr (GPtrArray) labels = labels_here (self, link->name);
  GtkWidget *chip = gtk_widget_get_first_child (GTK_WIDGET (self->chips));

  while (chip != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (chip);
      gboolean stays = FALSE;

      for (guint i = 0; i < labels->len && !stays; i++)
        stays = heddle_label_chip_is_for (HEDDLE_LABEL_CHIP (chip), g_ptr_array_index (labels, i));
      if (!stays)
        gtk_box_remove (self->chips, chip);
      chip = next;
    }
  for (guint i = 0; i < labels->len; i++)
    if (!has_chip (self, g_ptr_array_index (labels, i)))
      gtk_box_append (self->chips, heddle_label_chip_new (self->editor, g_ptr_array_index (labels, i)));
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

  if (link == NULL)
    return;
  update_chips (self, link);
  update_passed (self);
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

GtkWidget *
heddle_link_row_new (HeddleEditor *editor, guint index)
{
  HeddleLinkRow *self = g_object_new (HEDDLE_TYPE_LINK_ROW, NULL);
  const HeddleLink *link = g_ptr_array_index (heddle_editor_get_machine (editor)->links, index);
  g_autofree char *rate = heddle_format_rate (link->bandwidth);
  g_autofree char *words = g_strdup_printf (_ ("%u GPUs, %s from each"), link->count, rate);
  GtkWidget *title = gtk_label_new (_ (link->title)), *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *caption = NULL;

  if (index > 0)
    {
      g_free (words);
      words = g_strdup_printf (_ ("%u of the level before, %s from each"), link->count, rate);
    }
  self->editor = g_object_ref (editor);
  self->index = index;
  self->chips = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5));
  self->passed = GTK_LABEL (new_caption (""));
  caption = new_caption (words);
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_hexpand (caption, TRUE);
  gtk_widget_set_halign (caption, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (caption, words);
  gtk_widget_set_halign (GTK_WIDGET (self->passed), GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), caption);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->chips));
  gtk_box_append (GTK_BOX (self), row);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->passed));
  heddle_link_row_update (self);
  return GTK_WIDGET (self);
}
