/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether C or C++ has the word for itself, or as a macro of the headers that launchers include. */
gboolean heddle_names_is_word (const char *name);
/* Whether the C library or CUDA has a function of that name. */
gboolean heddle_names_is_library_function (const char *name);

G_END_DECLS
