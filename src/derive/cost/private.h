/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/program/loop-program.h"

/* A statement, which its program owns, and whether it is in the stream of the level that is priced. */
typedef struct
{
  const HeddleNode *node;
  gboolean streamed;
} HeddleCostPlace;
