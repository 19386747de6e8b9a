/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Returns the document in @data, of which nothing is trusted (transfer full); what is wrong is added to
 * @problems with file, line and column. NULL means that its structure is wrong: XML, ids, references,
 * numbers. The meaning of a well-formed document is for heddle_check_snapshot () to judge; a newer major
 * version is read as far as it is understood, for reading only. */
HeddleSnapshot *heddle_ncd_read (const char *data, gsize length, const char *file_name, GPtrArray *problems);
