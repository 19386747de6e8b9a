/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <glib/gi18n.h>

#include "app/edits/array.h"
#include "app/edits/join-senses.h"
#include "app/edits/linear-senses.h"
#include "app/edits/pair.h"
#include "app/edits/place.h"
#include "app/edits/sense.h"
#include "app/panes/quick-offer.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

void
heddle_offer_free (HeddleOffer *offer)
{
  g_free (offer->body);
  g_free (offer->title);
  g_free (offer->array);
  g_free (offer->axes);
  g_strfreev (offer->words);
  g_free (offer->reason);
  g_free (offer);
}

static HeddleOffer *
offer_new (HeddleEditor *editor, const HeddlePaletteEntry *entry, guint score)
{
  HeddleOffer *offer = g_new0 (HeddleOffer, 1);
  g_autoptr (GError) why = NULL;

  offer->entry = *entry;
  offer->entry.body = offer->body = g_strdup (entry->body);
  offer->score = score;
  if (heddle_palette_entry_can_add (entry, editor, &why))
    offer->score += 100;
  else
    offer->reason = g_strdup (why->message);
  return offer;
}

static int
compare_offers (gconstpointer a, gconstpointer b)
{
  const HeddleOffer *left = *(HeddleOffer *const *) a, *right = *(HeddleOffer *const *) b;

  return (left->score < right->score) - (left->score > right->score);
}

/* `$0 * 3` typed as it is meant, or `* 3`. */
static void
add_typed_function (HeddleEditor *editor, const char *query, GPtrArray *offers)
{
  const gboolean goes_on = *query != '\0' && strchr ("*/^+", *query) != NULL;
  g_autofree char *body = goes_on ? g_strdup_printf ("$0 %s", query) : g_strdup (query);
  HeddlePaletteEntry entry
      = { .kind = heddle_operation_kind ("map"), .body = body, .title = query, .sign = "f" };

  if (entry.kind == NULL || strstr (body, "$0") == NULL)
    return;
  entry.group = _ (entry.kind->group);
  g_ptr_array_add (offers, offer_new (editor, &entry, 50));
}

/* "Q[y=4096, k=128]" typed as it is meant. */
static void
add_typed_array (HeddleEditor *editor, const char *query, GPtrArray *offers)
{
  HeddlePaletteEntry entry = { .title = query, .group = _ ("Array"), .sign = "A" };
  HeddleOffer *offer = NULL;

  if (!heddle_edits_is_array (query))
    return;
  offer = offer_new (editor, &entry, 50);
  offer->array = g_strdup (query);
  g_ptr_array_add (offers, offer);
}

static char *
join_title (HeddleEditor *editor, const HeddlePaletteEntry *entry, const char *partner, const char *name)
{
  GString *title = NULL;

  if (entry->with == NULL)
    return heddle_edits_contraction_title (editor, partner);
  title = g_string_new (entry->with);
  g_string_replace (title, "{array}", name, 0);
  return g_string_free (title, FALSE);
}

/* @sense, where it is called by its words or @score says that it is meant. */
static void
add_sense (HeddleEditor *editor, const HeddlePaletteEntry *entry, const HeddleSense *sense, const char *query,
    guint score, GPtrArray *offers)
{
  const HeddlePaletteEntry named
      = { .kind = entry->kind, .body = entry->body, .title = sense->sentence, .linear = entry->linear };
  HeddleOffer *offer = NULL;

  score = MAX (score, heddle_palette_entry_match (&named, query));
  if (score == 0)
    return;
  offer = offer_new (editor, entry, 0);
  g_clear_pointer (&offer->reason, g_free);
  offer->score = 100 + score;
  offer->words = g_strdupv (sense->words);
  offer->entry.title = offer->title = g_strdup (sense->sentence);
  g_ptr_array_add (offers, offer);
}

/* Adds the other ways to contract with @partner: over several axes, or each with each. */
static void
add_contractions (HeddleEditor *editor, const HeddlePaletteEntry *entry, const char *partner,
    const char *query, guint score, GPtrArray *offers)
{
  const char *axis = NULL, *value = heddle_edits_find_common (editor, partner, &axis);
  g_autoptr (GPtrArray) senses = heddle_senses_of_contraction (editor, value, axis, partner, axis);

  for (guint i = 1; i < senses->len; i++)
    add_sense (editor, entry, g_ptr_array_index (senses, i), query, score, offers);
}

/* Returns whether @name is one of the words typed. */
static gboolean
is_named (const char *query, const char *name)
{
  g_auto (GStrv) words = g_strsplit (query, " ", -1);

  return g_strv_contains ((const char *const *) words, name);
}

/* Adds arrays that have other axes, which are brought to those at hand. */
static void
add_exchanges (HeddleEditor *editor, const HeddlePaletteEntry *entry, const char *query, GPtrArray *offers)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *value = heddle_edits_find_common (editor, NULL, NULL);

  for (guint i = 0; value != NULL && i < diagram->values->len; i++)
    {
      const HeddleValue *other = g_ptr_array_index (diagram->values, i);
      g_autofree char *name = heddle_diagram_value_label (diagram, other->id);
      g_autoptr (GPtrArray) senses
          = is_named (query, name) ? heddle_senses_of_join (editor, value, other->id) : NULL;

      for (guint j = 0; senses != NULL && j < senses->len; j++)
        {
          const HeddleSense *sense = g_ptr_array_index (senses, j);

          if (g_str_equal (sense->words[3], entry->body) && sense->words[4] != NULL)
            add_sense (editor, entry, sense, query, g_str_equal (query, name) ? 59 : 0, offers);
        }
    }
}

/* @entry with each array that the one selected can be joined with, found by their names too. */
static void
add_joins (HeddleEditor *editor, const HeddlePaletteEntry *entry, const char *query, GPtrArray *offers)
{
  g_autoptr (GArray) partners = heddle_edits_find_partners (editor, entry->kind);
  const guint entry_score = heddle_palette_entry_match (entry, query);

  for (guint i = 0; i < partners->len; i++)
    {
      const char *partner = heddle_ids_index (partners, i);
      g_autofree char *name = heddle_diagram_value_label (heddle_editor_get_diagram (editor), partner);
      g_autofree char *title = join_title (editor, entry, partner, name);
      const HeddlePaletteEntry named = { .kind = entry->kind, .body = entry->body, .title = title };
      const guint score = g_strcmp0 (name, query) == 0
                              ? (entry->with == NULL ? 61 : 60)
                              : MAX (entry_score, heddle_palette_entry_match (&named, query));
      HeddleOffer *offer = NULL;

      if (entry->kind->form == HEDDLE_FORM_CONTRACT)
        add_contractions (editor, entry, partner, query, g_str_equal (name, query) ? 60 : 0, offers);
      if (score == 0)
        continue;
      offer = offer_new (editor, entry, 0);
      g_clear_pointer (&offer->reason, g_free);
      offer->score = 101 + score;
      offer->partner = partner;
      offer->entry.title = offer->title = g_steal_pointer (&title);
      g_ptr_array_add (offers, offer);
    }
  if (entry->with != NULL)
    add_exchanges (editor, entry, query, offers);
}

/* Back to an axis that is there: what a residual connection needs. */
static void
add_linears (HeddleEditor *editor, const HeddlePaletteEntry *entry, const char *query, GPtrArray *offers)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GArray) axes = heddle_edits_find_features (editor);

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      g_autofree char *title
          = g_strdup_printf (_ ("Linear layer to %s"), heddle_diagram_get_axis (diagram, axis)->name);
      const HeddlePaletteEntry named = { .kind = entry->kind, .title = title, .linear = TRUE };
      const guint score
          = MAX (heddle_palette_entry_match (entry, query), heddle_palette_entry_match (&named, query));
      HeddleOffer *offer = NULL;

      if (score == 0)
        continue;
      offer = offer_new (editor, entry, score);
      offer->into = axis;
      offer->entry.title = offer->title = g_steal_pointer (&title);
      g_ptr_array_add (offers, offer);
    }
}

/* Adds layers from or to several axes at once: as another layer does it, or back to where one came from. */
static void
add_wide_linears (HeddleEditor *editor, const HeddlePaletteEntry *entry, const char *query, GPtrArray *offers)
{
  const char *value = NULL, *axis = NULL;
  g_autoptr (GPtrArray) senses = NULL;

  if (!heddle_edits_find_wire (editor, &value, &axis, NULL))
    return;
  senses = heddle_senses_of_linear (editor, value, axis);
  for (guint i = 0; i < senses->len; i++)
    {
      const HeddleSense *sense = g_ptr_array_index (senses, i);

      if (strchr (sense->words[2], ' ') != strrchr (sense->words[2], ' ')
          || strchr (sense->words[3], ' ') != strrchr (sense->words[3], ' '))
        add_sense (editor, entry, sense, query, 0, offers);
    }
}

/* Returns what stands after the words "linear h=8, k=64", "linear layer to h=8, k=64" and the like, or
 * NULL. */
static const char *
find_axes_typed (const char *query)
{
  static const char *const words[] = { "linear", "layer", "to" };
  const char *rest = query;

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      const gsize length = strlen (words[i]);

      if (g_ascii_strncasecmp (rest, words[i], length) == 0 && rest[length] == ' ')
        rest += length + strspn (rest + length, " ");
    }
  return rest != query && heddle_edits_are_axes (rest) ? rest : NULL;
}

/* Into as many axes as are typed, which split the features, as heads do. */
static void
add_typed_linear (HeddleEditor *editor, const HeddlePaletteEntry *entry, const char *query, GPtrArray *offers)
{
  const char *axes = find_axes_typed (query);
  HeddleOffer *offer = NULL;

  if (axes == NULL)
    return;
  offer = offer_new (editor, entry, 50);
  offer->axes = g_strdup (axes);
  offer->entry.title = offer->title = g_strdup_printf (_ ("Linear layer to %s"), axes);
  g_ptr_array_add (offers, offer);
}

GPtrArray *
heddle_offers_find (HeddleEditor *editor, const char *query)
{
  guint n_entries;
  const HeddlePaletteEntry *entries = heddle_palette_entries (&n_entries);
  GPtrArray *offers = g_ptr_array_new ();

  add_typed_function (editor, query, offers);
  add_typed_array (editor, query, offers);
  for (guint i = 0; i < n_entries; i++)
    {
      guint score = heddle_palette_entry_match (&entries[i], query);

      if (*query != '\0' && !entries[i].linear && heddle_edits_joins_two (entries[i].kind, entries[i].body))
        add_joins (editor, &entries[i], query, offers);

      if (score > 0)
        g_ptr_array_add (offers, offer_new (editor, &entries[i], score));
      if (*query != '\0' && entries[i].linear)
        {
          add_linears (editor, &entries[i], query, offers);
          add_wide_linears (editor, &entries[i], query, offers);
          add_typed_linear (editor, &entries[i], query, offers);
        }
    }
  g_ptr_array_sort (offers, compare_offers);
  return offers;
}

gboolean
heddle_offer_take (const HeddleOffer *offer, HeddleEditor *editor, GError **error)
{
  if (offer->array != NULL)
    return heddle_edits_add_array (editor, offer->array, error);
  if (offer->axes != NULL)
    return heddle_edits_add_linear_to (editor, offer->axes, error);
  if (offer->words != NULL)
    return heddle_sense_take (editor, (const char *const *) offer->words, error);
  if (offer->into != NULL)
    return heddle_edits_add_linear (editor, offer->into, error);
  if (offer->partner != NULL)
    return heddle_edits_join_with (editor, offer->entry.kind, offer->body, offer->partner, error);
  return heddle_palette_entry_add (&offer->entry, editor, error);
}
