/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The canonical text of a diagram, without the definitions that it calls, and with them. Newly allocated. */
char *heddle_equations_write (const HeddleDiagram *diagram);
char *heddle_equations_write_snapshot (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram);

G_END_DECLS
