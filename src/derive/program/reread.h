/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"

/* Adds the reads of values that the tiling says are read again. Must be called after the loads are added. */
void heddle_builder_apply_rereads (HeddleBuilder *self);
