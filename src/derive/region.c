/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine.h"
#include "derive/outside.h"
#include "derive/region.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  HeddleRegionTerm *region;
  const HeddleSizes *sizes;
  GHashTable *members; /* operation ids */
  GHashTable *definitions; /* value id -> index + 1 of the definition that is it */
  guint column; /* of the operation at hand */
} Builder;

static HeddleDefinition *
definition_new (const char *value, const GArray *axes)
{
  HeddleDefinition *self = g_new0 (HeddleDefinition, 1);

  self->value = value;
  self->axes = heddle_ids_copy (axes);
  self->over = heddle_ids_new ();
  return self;
}

static void
definition_free (HeddleDefinition *self)
{
  g_array_unref (self->axes);
  g_array_unref (self->over);
  g_clear_pointer (&self->body, heddle_expr_unref);
  g_clear_pointer (&self->indices, g_ptr_array_unref);
  g_free (self);
}

void
heddle_region_term_free (HeddleRegionTerm *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->operations);
  g_ptr_array_unref (self->definitions);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->axes);
  g_free (self);
}

const HeddleDefinition *
heddle_region_term_get (const HeddleRegionTerm *self, guint i)
{
  g_assert (i < self->definitions->len);

  return g_ptr_array_index (self->definitions, i);
}

gboolean
heddle_definition_carries (const HeddleDefinition *self, const char *axis)
{
  int i = heddle_ids_find (self->axes, axis);

  return i >= 0 && (i >= 64 || (self->whole >> i & 1) == 0);
}

static gboolean
collect_argument (const HeddleExpr *node, gpointer data)
{
  GArray *arguments = data;
  guint operand;

  if (heddle_expr_get_kind (node) != HEDDLE_EXPR_ARGUMENT)
    return TRUE;
  operand = heddle_expr_get_operand (node);
  for (guint i = 0; i < arguments->len; i++)
    if (g_array_index (arguments, guint, i) == operand)
      return TRUE;
  g_array_append_val (arguments, operand);
  return TRUE;
}

GArray *
heddle_expr_arguments (const HeddleExpr *self)
{
  GArray *arguments = g_array_new (FALSE, FALSE, sizeof (guint));

  heddle_expr_walk (self, collect_argument, arguments);
  return arguments;
}

/* --- what the region reads and writes ---------------------------------------------------- */

static void
append_once (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

static gboolean
is_member (const Builder *builder, const HeddleOperation *operation)
{
  return operation != NULL && g_hash_table_contains (builder->members, operation->id);
}

static gboolean
is_read_outside (const Builder *builder, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (builder->region->diagram, value);

  for (guint i = 0; i < readers->len; i++)
    if (!is_member (builder, g_ptr_array_index (readers, i)))
      return TRUE;
  return heddle_diagram_is_output (builder->region->diagram, value);
}

static gboolean
is_value (const HeddleDiagram *diagram, const char *id)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, id);

  for (guint i = 0; value != NULL && i < value->axes->len; i++)
    if (heddle_diagram_get_axis (diagram, heddle_ids_index (value->axes, i)) == NULL)
      return FALSE;
  return value != NULL;
}

/* Whether an operation has all that it is read for here; its types are for the checks of the diagram to judge. */
static gboolean
is_sound (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  HeddleOperationForm form = operation->kind->form;

  for (guint i = 0; i < operation->operands->len; i++)
    if (!is_value (diagram, heddle_ids_index (operation->operands, i)))
      return FALSE;
  for (guint i = 0; i < operation->axes->len; i++)
    if (heddle_diagram_get_axis (diagram, heddle_ids_index (operation->axes, i)) == NULL)
      return FALSE;
  if (!is_value (diagram, operation->result) || operation->operands->len < operation->kind->min_operands
      || (form == HEDDLE_FORM_MAP && operation->body == NULL))
    return FALSE;
  return form != HEDDLE_FORM_REINDEX
         || (operation->indices != NULL
             && operation->indices->len
                    == heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0))
                           ->axes->len);
}

static gboolean
check_sound (const Builder *builder, GError **error)
{
  const HeddleDiagram *diagram = builder->region->diagram;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (!is_member (builder, operation) || is_sound (diagram, operation))
        continue;
      g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
          _ ("operation %s of the diagram is incomplete"), operation->id);
      return FALSE;
    }
  return TRUE;
}

/* A kernel runs at once: nothing outside it may stand between its own operations. */
static gboolean
check_convex (const Builder *builder, GError **error)
{
  const HeddleDiagram *diagram = builder->region->diagram;
  g_autoptr (GHashTable) after
      = g_hash_table_new (NULL, NULL); /* values made outside from what the region makes */

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      gboolean member = is_member (builder, operation);

      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *operand = heddle_ids_index (operation->operands, k);
          gboolean made_after = g_hash_table_contains (after, operand);

          if (member && made_after)
            {
              g_autofree char *label = heddle_diagram_value_label (diagram, operand);

              g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION,
                  _ ("these operations cannot be one kernel: %s is made between them, outside"), label);
              return FALSE;
            }
          if (!member && (made_after || is_member (builder, heddle_diagram_get_producer (diagram, operand))))
            g_hash_table_add (after, (gpointer) operation->result);
        }
    }
  return TRUE;
}

/* --- inputs ---------------------------------------------------------------------------- */

static guint
add_definition (Builder *builder, HeddleDefinition *definition)
{
  g_ptr_array_add (builder->region->definitions, definition);
  return builder->region->definitions->len - 1;
}

/* The definition of global value @value read under @axes: one for each way to read it. */
static guint
add_input (Builder *builder, const char *value, const GArray *axes, guint64 whole)
{
  GPtrArray *definitions = builder->region->definitions;
  HeddleDefinition *input;

  for (guint i = 0; i < definitions->len; i++)
    {
      const HeddleDefinition *other = g_ptr_array_index (definitions, i);

      if (other->input && other->value == value && other->whole == whole
          && heddle_ids_equal (other->axes, axes))
        return i;
    }
  append_once (builder->region->inputs, value);
  input = definition_new (value, axes);
  input->input = TRUE;
  input->whole = whole;
  return add_definition (builder, input);
}

static const GArray *
value_axes (const Builder *builder, const char *value)
{
  return heddle_diagram_get_value (builder->region->diagram, value)->axes;
}

static guint
get_operand (Builder *builder, const char *value)
{
  gpointer found = g_hash_table_lookup (builder->definitions, value);

  return found != NULL ? GPOINTER_TO_UINT (found) - 1
                       : add_input (builder, value, value_axes (builder, value), 0);
}

/* --- operations ------------------------------------------------------------------------ */

/* Stands in a result for the part of it that is worked out once. */
#define SHARED G_MAXUINT

typedef struct
{
  Builder *builder;
  const HeddleOperation *operation;
  const HeddleTerm *term;
  GArray *operands; /* of guint: definitions */
  guint stages[HEDDLE_MAX_STAGES]; /* definitions of the stages so far */
  guint shared; /* the definition SHARED stands for */
} Binding;

static HeddleExpr *
bind_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Binding *binding = data;

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT)
    {
      guint operand = heddle_expr_get_operand (leaf);

      return heddle_expr_argument (
          operand == SHARED ? binding->shared : g_array_index (binding->operands, guint, operand));
    }
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_VARIABLE)
    return NULL;
  for (guint i = 0; i < binding->term->n_stages; i++)
    if (binding->term->stages[i].name == heddle_expr_get_symbol (leaf))
      return heddle_expr_argument (binding->stages[i]);
  return NULL;
}

/* @body with every occurrence of @part replaced by SHARED. */
static HeddleExpr *
mark_part (HeddleExpr *body, const HeddleExpr *part)
{
  guint n = heddle_expr_get_n_children (body);
  g_autofree HeddleExpr **children = g_new (HeddleExpr *, MAX (n, 1));

  if (heddle_expr_equal (body, part))
    return heddle_expr_argument (SHARED);
  if (n == 0)
    return heddle_expr_ref (body);
  for (guint i = 0; i < n; i++)
    children[i] = mark_part (heddle_expr_get_child (body, i), part);
  return heddle_expr_node (heddle_expr_get_kind (body), children, n);
}

static HeddleDefinition *
add_compute (Binding *binding, const char *value, const GArray *axes, HeddleExpr *body)
{
  Builder *builder = binding->builder;
  HeddleDefinition *definition = definition_new (value, axes);

  definition->operation = binding->operation->id;
  definition->column = builder->column;
  definition->body = heddle_expr_substitute (body, bind_leaf, binding);
  add_definition (builder, definition);
  if (value != NULL)
    {
      definition->output = is_read_outside (builder, value);
      g_hash_table_insert (
          builder->definitions, (gpointer) value, GUINT_TO_POINTER (builder->region->definitions->len));
    }
  return definition;
}

/* The points a reduction has one result for: the result's axes, or those of them that are not reduced. */
static GArray *
stage_axes (const Builder *builder, const HeddleOperation *operation)
{
  const GArray *axes = value_axes (builder, operation->result);
  GArray *rest = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (operation->axes, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  return rest;
}

static void
add_stage (Binding *binding, guint i, const char *value, HeddleExpr *body)
{
  const HeddleStage *stage = &binding->term->stages[i];
  g_autoptr (GArray) axes = stage_axes (binding->builder, binding->operation);
  HeddleDefinition *definition = add_compute (binding, value, axes, body);

  binding->stages[i] = binding->builder->region->definitions->len - 1;
  definition->name = stage->name;
  definition->title = stage->title;
  definition->reduces = TRUE;
  definition->monoid = stage->monoid;
  g_array_unref (definition->over);
  definition->over = heddle_ids_copy (binding->operation->axes);
}

/* A reduction whose result is its one stage and nothing more. */
static gboolean
is_plain (const HeddleTerm *term)
{
  return term->n_stages == 1 && heddle_expr_get_kind (term->result) == HEDDLE_EXPR_VARIABLE;
}

/* The stages, then the result. Where the result of a normalisation has the last stage's body in it (softmax: the exponentials), that is
 * worked out once, on its own. */
static void
add_term (Binding *binding)
{
  const HeddleTerm *term = binding->term;
  const GArray *axes = value_axes (binding->builder, binding->operation->result);
  g_autoptr (HeddleExpr) result = heddle_expr_ref (term->result);

  for (guint i = 0; i < term->n_stages; i++)
    {
      g_autoptr (HeddleExpr) body = heddle_expr_ref (term->stages[i].body);
      gboolean may_share = i + 1 == term->n_stages && heddle_expr_get_n_children (body) > 0
                           && binding->operation->kind->form == HEDDLE_FORM_NORMALISE;
      g_autoptr (HeddleExpr) marked = may_share ? mark_part (result, body) : heddle_expr_ref (result);

      if (!heddle_expr_equal (marked, result))
        {
          add_compute (binding, NULL, axes, body)->name = "e";
          binding->shared = binding->builder->region->definitions->len - 1;
          heddle_expr_unref (result);
          result = g_steal_pointer (&marked);
          heddle_expr_unref (body);
          body = heddle_expr_argument (SHARED);
        }
      add_stage (binding, i, is_plain (term) ? binding->operation->result : NULL, body);
    }
  if (!is_plain (term))
    add_compute (binding, binding->operation->result, axes, result);
}

/* --- reindexing ------------------------------------------------------------------------ */

/* Whether an operand is only read under other names of its axes; those. */
static GArray *
get_renaming (const Builder *builder, const HeddleOperation *operation)
{
  const GArray *axes = value_axes (builder, heddle_ids_index (operation->operands, 0));
  g_autoptr (GArray) names = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      const char *from = heddle_ids_index (axes, i), *to;

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX)
        return NULL;
      to = heddle_expr_get_symbol (index);
      if (heddle_ids_contain (names, to)
          || (builder->sizes != NULL
              && heddle_sizes_get (builder->sizes, from) != heddle_sizes_get (builder->sizes, to)))
        return NULL;
      heddle_ids_append (names, to);
    }
  return g_steal_pointer (&names);
}

/* Bit i: axis i of the operand is read at an index of its own. */
static guint64
get_whole (const Builder *builder, const HeddleOperation *operation)
{
  const GArray *axes = value_axes (builder, heddle_ids_index (operation->operands, 0));
  guint64 whole = 0;

  for (guint i = 0; i < axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (axes, i))
        whole |= i < 64 ? G_GUINT64_CONSTANT (1) << i : 0;
    }
  return whole;
}

/* A kernel loads an input that is only renamed under its new names; all else is read at indices from what is held whole. */
static void
add_reindex (Binding *binding)
{
  Builder *builder = binding->builder;
  const HeddleOperation *operation = binding->operation;
  const char *operand = heddle_ids_index (operation->operands, 0);
  gboolean outer = !g_hash_table_contains (builder->definitions, operand);
  g_autoptr (GArray) renaming = outer ? get_renaming (builder, operation) : NULL;
  g_autoptr (HeddleExpr) body = heddle_expr_argument (0);
  HeddleDefinition *definition;
  guint source;

  if (renaming != NULL)
    source = add_input (builder, operand, renaming, 0);
  else
    source = outer
                 ? add_input (builder, operand, value_axes (builder, operand), get_whole (builder, operation))
                 : get_operand (builder, operand);
  if (renaming != NULL && !is_read_outside (builder, operation->result))
    {
      g_hash_table_insert (builder->definitions, (gpointer) operation->result, GUINT_TO_POINTER (source + 1));
      return;
    }
  g_array_append_val (binding->operands, source);
  definition = add_compute (binding, operation->result, value_axes (builder, operation->result), body);
  if (renaming == NULL)
    definition->indices = g_ptr_array_ref (operation->indices);
}

static void
add_operation (Builder *builder, const HeddleOperation *operation)
{
  g_autoptr (HeddleTerm) term = heddle_term_new (operation);
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (guint));
  Binding binding = { builder, operation, term, operands };

  if (operation->kind->form == HEDDLE_FORM_REINDEX)
    {
      add_reindex (&binding);
      return;
    }
  for (guint i = 0; i < operation->operands->len; i++)
    {
      guint definition = get_operand (builder, heddle_ids_index (operation->operands, i));

      g_array_append_val (operands, definition);
    }
  add_term (&binding);
}

/* --- the whole -------------------------------------------------------------------------- */

static void
collect_axes (HeddleRegionTerm *region)
{
  for (guint i = 0; i < region->outputs->len; i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (region->diagram, heddle_ids_index (region->outputs, i));

      for (guint k = 0; k < value->axes->len; k++)
        append_once (region->axes, heddle_ids_index (value->axes, k));
    }
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      for (guint k = 0; k < definition->axes->len; k++)
        append_once (region->axes, heddle_ids_index (definition->axes, k));
      for (guint k = 0; k < definition->over->len; k++)
        append_once (region->axes, heddle_ids_index (definition->over, k));
    }
}

static void
build (Builder *builder)
{
  HeddleRegionTerm *region = builder->region;
  const HeddleDiagram *diagram = region->diagram;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      if (!is_member (builder, operation))
        continue;
      heddle_ids_append (region->operations, operation->id);
      builder->column = region->operations->len;
      add_operation (builder, operation);
    }
  for (guint i = 0; i < region->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (region, i);

      if (definition->output)
        heddle_ids_append (region->outputs, definition->value);
    }
  collect_axes (region);
}

HeddleRegionTerm *
heddle_region_term_new (
    const HeddleDiagram *diagram, const GArray *operations, const HeddleSizes *sizes, GError **error)
{
  g_autoptr (HeddleRegionTerm) self = g_new0 (HeddleRegionTerm, 1);
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) definitions = g_hash_table_new (NULL, NULL);
  Builder builder = { self, sizes, members, definitions, 0 };

  self->diagram = diagram;
  self->operations = heddle_ids_new ();
  self->definitions = g_ptr_array_new_with_free_func ((GDestroyNotify) definition_free);
  self->inputs = heddle_ids_new ();
  self->outputs = heddle_ids_new ();
  self->axes = heddle_ids_new ();
  for (guint i = 0; i < operations->len; i++)
    g_hash_table_add (members, (gpointer) heddle_ids_index (operations, i));
  if (!check_sound (&builder, error) || !check_convex (&builder, error)
      || (sizes != NULL && !heddle_outside_check (diagram, operations, sizes, error)))
    return NULL;
  build (&builder);
  if (self->operations->len > 0)
    return g_steal_pointer (&self);
  g_set_error (
      error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_REGION, _ ("a kernel has at least one operation"));
  return NULL;
}
