/* SPDX-License-Identifier: MIT */
#pragma once

#include "figure/scene/scene.h"

G_BEGIN_DECLS

GArray *heddle_scene_paginate (const HeddleScene *scene, double y, double height, double most);

G_END_DECLS
