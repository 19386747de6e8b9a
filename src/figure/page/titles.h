/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/layout/figure-spec.h"
#include "figure/scene/scene.h"

/* The words for a figure are made here from the diagram's names and written into the scene. */

/* Gives a name in words to the figure and to all that its items stand for. */
void heddle_scene_title_objects (HeddleScene *scene, const HeddleFigure *figure);
