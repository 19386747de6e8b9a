/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* A label is the name by which a value without a name is shown, `t1`, `t2` and so on. Its number is in the id that the
 * value got when it was made, so that it stays when another value gets a name, is added or goes, and a text that was
 * read is written with the labels that it had. Only values with other ids are numbered in order. */

/* Returns the labels of all unnamed values among @values, of HeddleValue, by id, newly allocated; none is a key of
 * @value_names or @axis_names. */
GHashTable *heddle_label_values (const GPtrArray *values, GHashTable *value_names, GHashTable *axis_names);
