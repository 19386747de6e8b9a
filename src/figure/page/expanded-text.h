/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "figure/page/expanded-private.h"

G_BEGIN_DECLS

char *heddle_expanded_axis_name (const HeddleExpanded *self, const char *axis);
/* As mathematics is set: products by dots, powers raised, infinity by its sign. */
char *heddle_expanded_typeset (const char *plain);
/* NULL: it only moves an array. */
char *heddle_expanded_statement_text (const HeddleExpanded *self, const HeddleNode *node);
/* 128 × 64: of one tile */
char *heddle_expanded_shape_text (const HeddleExpanded *self, const HeddleBuffer *buffer);

G_END_DECLS
