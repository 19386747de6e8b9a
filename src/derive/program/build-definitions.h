/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"

G_BEGIN_DECLS

void heddle_builder_emit_definitions (HeddleBuilder *self);

G_END_DECLS
