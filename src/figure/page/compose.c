/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "figure/page/compose.h"
#include "figure/page/figure.h"
#include "figure/page/legend.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"
#include "figure/scene/private.h"

/* One figure has several diagrams of a document, with signs between them: what a definition stands for,
 * steps of a proof. */

#define SIGN_SIZE 30.
#define SIGN_GAP 12.
#define ROW_GAP 24.
#define DEFINITION_BESIDE 40. /* between definitions in one row */
#define DEFINITION_GAP 14. /* between definitions, of which each has names over its wires */
#define LEAST_SHARE 0.5 /* of the figure's width, for the lines of a definition beside its box */
#define MOST_PANELS 100
#define LEGEND_GAP 36.

typedef struct
{
  const HeddleSnapshot *snapshot;
  const HeddleFigure *figure;
  HeddleScene *scene;
  double left, right, middle, bottom; /* of the row at hand, and of all */
  double top; /* where the row at hand may begin */
  guint first; /* its first item */
  guint n;
} Composer;

static void
bounds_of (const HeddleScene *scene, double *x1, double *y1, double *x2, double *y2)
{
  double width, height;

  heddle_scene_get_bounds (scene, x1, y1, &width, &height);
  *x2 = *x1 + width;
  *y2 = *y1 + height;
}

static HeddleScene *
render_sign (const Composer *self, const char *sign)
{
  HeddleScene *scene = heddle_scene_new ();

  heddle_math_layout (scene, HEDDLE_PART_ANNOTATION, NULL, sign, HEDDLE_FONT_MATH, SIGN_SIZE,
      heddle_theme_ink (self->figure->theme), 0., 0., NULL, NULL);
  return scene;
}

/* Makes room: what stands in the row moves down, until what comes beside it does not reach into the row
 * above. */
static void
make_room (Composer *self, double half)
{
  const double down = self->top - (self->middle - half);

  if (down <= 0.)
    return;
  for (guint i = self->first; i < self->scene->items->len; i++)
    heddle_item_move (self->scene->items->pdata[i], 0., down);
  self->middle += down;
  self->bottom += down;
}

/* Puts it to the right of the row, about its middle. */
static void
put_beside (Composer *self, HeddleScene *scene, double move_x, double move_y)
{
  double x1, y1, x2, y2;

  bounds_of (scene, &x1, &y1, &x2, &y2);
  make_room (self, (y2 - y1) / 2.);
  const double dx = self->right + SIGN_GAP - x1 + move_x, dy = self->middle - (y1 + y2) / 2. + move_y;
  self->middle += move_y;
  heddle_scene_take (self->scene, scene, dx, dy);
  self->right = x2 + dx;
  self->bottom = MAX (self->bottom, y2 + dy);
}

/* Puts it in a new row. */
static void
put_below (Composer *self, HeddleScene *scene, double move_x, double move_y)
{
  double x1, y1, x2, y2;

  bounds_of (scene, &x1, &y1, &x2, &y2);
  self->first = self->scene->items->len;
  self->top = self->bottom + ROW_GAP + move_y;
  const double dx = self->left - x1 + move_x, dy = self->top - y1;
  heddle_scene_take (self->scene, scene, dx, dy);
  self->right = x2 + dx;
  self->middle = (y1 + y2) / 2. + dy;
  self->bottom = y2 + dy;
}

static void
put (Composer *self, HeddleScene *scene, gboolean below, double dx, double dy)
{
  if (scene->items->len == 0)
    return;
  if (below)
    put_below (self, scene, dx, dy);
  else
    put_beside (self, scene, dx, dy);
}

/* Renders with lines of @wrap px, or in one where it is 0. */
static HeddleScene *
render_with (const Composer *self, const HeddleDiagram *diagram, const HeddlePresentation *presentation)
{
  const HeddleFigure figure
      = { .diagram = diagram, .presentation = presentation, .theme = self->figure->theme };

  return heddle_figure_render (&figure);
}

static HeddleScene *
render_diagram (
    const Composer *self, const HeddleDiagram *diagram, gboolean resumes, gboolean continues, double wrap)
{
  HeddleFigure figure = { .diagram = diagram,
    .presentation = heddle_snapshot_find_presentation (self->snapshot, diagram),
    .theme = self->figure->theme,
    .wrap = wrap,
    .resumes = resumes,
    .continues = continues };

  return heddle_figure_render (&figure);
}

/* Returns how long the lines of a definition may be, so that the figure is no wider than it is to be: what
 * is left beside its box and the sign. */
static double
room_beside (const Composer *self)
{
  const double wrap = self->figure->wrap;

  return wrap > 0. ? MAX (wrap - (self->right + SIGN_GAP - self->left), LEAST_SHARE * wrap) : 0.;
}

static void
add_panel (Composer *self, const HeddleDiagram *diagram, const HeddlePanel *panel, gboolean continues,
    gboolean wraps)
{
  const char *sign = panel->sign;
  gboolean below = panel->place == HEDDLE_PANEL_BELOW;
  double dx = panel->dx, dy = panel->dy;

  if (++self->n > MOST_PANELS)
    return;
  if (sign != NULL && *sign != '\0')
    {
      HeddleScene *scene = render_sign (self, sign);
      put (self, scene, below, dx, dy);
      heddle_scene_unref (scene);
      below = FALSE;
      dx = dy = 0.;
    }
  HeddleScene *scene = render_diagram (
      self, diagram, panel->wires == HEDDLE_PANEL_ON, continues, wraps ? room_beside (self) : 0.);
  put (self, scene, below, dx, dy);
  heddle_scene_unref (scene);
}

/* Returns whether what leaves panel @i - 1, or the diagram itself, goes on in panel @i. */
static gboolean
goes_on (const HeddlePresentation *presentation, guint i)
{
  return presentation != NULL && i < presentation->panels->len
         && ((const HeddlePanel *) presentation->panels->pdata[i])->wires == HEDDLE_PANEL_ON;
}

static void
add_panels (Composer *self)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  for (guint i = 0; presentation != NULL && i < presentation->panels->len; i++)
    {
      const HeddlePanel *panel = presentation->panels->pdata[i];
      const HeddleDiagram *diagram = heddle_snapshot_get_diagram_by_id (self->snapshot, panel->diagram);
      if (diagram != NULL)
        add_panel (self, diagram, panel, goes_on (presentation, i + 1), FALSE);
    }
}

/* --- definitions ---------------------------------------------------------------------------------------- */

/* Finds the definitions that @diagram calls and those that these call, each once, in the order of the
 * drawing. */
static void
find_definitions (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, GPtrArray *found, guint depth)
{
  for (guint i = 0; depth < 32 && i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = diagram->operations->pdata[i];
      HeddleDiagram *callee = operation->callee != NULL
                                  ? heddle_snapshot_get_diagram_by_id (snapshot, operation->callee)
                                  : NULL;
      if (callee == NULL || g_ptr_array_find (found, callee, NULL))
        continue;
      g_ptr_array_add (found, callee);
      find_definitions (snapshot, callee, found, depth + 1);
    }
}

static guint
count_inputs (const HeddleDiagram *diagram)
{
  guint n = 0;

  for (guint i = 0; i < diagram->values->len; i++)
    n += ((const HeddleValue *) diagram->values->pdata[i])->role == HEDDLE_ROLE_INPUT;
  return n;
}

/* A diagram with nothing but one call of @definition, on its own inputs. One that is alone needs no name: the definition beside it has that. */
static HeddleDiagram *
call_of (const HeddleDiagram *definition)
{
  HeddleDiagram *diagram = heddle_diagram_new ("call");
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (definition), operands = heddle_ids_new (),
                     none = heddle_ids_new ();
  const gboolean alone = count_inputs (definition) == 1;
  HeddleOperation *call = NULL;

  for (guint i = 0; i < definition->axes->len; i++)
    {
      const HeddleAxis *axis = definition->axes->pdata[i];
      heddle_diagram_add_axis (diagram, axis->id, axis->name, NULL);
    }
  for (guint i = 0; i < definition->values->len; i++)
    {
      const HeddleValue *value = definition->values->pdata[i];
      if (value->role != HEDDLE_ROLE_INPUT)
        continue;
      heddle_diagram_add_value (
          diagram, value->id, alone ? "" : value->name, value->role, value->dtype, value->axes);
      heddle_ids_append (operands, value->id);
    }
  for (guint i = 0; i < outputs->len; i++)
    {
      const HeddleValue *output = heddle_diagram_get_value (definition, heddle_ids_index (outputs, i));
      if (output == NULL || heddle_diagram_get_value (diagram, output->id) != NULL)
        continue;
      heddle_diagram_add_value (diagram, output->id, outputs->len == 1 ? "" : output->name,
          HEDDLE_ROLE_INTERMEDIATE, output->dtype, output->axes);
      if (call != NULL)
        heddle_diagram_add_result (diagram, call, output->id);
      else
        call = heddle_diagram_add_operation (
            diagram, NULL, heddle_operation_kind ("call"), operands, output->id, none, -1);
    }
  if (call != NULL)
    call->callee = definition->id;
  return diagram;
}

/* The box of @definition, with the bundles that are drawn in what it stands for. */
static void
add_call (Composer *self, const HeddleDiagram *definition)
{
  g_autoptr (HeddleDiagram) call = call_of (definition);
  const HeddlePresentation *own = heddle_snapshot_find_presentation (self->snapshot, definition);
  HeddlePresentation *presentation = heddle_presentation_new (call->id);

  if (own != NULL)
    {
      g_ptr_array_unref (presentation->bundles);
      presentation->bundles = g_ptr_array_ref (own->bundles);
    }
  HeddleScene *scene = render_with (self, call, presentation);
  heddle_presentation_free (presentation);
  put (self, scene, TRUE, 0., DEFINITION_GAP - ROW_GAP);
  heddle_scene_unref (scene);
}

/* Its box, "=" and what it stands for, alone. */
static HeddleScene *
render_definition (Composer *self, const HeddleDiagram *definition)
{
  Composer part = { .snapshot = self->snapshot,
    .figure = self->figure,
    .scene = heddle_scene_new (),
    .top = -G_MAXDOUBLE,
    .n = self->n };

  add_call (&part, definition);
  add_panel (&part, definition, &(HeddlePanel){ .sign = "=" }, FALSE, TRUE);
  self->n = part.n;
  return part.scene;
}

/* Beside the one before it where that makes the figure no wider, with their tops in one line; else in a new row. */
static void
put_definition (Composer *self, HeddleScene *scene, gboolean first)
{
  const double wrap = self->figure->wrap;
  double x1, y1, x2, y2, left, top, right, bottom;

  bounds_of (scene, &x1, &y1, &x2, &y2);
  bounds_of (self->scene, &left, &top, &right, &bottom);
  const double most = MAX (right, left + wrap), dx = self->right + DEFINITION_BESIDE - x1;
  if (first || x2 + dx > most)
    {
      put (self, scene, TRUE, 0., DEFINITION_GAP - ROW_GAP);
      return;
    }
  heddle_scene_take (self->scene, scene, dx, self->top - y1);
  self->right = x2 + dx;
  self->bottom = MAX (self->bottom, y2 + self->top - y1);
}

static void
add_definitions (Composer *self)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  find_definitions (self->snapshot, self->figure->diagram, found, 0);
  for (guint i = 0; i < found->len; i++)
    {
      if (++self->n > MOST_PANELS)
        return;
      HeddleScene *scene = render_definition (self, found->pdata[i]);
      put_definition (self, scene, i == 0);
      heddle_scene_unref (scene);
    }
}

/* Below all, from its left end on, and in columns that make the figure no wider. */
static void
add_legend (Composer *self)
{
  double left, top, right, bottom, x1, y1, x2, y2;

  bounds_of (self->scene, &left, &top, &right, &bottom);
  g_autoptr (HeddleScene) legend
      = heddle_legend_render (self->scene, self->figure->theme, MAX (right - left, self->figure->wrap));
  bounds_of (legend, &x1, &y1, &x2, &y2);
  heddle_scene_take (self->scene, legend, left - x1, bottom + LEGEND_GAP - y1);
}

HeddleScene *
heddle_figure_compose (const HeddleSnapshot *snapshot, const HeddleFigure *figure)
{
  g_return_val_if_fail (snapshot != NULL && figure != NULL && figure->diagram != NULL, NULL);

  HeddleFigure first = *figure;
  first.continues = goes_on (figure->presentation, 0);
  Composer self = {
    .snapshot = snapshot, .figure = figure, .scene = heddle_figure_render (&first), .top = -G_MAXDOUBLE
  };
  double top;

  bounds_of (self.scene, &self.left, &top, &self.right, &self.bottom);
  self.middle = (top + self.bottom) / 2.;
  add_panels (&self);
  if (figure->definitions
      || (figure->presentation != NULL && figure->presentation->definitions != HEDDLE_DEFINITIONS_NONE))
    add_definitions (&self);
  if (figure->legend)
    add_legend (&self);
  return self.scene;
}
