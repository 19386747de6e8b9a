/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Returns the canonical text of a document, newly allocated, and gives its @length in bytes (or NULL); the same
 * document gives the same bytes. NULL means that @error is HEDDLE_FILES_ERROR_READ_ONLY: the document came from a
 * newer major version. */
char *heddle_ncd_write (const HeddleSnapshot *snapshot, gsize *length, GError **error);
