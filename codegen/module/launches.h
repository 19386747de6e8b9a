/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Returns the derivations of @texts (HeddleKernelText, in the order they run) and how each is started, as
 * comments for the head of PTX: in ASCII, as ptxas reads nothing else. Newly allocated. */
char *heddle_codegen_launches (
    const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes, HeddleDtype dtype);
