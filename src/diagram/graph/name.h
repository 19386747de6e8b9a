/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether @name can name an axis or a value in equations: the NAME of the grammar, and no function's or word's. On %FALSE @why (newly
 * allocated) is a sentence for a person. */
gboolean heddle_name_is_valid (const char *name, char **why);

G_END_DECLS
