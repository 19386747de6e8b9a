/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/base/files.h"

/* The source a picture carries begins with this; all before it is the drawing. */
#define HEDDLE_SVG_SOURCE_START                                                                              \
  "<metadata>\n<heddle:source xmlns:heddle=\"" HEDDLE_NCD_NAMESPACE "\" sha256=\""
