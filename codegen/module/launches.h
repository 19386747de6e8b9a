/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Returns the derivations of the kernels and how each is started, in comments. */
char *heddle_codegen_launches (
    const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes, HeddleDtype dtype);

G_END_DECLS
