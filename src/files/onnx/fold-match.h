/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"
#include "files/onnx/fold-private.h"

G_BEGIN_DECLS

/* Frees a run with its siblings; it borrows the diagram. */
void heddle_run_free (HeddleRun *self);
/* fold-match.c: the next run of @diagram, those of outer modules first; NULL: there is none. @modules: id of an operation -> its module. */
HeddleRun *heddle_run_find (const HeddleDiagram *diagram, GHashTable *modules);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRun, heddle_run_free)

G_END_DECLS
