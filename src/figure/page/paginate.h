/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

/* Pages for figures that are higher than the paper. The scene is not changed; only places to cut are found. */

/* Cuts a figure that begins at @y and is @height px high into pages of at most @most px, each at least half full,
 * where least is cut through: between lines of a wrapped diagram, between steps. Returns doubles, where each page
 * begins and last where the figure ends; the caller owns the array. */
GArray *heddle_scene_paginate (const HeddleScene *scene, double y, double height, double most);
