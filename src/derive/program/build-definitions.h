/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"

/* Adds the statements of all definitions that are needed, in the plan's order: before the loop, in its step,
 * and after it. States of a split program are saved in parts, others are completed here. */
void heddle_builder_emit_definitions (HeddleBuilder *self);
