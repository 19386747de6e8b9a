/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Returns the canonical text of a diagram, without the definitions that it calls; newly allocated, each line
 * ended by a newline. Reading it gives an isomorphic diagram. */
char *heddle_equations_write (const HeddleDiagram *diagram);
/* Returns the canonical text of @diagram after the definitions: for the first diagram of @snapshot all
 * others, for another those that it calls. Newly allocated, each line ended by a newline. */
char *heddle_equations_write_snapshot (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram);

G_END_DECLS
