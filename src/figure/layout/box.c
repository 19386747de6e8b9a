/* SPDX-License-Identifier: MIT */
#include "diagram/document/schedule.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "figure/layout/box.h"
#include "figure/layout/graph.h"
#include "figure/layout/weave-node.h"
#include "figure/layout/weave.h"
#include "figure/scene/scene.h"
#include "figure/typeset/label.h"
#include "figure/typeset/math-expr.h"

#include <string.h>

/* An operation as a box with its name: a call of a definition, or what a person would have drawn so. */

#define LETTER_SIZE 25.
#define BOXED_LETTER_SIZE 24.
#define LEAST_WIDTH 30. /* of a plain box … */
#define BESIDE_TITLE 10. /* on both sides of what stands in it */
#define BESIDE_SOLID_TITLE 14.
#define LEAST_SOLID 50. /* … and of one seen from the side */

static const HeddleLook *
find_look (const HeddleLayout *self, const char *object)
{
  const HeddlePresentation *presentation = self->figure->presentation;

  for (guint i = 0; presentation != NULL && i < presentation->looks->len; i++)
    if (((HeddleLook *) presentation->looks->pdata[i])->object == object)
      return presentation->looks->pdata[i];
  return NULL;
}

/* A bare letter is large, and so is one alone in a box. */
double
heddle_box_title_size (HeddleLookKind look, const char *title)
{
  const gboolean alone = look == HEDDLE_LOOK_BOX && title != NULL && g_utf8_strlen (title, -1) == 1;

  return look == HEDDLE_LOOK_LETTER ? LETTER_SIZE : alone ? BOXED_LETTER_SIZE : HEDDLE_BOX_TITLE_SIZE;
}

/* A call is a solid box unless somebody would have it otherwise. */
HeddleLookKind
heddle_layout_look (const HeddleLayout *self, const HeddleOperation *operation)
{
  const HeddleLook *look = find_look (self, operation->id);

  if (look != NULL && look->look != HEDDLE_LOOK_USUAL)
    return look->look;
  return operation->kind->form == HEDDLE_FORM_CALL ? HEDDLE_LOOK_SOLID : HEDDLE_LOOK_USUAL;
}

gboolean
heddle_layout_is_boxed (const HeddleLayout *self, const HeddleOperation *operation)
{
  const HeddleLookKind look = heddle_layout_look (self, operation);

  return look == HEDDLE_LOOK_SOLID || look == HEDDLE_LOOK_BOX || look == HEDDLE_LOOK_LETTER;
}

/* Returns whether somebody would have the axis' wires pass over the box of the operation. */
static gboolean
passes_by_hand (const HeddleLayout *self, const HeddleFigureNode *node, const char *axis)
{
  const HeddleLook *look = find_look (self, node->operation->id);

  return look != NULL && heddle_ids_contain (look->over, axis);
}

const char *
heddle_layout_own_label (const HeddleLayout *self, const char *object)
{
  const HeddleLook *look = find_look (self, object);

  return look != NULL && look->label != NULL && *look->label != '\0' ? look->label : NULL;
}

const char *
heddle_layout_axis_label (const HeddleLayout *self, const HeddleAxis *axis)
{
  const char *own = heddle_layout_own_label (self, axis->id);

  return own != NULL ? own : axis->name;
}

char *
heddle_layout_value_label (const HeddleLayout *self, const char *value)
{
  const char *own = heddle_layout_own_label (self, value);

  return own != NULL ? g_strdup (own) : heddle_diagram_value_label (self->diagram, value);
}

/* Returns `Block`, and below it `(s, N)`; ids of diagrams are made of their names, of which the last part
 * is said. */
char *
heddle_call_title (const HeddleLayout *self, const HeddleOperation *operation)
{
  const char *id = operation->callee != NULL ? operation->callee : "";
  GString *title = g_string_new (NULL);

  g_string_append_printf (title, "\\mathsf{%s}", strrchr (id, '.') != NULL ? strrchr (id, '.') + 1 : id);
  for (guint i = 0; operation->sizes != NULL && i < operation->sizes->len; i++)
    {
      g_autofree char *size = heddle_math_from_expr (operation->sizes->pdata[i], self->diagram);
      g_string_append_printf (title, "%s%s", i > 0 ? ", " : "\n(", size);
    }
  if (operation->sizes != NULL && operation->sizes->len > 0)
    g_string_append_c (title, ')');
  return g_string_free (title, FALSE);
}

gboolean
heddle_figure_node_is_repeated (const HeddleFigureNode *node)
{
  return node->operation->kind->form == HEDDLE_FORM_CALL && node->operation->repeat != NULL;
}

static double
text_width (const char *source, double size)
{
  const HeddleColor ink = { 0., 0., 0., 1. };

  return heddle_math_layout (NULL, 0, NULL, source, HEDDLE_FONT_MATH, size, ink, 0., 0., NULL, NULL);
}

void
heddle_layout_measure_box (const HeddleLayout *self, HeddleFigureNode *node)
{
  const HeddleLookKind look = heddle_layout_look (self, node->operation);
  const gboolean letter = look == HEDDLE_LOOK_LETTER;
  g_auto (GStrv) lines = g_strsplit (node->title != NULL ? node->title : "", "\n", -1);
  const guint n = g_strv_length (lines);

  node->title_width = 0.;
  for (guint i = 0; i < n; i++)
    node->title_width
        = MAX (node->title_width, text_width (lines[i], heddle_box_title_size (look, node->title)));
  node->width = letter ? node->title_width + 12. : MAX (LEAST_WIDTH, node->title_width + BESIDE_TITLE);
  if (look == HEDDLE_LOOK_SOLID)
    node->width = MAX (LEAST_SOLID, node->title_width + BESIDE_SOLID_TITLE) + HEDDLE_BOX_DEPTH;
  node->half = MAX (letter ? 10. : 16., HEDDLE_BOX_LINE_HEIGHT * n / 2. + 4.);
  node->above = node->below = node->half;
  node->above += look == HEDDLE_LOOK_SOLID ? HEDDLE_BOX_DEPTH : 0.;
  if (heddle_call_scan_axis (node->operation) != NULL)
    node->above += HEDDLE_BOX_LOOP + HEDDLE_BOX_LOOP_NAME;
  if (!heddle_figure_node_is_repeated (node))
    return;
  node->width += 2. * HEDDLE_BOX_PARENTHESIS;
  node->above += 12.;
}

/* --- wires ------------------------------------------------------------------------------------------- */

typedef struct
{
  const char *axis; /* of the wire that goes on; NULL: one that ends here */
  const HeddleStrand *strand;
} Slot;

/* An axis that the operation does not act along passes over it; into a call all wires go. */
static gboolean
passes (const HeddleLayout *self, const HeddleFigureNode *node, const HeddleValue *value,
    const HeddleStrand *strand)
{
  if (strand->axis != NULL && heddle_ids_contain (value->axes, strand->axis)
      && passes_by_hand (self, node, strand->axis))
    return TRUE;
  return node->operation->kind->form != HEDDLE_FORM_CALL && strand->axis != NULL
         && heddle_ids_contain (value->axes, strand->axis)
         && !heddle_ids_contain (node->operation->axes, strand->axis)
         && node->operation->kind->form != HEDDLE_FORM_MAP;
}

/* A result of a call that makes several, beside the wires that enter from @next on, as many as there are. */
static guint
add_result (HeddleLayout *self, HeddleFigureNode *node, const char *id, const GArray *entering, guint next)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, id);

  for (guint i = 0; value != NULL && i < MAX (value->axes->len, 1); i++, next++)
    {
      const int beside = next < entering->len ? g_array_index (entering, int, next) : -1;
      heddle_figure_node_add_result (node, value->axes->len > 0 ? heddle_ids_index (value->axes, i) : NULL,
          heddle_layout_add_line (self, beside, 0.), TRUE)
          ->value
          = id;
    }
  return next;
}

/* All wires end at the box, and the results begin there, in the order in which they go on. */
static void
weave_results (HeddleLayout *self, HeddleFigureNode *node)
{
  const GPtrArray *live = self->live->pdata[node->stage + 1];
  g_autoptr (GArray) entering = g_array_new (FALSE, FALSE, sizeof (int));
  guint next = 0;

  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          HeddleStrand *strand = heddle_member_entering (member, j);
          strand->core = TRUE;
          g_array_append_val (entering, strand->target);
        }
    }
  for (guint i = 0; i < live->len; i++)
    {
      const HeddleMember *member = live->pdata[i];
      if (member->start == HEDDLE_START_OPERATION && heddle_layout_node (self, member->producer) == node)
        next = add_result (self, node, member->value, entering, next);
    }
}

static gboolean
enters (const HeddleMember *member, const char *axis)
{
  for (guint i = 0; i < member->strands->len; i++)
    if (heddle_strand (member->strands, i)->axis == axis)
      return TRUE;
  return FALSE;
}

/* Returns whether @axis stands in one of the first @n places. */
static gboolean
done (const GArray *axes, const GArray *places, guint n, const char *axis)
{
  for (guint i = 0; i < n; i++)
    if (heddle_ids_index (axes, heddle_guint (places, i)) == axis)
      return TRUE;
  return FALSE;
}

/* Axes that an operand has too come in the order of its wires, so that none seems to change its place within the box. */
static void
order_as_entered (const HeddleLayout *self, const HeddleFigureNode *node, GArray *begin)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint));
  guint next = 0;

  for (guint i = 0; i < begin->len; i++)
    for (guint j = 0; j < node->members->len; j++)
      if (enters (heddle_figure_node_member (self, node, j), heddle_ids_index (begin, i)))
        {
          g_array_append_val (places, i);
          break;
        }
  g_autoptr (GArray) declared = heddle_ids_copy (begin);
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len && next < places->len; j++)
        {
          const char *axis = heddle_member_entering (member, j)->axis;
          if (axis == NULL || !heddle_ids_contain (declared, axis) || done (begin, places, next, axis))
            continue;
          g_array_index (begin, const char *, heddle_guint (places, next++)) = axis;
        }
    }
}

/* Wires of the result that begin here take the heights of those that end, from the top. */
void
heddle_layout_weave_box (HeddleLayout *self, HeddleFigureNode *node)
{
  if (heddle_operation_n_results (node->operation) > 1)
    {
      weave_results (self, node);
      return;
    }
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, node->result);
  g_autoptr (GArray) slots = g_array_new (FALSE, FALSE, sizeof (Slot));
  g_autoptr (GArray) begin = heddle_ids_copy (value->axes);
  guint next = 0;

  order_as_entered (self, node, begin);
  for (guint i = 0; i < node->members->len; i++)
    {
      const HeddleMember *member = heddle_figure_node_member (self, node, i);
      for (guint j = 0; j < member->strands->len; j++)
        {
          HeddleStrand *strand = heddle_member_entering (member, j);
          const int at = strand->axis != NULL ? heddle_ids_find (begin, strand->axis) : -1;
          const gboolean on = at >= 0 && passes (self, node, value, strand);
          const Slot slot = { on ? strand->axis : NULL, strand };
          strand->core = !on;
          if (on)
            g_array_remove_index (begin, at);
          g_array_append_val (slots, slot);
        }
    }
  for (guint i = 0; i < slots->len; i++)
    {
      const Slot *slot = &g_array_index (slots, Slot, i);
      const char *axis = slot->axis;
      if (axis == NULL && next < begin->len)
        axis = heddle_ids_index (begin, next++);
      if (axis != NULL)
        heddle_figure_node_add_result (node, axis, slot->strand->target, slot->axis == NULL)->hole
            = slot->strand->hole;
    }
  for (; next < begin->len; next++)
    heddle_figure_node_add_result (
        node, heddle_ids_index (begin, next), heddle_layout_add_line (self, -1, 0.), TRUE);
  if (value->axes->len == 0)
    heddle_figure_node_add_result (node, NULL,
        slots->len > 0 ? g_array_index (slots, Slot, 0).strand->target
                       : heddle_layout_add_line (self, -1, 0.),
        TRUE);
}

/* Returns where the wires end and begin: at the sides of the box or the letter. */
double
heddle_box_left (const HeddleFigureNode *node)
{
  return node->x + (heddle_figure_node_is_repeated (node) ? HEDDLE_BOX_PARENTHESIS : 0.);
}

double
heddle_box_right (const HeddleFigureNode *node)
{
  return node->x + node->width - (heddle_figure_node_is_repeated (node) ? HEDDLE_BOX_PARENTHESIS : 0.);
}

/* --- drawing -------------------------------------------------------------------------------------------- */
