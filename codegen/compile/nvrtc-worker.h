/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Is that process, until its standard input ends: what main() does for HEDDLE_NVRTC_WORKER. Returns the exit status; not 0: NVRTC is not on this
 * machine. */
int heddle_nvrtc_work (void);

G_END_DECLS
