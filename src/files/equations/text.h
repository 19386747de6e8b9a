/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/reader.h"

/* Reads a text into the reader's statements and the document's definitions, line by line. Text that is too
 * long or no UTF-8 is reported. */
void heddle_eq_read_text (HeddleEqReader *self, const char *text, gsize length);
