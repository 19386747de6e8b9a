/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Gives sizes to axes of @diagram, made from @before, that have lost what said how long they are. */
void heddle_sizes_keep (HeddleDiagram *diagram, const HeddleDiagram *before);
