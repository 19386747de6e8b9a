/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"

G_BEGIN_DECLS

/* Turns reads of products that the way back has added into products of reads. */
void heddle_reverse_slide_reads (HeddleReverse *self);

G_END_DECLS
