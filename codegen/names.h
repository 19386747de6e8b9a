/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/codegen.h"

G_BEGIN_DECLS

/* Identifiers of generated code for the names of a diagram: "\bar x" becomes bar_x, and no two things share one. */
typedef struct _HeddleNames HeddleNames;

HeddleNames *heddle_names_new (const HeddleDiagram *diagram, const HeddleLoopProgram *program);
void heddle_names_free (HeddleNames *self);
/* The identifier of an axis (its size is that name), a value (its global array) or a buffer. */
const char *heddle_names_axis (HeddleNames *self, const char *axis_id);
const char *heddle_names_value (HeddleNames *self, const char *value_id);
const char *heddle_names_buffer (HeddleNames *self, guint buffer);
/* @text as a C identifier, before it is made unique. Newly allocated. */
char *heddle_c_identifier (const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleNames, heddle_names_free)

G_END_DECLS
