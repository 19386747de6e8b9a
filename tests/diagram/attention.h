/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* Adds an axis of a fixed size (0: none given). */
static inline const char *
fixture_axis (HeddleDiagram *diagram, const char *name, double size)
{
  return heddle_diagram_add_axis (diagram, NULL, name, size > 0 ? heddle_expr_number (size) : NULL)->id;
}

/* The ids of the names given, which are axes' where there is such an axis and else values'; ends at NULL. */
static inline GArray *
fixture_ids (const HeddleDiagram *diagram, const char *names)
{
  GArray *ids = heddle_ids_new ();
  g_auto (GStrv) parts = g_strsplit (names, " ", -1);
  for (guint i = 0; parts[i] != NULL && *parts[i] != '\0'; i++)
    {
      const HeddleAxis *axis = heddle_diagram_find_axis (diagram, parts[i]);
      const HeddleValue *value = heddle_diagram_find_value (diagram, parts[i]);
      heddle_ids_append (ids, axis != NULL    ? axis->id
                              : value != NULL ? value->id
                                              : g_intern_string (parts[i]));
    }
  return ids;
}

static inline const char *
fixture_input (HeddleDiagram *diagram, const char *name, const char *axes)
{
  g_autoptr (GArray) ids = fixture_ids (diagram, axes);
  return heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_F16, ids)->id;
}

/* result[axes] = kind[core] (operands); @result NULL: unnamed. Operands and core axes by name or id. */
static inline HeddleOperation *
fixture_operation (HeddleDiagram *diagram, const char *kind, const char *result, const char *axes,
    const char *operands, const char *core)
{
  g_autoptr (GArray) axis_ids = fixture_ids (diagram, axes);
  g_autoptr (GArray) operand_ids = fixture_ids (diagram, operands);
  g_autoptr (GArray) core_ids = fixture_ids (diagram, core);
  const HeddleValue *value = heddle_diagram_add_value (
      diagram, NULL, result, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axis_ids);
  return heddle_diagram_add_operation (
      diagram, NULL, heddle_operation_kind (kind), operand_ids, value->id, core_ids, -1);
}

/* S = Q K over d; t1 = S * size(d)^-0.5; P = softmax[x] (t1); O = P V over x. Ids: o.S, o.t, o.P, o.O. */
static inline HeddleDiagram *
fixture_attention (void)
{
  HeddleDiagram *diagram = heddle_diagram_new ("attention");
  fixture_axis (diagram, "q", 4096);
  const char *d = fixture_axis (diagram, "d", 128);
  fixture_axis (diagram, "x", 1024);
  fixture_input (diagram, "Q", "q d");
  fixture_input (diagram, "K", "x d");
  fixture_input (diagram, "V", "x d");
  fixture_operation (diagram, "contract", "S", "q x", "Q K", "d");
  HeddleOperation *scale = fixture_operation (diagram, "map", NULL, "q x", "S", "");
  scale->body = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_argument (0),
      heddle_expr_binary (HEDDLE_EXPR_POW, heddle_expr_size (d), heddle_expr_number (-0.5)));
  fixture_operation (diagram, "softmax", "P", "q x", "v.t", "x");
  fixture_operation (diagram, "contract", "O", "q d", "P V", "x");
  return diagram;
}
