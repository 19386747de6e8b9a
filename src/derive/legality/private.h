/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/region.h"
#include "diagram/document/schedule.h"

/* The question whether a region may have one more label beside those of the schedule. It owns nothing. */
typedef struct
{
  const HeddleRegionTerm *region;
  const HeddleSchedule *schedule;
  const char *axis;
  HeddleLabelKind kind;
} HeddleQuestion;
