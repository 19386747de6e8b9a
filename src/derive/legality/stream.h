/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/legality/private.h"
#include "derive/legality/refusal.h"
#include "derive/stream/stream.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

const char *heddle_question_axis_name (const HeddleQuestion *question);
/* "Softmax P": what the operation is and what it makes. */
char *heddle_question_describe (const HeddleDiagram *diagram, const char *operation_id);
char *heddle_question_describe_definition (const HeddleQuestion *question, guint i);
/* Makes a wider kernel, which has no such obstacle, the remedy; nothing where none is found. */
void heddle_question_add_fusion (
    const HeddleQuestion *question, const HeddleObstacle *obstacle, HeddleRefusal *refusal);
/* NULL: it may stream. */
HeddleRefusal *heddle_question_check_stream (const HeddleQuestion *question);

G_END_DECLS
