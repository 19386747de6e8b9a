/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/reader.h"

G_BEGIN_DECLS

/* Makes a diagram of the reader's statements: axes first, then statements in order, outputs last. Errors are reported
 * with their places. */
void heddle_eq_read_meaning (HeddleEqReader *self);

G_END_DECLS
