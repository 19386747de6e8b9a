/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"
#include "app/edits/palette-entry.h"

/* An offer of a row is an entry (or a function typed), and why it cannot be had now, if so. */
typedef struct
{
  HeddlePaletteEntry entry;
  char *body; /* entry.body */
  char *title; /* where it is no entry's */
  char *array; /* to be added: "Q[y, k]" */
  char *axes; /* of a linear layer: those it leads into, "h=8, k=64" */
  const char *partner; /* to join with */
  const char *into; /* of a linear layer: the axis it leads into */
  char **words; /* another sense, as heddle_sense_take () has it */
  char *reason;
  guint score;
} HeddleOffer;

/* Frees the offer with the words of its own. */
void heddle_offer_free (HeddleOffer *offer);
/* Returns what can be put where the selection says and fits what was typed, the best first; what cannot be
 * had now comes last, with its reason. The array (of HeddleOffer, which it does not free) is transfer full.
 * */
GPtrArray *heddle_offers_find (HeddleEditor *editor, const char *query);
/* Does what the offer says in the diagram of @editor, as one undo step. Returns FALSE with @error where it
 * cannot be done. */
gboolean heddle_offer_take (const HeddleOffer *offer, HeddleEditor *editor, GError **error);
