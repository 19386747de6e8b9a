/* SPDX-License-Identifier: MIT */
#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/module/interface.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"

/* This file finds what the kernels of a diagram take, return and keep between them: it is the same for a
 * launcher in C and one in Python. */

const HeddleLoopProgram *
heddle_module_find_split (const HeddleModule *self, const char *axis)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      if (text->program->parts == axis)
        return text->program;
    }
  return NULL;
}

gint64
heddle_module_split_tile (const HeddleModule *self, const HeddleLoopProgram *split)
{
  return MIN (split->split_size, heddle_sizes_get (self->sizes, split->split));
}

static char *
parts_text (const HeddleModule *self, const HeddleLoopProgram *split)
{
  gint64 tile = heddle_module_split_tile (self, split);
  g_autofree char *size = heddle_module_size (self, split->split);

  return g_strdup_printf ("((%s + %" G_GINT64_FORMAT ") / %" G_GINT64_FORMAT ")", size, tile - 1, tile);
}

char *
heddle_module_size (const HeddleModule *self, const char *axis)
{
  const HeddleLoopProgram *split = heddle_module_find_split (self, axis);

  if (split != NULL)
    return parts_text (self, split);
  if (heddle_ids_contain (self->axes, axis))
    return g_strdup (heddle_names_axis (self->names, axis));
  return g_strdup_printf ("%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, axis));
}

/* --- what goes in and out --- */

static void
add_once (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

static gboolean
is_made (const HeddleModule *self, const char *value)
{
  return heddle_ids_contain (self->outputs, value) || heddle_ids_contain (self->workspace, value);
}

/* Returns whether the module has the size fixed: one that a kernel takes as an argument may be a constant of
 * another. */
static gboolean
is_fixed (const HeddleModule *self, const char *axis)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      if (heddle_ids_contain (text->fixed_axes, axis))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether the kernel gives the value back: nobody in the diagram reads a partial state. */
static gboolean
is_given_back (const HeddleModule *self, const HeddleKernelText *text, const char *value)
{
  return heddle_diagram_is_output (self->diagram, value)
         && !heddle_ids_contain (text->program->partials, value);
}

HeddleView
heddle_module_view (const HeddleModule *self, const HeddleOperation *operation)
{
  HeddleView view = { 0 };

  heddle_view_find (self->diagram, self->sizes, operation, &view);
  return view;
}

gint64
heddle_module_view_place (const HeddleOperation *view, guint i)
{
  return (gint64) heddle_expr_get_number (g_ptr_array_index (view->indices, i));
}

/* Adds an array that no kernel makes: it is given, or lies in one that is. */
static void
add_input (HeddleModule *self, const char *value)
{
  const HeddleOperation *view = heddle_diagram_get_producer (self->diagram, value);
  HeddleView place;

  if (view == NULL || !heddle_view_find (self->diagram, self->sizes, view, &place))
    {
      add_once (self->inputs, value);
      return;
    }
  if (g_ptr_array_find (self->views, view, NULL))
    return;
  add_input (self, heddle_ids_index (view->operands, 0));
  g_ptr_array_add (self->views, (gpointer) view);
}

static void
sort_parameters (HeddleModule *self)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      for (guint j = 0; j < text->parameters->len; j++)
        {
          const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, j);

          if (parameter->axis != NULL && !is_fixed (self, parameter->axis)
              && heddle_module_find_split (self, parameter->axis) == NULL)
            add_once (self->axes, parameter->axis);
          else if (parameter->axis != NULL)
            continue;
          else if (parameter->output && is_given_back (self, text, parameter->value))
            add_once (self->outputs, parameter->value);
          else if (parameter->output)
            add_once (self->workspace, parameter->value);
          else if (!is_made (self, parameter->value))
            add_input (self, parameter->value);
        }
    }
}

/* Puts the inputs in the order of the diagram, whichever kernel reads one first. */
static void
put_inputs_in_order (HeddleModule *self)
{
  GArray *inputs = heddle_ids_new ();

  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const char *value = ((const HeddleValue *) g_ptr_array_index (self->diagram->values, i))->id;

      if (heddle_ids_contain (self->inputs, value))
        heddle_ids_append (inputs, value);
    }
  g_array_unref (self->inputs);
  self->inputs = inputs;
}

/* Returns the diagram with what its split kernels pass to those that merge it. */
static HeddleDiagram *
add_partials (const HeddleDiagram *diagram, GPtrArray *texts)
{
  HeddleDiagram *all = heddle_diagram_copy (diagram);

  for (guint i = 0; i < texts->len; i++)
    {
      const HeddleLoopProgram *program = ((const HeddleKernelText *) g_ptr_array_index (texts, i))->program;

      if (program->combine == NULL)
        continue;
      heddle_diagram_add_axis (
          all, program->parts, heddle_diagram_get_axis (program->diagram, program->parts)->name, NULL);
      for (guint k = 0; k < program->partials->len; k++)
        {
          const HeddleValue *value
              = heddle_diagram_get_value (program->diagram, heddle_ids_index (program->partials, k));

          heddle_diagram_add_value (all, value->id, value->name, value->role, value->dtype, value->axes);
        }
    }
  return all;
}

HeddleDtype
heddle_module_dtype (const HeddleModule *self, const char *value)
{
  return heddle_diagram_dtype (self->diagram, value, self->dtype);
}

guint
heddle_module_alignment (const HeddleModule *self, const char *value)
{
  guint bytes = heddle_dtype_bytes (heddle_module_dtype (self, value));

  for (guint t = 0; t < self->texts->len; t++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, t);

      for (guint i = 0; i < text->parameters->len; i++)
        {
          const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, i);

          if (parameter->axis == NULL && parameter->value == value)
            bytes = MAX (bytes, parameter->alignment);
        }
    }
  for (guint i = 0; i < self->views->len; i++)
    {
      const HeddleOperation *view = g_ptr_array_index (self->views, i);

      if (heddle_ids_index (view->operands, 0) == value)
        bytes = MAX (bytes, heddle_module_alignment (self, view->result));
    }
  return bytes;
}

void
heddle_module_init (HeddleModule *self, const HeddleDiagram *diagram, GPtrArray *texts,
    const HeddleSizes *sizes, HeddleDtype dtype)
{
  HeddleDiagram *all = add_partials (diagram, texts);

  *self = (HeddleModule){ .diagram = all,
    .sizes = sizes,
    .dtype = dtype,
    .texts = texts,
    .names = heddle_names_new (all, NULL),
    .name = heddle_c_function (diagram->name),
    .inputs = heddle_ids_new (),
    .outputs = heddle_ids_new (),
    .workspace = heddle_ids_new (),
    .axes = heddle_ids_new (),
    .views = g_ptr_array_new (),
    .out = g_string_new (NULL) };
  sort_parameters (self);
  put_inputs_in_order (self);
}

void
heddle_module_clear (HeddleModule *self)
{
  heddle_names_free (self->names);
  heddle_diagram_free (self->diagram);
  g_free (self->name);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->workspace);
  g_array_unref (self->axes);
  g_ptr_array_unref (self->views);
}
