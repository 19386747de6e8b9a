/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "figure/page/scene-titles.h"
#include "figure/page/titles.h"
#include "figure/typeset/math-expr.h"
#include "figure/typeset/listing.h"

/* Things have names, in the words of the equations, for those who cannot see the drawing. */

static char *
value_type (const HeddleDiagram *diagram, const HeddleValue *value)
{
  GString *text = g_string_new (NULL);

  if (value->dtype != HEDDLE_DTYPE_UNSET)
    g_string_append (text, heddle_dtype_to_string (value->dtype));
  g_string_append_c (text, '[');
  for (guint i = 0; i < value->axes->len; i++)
    {
      const HeddleAxis *axis = heddle_diagram_get_axis (diagram, heddle_ids_index (value->axes, i));
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", axis != NULL ? axis->name : "?");
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

static void
title_values (HeddleScene *scene, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = diagram->values->pdata[i];
      g_autofree char *name = heddle_diagram_value_label (diagram, value->id);
      g_autofree char *type = value_type (diagram, value);
      g_autofree char *title = g_strdup_printf ("%s : %s", name, type);
      heddle_scene_set_title (scene, value->id, title);
    }
}

static void
title_axes (HeddleScene *scene, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = diagram->axes->pdata[i];
      g_autofree char *size = axis->size != NULL ? heddle_math_from_expr (axis->size, diagram) : NULL;
      g_autofree char *title
          = size != NULL ? g_strdup_printf ("%s = %s", axis->name, size) : g_strdup (axis->name);
      heddle_scene_set_title (scene, axis->id, title);
    }
}

static void
title_operations (HeddleScene *scene, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = diagram->operations->pdata[i];
      g_autofree char *result = heddle_diagram_value_label (diagram, operation->result);
      GString *title = g_string_new (NULL);
      g_string_append_printf (title, "%s: %s from", operation->kind->title, result);
      for (guint j = 0; j < operation->operands->len; j++)
        {
          g_autofree char *name
              = heddle_diagram_value_label (diagram, heddle_ids_index (operation->operands, j));
          g_string_append_printf (title, "%s %s", j > 0 ? "," : "", name);
        }
      heddle_scene_set_title (scene, operation->id, title->str);
      g_string_free (title, TRUE);
    }
}

static void
append_names (GString *text, const HeddleDiagram *diagram, const GArray *values, const char *what)
{
  if (values->len > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", what);
  for (guint i = 0; i < values->len; i++)
    {
      g_autofree char *name = heddle_diagram_value_label (diagram, heddle_ids_index (values, i));
      g_string_append_printf (text, "%s %s", i > 0 ? "," : "", name);
    }
}

static void
title_figure (HeddleScene *scene, const HeddleFigure *figure)
{
  const char *title = figure->presentation != NULL ? figure->presentation->title : NULL;
  g_autoptr (GArray) inputs = heddle_diagram_get_inputs (figure->diagram),
                     outputs = heddle_diagram_get_outputs (figure->diagram);
  GString *text = g_string_new (NULL);

  append_names (text, figure->diagram, inputs, "inputs");
  append_names (text, figure->diagram, outputs, "outputs");
  heddle_scene_set_figure_title (
      scene, title != NULL && *title != '\0' ? title : figure->diagram->name, text->str);
  g_string_free (text, TRUE);
}

void
heddle_scene_title_objects (HeddleScene *scene, const HeddleFigure *figure)
{
  const HeddlePresentation *presentation = figure->presentation;

  title_figure (scene, figure);
  title_axes (scene, figure->diagram);
  title_values (scene, figure->diagram);
  title_operations (scene, figure->diagram);
  for (guint i = 0; presentation != NULL && i < presentation->blocks->len; i++)
    {
      const HeddleBlock *block = presentation->blocks->pdata[i];
      if (block->title != NULL)
        heddle_scene_set_title (scene, block->id, block->title);
    }
  for (guint i = 0; presentation != NULL && i < presentation->bundles->len; i++)
    {
      const HeddleBundle *bundle = presentation->bundles->pdata[i];
      heddle_scene_set_title (scene, bundle->id, bundle->name != NULL ? bundle->name : "");
    }
  for (guint i = 0; presentation != NULL && i < presentation->annotations->len; i++)
    {
      const HeddleAnnotation *note = presentation->annotations->pdata[i];
      if (note->text != NULL)
        {
          g_autofree char *plain = heddle_prose_plain (note->text);
          heddle_scene_set_title (scene, note->id, plain);
        }
    }
}
