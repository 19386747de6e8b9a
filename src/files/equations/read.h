/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/reader.h"

G_BEGIN_DECLS

/* statements -> diagram */
void heddle_eq_read_meaning (HeddleEqReader *self);

G_END_DECLS
