/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The ways in which a kernel goes along the axis it streams. */
typedef enum
{
  HEDDLE_STREAM_NONE, /* nothing streams */
  HEDDLE_STREAM_MAP, /* chunks do not know of one another */
  HEDDLE_STREAM_MONOID, /* states that can be merged: the axis may be split over groups */
  HEDDLE_STREAM_MACHINE, /* states that are carried in order only */
} HeddleStreamKind;
