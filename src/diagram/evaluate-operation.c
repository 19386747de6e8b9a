/* SPDX-License-Identifier: MIT */
#include "diagram/evaluate-private.h"
#include "diagram/term-private.h"

/* A walk over @axes with a cursor into each operand. */
static HeddleWalk *
walk_operands (const HeddleRun *self, const GArray *axes)
{
  HeddleWalk *walk = heddle_walk_new (self->evaluation->sizes, axes);

  for (guint i = 0; i < self->operand_values->len; i++)
    heddle_walk_add_cursor (walk, ((HeddleValue *) g_ptr_array_index (self->operand_values, i))->axes);
  return walk;
}

/* --- maps ---------------------------------------------------------------------------- */

gboolean
heddle_run_map (HeddleRun *self, GError **error)
{
  g_autoptr (HeddleWalk) walk = walk_operands (self, self->value->axes);
  HeddleBinding binding = { self->evaluation, { walk, NULL }, walk, self->data, NULL, NULL };
  g_autoptr (HeddleBound) body = heddle_bound_new (self->operation->body, &binding, error);
  double *out = self->result->data;

  if (body == NULL)
    return FALSE;
  for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
    {
      *out++ = heddle_bound_run (body);
      if (!heddle_evaluation_work (self->evaluation, 1, error))
        return FALSE;
    }
  return TRUE;
}

/* --- reductions ---------------------------------------------------------------------- */

/* A cascade of reductions at work: one point of the outer walk at a time, over all points of the inner one. */
typedef struct
{
  HeddleRun *run;
  HeddleTerm *term;
  GArray *outer_axes;
  HeddleWalk *outer, *inner; /* with cursors into the operands, the result and `taken`, in this order */
  GPtrArray *taken; /* of HeddleOutside */
  HeddleBound *bodies[HEDDLE_MAX_STAGES];
  HeddleBound *result;
  const char *names[HEDDLE_MAX_STAGES + 2];
  double variables[HEDDLE_MAX_STAGES + 1]; /* of the stages, and n */
} Reduction;

static GArray *
axes_without (const GArray *axes, const GArray *others)
{
  GArray *rest = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (others, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  return rest;
}

static HeddleWalk *
reduction_walk (Reduction *self, const GArray *axes)
{
  HeddleWalk *walk = walk_operands (self->run, axes);

  heddle_walk_add_cursor (walk, self->run->value->axes);
  for (guint i = 0; i < self->taken->len; i++)
    heddle_walk_add_cursor (walk, ((HeddleOutside *) g_ptr_array_index (self->taken, i))->axes);
  return walk;
}

static gboolean
reduction_init (Reduction *self, GError **error)
{
  HeddleRun *run = self->run;
  HeddleBinding binding = { run->evaluation, { NULL, NULL }, NULL, run->data, self->names, self->variables };

  self->term = heddle_term_new_counted (run->operation);
  self->taken = heddle_run_taken_outsides (run);
  self->outer_axes = axes_without (run->value->axes, run->operation->axes);
  self->outer = reduction_walk (self, self->outer_axes);
  self->inner = reduction_walk (self, run->operation->axes);
  binding.walks[0] = self->outer;
  binding.walks[1] = self->inner;
  binding.operands = self->inner;
  for (guint i = 0; i < self->term->n_stages; i++)
    self->names[i] = self->term->stages[i].name;
  self->names[self->term->n_stages] = "n";

  for (guint i = 0; i < self->term->n_stages; i++)
    if ((self->bodies[i] = heddle_bound_new (self->term->stages[i].body, &binding, error)) == NULL)
      return FALSE;
  self->result = heddle_bound_new (self->term->result, &binding, error);
  return self->result != NULL;
}

static void
reduction_clear (Reduction *self)
{
  for (guint i = 0; i < HEDDLE_MAX_STAGES; i++)
    g_clear_pointer (&self->bodies[i], heddle_bound_free);
  g_clear_pointer (&self->result, heddle_bound_free);
  heddle_walk_free (self->outer);
  heddle_walk_free (self->inner);
  g_array_unref (self->outer_axes);
  g_ptr_array_unref (self->taken);
  heddle_term_free (self->term);
}

static gboolean
is_inside (const Reduction *self)
{
  guint first = self->run->operand_values->len + 1;

  for (guint i = 0; i < self->taken->len; i++)
    {
      const HeddleOutside *outside = g_ptr_array_index (self->taken, i);

      if (!outside->inside[heddle_walk_offset (self->inner, first + i)])
        return FALSE;
    }
  return TRUE;
}

static gboolean
start_inner (Reduction *self)
{
  return heddle_walk_start (self->inner, (const gint64 *) self->outer->offsets->data);
}

static gboolean
reduce_stage (Reduction *self, guint stage, GError **error)
{
  HeddleMonoid monoid = self->term->stages[stage].monoid;
  double total = heddle_monoid_unit (monoid);

  for (gboolean more = start_inner (self); more; more = heddle_walk_next (self->inner))
    {
      if (is_inside (self))
        total = heddle_monoid_combine (monoid, total, heddle_bound_run (self->bodies[stage]));
      if (!heddle_evaluation_work (self->run->evaluation, 1, error))
        return FALSE;
    }
  self->variables[stage] = total;
  return TRUE;
}

static double
count_inside (Reduction *self)
{
  double n = 0.;

  if (self->taken->len == 0)
    return (double) self->inner->n_points;
  for (gboolean more = start_inner (self); more; more = heddle_walk_next (self->inner))
    n += is_inside (self);
  return n;
}

static gboolean
reduce_point (Reduction *self, GError **error)
{
  guint cursor = self->run->operand_values->len;
  double *out = self->run->result->data;

  self->variables[self->term->n_stages] = count_inside (self);
  for (guint i = 0; i < self->term->n_stages; i++)
    if (!reduce_stage (self, i, error))
      return FALSE;

  if (self->run->operation->kind->form != HEDDLE_FORM_NORMALISE)
    out[heddle_walk_offset (self->outer, cursor)] = heddle_bound_run (self->result);
  else
    for (gboolean more = start_inner (self); more; more = heddle_walk_next (self->inner))
      out[heddle_walk_offset (self->inner, cursor)] = is_inside (self) ? heddle_bound_run (self->result) : 0.;
  return TRUE;
}

gboolean
heddle_run_reduce (HeddleRun *self, GError **error)
{
  Reduction reduction = { self };
  gboolean done = reduction_init (&reduction, error);

  for (gboolean more = done && heddle_walk_start (reduction.outer, NULL); more && done;
       more = heddle_walk_next (reduction.outer))
    done = reduce_point (&reduction, error);
  reduction_clear (&reduction);
  return done;
}

/* --- contractions -------------------------------------------------------------------- */

/* out[i] += product of the operands, along one axis. */
typedef struct
{
  guint n;
  double *out;
  gint64 out_stride;
  const double **data;
  gint64 *strides;
} Line;

static void
add_products_of_two (const Line *line, gint64 length)
{
  const double *a = line->data[0], *b = line->data[1];
  gint64 a_stride = line->strides[0], b_stride = line->strides[1];
  double *out = line->out;
  double sum = *out;

  if (line->out_stride == 0)
    {
      for (gint64 i = 0; i < length; i++)
        sum += a[i * a_stride] * b[i * b_stride];
      *out = sum;
      return;
    }
  for (gint64 i = 0; i < length; i++)
    out[i * line->out_stride] += a[i * a_stride] * b[i * b_stride];
}

static void
add_products (const Line *line, gint64 length)
{
  if (line->n == 2)
    {
      add_products_of_two (line, length);
      return;
    }
  for (gint64 i = 0; i < length; i++)
    {
      double product = line->data[0][i * line->strides[0]];

      for (guint j = 1; j < line->n; j++)
        product *= line->data[j][i * line->strides[j]];
      line->out[i * line->out_stride] += product;
    }
}

/* The axis to run along without a pause: the last one summed, or the result's last one where the operands lie closer together along it.
 * Each element is summed in the same order either way. NULL: there is no axis. */
static const char *
choose_line_axis (const HeddleRun *self)
{
  const GArray *candidates[] = { self->operation->axes, self->value->axes };
  const char *best = NULL;
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < G_N_ELEMENTS (candidates); i++)
    {
      guint n = candidates[i]->len;
      const char *axis = n > 0 ? heddle_ids_index (candidates[i], n - 1) : NULL;
      gint64 distance = 0;

      for (guint j = 0; axis != NULL && j < self->operand_values->len; j++)
        distance += heddle_axes_stride (self->evaluation->sizes,
            ((HeddleValue *) g_ptr_array_index (self->operand_values, j))->axes, axis);
      if (axis != NULL && distance < least)
        {
          least = distance;
          best = axis;
        }
    }
  return best;
}

/* All axes but that of the line, the result's before those summed. */
static GArray *
axes_across (const HeddleRun *self, const char *line_axis)
{
  GArray *line = heddle_ids_new ();
  GArray *axes, *summed;

  if (line_axis != NULL)
    heddle_ids_append (line, line_axis);
  axes = axes_without (self->value->axes, line);
  summed = axes_without (self->operation->axes, line);
  g_array_append_vals (axes, summed->data, summed->len);
  g_array_unref (summed);
  g_array_unref (line);
  return axes;
}

gboolean
heddle_run_contract (HeddleRun *self, GError **error)
{
  const HeddleSizes *sizes = self->evaluation->sizes;
  const char *axis = choose_line_axis (self);
  guint n = self->operand_values->len;
  gint64 length = axis != NULL ? heddle_sizes_get (sizes, axis) : 1;
  g_autoptr (GArray) across = axes_across (self, axis);
  g_autoptr (HeddleWalk) walk = walk_operands (self, across);
  g_autofree gint64 *strides = g_new0 (gint64, n);
  g_autofree const double **data = g_new0 (const double *, n);
  Line line = { n, NULL, 0, data, strides };

  heddle_walk_add_cursor (walk, self->value->axes);
  for (guint i = 0; axis != NULL && i < n; i++)
    strides[i] = heddle_axes_stride (
        sizes, ((HeddleValue *) g_ptr_array_index (self->operand_values, i))->axes, axis);
  line.out_stride = axis != NULL ? heddle_axes_stride (sizes, self->value->axes, axis) : 0;

  for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
    {
      line.out = self->result->data + heddle_walk_offset (walk, n);
      for (guint i = 0; i < n; i++)
        data[i] = self->data[i] + heddle_walk_offset (walk, i);
      add_products (&line, length);
      if (!heddle_evaluation_work (self->evaluation, length, error))
        return FALSE;
    }
  return TRUE;
}
