/* SPDX-License-Identifier: MIT */

/* A wire that is dropped on another, an array on an array, a layer on a wire: each can mean one thing or another. The likely one is done at
 * once, and the other senses are offered. */

#include "app/canvas/offer.h"
#include "app/canvas/private.h"
#include "app/editor/editor.h"
#include "app/edits/sense.h"
#include "diagram/document/document.h"

/* The name of the undo step goes with the offer: it holds as long as that is the last one. */
static void
offer_others (HeddleCanvas *self, const GPtrArray *senses)
{
  const char *step = heddle_document_get_undo_name (heddle_editor_get_document (self->editor));
  const HeddleSense *taken = g_ptr_array_index (senses, 0);
  GVariantBuilder others;

  g_variant_builder_init (&others, G_VARIANT_TYPE ("a(sas)"));
  for (guint i = 1; i < senses->len; i++)
    {
      const HeddleSense *sense = g_ptr_array_index (senses, i);

      g_variant_builder_add (&others, "(s^as)", sense->title, sense->words);
    }
  gtk_widget_activate_action (
      GTK_WIDGET (self), "win.offer-readings", "(ssa(sas))", taken->sentence, step, &others);
}

gboolean
heddle_canvas_take_first (HeddleCanvas *self, const GPtrArray *senses)
{
  const HeddleSense *first = g_ptr_array_index (senses, 0);
  g_autoptr (GError) error = NULL;

  if (!heddle_sense_take (self->editor, (const char *const *) first->words, &error))
    {
      heddle_editor_report (self->editor, "%s", error->message);
      return FALSE;
    }
  offer_others (self, senses);
  return TRUE;
}
