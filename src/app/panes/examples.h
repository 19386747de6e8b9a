/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The program brings examples with it: this says their names, and in which order people look for them. */

/* Paths of the shipped examples, those of a group beside each other: of char *, transfer full. */
GPtrArray *heddle_examples_list (void);
/* The proper name of an example, translated where it is words: "FP8 Attention" for ".../fp8-attention.ncd". Newly allocated. */
char *heddle_example_title (const char *path);
/* The group that an example stands in, translated: "Attention". What the program does not know stands in the last. */
const char *heddle_example_group (const char *path);
/* Returns whether all words of @query, whatever their case, are in an example's name or its group; TRUE
 * without words. */
gboolean heddle_example_matches (const char *path, const char *query);
