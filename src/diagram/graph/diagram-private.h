/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Lookups of one diagram, shared by its copies until one of them changes. The maps of the first group are kept up by every
 * addition; those of the second are built on demand, under a lock, because committed diagrams are read from several threads. */
typedef struct _HeddleDiagramIndex
{
  gatomicrefcount ref_count;
  GHashTable *axes, *values, *operations; /* id -> object */
  GHashTable *producers; /* value id -> operation */
  GHashTable *suffixes; /* stem -> every suffix below this number is taken */

  gint names_valid; /* atomic, as all below */
  GHashTable *axis_names, *value_names; /* name -> object */
  GHashTable *readers; /* value id -> GPtrArray of operations */
  GHashTable *positions; /* operation id -> position */
  GHashTable *after_reads; /* set of value ids: what array reads make, and what is made of that */
  GHashTable *labels; /* unnamed value id -> its label */
  GHashTable *dtypes; /* value id -> inferred type, see diagram-index.c */
  GHashTable *statements; /* operation id -> value id */
} HeddleDiagramIndex;

HeddleDiagramIndex *heddle_diagram_index (const HeddleDiagram *self);
/* The index, owned by this diagram alone: call before a change. */
HeddleDiagramIndex *heddle_diagram_own_index (HeddleDiagram *self);
HeddleDiagramIndex *heddle_diagram_index_ref (HeddleDiagramIndex *index);
void heddle_diagram_index_unref (HeddleDiagramIndex *index);
/* Forgets what depends on names, on who reads what, on data types. */
void heddle_diagram_index_names_changed (HeddleDiagramIndex *index);
void heddle_diagram_index_graph_changed (HeddleDiagramIndex *index);
/* Keeps up who reads what and, when the operation is the last of @count, the positions; @count 0: it was put in between. */
void heddle_diagram_index_operation_added (
    HeddleDiagramIndex *index, HeddleOperation *operation, guint count);

GHashTable *heddle_diagram_readers (const HeddleDiagram *self);

GHashTable *heddle_diagram_number_makings (const HeddleDiagram *self);

void heddle_axis_unref (HeddleAxis *axis);
void heddle_value_unref (HeddleValue *value);
void heddle_operation_unref (HeddleOperation *operation);
HeddleOperation *heddle_operation_new (const HeddleOperationKind *kind, const char *result);
HeddleOperation *heddle_operation_copy (const HeddleOperation *self);
/* Every node of its expressions, until @visit has enough. */
void heddle_operation_walk (const HeddleOperation *self, HeddleExprVisit visit, gpointer data);

/* An id of the shape "prefix.name" not yet in the diagram. */
const char *heddle_diagram_free_id (HeddleDiagram *self, const char *prefix, const char *name);
/* The part of an id that stands for @name: its letters, digits, "_", "." and "-". */
char *heddle_id_from_name (const char *name);

G_END_DECLS
