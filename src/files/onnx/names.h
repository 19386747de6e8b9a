/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Takes @name in @names: the next one like it has a number after @last. */
void heddle_sketch_take_name (GHashTable *names, const char *name, guint last);
/* names.c: @raw as a name of the language that is not in @names (of names, with the last number that was given to one), to which it is added. */
char *heddle_sketch_choose_name (GHashTable *names, const char *raw);
/* The same, of names that are not in @kept (nullable) either: those are for others. */
char *heddle_sketch_choose_name_beside (GHashTable *names, GHashTable *kept, const char *raw);
/* The comment of what is called something else than in the model. */
char *heddle_onnx_comment (const char *raw);
/* What the parts of a parameter, one after another, are called in the model (heddle_onnx_raw_parts ()). */
char *heddle_onnx_comment_of_parts (const GPtrArray *raw);
/* What its parts were called, where they are arrays of the model one after another; of char *, transfer full. */
GPtrArray *heddle_onnx_raw_parts (const HeddleValue *value);
/* @comment (nullable, stolen) with where the value is made. */
char *heddle_onnx_comment_on_source (char *comment, const char *source);
/* What a value of such a diagram was called in the model. Newly allocated. */
char *heddle_onnx_raw_name (const HeddleValue *value);
/* The value of a diagram that has this name, or had it in the model. */
const HeddleValue *heddle_onnx_find_value (const HeddleDiagram *diagram, const char *raw);

G_END_DECLS
