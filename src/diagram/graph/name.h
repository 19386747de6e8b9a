/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns whether @name can name an axis or a value in equations: it must follow NAME of the grammar and be
 * neither a function nor a word of the language. If it cannot, @why (newly allocated) is a sentence for a
 * person. */
gboolean heddle_name_is_valid (const char *name, char **why);
