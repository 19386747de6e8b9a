/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/legality/legality.h"
#include "derive/stream/split.h"
#include "diagram/expression/expr.h"
#include "derive/index/window.h"
#include "derive/region/definition.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>

void
heddle_refusal_free (HeddleRefusal *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->reason);
  g_free (self->remedy);
  g_free (self->no_remedy);
  g_clear_pointer (&self->remedy_operations, g_array_unref);
  g_free (self);
}

HeddleRefusal *
heddle_refusal_new (const char *axis, HeddleLabelKind kind, const char *operation, char *reason, char *remedy)
{
  HeddleRefusal *self = g_new0 (HeddleRefusal, 1);

  self->axis = axis;
  self->kind = kind;
  self->operation = operation;
  self->reason = reason;
  self->remedy = remedy != NULL ? remedy : g_strdup ("");
  self->remedy_operations = heddle_ids_new ();
  return self;
}

GArray *
heddle_kernel_operations (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *operation)
{
  const HeddleRegion *region = schedule != NULL ? heddle_schedule_region_of (schedule, operation) : NULL;
  const char *value = heddle_diagram_statement_of (diagram, operation);
  g_autoptr (GPtrArray) statement = NULL;
  GArray *operations;

  if (region != NULL)
    return heddle_ids_copy (region->operations);
  operations = heddle_ids_new ();
  if (value == NULL)
    return operations;
  statement = heddle_diagram_statement_operations (diagram, value);
  for (guint i = 0; i < statement->len; i++)
    {
      const HeddleOperation *member = g_ptr_array_index (statement, i);

      if (schedule == NULL || heddle_schedule_region_of (schedule, member->id) == NULL)
        heddle_ids_append (operations, member->id);
    }
  return operations;
}

/* --- grouping ------------------------------------------------------------------------------------- */

typedef enum
{
  GROUP_LEGAL,
  GROUP_ABSENT, /* nothing varies along the axis */
  GROUP_REDUCED, /* an operation reduces over it */
  GROUP_SCANNED, /* a state moves along it in order */
  GROUP_ORDERED, /* values are put in order along it */
  GROUP_HALO, /* what varies along it goes by the tiles of what reads it */
  GROUP_INDICES, /* something made here is read along it at other indices */
  GROUP_WRITTEN, /* an output does not vary along it */
} GroupObstacle;

static gboolean
is_read_elsewhere (const HeddleRegionTerm *region, const HeddleDefinition *definition, const char *axis)
{
  const HeddleDefinition *source;

  if (definition->indices == NULL)
    return FALSE; /* what is loaded at indices is read by each group for itself */
  source = heddle_region_term_get (region, heddle_expr_get_operand (definition->body));
  for (guint i = 0; i < source->axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (definition->indices, i);

      if (heddle_ids_index (source->axes, i) == axis && heddle_definition_carries (source, axis)
          && (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX || heddle_expr_get_symbol (index) != axis))
        return TRUE;
    }
  return FALSE;
}

static int legality_find_halo (const HeddleRegionTerm *region, const char *axis);

/* Finds what keeps the axis from being grouped; @definition receives the first one in the way. A reduction is
 * preferred, for the others leave no way out. */
static GroupObstacle
find_group_obstacle (const HeddleRegionTerm *region, const char *axis, guint *definition)
{
  GroupObstacle found = GROUP_ABSENT;

  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *self = heddle_region_term_get (region, i);
      gboolean carries = heddle_definition_carries (self, axis);

      *definition = i;
      if (heddle_ids_contain (self->over, axis))
        return GROUP_REDUCED;
      if (self->form != HEDDLE_COMPUTE_FOLD && self->along == axis)
        return self->form == HEDDLE_COMPUTE_SCAN ? GROUP_SCANNED : GROUP_ORDERED;
      if (is_read_elsewhere (region, self, axis))
        return GROUP_INDICES;
      if (carries && found == GROUP_ABSENT)
        found = GROUP_LEGAL;
    }
  if (found == GROUP_ABSENT && legality_find_halo (region, axis) >= 0)
    {
      *definition = (guint) legality_find_halo (region, axis);
      return GROUP_HALO;
    }
  for (guint i = 0; found == GROUP_LEGAL && i < region->definitions->len; i++)
    {
      const HeddleDefinition *self = heddle_region_term_get (region, i);

      *definition = i;
      if (self->output && !heddle_ids_contain (self->axes, axis))
        return GROUP_WRITTEN;
    }
  return found;
}

gboolean
heddle_legality_can_group (const HeddleRegionTerm *region, const char *axis)
{
  guint definition;

  return find_group_obstacle (region, axis, &definition) == GROUP_LEGAL;
}

/* Returns whether sums can be split about a centre that all groups read ahead. */
static gboolean
can_split_centred (const HeddleRegionTerm *region, const char *axis)
{
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new_split (region, axis);
  guint definition;

  return plan != NULL && heddle_split_can_merge (plan, &definition);
}

/* Returns whether groups of a reduced axis can be merged: a reduction that streams has partial results, which
 * a second kernel combines. */
gboolean
heddle_legality_can_split (const HeddleRegionTerm *region, const char *axis)
{
  guint definition;
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = NULL;

  if (find_group_obstacle (region, axis, &definition) != GROUP_REDUCED)
    return FALSE;
  plan = heddle_stream_plan_new (region, axis, &obstacle);
  return plan != NULL && (heddle_split_can_merge (plan, &definition) || can_split_centred (region, axis));
}

static void question_add_fusion (
    const HeddleQuestion *question, const HeddleObstacle *obstacle, HeddleRefusal *refusal);
static char *question_describe (const HeddleDiagram *diagram, const char *operation_id);

static const char *question_axis_name (const HeddleQuestion *question);

/* Returns the refusal of an axis that must be fused before it streams. */
static HeddleRefusal *
refuse_reduced (const HeddleQuestion *question, guint definition)
{
  const char *operation = heddle_region_term_get (question->region, definition)->operation;
  const char *x = question_axis_name (question);
  g_autofree char *what = question_describe (question->region->diagram, operation);
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (question->region, question->axis, &obstacle);
  HeddleRefusal *refusal = heddle_refusal_new (question->axis, question->kind, operation,
      g_strdup_printf (_ ("%s works over all of %s, of which a group would have only a part."), what, x),
      NULL);

  if (plan != NULL)
    {
      refusal->remedy_kind = HEDDLE_REMEDY_STREAM;
      g_free (refusal->remedy);
      refusal->remedy
          = g_strdup_printf (_ ("Stream %s instead: its states cannot be merged, as steps read them "
                                "otherwise than to rescale (sums about a centre)."),
              x);
    }
  else
    question_add_fusion (question, &obstacle, refusal);
  return refusal;
}

/* Returns the refusal of an axis that is scanned; it says how the axis can be streamed in order. */
static HeddleRefusal *
refuse_scanned (const HeddleQuestion *question, guint definition, const char *what)
{
  const char *x = question_axis_name (question);
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (question->region, question->axis, &obstacle);
  HeddleRefusal *refusal = heddle_refusal_new (question->axis, question->kind,
      heddle_region_term_get (question->region, definition)->operation,
      g_strdup_printf (
          _ ("%s has a state that moves along %s: a group would wait for the one before."), what, x),
      plan != NULL ? g_strdup_printf (_ ("Stream %s instead: the state is carried from step to step."), x)
                   : NULL);

  refusal->remedy_kind = plan != NULL ? HEDDLE_REMEDY_STREAM : HEDDLE_REMEDY_NONE;
  return refusal;
}

static char *question_describe_definition (const HeddleQuestion *question, guint i);
static HeddleRefusal *legality_refuse_halo (const HeddleQuestion *question, guint definition);

static HeddleRefusal *
check_group (const HeddleQuestion *question)
{
  const char *x = question_axis_name (question);
  g_autofree char *what = NULL;
  guint definition = 0;
  GroupObstacle obstacle = find_group_obstacle (question->region, question->axis, &definition);
  char *reason;

  if (obstacle == GROUP_LEGAL || heddle_legality_can_split (question->region, question->axis))
    return NULL;
  if (obstacle == GROUP_REDUCED)
    return refuse_reduced (question, definition);
  if (obstacle == GROUP_ABSENT)
    return heddle_refusal_new (question->axis, question->kind, NULL,
        g_strdup_printf (_ ("Nothing in this kernel varies along %s."), x), NULL);
  what = question_describe_definition (question, definition);
  if (obstacle == GROUP_SCANNED)
    return refuse_scanned (question, definition, what);
  if (obstacle == GROUP_HALO)
    return legality_refuse_halo (question, definition);
  if (obstacle == GROUP_ORDERED)
    reason = g_strdup_printf (_ ("%s puts values in order along %s, all at once."), what, x);
  else if (obstacle == GROUP_INDICES)
    reason = g_strdup_printf (
        _ ("%s reads along %s at other indices than its own, which other groups have."), what, x);
  else
    reason = g_strdup_printf (
        _ ("The output of %s does not vary along %s: every group would write it."), what, x);
  return heddle_refusal_new (question->axis, question->kind,
      heddle_region_term_get (question->region, definition)->operation, reason, NULL);
}

static HeddleRefusal *question_check_stream (const HeddleQuestion *question);

HeddleRefusal *
heddle_legality_check (
    const HeddleRegionTerm *region, const HeddleSchedule *schedule, const char *axis, HeddleLabelKind kind)
{
  HeddleQuestion question = { region, schedule, axis, kind };

  if (kind == HEDDLE_LABEL_STREAM)
    return question_check_stream (&question);
  if (kind == HEDDLE_LABEL_GROUP)
    return check_group (&question);
  if (heddle_ids_contain (region->axes, axis))
    return NULL;
  return heddle_refusal_new (axis, kind, NULL,
      g_strdup_printf (_ ("Nothing in this kernel varies along %s."), question_axis_name (&question)), NULL);
}

/* --- the door ---------------------------------------------------------------------------------------- */

/* Returns whether a kernel with such a label carries states along the axis: it streams the axis, or folds its
 * parts. */
static gboolean
is_folded (const HeddleRegionTerm *term, const char *axis, HeddleLabelKind kind)
{
  return kind == HEDDLE_LABEL_STREAM
         || (kind == HEDDLE_LABEL_GROUP && !heddle_legality_can_group (term, axis));
}

/* Returns a refusal if another axis is folded already: only one is at a time. */
HeddleRefusal *
heddle_legality_check_other (const HeddleRegionTerm *term, const char *other, HeddleLabelKind other_kind,
    const char *axis, HeddleLabelKind kind)
{
  const char *name;

  if (other == axis || !is_folded (term, axis, kind) || !is_folded (term, other, other_kind))
    return NULL;
  name = heddle_diagram_get_axis (term->diagram, other)->name;
  return heddle_refusal_new (axis, kind, NULL,
      other_kind == HEDDLE_LABEL_STREAM && kind == HEDDLE_LABEL_STREAM
          ? g_strdup_printf (_ ("This kernel streams %s already, and one axis streams at a time."), name)
          : g_strdup_printf (
              _ ("%s and %s would both be folded step by step, and a kernel carries states along one axis."),
              name, heddle_diagram_get_axis (term->diagram, axis)->name),
      g_strdup_printf (_ ("Remove the label of %s first."), name));
}

static HeddleRefusal *
check_others (
    const HeddleRegionTerm *term, const HeddleRegion *region, const char *axis, HeddleLabelKind kind)
{
  for (guint i = 0; region != NULL && i < region->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (region->labels, i);
      HeddleRefusal *refusal = NULL;

      if (label->inactive == NULL)
        refusal = heddle_legality_check_other (term, label->axis, label->kind, axis, kind);
      if (refusal != NULL)
        return refusal;
    }
  return NULL;
}

HeddleRefusal *
heddle_derive_try_label (const HeddleDiagram *diagram, const HeddleSchedule *schedule, const char *operation,
    const char *axis, HeddleLabelKind kind)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) operations = NULL;
  g_autoptr (HeddleRegionTerm) region = NULL;
  HeddleRefusal *refusal;

  g_return_val_if_fail (diagram != NULL && operation != NULL && axis != NULL, NULL);

  operations = heddle_kernel_operations (diagram, schedule, operation);
  region = heddle_region_term_new (diagram, operations, NULL, &error);
  if (region == NULL)
    return heddle_refusal_new (axis, kind, operation, g_strdup (error->message), NULL);
  refusal = heddle_legality_check (region, schedule, axis, kind);
  if (refusal != NULL)
    {
      heddle_refusal_explain_none (refusal, region, FALSE);
      return refusal;
    }
  return check_others (
      region, schedule != NULL ? heddle_schedule_region_of (schedule, operation) : NULL, axis, kind);
}

/* A definition that is made in a kernel and read there at other indices than its own is held to the tile and
 * halo of its reader: its own axis takes no label, but the reader's does. */

/* Returns the number of a definition that varies along @axis in its window alone, so that @axis can take no
 * label; -1 where there is none. */
static int
legality_find_halo (const HeddleRegionTerm *region, const char *axis)
{
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      if (!definition->input && heddle_ids_contain (definition->axes, axis)
          && !heddle_definition_carries (definition, axis))
        return (int) i;
    }
  return -1;
}

static gboolean
can_label (const HeddleRegionTerm *region, const char *axis, HeddleLabelKind kind)
{
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = NULL;

  if (kind == HEDDLE_LABEL_GROUP)
    return heddle_legality_can_group (region, axis) || heddle_legality_can_split (region, axis);
  plan = heddle_stream_plan_new (region, axis, &obstacle);
  return plan != NULL;
}

/* Returns an axis that moves the window of the definition and that can have the label; NULL if there is
 * none. */
static const char *
find_mover (const HeddleQuestion *question, const HeddleDefinition *definition)
{
  int at = heddle_ids_find (definition->axes, question->axis);
  const GPtrArray *window = definition->windows != NULL ? g_ptr_array_index (definition->windows, at) : NULL;
  g_autoptr (GArray) axes = window != NULL ? heddle_window_axes (window) : heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_index (axes, i) != question->axis
        && can_label (question->region, heddle_ids_index (axes, i), question->kind))
      return heddle_ids_index (axes, i);
  return NULL;
}

/* Returns a new refusal of the label because of that definition; its remedy is to label the axis by which
 * the window moves. */
static HeddleRefusal *
legality_refuse_halo (const HeddleQuestion *question, guint definition)
{
  const HeddleDefinition *self = heddle_region_term_get (question->region, definition);
  const char *x = question_axis_name (question), *mover = find_mover (question, self);
  g_autofree char *what = question_describe_definition (question, definition);
  HeddleRefusal *refusal = heddle_refusal_new (question->axis, question->kind, self->operation,
      g_strdup_printf (
          _ ("%s is read along %s at other indices than its own: it is held as the tile and halo of "
             "what reads it."),
          what, x),
      NULL);

  if (mover == NULL)
    return refusal;
  g_free (refusal->remedy);
  refusal->remedy_kind = HEDDLE_REMEDY_AXIS;
  refusal->remedy_axis = mover;
  refusal->remedy = g_strdup_printf (question->kind == HEDDLE_LABEL_GROUP
                                         ? _ ("Group %s instead, along which it works.")
                                         : _ ("Stream %s instead, along which it works."),
      heddle_diagram_get_axis (question->region->diagram, mover)->name);
  return refusal;
}

/* This part finds what helps if a region is too large for a label: the longest run of its statements, from
 * the first or to the last, that can have it. */

static GArray *
statements_of (const HeddleRegionTerm *region)
{
  GArray *statements = heddle_ids_new ();

  for (guint i = 0; i < region->operations->len; i++)
    {
      const char *value
          = heddle_diagram_statement_of (region->diagram, heddle_ids_index (region->operations, i));

      if (!heddle_ids_contain (statements, value))
        heddle_ids_append (statements, value);
    }
  return statements;
}

/* Returns the operations of the statements @from to before @to. */
static GArray *
operations_of (const HeddleRegionTerm *region, const GArray *statements, guint from, guint to)
{
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; i < region->operations->len; i++)
    {
      const char *operation = heddle_ids_index (region->operations, i);
      int at = heddle_ids_find (statements, heddle_diagram_statement_of (region->diagram, operation));

      if (at >= (int) from && at < (int) to)
        heddle_ids_append (operations, operation);
    }
  return operations;
}

static gboolean
can_have (const HeddleRegionTerm *region, const GArray *operations, const char *axis, HeddleLabelKind kind)
{
  g_autoptr (HeddleRegionTerm) term = heddle_region_term_new (region->diagram, operations, NULL, NULL);
  g_autoptr (HeddleStreamPlan) plan = NULL;
  HeddleObstacle obstacle;

  if (term == NULL || !heddle_ids_contain (term->axes, axis))
    return FALSE;
  if (kind == HEDDLE_LABEL_GROUP)
    return heddle_legality_can_group (term, axis) || heddle_legality_can_split (term, axis);
  plan = heddle_stream_plan_new (term, axis, &obstacle);
  return plan != NULL;
}

/* Returns the labels as --fuse takes them, "R,O". Newly allocated. */
static char *
join_labels (const HeddleRegionTerm *region, const GArray *statements, guint from, guint to)
{
  GString *text = g_string_new (NULL);

  for (guint i = from; i < to; i++)
    {
      g_autofree char *label = heddle_diagram_value_label (region->diagram, heddle_ids_index (statements, i));

      g_string_append_printf (text, "%s%s", i > from ? "," : "", label);
    }
  return g_string_free (text, FALSE);
}

static gboolean
try_part (
    const HeddleRegionTerm *region, const GArray *statements, guint from, guint to, HeddleRefusal *refusal)
{
  const char *axis = heddle_diagram_get_axis (region->diagram, refusal->axis)->name;
  g_autoptr (GArray) operations = operations_of (region, statements, from, to);
  g_autofree char *names = NULL;

  if (!can_have (region, operations, refusal->axis, refusal->kind))
    return FALSE;
  names = join_labels (region, statements, from, to);
  refusal->remedy_kind = HEDDLE_REMEDY_CUT;
  g_array_unref (refusal->remedy_operations);
  refusal->remedy_operations = g_steal_pointer (&operations);
  g_free (refusal->remedy);
  refusal->remedy
      = g_strdup_printf (refusal->kind == HEDDLE_LABEL_GROUP
                             ? _ ("Unfuse the rest: a kernel of %s alone can be grouped along %s.")
                             : _ ("Unfuse the rest: a kernel of %s alone can stream %s."),
          names, axis);
  return TRUE;
}

void
heddle_refusal_find_cut (HeddleRefusal *self, const HeddleRegionTerm *region)
{
  g_autoptr (GArray) statements = statements_of (region);

  for (guint n = statements->len; n-- > 1;)
    if (try_part (region, statements, statements->len - n, statements->len, self)
        || try_part (region, statements, 0, n, self))
      return;
}

/* Adds why no other kernel can have the label: none of those that fusing would make, nor, with @cut, of those
 * that are a part of this one. */
void
heddle_refusal_explain_none (HeddleRefusal *self, const HeddleRegionTerm *region, gboolean cut)
{
  const HeddleOperation *operation
      = self->operation != NULL ? heddle_diagram_get_operation (region->diagram, self->operation) : NULL;
  const char *axis = heddle_diagram_get_axis (region->diagram, self->axis)->name;
  g_autofree char *label
      = operation != NULL ? heddle_diagram_value_label (region->diagram, operation->result) : NULL;

  g_clear_pointer (&self->no_remedy, g_free);
  if (self->remedy[0] != '\0')
    return;
  if (operation == NULL)
    self->no_remedy = g_strdup_printf (_ ("No remedy: a label is for an axis that some operation of the "
                                          "kernel works along, and none works along %s."),
        axis);
  else if (cut && region->operations->len > 1)
    self->no_remedy = g_strdup_printf (_ ("No remedy: no part of this kernel and no wider one can have it, "
                                          "since %s is the same in each of them."),
        label);
  else
    self->no_remedy = g_strdup_printf (
        _ ("No remedy: %s forbids it by itself, and no kernel that it could be fused to can have it."),
        label);
}

/* This part says why an axis cannot stream, and which wider kernel could stream it. */

/* The number of times that a region is widened in search of one that streams. */
#define MAX_WIDENINGS 8

/* --- words ----------------------------------------------------------------------------------- */

/* Returns the name of the axis in question as the diagram has it; the text is owned by the diagram. */
static const char *
question_axis_name (const HeddleQuestion *question)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (question->region->diagram, question->axis);

  return axis != NULL ? axis->name : question->axis;
}

/* Returns what an operation (id) is and what it makes, newly allocated: "Softmax P". */
static char *
question_describe (const HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, operation_id);
  g_autofree char *label = heddle_diagram_value_label (diagram, operation->result);

  return g_strdup_printf ("%s %s", _ (operation->kind->title), label);
}

/* Returns in words what definition number @i of the region comes from, newly allocated: its operation, or,
 * of an input, its name. */
static char *
question_describe_definition (const HeddleQuestion *question, guint i)
{
  const HeddleDefinition *definition = heddle_region_term_get (question->region, i);

  return definition->operation != NULL
             ? question_describe (question->region->diagram, definition->operation)
             : heddle_diagram_value_label (question->region->diagram, definition->value);
}

static const char *
reduction_title (const HeddleQuestion *question, guint i)
{
  const char *title = i != G_MAXUINT ? heddle_region_term_get (question->region, i)->title : NULL;

  return title != NULL ? _ (title) : _ ("reduction");
}

static char *
output_reason (const HeddleQuestion *question, const HeddleObstacle *obstacle)
{
  const HeddleDiagram *diagram = question->region->diagram;
  const HeddleDefinition *definition = heddle_region_term_get (question->region, obstacle->definition);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, definition->operation);
  const char *x = question_axis_name (question);
  g_autofree char *label = heddle_diagram_value_label (diagram, definition->value);

  if (operation->kind->form == HEDDLE_FORM_NORMALISE)
    return g_strdup_printf (_ ("%s alone cannot stream %s: its output %s is as long as %s, and every entry "
                               "needs the %s over all of %s."),
        _ (operation->kind->title), x, label, x, reduction_title (question, obstacle->reduction), x);
  return g_strdup_printf (_ ("This cannot stream %s: the output %s is as long as %s, and every entry needs "
                             "the %s over all of %s."),
      x, label, x, reduction_title (question, obstacle->reduction), x);
}

static char *
stream_reason (const HeddleQuestion *question, const HeddleObstacle *obstacle)
{
  const char *x = question_axis_name (question);
  g_autofree char *what = NULL;

  if (obstacle->kind == HEDDLE_OBSTACLE_ABSENT)
    return g_strdup_printf (_ ("Nothing in this kernel varies along %s."), x);
  if (obstacle->kind == HEDDLE_OBSTACLE_OUTPUT)
    return output_reason (question, obstacle);
  what = question_describe_definition (question, obstacle->definition);
  switch (obstacle->kind)
    {
    case HEDDLE_OBSTACLE_FACTOR:
      return g_strdup_printf (_ ("%s needs the %s over all of %s at every point, and that does not come out "
                                 "of it as factors of a sum."),
          what, reduction_title (question, obstacle->reduction), x);
    case HEDDLE_OBSTACLE_MONOID:
      return g_strdup_printf (
          _ ("%s combines values that wait for the %s over all of %s by something other than a sum."), what,
          reduction_title (question, obstacle->reduction), x);
    case HEDDLE_OBSTACLE_REDUCED:
      return g_strdup_printf (
          _ ("%s sums values of different rows, each of which waits for the %s over all of %s."), what,
          reduction_title (question, obstacle->reduction), x);
    case HEDDLE_OBSTACLE_ORDER:
      return g_strdup_printf (_ ("%s puts values in order along %s, all at once."), what, x);
    default:
      return g_strdup_printf (_ ("%s is read along %s at other indices than its own."), what, x);
    }
}

/* --- what would make it legal ------------------------------------------------------------------- */

static void
append_all (GArray *ids, const GArray *more)
{
  for (guint i = 0; i < more->len; i++)
    if (!heddle_ids_contain (ids, heddle_ids_index (more, i)))
      heddle_ids_append (ids, heddle_ids_index (more, i));
}

/* Adds the kernels of all readers of @value. Returns FALSE if there are none, or if it is an output. */
static gboolean
add_readers (const HeddleQuestion *question, const char *value, GArray *operations, GArray *added)
{
  const HeddleDiagram *diagram = question->region->diagram;
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);
  guint before = operations->len;

  if (heddle_diagram_is_output (diagram, value))
    return FALSE;
  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      g_autoptr (GArray) kernel = heddle_kernel_operations (diagram, question->schedule, reader->id);

      append_all (operations, kernel);
      if (!heddle_ids_contain (question->region->operations, reader->id))
        heddle_ids_append (added, reader->id);
    }
  return operations->len > before;
}

/* Returns a region around this one that streams the axis; NULL if none was found. @added receives the
 * operations that read what could not stream. */
static GArray *
find_fusion (const HeddleQuestion *question, const HeddleObstacle *first, GArray *added)
{
  const HeddleDiagram *diagram = question->region->diagram;
  g_autoptr (GArray) operations = heddle_ids_copy (question->region->operations);
  HeddleObstacle obstacle = *first;
  const char *value = heddle_region_term_get (question->region, first->definition)->value;

  for (guint i = 0; i < MAX_WIDENINGS && obstacle.kind == HEDDLE_OBSTACLE_OUTPUT; i++)
    {
      g_autoptr (HeddleRegionTerm) wider = NULL;
      g_autoptr (HeddleStreamPlan) plan = NULL;

      if (!add_readers (question, value, operations, added))
        return NULL;
      wider = heddle_region_term_new (diagram, operations, NULL, NULL);
      if (wider == NULL)
        return NULL;
      plan = heddle_stream_plan_new (wider, question->axis, &obstacle);
      if (plan != NULL)
        return heddle_ids_copy (wider->operations);
      value = heddle_region_term_get (wider, obstacle.definition)->value;
    }
  return NULL;
}

/* Makes a wider kernel, which has no such obstacle, the remedy; nothing where none is found. */
static void
question_add_fusion (const HeddleQuestion *question, const HeddleObstacle *obstacle, HeddleRefusal *refusal)
{
  g_autoptr (GArray) added = heddle_ids_new ();
  g_autoptr (GArray) operations = NULL;
  g_autofree char *what = NULL;

  if (obstacle->kind != HEDDLE_OBSTACLE_OUTPUT)
    return;
  operations = find_fusion (question, obstacle, added);
  if (operations == NULL)
    return;
  what = question_describe (question->region->diagram, heddle_ids_index (added, added->len - 1));
  refusal->remedy_kind = HEDDLE_REMEDY_FUSE;
  g_array_unref (refusal->remedy_operations);
  refusal->remedy_operations = g_steal_pointer (&operations);
  g_free (refusal->remedy);
  refusal->remedy = g_strdup_printf (
      question->kind == HEDDLE_LABEL_STREAM
          ? _ ("Fuse it with %s, which reads it over %s: partial results are rescaled as chunks arrive.")
          : _ ("Fuse it with %s, which reads it: then %s streams, and its groups are merged by a second "
               "kernel (split-K)."),
      what, question_axis_name (question));
}

/* Returns a new refusal that says why the axis may not stream; NULL means that it may. */
static HeddleRefusal *
question_check_stream (const HeddleQuestion *question)
{
  HeddleObstacle obstacle;
  g_autoptr (HeddleStreamPlan) plan = heddle_stream_plan_new (question->region, question->axis, &obstacle);
  HeddleRefusal *refusal;

  if (plan != NULL)
    return NULL;
  if (obstacle.kind == HEDDLE_OBSTACLE_ABSENT && legality_find_halo (question->region, question->axis) >= 0)
    return legality_refuse_halo (question, (guint) legality_find_halo (question->region, question->axis));
  refusal = heddle_refusal_new (question->axis, question->kind,
      obstacle.kind == HEDDLE_OBSTACLE_ABSENT
          ? NULL
          : heddle_region_term_get (question->region, obstacle.definition)->operation,
      stream_reason (question, &obstacle), NULL);
  question_add_fusion (question, &obstacle, refusal);
  return refusal;
}
