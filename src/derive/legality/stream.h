/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/legality/private.h"
#include "derive/legality/refusal.h"
#include "derive/stream/stream.h"
#include "diagram/graph/diagram.h"

/* Refusals of streaming an axis: the obstacles that the plan of a stream meets, put into words. */

G_BEGIN_DECLS

/* Returns the name of the axis in question as the diagram has it; the text is owned by the diagram. */
const char *heddle_question_axis_name (const HeddleQuestion *question);
/* Returns what an operation (id) is and what it makes, newly allocated: "Softmax P". */
char *heddle_question_describe (const HeddleDiagram *diagram, const char *operation_id);
/* Returns in words what definition number @i of the region comes from, newly allocated: its operation, or,
 * of an input, its name. */
char *heddle_question_describe_definition (const HeddleQuestion *question, guint i);
/* Makes a wider kernel, which has no such obstacle, the remedy; nothing where none is found. */
void heddle_question_add_fusion (
    const HeddleQuestion *question, const HeddleObstacle *obstacle, HeddleRefusal *refusal);
/* Returns a new refusal that says why the axis may not stream; NULL means that it may. */
HeddleRefusal *heddle_question_check_stream (const HeddleQuestion *question);

G_END_DECLS
