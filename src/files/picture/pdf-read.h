/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Returns whether a file is a PDF, by how it begins. */
gboolean heddle_pdf_is (const char *data, gsize length);
/* Returns the document that a PDF was exported from, which heddle_pdf_write () puts into its keywords
 * (transfer full). Nothing in @data is trusted; what is wrong is added to @problems. NULL means that it holds
 * no source, that another program has packed it, or that it is wrong. */
HeddleSnapshot *heddle_pdf_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);
