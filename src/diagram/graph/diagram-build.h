/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

G_BEGIN_DECLS

/* The part of an id that stands for @name: its letters, digits, "_", "." and "-". */
char *heddle_id_from_name (const char *name);
/* An id of the shape "prefix.name" not yet in the diagram. */
const char *heddle_diagram_free_id (HeddleDiagram *self, const char *prefix, const char *name);
/* --- building --- @id NULL: derived from the name. The returned object is owned by the diagram and may be filled
 * in further until the diagram is next copied. Ids already taken get a suffix. */
HeddleAxis *heddle_diagram_add_axis (HeddleDiagram *self, const char *id, const char *name, HeddleExpr *size);
/* Adds a value over @axes (ids, copied), owned by the diagram. An @id of NULL is made from @name, and an
 * id that is taken gets a suffix; @name may be NULL. */
HeddleValue *heddle_diagram_add_value (HeddleDiagram *self, const char *id, const char *name,
    HeddleValueRole role, HeddleDtype dtype, const GArray *axes);
/* @result must be a value already added, without a producer. @position -1: at the end. */
HeddleOperation *heddle_diagram_add_operation (HeddleDiagram *self, const char *id,
    const HeddleOperationKind *kind, const GArray *operands, const char *result, const GArray *axes,
    int position);
/* --- changing --- objects are shared between copies: these return one that this diagram alone owns. Finish changing an
 * object before looking something up by name or by readers: those indices are rebuilt once after an edit_… call. Ids and an
 * operation's result never change. */
HeddleAxis *heddle_diagram_edit_axis (HeddleDiagram *self, const char *id);
/* Returns the value of that id to be changed, after copying it if other diagrams share it. The diagram
 * owns it; NULL means that there is none. */
HeddleValue *heddle_diagram_edit_value (HeddleDiagram *self, const char *id);
/* Returns the operation of that id to be changed, after copying it if other diagrams share it. The diagram
 * owns it; NULL means that there is none. */
HeddleOperation *heddle_diagram_edit_operation (HeddleDiagram *self, const char *id);
void heddle_diagram_remove (HeddleDiagram *self, const char *id); /* the object alone, of any kind */

G_END_DECLS
