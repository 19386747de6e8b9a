/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/onnx/fold-private.h"

/* Frees a run with its siblings; it borrows the diagram. */
void heddle_run_free (HeddleRun *self);
/* Returns the next run of @diagram, those of outer modules first; NULL if there is none. @modules maps the id
 * of an operation to its module. */
HeddleRun *heddle_run_find (const HeddleDiagram *diagram, GHashTable *modules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRun, heddle_run_free)
