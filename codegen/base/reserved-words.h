/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Tells whether C or C++ has the word for itself, or as a macro of the headers that launchers include. */
gboolean heddle_names_is_word (const char *name);
/* Tells whether the C library or CUDA has a function of that name. */
gboolean heddle_names_is_library_function (const char *name);

G_END_DECLS
