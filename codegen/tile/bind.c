/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/tile/bind.h"
#include "codegen/tile/choice.h"
#include "codegen/tile/plan.h"
#include "codegen/tile/private.h"
#include "codegen/tile/program.h"
#include "codegen/tile/roles.h"
#include "codegen/tile/find-shifts.h"
#include "codegen/tile/statement.h"
#include "codegen/tile/windows.h"
#include "derive/index/window-sum.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"

static void
tile_free (gpointer data)
{
  HeddleTensorTile *self = data;

  g_clear_pointer (&self->scale, heddle_expr_unref);
  g_free (self->widened);
  for (guint i = 0; self->window != NULL && i < self->window->n; i++)
    heddle_window_sum_free (self->window->sum[i]);
  g_free (self->window);
  g_free (self);
}

static void
op_free (gpointer data)
{
  HeddleTileOp *self = data;

  g_clear_pointer (&self->body, heddle_expr_unref);
  g_clear_pointer (&self->when, heddle_expr_unref);
  g_clear_pointer (&self->members, g_ptr_array_unref);
  g_free (self);
}

static HeddleTileProgram *
program_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program, const HeddleSizes *sizes)
{
  HeddleTileProgram *self = g_new0 (HeddleTileProgram, 1);

  self->diagram = diagram;
  self->program = program;
  self->sizes = sizes;
  self->tiles = g_ptr_array_new_with_free_func (tile_free);
  self->prologue = g_ptr_array_new_with_free_func (op_free);
  self->body = g_ptr_array_new_with_free_func (op_free);
  self->epilogue = g_ptr_array_new_with_free_func (op_free);
  return self;
}

/* Finds the groups, then statements and one stream. */
static gboolean
find_bands (HeddleTileMaker *self)
{
  const HeddleNode *node = self->made->program->root;

  while (node->children->len == 1)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, 0);

      if (child->kind != HEDDLE_NODE_BAND || child->band != HEDDLE_BAND_GROUP)
        break;
      node = child;
    }
  self->inner = node;
  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);

      if (child->kind != HEDDLE_NODE_BAND)
        continue;
      if (self->made->stream != NULL || child->band != HEDDLE_BAND_STREAM)
        return heddle_tile_refuse (self, _ ("it has more than one loop"));
      self->made->stream = child;
      for (guint k = 0; k < child->children->len; k++)
        if (((const HeddleNode *) g_ptr_array_index (child->children, k))->kind == HEDDLE_NODE_BAND)
          return heddle_tile_refuse (self, _ ("it has a loop in a loop"));
    }
  return TRUE;
}

static gboolean
check_form (HeddleTileMaker *self, const HeddleNode *node, gpointer data)
{
  return node->form == HEDDLE_COMPUTE_FOLD
         || heddle_tile_refuse (self, _ ("%s is a scan or a selection, which no tensor core does"),
             heddle_tile_name (self->made, node->buffer));
}

/* Finds the bands of the program as tiles see it, if operands are to be read at shifted indices. */
static gboolean
find_shifts (HeddleTileMaker *self, gboolean shifted)
{
  if (!shifted)
    return TRUE;
  if (!heddle_tile_find_shifts (self))
    return FALSE;
  self->made->stream = NULL;
  return find_bands (self);
}

/* Finds the bands of a pass, for a program whose rows choose matrices. */
static gboolean
find_passes (HeddleTileMaker *self)
{
  if (!heddle_tile_find_choices (self))
    return FALSE;
  self->made->stream = NULL;
  return find_bands (self);
}

static gboolean
make (HeddleTileMaker *self, const HeddleTileOptions *options, HeddleTileRowRule rule, gboolean shifted)
{
  return find_bands (self) && heddle_tile_walk (self, check_form, NULL) && find_shifts (self, shifted)
         && find_passes (self) && heddle_tile_find_rows (self, rule) && heddle_tile_find_windows (self)
         && heddle_tile_place (self) && heddle_tile_check_choices (self)
         && heddle_tile_choose_warps (self, options) && heddle_tile_lower (self)
         && heddle_tile_plan_memory (self, options);
}

/* Returns the program that the rule gives; NULL, with the reason in *@why unless that has one. */
static HeddleTileProgram *
make_by_rule (HeddleTileMaker self, const HeddleTileOptions *options, HeddleTileRowRule rule,
    gboolean shifted, char **why)
{
  gboolean good;

  self.products = g_array_new (FALSE, FALSE, sizeof (guint));
  good = make (&self, options, rule, shifted);
  g_array_unref (self.products);
  if (good)
    return self.made;
  heddle_tile_program_free (self.made);
  if (*why == NULL)
    *why = g_steal_pointer (&self.why);
  g_free (self.why);
  return NULL;
}

HeddleTileProgram *
heddle_tile_program_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program,
    const HeddleSizes *sizes, HeddleDtype dtype, gint64 shared_capacity, const HeddleTileOptions *options,
    char **why)
{
  static const HeddleTileOptions nothing = { 0 };
  g_autofree char *first = NULL;

  if (options == NULL)
    options = &nothing;
  for (gboolean shifted = FALSE; shifted <= TRUE; shifted++)
    for (HeddleTileRowRule rule = 0; rule < HEDDLE_TILE_N_ROW_RULES; rule++)
      {
        const HeddleTileMaker maker = { .made = program_new (diagram, program, sizes),
          .capacity = shared_capacity,
          .warpgroups = options->warpgroups,
          .bytes = options->bytes };
        HeddleTileProgram *made = make_by_rule (maker, options, rule, shifted, &first);

        if (made != NULL)
          return made;
      }
  *why = g_steal_pointer (&first);
  return NULL;
}
