/* SPDX-License-Identifier: MIT */

/* Schedules and presentations are lists of facts, each about something: facts about the same thing are compared. */

#include "config.h"

#include "diagram/base/dtype.h"
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "files/difference/difference.h"
#include "files/difference/private.h"
#include "files/difference/schedule.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const char *kind;
  char *about, *is;
} Fact;

static void
fact_free (Fact *self)
{
  g_free (self->about);
  g_free (self->is);
  g_free (self);
}

static GPtrArray *
facts_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) fact_free);
}

/* Both texts are taken; nothing is said of what is %NULL. */
static void
add_fact (GPtrArray *facts, const char *kind, char *about, char *is)
{
  const Fact fact = { kind, about, is };

  if (is != NULL)
    g_ptr_array_add (facts, g_memdup2 (&fact, sizeof fact));
  else
    g_free (about);
}

static GHashTable *
index_facts (GPtrArray *facts)
{
  GHashTable *index = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < facts->len; i++)
    {
      const Fact *fact = facts->pdata[i];
      g_hash_table_insert (index, fact->about, fact->is);
    }
  return index;
}

static void
compare_facts (HeddleComparison *self, GPtrArray *a, GPtrArray *b)
{
  g_autoptr (GHashTable) before = index_facts (a), after = index_facts (b);

  for (guint i = 0; i < a->len; i++)
    {
      const Fact *fact = a->pdata[i];
      heddle_comparison_add_change (
          self, fact->kind, fact->about, fact->is, g_hash_table_lookup (after, fact->about));
    }
  for (guint i = 0; i < b->len; i++)
    {
      const Fact *fact = b->pdata[i];
      if (!g_hash_table_contains (before, fact->about))
        heddle_comparison_add_change (self, fact->kind, fact->about, NULL, fact->is);
    }
}

/* --- schedules ----------------------------------------------------------------------- */

/* `S, P, O`: the named arrays that are made in a region. */
static char *
region_text (const HeddleDiagram *diagram, const HeddleRegion *region)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < region->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (diagram, heddle_ids_index (region->operations, i));
      const HeddleValue *value
          = operation != NULL ? heddle_diagram_get_value (diagram, operation->result) : NULL;

      if (value != NULL && value->name != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", value->name);
    }
  return g_string_free (text, FALSE);
}

static void
add_region (GPtrArray *facts, const HeddleDiagram *diagram, const HeddleRegion *region)
{
  add_fact (facts, "region", g_strdup_printf (_ ("kernel %s"), region->id), region_text (diagram, region));
  for (guint i = 0; i < region->labels->len; i++)
    {
      const HeddleLabel *label = region->labels->pdata[i];
      g_autofree char *axis = heddle_comparison_name (diagram, label->axis);

      add_fact (facts, "label",
          g_strdup_printf (_ ("label %s:%s@%s of kernel %s"), axis, heddle_label_kind_to_string (label->kind),
              label->level, region->id),
          g_strdup_printf ("%" G_GINT64_FORMAT, label->size));
    }
}

static void
add_place (GPtrArray *facts, const HeddleDiagram *diagram, const HeddleResidency *residency)
{
  g_autofree char *value = heddle_comparison_name (diagram, residency->value);
  g_autofree char *reader
      = residency->column != NULL ? heddle_comparison_name (diagram, residency->column) : NULL;

  add_fact (facts, "place",
      reader != NULL ? g_strdup_printf (_ ("place of %s when read for %s"), value, reader)
                     : g_strdup_printf (_ ("place of %s"), value),
      g_strdup (residency->level));
}

static void
add_recomputed (GPtrArray *facts, const HeddleDiagram *diagram, const HeddleRecompute *recompute)
{
  g_autofree char *value = heddle_comparison_name (diagram, recompute->value);
  g_autofree char *reader = heddle_comparison_name (diagram, recompute->column);

  add_fact (facts, "place", g_strdup_printf (_ ("%s when read for %s"), value, reader),
      g_strdup (_ ("worked out again")));
}

static GPtrArray *
schedule_facts (const HeddleDiagram *diagram, const HeddleSchedule *schedule)
{
  GPtrArray *facts = facts_new ();

  if (schedule == NULL)
    return facts;
  add_fact (facts, "target", g_strdup (_ ("machine")), g_strdup (schedule->gpu));
  if (schedule->dtype != HEDDLE_DTYPE_UNSET)
    add_fact (facts, "target", g_strdup (_ ("data type of the machine")),
        g_strdup (heddle_dtype_to_string (schedule->dtype)));
  if (schedule->divisors != NULL)
    add_fact (facts, "target", g_strdup (_ ("tiles in multiples for")), g_strdup (schedule->divisors));
  if (schedule->budget > 0)
    add_fact (facts, "target", g_strdup (_ ("memory budget in bytes")),
        g_strdup_printf ("%" G_GINT64_FORMAT, schedule->budget));
  for (guint i = 0; i < schedule->regions->len; i++)
    add_region (facts, diagram, schedule->regions->pdata[i]);
  for (guint i = 0; i < schedule->residency->len; i++)
    add_place (facts, diagram, schedule->residency->pdata[i]);
  for (guint i = 0; i < schedule->recomputed->len; i++)
    add_recomputed (facts, diagram, &g_array_index (schedule->recomputed, HeddleRecompute, i));
  return facts;
}

void
heddle_comparison_schedules (HeddleComparison *self, const HeddleSchedule *a, const HeddleSchedule *b)
{
  g_autoptr (GPtrArray) before = schedule_facts (self->a, a), after = schedule_facts (self->b, b);

  compare_facts (self, before, after);
}

/* --- presentations ------------------------------------------------------------------- */

static char *
point_text (double x, double y)
{
  char across[G_ASCII_DTOSTR_BUF_SIZE], down[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("(%s, %s)", g_ascii_formatd (across, sizeof across, "%g", x),
      g_ascii_formatd (down, sizeof down, "%g", y));
}

/* Its fields as in a file, but for what it is known by: the first. */
static char *
ornament_text (const HeddleDiagram *diagram, const HeddleOrnamentKind *kind, gconstpointer ornament)
{
  GString *text = g_string_new (NULL);

  for (const HeddleField *field = kind->fields + 1; field->name != NULL; field++)
    {
      const char *word = NULL;
      if (field->kind == HEDDLE_FIELD_OBJECT || field->kind == HEDDLE_FIELD_TEXT)
        word = heddle_field_at (field, ornament, const char *);
      else if (field->kind == HEDDLE_FIELD_WORD)
        word = field->words[heddle_field_at (field, ornament, int)];
      if (word != NULL)
        g_string_append_printf (text, "%s%s: %s", text->len > 0 ? ", " : "", field->name, word);
      if (field->kind != HEDDLE_FIELD_OPERATIONS && field->kind != HEDDLE_FIELD_AXES)
        continue;
      const GArray *ids = heddle_field_at (field, ornament, GArray *);
      if (ids->len == 0)
        continue;
      g_string_append_printf (text, "%s%s:", text->len > 0 ? ", " : "", field->name);
      for (guint i = 0; i < ids->len; i++)
        {
          g_autofree char *name = heddle_comparison_name (diagram, heddle_ids_index (ids, i));
          g_string_append_printf (text, " %s", name);
        }
    }
  return g_string_free (text, FALSE);
}

static void
add_ornaments (
    GPtrArray *facts, const HeddleDiagram *diagram, const HeddleOrnamentKind *kind, const GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    {
      const char *id = heddle_field_at (&kind->fields[0], list->pdata[i], const char *);
      g_autofree char *name = kind->fields[0].kind == HEDDLE_FIELD_OBJECT
                                  ? heddle_comparison_name (diagram, id)
                                  : g_strdup (id);

      add_fact (facts, kind->element, g_strdup_printf ("%s %s", kind->element, name),
          ornament_text (diagram, kind, list->pdata[i]));
    }
}

static GPtrArray *
presentation_facts (const HeddleDiagram *diagram, const HeddlePresentation *presentation)
{
  GPtrArray *facts = facts_new ();

  if (presentation == NULL)
    return facts;
  add_fact (facts, "title", g_strdup (_ ("title")), g_strdup (presentation->title));
  if (presentation->wrap > 0.)
    add_fact (facts, "wrap", g_strdup (_ ("width of a line")), g_strdup_printf ("%g", presentation->wrap));
  for (guint i = 0; i < presentation->nudges->len; i++)
    {
      const HeddleNudge *nudge = &g_array_index (presentation->nudges, HeddleNudge, i);
      g_autofree char *name = heddle_comparison_name (diagram, nudge->object);

      add_fact (facts, "nudge", g_strdup_printf (_ ("nudge of %s"), name), point_text (nudge->dx, nudge->dy));
    }
  for (guint i = 0; i < presentation->fills->len; i++)
    {
      const HeddleFill *fill = presentation->fills->pdata[i];
      g_autofree char *name = heddle_comparison_name (diagram, fill->object);

      add_fact (facts, "fill", g_strdup_printf (_ ("fill of %s"), name), g_strdup (fill->fill));
    }
  for (guint i = 0; i < presentation->annotations->len; i++)
    {
      const HeddleAnnotation *note = presentation->annotations->pdata[i];
      g_autofree char *place = point_text (note->x, note->y);

      add_fact (facts, "annotation", g_strdup_printf (_ ("note %s"), note->id),
          g_strdup_printf (_ ("“%s” at %s"), note->text != NULL ? note->text : "", place));
    }
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    if (!g_str_equal (kind->element, "annotation"))
      add_ornaments (facts, diagram, kind, heddle_ornament_list (kind, presentation));
  return facts;
}

void
heddle_comparison_presentations (
    HeddleComparison *self, const HeddlePresentation *a, const HeddlePresentation *b)
{
  g_autoptr (GPtrArray) before = presentation_facts (self->a, a), after = presentation_facts (self->b, b);

  compare_facts (self, before, after);
}
