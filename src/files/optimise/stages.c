/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "derive/region/pieces.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/optimise/stages.h"

/* An operation is in the first stage that comes after all boxes it depends on. A box runs after the last
 * stage that it depends on. */

typedef struct
{
  HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram; /* flat */
  GHashTable *stages; /* operation -> the number of its stage, for a box of that before it */
  GPtrArray *views;
  guint n;
} Cutter;

typedef struct
{
  HeddleOptimiseProgress progress;
  gpointer data;
  guint i, n;
} Share;

static gboolean
is_box (const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_CALL;
}

static guint
stage_of (const Cutter *self, const HeddleOperation *operation)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->stages, operation));
}

/* Returns the first stage at which everything that the operation reads exists. */
static guint
find_stage (const Cutter *self, const HeddleOperation *operation)
{
  guint stage = is_box (operation) ? 0 : 1;

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const HeddleOperation *producer
          = heddle_diagram_get_producer (self->diagram, heddle_ids_index (operation->operands, i));
      gboolean waits = producer != NULL && is_box (producer) && !is_box (operation);

      if (producer != NULL && !g_ptr_array_find (self->views, producer, NULL))
        stage = MAX (stage, stage_of (self, producer) + waits);
    }
  return stage;
}

static void
find_stages (Cutter *self)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      guint stage = find_stage (self, operation);

      if (g_ptr_array_find (self->views, operation, NULL))
        continue;
      g_hash_table_insert (self->stages, operation, GUINT_TO_POINTER (stage));
      if (!is_box (operation))
        self->n = MAX (self->n, stage);
    }
}

/* Returns whether the operation is in the stage. A view, which says where in a parameter something lies, is
 * in every stage that reads it. */
static gboolean
is_in (const Cutter *self, const HeddleOperation *operation, guint stage)
{
  g_autoptr (GPtrArray) readers = NULL;

  if (!g_ptr_array_find (self->views, operation, NULL))
    return !is_box (operation) && stage_of (self, operation) == stage;
  readers = heddle_diagram_get_readers (self->diagram, operation->result);
  for (guint i = 0; i < readers->len; i++)
    if (!is_box (g_ptr_array_index (readers, i)) && stage_of (self, g_ptr_array_index (readers, i)) == stage)
      return TRUE;
  return FALSE;
}

static GPtrArray *
operations_of (const Cutter *self, guint stage)
{
  GPtrArray *operations = g_ptr_array_new ();

  for (guint i = 0; i < self->diagram->operations->len; i++)
    if (is_in (self, g_ptr_array_index (self->diagram->operations, i), stage))
      g_ptr_array_add (operations, g_ptr_array_index (self->diagram->operations, i));
  return operations;
}

/* --- what comes of it --- */

static void
stage_free (gpointer data)
{
  HeddleOptimiseStage *self = data;

  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->made, heddle_optimised_free);
  g_free (self->folder);
  g_free (self->why);
  g_free (self);
}

static void
box_free (gpointer data)
{
  HeddleOptimiseBox *self = data;

  g_free (self->name);
  g_strfreev (self->reads);
  g_strfreev (self->makes);
  g_free (self->reason);
  g_free (self);
}

void
heddle_optimised_stages_free (HeddleOptimisedStages *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_ptr_array_unref (self->stages);
  g_ptr_array_unref (self->boxes);
  g_free (self);
}

static HeddleOptimisedStages *
stages_new (const char *name)
{
  HeddleOptimisedStages *self = g_new (HeddleOptimisedStages, 1);

  *self = (HeddleOptimisedStages){ g_strdup (name), g_ptr_array_new_with_free_func (stage_free),
    g_ptr_array_new_with_free_func (box_free) };
  return self;
}

static char **
labels_of (const HeddleDiagram *diagram, const GArray *values, const char *first)
{
  g_autoptr (GStrvBuilder) labels = g_strv_builder_new ();

  for (int i = first != NULL ? -1 : 0; i < (int) (values != NULL ? values->len : 0); i++)
    {
      g_autofree char *label
          = heddle_diagram_value_label (diagram, i < 0 ? first : heddle_ids_index (values, (guint) i));

      g_strv_builder_add (labels, label);
    }
  return g_strv_builder_end (labels);
}

static HeddleOptimiseBox *
box_new (const Cutter *self, const HeddleOperation *operation)
{
  const HeddleDiagram *callee = heddle_snapshot_get_diagram_by_id (self->snapshot, operation->callee);
  HeddleOptimiseBox *box = g_new (HeddleOptimiseBox, 1);

  *box = (HeddleOptimiseBox){ g_strdup (callee != NULL ? callee->name : operation->callee),
    labels_of (self->diagram, operation->operands, NULL),
    labels_of (self->diagram, operation->more_results, operation->result), stage_of (self, operation),
    g_strdup (_ ("what it does is not known")) };
  return box;
}

static HeddleOptimisedStages *
cut (const Cutter *self)
{
  HeddleOptimisedStages *made = stages_new (self->diagram->name);

  for (guint i = 0; i < self->diagram->operations->len; i++)
    if (is_box (g_ptr_array_index (self->diagram->operations, i)))
      g_ptr_array_add (made->boxes, box_new (self, g_ptr_array_index (self->diagram->operations, i)));
  for (guint i = 1; i <= self->n; i++)
    {
      g_autoptr (GPtrArray) operations = operations_of (self, i);
      HeddleOptimiseStage *stage = g_new0 (HeddleOptimiseStage, 1);

      stage->diagram = heddle_pieces_extract (self->diagram, operations);
      stage->folder = g_strdup_printf ("stage-%u", i);
      g_ptr_array_add (made->stages, stage);
    }
  return made;
}

static HeddleOptimisedStages *
cut_at_boxes (HeddleSnapshot *snapshot, const HeddleDiagram *diagram)
{
  g_autoptr (GHashTable) stages = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) views = heddle_pieces_views (diagram);
  Cutter self = { snapshot, diagram, stages, views, 0 };

  find_stages (&self);
  return cut (&self);
}

/* --- optimising them --- */

static void
report_share (double fraction, const char *what, gpointer data)
{
  const Share *self = data;

  if (self->progress != NULL)
    self->progress ((self->i + fraction) / self->n, what, self->data);
}

static HeddleOptimised *
optimise_stage (const HeddleOptimiseStage *stage, const HeddleOptimiseOptions *options, Share *share,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();

  heddle_snapshot_add_diagram (snapshot, heddle_diagram_copy (stage->diagram));
  return heddle_optimise (snapshot, options, report_share, share, cancellable, error);
}

/* Optimises all stages. Returns FALSE if it was cancelled, or if all failed. */
static gboolean
optimise_all (HeddleOptimisedStages *self, const HeddleOptimiseOptions *options, Share *share,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) first = NULL;
  gboolean some = FALSE;

  for (share->i = 0; share->i < share->n; share->i++)
    {
      HeddleOptimiseStage *stage = g_ptr_array_index (self->stages, share->i);
      g_autoptr (GError) why = NULL;

      stage->made = optimise_stage (stage, options, share, cancellable, &why);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      some |= stage->made != NULL;
      if (why != NULL)
        stage->why = g_strdup (why->message);
      if (why != NULL && first == NULL)
        first = g_steal_pointer (&why);
    }
  if (!some && first != NULL)
    g_propagate_error (error, g_steal_pointer (&first));
  return some;
}

/* Returns a diagram without boxes as a single stage. */
static HeddleOptimisedStages *
whole (HeddleOptimised *made)
{
  HeddleOptimisedStages *self;
  HeddleOptimiseStage *stage;

  if (made == NULL)
    return NULL;
  self = stages_new (made->original->name);
  stage = g_new0 (HeddleOptimiseStage, 1);
  stage->made = made;
  g_ptr_array_add (self->stages, stage);
  return self;
}

HeddleOptimisedStages *
heddle_optimise_stages (HeddleSnapshot *snapshot, const HeddleOptimiseOptions *options,
    HeddleOptimiseProgress progress, gpointer data, GCancellable *cancellable, GError **error)
{
  HeddleOptimiseOptions own = *options;
  g_autoptr (HeddleDiagram) diagram = heddle_optimise_flatten (snapshot, &own, error);
  g_autoptr (HeddleOptimisedStages) made = NULL;
  g_autoptr (GError) boxes = NULL;

  if (diagram == NULL)
    return NULL;
  if (heddle_diagram_is_flat (diagram, &boxes))
    return whole (heddle_optimise (snapshot, options, progress, data, cancellable, error));
  made = cut_at_boxes (snapshot, diagram);
  if (made->stages->len == 0)
    {
      g_propagate_error (error, g_steal_pointer (&boxes));
      return NULL;
    }
  own.diagram = NULL;
  own.sizes = NULL;
  Share share = { progress, data, 0, made->stages->len };
  return optimise_all (made, &own, &share, cancellable, error) ? g_steal_pointer (&made) : NULL;
}
