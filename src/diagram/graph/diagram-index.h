/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram-private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Adds a reference, from any thread, and returns @index. */
HeddleDiagramIndex *heddle_diagram_index_ref (HeddleDiagramIndex *index);
/* Drops a reference, from any thread; the last one frees the index. */
void heddle_diagram_index_unref (HeddleDiagramIndex *index);
/* Returns the index of the diagram, which owns it, and builds it at the first call; any thread may call
 * it. */
HeddleDiagramIndex *heddle_diagram_index (const HeddleDiagram *self);
/* The index, owned by this diagram alone: call before a change. */
HeddleDiagramIndex *heddle_diagram_own_index (HeddleDiagram *self);
/* Forgets what depends on names, on who reads what, on data types. */
void heddle_diagram_index_names_changed (HeddleDiagramIndex *index);
/* Forgets what depends on the graph: readers, positions, what follows reads, statements and data types.
 * They are built again when needed. */
void heddle_diagram_index_graph_changed (HeddleDiagramIndex *index);
/* Keeps up who reads what and, when the operation is the last of @count, the positions; @count 0: it was put in between. */
void heddle_diagram_index_operation_added (
    HeddleDiagramIndex *index, HeddleOperation *operation, guint count);
/* Returns the axis of that name, owned by the diagram; NULL if there is none or @name is NULL. */
const HeddleAxis *heddle_diagram_find_axis (const HeddleDiagram *self, const char *name);
/* Returns the value of that name, owned by the diagram; NULL if there is none or @name is NULL. */
const HeddleValue *heddle_diagram_find_value (const HeddleDiagram *self, const char *name);
/* The name to show for a value: its own, or "t1", "t2" … by order of appearance, avoiding taken names. Newly allocated. */
char *heddle_diagram_value_label (const HeddleDiagram *self, const char *value_id);
/* Returns value id to GPtrArray of the operations that read it, owned by the diagram. A value that nobody
 * reads is absent. */
GHashTable *heddle_diagram_readers (const HeddleDiagram *self);
/* Returns the position of an operation among those of the diagram, from 0; -1 if there is none of that id. */
int heddle_diagram_index_of_operation (const HeddleDiagram *self, const char *id);
/* Whether @value_id is made, at whatever distance, of what an array read (a reindexing) makes. */
gboolean heddle_diagram_follows_read (const HeddleDiagram *self, const char *value_id);
/* The value whose statement @operation_id belongs to. */
const char *heddle_diagram_statement_of (const HeddleDiagram *self, const char *operation_id);
/* The operations of a named (or output) value's statement: its producer and the producers of the unnamed values that it alone
 * reads, once, recursively; in order. Transfer container, of HeddleOperation. An unnamed value read more than once is a statement
 * of its own (it prints as t1). */
GPtrArray *heddle_diagram_statement_operations (const HeddleDiagram *self, const char *value_id);
/* The data type a value has where it is stored: declared, or the widest of its operands', which is f16 where numbers of 8 bits are computed with and not only
 * moved; or @fallback. */
HeddleDtype heddle_diagram_dtype (const HeddleDiagram *self, const char *value_id, HeddleDtype fallback);

G_END_DECLS
