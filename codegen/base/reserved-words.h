/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns whether @name is a keyword of C or C++, or a macro of the headers that launchers include. */
gboolean heddle_reserved_words_is_keyword (const char *name);
/* Returns whether the C library or CUDA declares a function called @name. */
gboolean heddle_reserved_words_is_library_function (const char *name);
