/* SPDX-License-Identifier: MIT */

#include "app/derivation/label-chip.h"
#include "app/derivation/label-chips.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "diagram/document/schedule.h"

static gboolean
is_among (GPtrArray *labels, const HeddleLabel *label)
{
  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *other = g_ptr_array_index (labels, i);

      if (other->axis == label->axis && other->kind == label->kind)
        return TRUE;
    }
  return FALSE;
}

GPtrArray *
heddle_label_chips_find (HeddleEditor *editor, const char *level)
{
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (editor);
  GPtrArray *labels = g_ptr_array_new ();

  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint j = 0; j < region->labels->len; j++)
        {
          HeddleLabel *label = g_ptr_array_index (region->labels, j);

          if (label->kind <= HEDDLE_LABEL_STREAM && g_str_equal (label->level, level)
              && !is_among (labels, label) && !heddle_editor_is_read (editor, region))
            g_ptr_array_add (labels, label);
        }
    }
  return labels;
}

static GtkWidget *
take_away (GtkBox *box, GtkWidget *chip)
{
  GtkWidget *next = gtk_widget_get_next_sibling (chip);

  gtk_box_remove (box, chip);
  return next;
}

void
heddle_label_chips_update (HeddleEditor *editor, GtkBox *box, GPtrArray *labels, guint from, guint to)
{
  GtkWidget *chip = gtk_widget_get_first_child (GTK_WIDGET (box));

  for (guint i = from; i < labels->len && i < to; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);

      while (chip != NULL && !heddle_label_chip_is_for (HEDDLE_LABEL_CHIP (chip), label))
        chip = take_away (box, chip);
      if (chip == NULL)
        gtk_box_append (box, heddle_label_chip_new (editor, label));
      else
        {
          heddle_label_chip_update (HEDDLE_LABEL_CHIP (chip), label);
          chip = gtk_widget_get_next_sibling (chip);
        }
    }
  while (chip != NULL)
    chip = take_away (box, chip);
}
