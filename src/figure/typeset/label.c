/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "figure/typeset/box.h"
#include "figure/typeset/formula.h"
#include "figure/typeset/label.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MOST_CHARACTERS 400

/* Gives a label of reasonable length in valid UTF-8. */
static char *
bounded_source (const char *source)
{
  g_autofree char *valid = g_utf8_make_valid (source, strnlen (source, MOST_CHARACTERS * 4));

  if (g_utf8_strlen (valid, -1) <= MOST_CHARACTERS)
    return g_steal_pointer (&valid);
  *g_utf8_offset_to_pointer (valid, MOST_CHARACTERS) = '\0';
  return g_strconcat (valid, "\342\200\246", NULL);
}

static HeddleTypesetter
typesetter_for (HeddleScene *scene, HeddlePart part, const char *object, HeddleColor color)
{
  return (HeddleTypesetter){ .scene = scene,
    .part = part,
    .object = object,
    .color = color,
    .label = scene != NULL ? heddle_scene_get_n_items (scene) + 1 : 0 };
}

/* Sets a whole source, and returns its width in px. */
static double
set_source (HeddleTypesetter *self, const char *source, HeddleTypeLine *line, double *ascent, double *descent)
{
  g_autofree char *bounded = bounded_source (source);
  const double x = line->x, y = line->y, size = line->size;
  const HeddleFont font = line->font;
  const guint from = self->scene != NULL ? heddle_scene_get_n_items (self->scene) : 0, label = self->label;

  self->at = self->begin = bounded;
  self->run = g_string_new (NULL);
  self->run_font = line->font;
  while (*self->at != '\0')
    heddle_typeset_atom (self, line);
  heddle_typeset_flush (self, line);
  g_string_free (self->run, TRUE);
  if (self->scene != NULL && self->label == label) /* a ground cuts a label in pieces */
    heddle_scene_set_formula (self->scene, from,
        &(HeddleFormula){ .source = bounded, .font = font, .size = size, .width = line->x - x }, x, y);
  if (ascent != NULL)
    *ascent = line->ascent;
  if (descent != NULL)
    *descent = line->descent;
  return line->x - x;
}

double
heddle_math_layout (HeddleScene *scene, HeddlePart part, const char *object, const char *source,
    HeddleFont font, double size, HeddleColor color, double x, double y, double *ascent, double *descent)
{
  g_return_val_if_fail (source != NULL && size > 0., 0.);

  HeddleTypesetter self = typesetter_for (scene, part, object, color);
  const double width = set_source (
      &self, source, &(HeddleTypeLine){ .x = x, .y = y, .size = size, .font = font }, ascent, descent);
  g_free (self.unknown);
  return width;
}

double
heddle_math_layout_filled (HeddleScene *scene, HeddleTheme theme, HeddlePart part, const char *object,
    const char *source, HeddleFont font, double size, HeddleColor color, double x, double y)
{
  g_return_val_if_fail (source != NULL && size > 0., 0.);

  HeddleTypesetter self = typesetter_for (scene, part, object, color);
  self.theme = &theme;
  const double width = set_source (
      &self, source, &(HeddleTypeLine){ .x = x, .y = y, .size = size, .font = font }, NULL, NULL);
  g_free (self.unknown);
  return width;
}

char *
heddle_math_find_unknown (const char *source, HeddleFont font)
{
  g_return_val_if_fail (source != NULL, NULL);

  HeddleTypesetter self = typesetter_for (NULL, HEDDLE_PART_ANNOTATION, NULL, (HeddleColor){ 0 });
  set_source (&self, source, &(HeddleTypeLine){ .size = 1., .font = font }, NULL, NULL);
  return self.unknown;
}

HeddleProblem *
heddle_math_check (const char *source, HeddleFont font)
{
  g_autofree char *bounded = NULL, *unknown = NULL;
  HeddleProblem *problem;

  g_return_val_if_fail (source != NULL, NULL);

  /* Commands begin with a backslash; to set a text takes long. */
  if (strchr (source, '\\') == NULL)
    return NULL;
  bounded = bounded_source (source);
  unknown = heddle_math_find_unknown (bounded, font);
  if (unknown == NULL)
    return NULL;
  problem = heddle_problem_new (HEDDLE_SEVERITY_WARNING, NULL,
      _ ("no label can set the \\%s of “%s”: its name is printed instead"), unknown, bounded);
  problem->remedy = g_strdup (_ ("spell it with other commands, or leave it out"));
  problem->of_spelling = TRUE;
  return problem;
}
