/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns whether each object that the table of a PDF names stands where the table says (ISO 32000-1, 7.5.4);
 * TRUE for a PDF whose table is packed. */
gboolean heddle_pdf_is_whole (const char *data, gsize length);
