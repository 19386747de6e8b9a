/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

/* Overprint is what a reader sees at once and its author easily misses: texts over one another, texts that something
 * covers, and wires that run through texts. It is found by the ink of letters, not by their lines' heights. */

/* Adds to @problems, which hold HeddleProblem, at most one warning of each sort, with what would mend it. */
void heddle_scene_check_overprint (const HeddleScene *scene, GPtrArray *problems);
