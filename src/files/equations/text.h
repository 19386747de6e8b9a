/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/reader.h"

G_BEGIN_DECLS

/* text -> statements */
void heddle_eq_read_text (HeddleEqReader *self, const char *text, gsize length);

G_END_DECLS
