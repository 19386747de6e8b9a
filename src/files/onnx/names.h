/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Takes @name in @names: the next one like it has a number after @last. */
void heddle_sketch_take_name (GHashTable *names, const char *name, guint last);
/* Returns @raw as a name of the language that is not in @names (of names, with the last number that was given
 * to one), and adds it there. */
char *heddle_sketch_choose_name (GHashTable *names, const char *raw);
/* Returns such a name that is not in @kept (nullable) either: those are for others. */
char *heddle_sketch_choose_name_beside (GHashTable *names, GHashTable *kept, const char *raw);
/* Returns the comment of a value whose name differs from that in the model. */
char *heddle_onnx_comment (const char *raw);
/* Returns the comment with the names in the model of a parameter's parts, one after another
 * (heddle_onnx_raw_parts ()). */
char *heddle_onnx_comment_of_parts (const GPtrArray *raw);
/* Returns the names of a parameter's parts, if they are arrays of the model one after another; of char *,
 * transfer full. */
GPtrArray *heddle_onnx_raw_parts (const HeddleValue *value);
/* Returns @comment (nullable, stolen) with the place at which the value is made. */
char *heddle_onnx_comment_on_source (char *comment, const char *source);
/* Returns the name that a value of such a diagram had in the model. Newly allocated. */
char *heddle_onnx_raw_name (const HeddleValue *value);
/* Returns the value of a diagram that has this name, or had it in the model. */
const HeddleValue *heddle_onnx_find_value (const HeddleDiagram *diagram, const char *raw);
