/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GQuark heddle_ptx_error_quark (void);

G_END_DECLS
