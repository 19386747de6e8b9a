/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns the domain of the errors of the PTX interpreter, HEDDLE_PTX_ERROR; the codes are those of
 * HeddlePtxError. */
GQuark heddle_ptx_error_quark (void);
