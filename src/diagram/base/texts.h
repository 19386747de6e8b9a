/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Compares two elements of an array of texts, for g_ptr_array_sort (). */
int heddle_texts_compare (gconstpointer a, gconstpointer b);
