/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"

/* Turns reads of products that the way back has added into products of reads. */
void heddle_reverse_slide_reads (HeddleReverse *self);
