/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/check/check.h"

G_BEGIN_DECLS

/* More would make drawing and checking slow without meaning anything. */
#define HEDDLE_MAX_RANK 64
#define HEDDLE_MAX_OPERANDS 256
#define HEDDLE_MAX_OBJECTS 1000000

typedef struct
{
  const HeddleDiagram *diagram;
  GPtrArray *problems; /* of HeddleProblem */
  gboolean open_sizes; /* those that are not given here may come from what calls it, or from what it calls */
} HeddleCheck;

/* @remedy: (transfer full) or NULL */
void heddle_check_report (HeddleCheck *self, HeddleSeverity severity, const char *object_id, char *remedy,
    const char *format, ...) G_GNUC_PRINTF (5, 6);

/* The problems of a diagram on its own. */
GPtrArray *heddle_check_as (const HeddleDiagram *diagram, gboolean open_sizes);
/* Its operands, axes, body and result against the signature of its row. */
void heddle_check_operation (HeddleCheck *self, const HeddleOperation *operation);

/* Every call of a document against what it calls; whether definitions call themselves; and, where nothing is wrong and the diagrams on
 * their own are @whole, what the first diagram comes to. */
void heddle_check_calls (const HeddleSnapshot *snapshot, gboolean whole, GPtrArray *problems);

/* The same of a CONCAT, a SCAN or a SELECT, whose operands exist. */
void heddle_check_form (
    HeddleCheck *self, const HeddleOperation *operation, const HeddleValue *result, const char *label);

/* "x, y"; "no axis" when there is none. Unknown ids are shown as they are. Newly allocated. */
char *heddle_axes_to_string (const HeddleDiagram *diagram, const GArray *axes);
/* The ids of the axes that a value has or whose size something uses. Transfer full. */
GHashTable *heddle_diagram_used_axes (const HeddleDiagram *diagram);
const char *heddle_axis_name (const HeddleDiagram *diagram, const char *axis_id);

G_END_DECLS
