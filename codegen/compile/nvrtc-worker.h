/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Runs the worker process until its standard input ends: main() calls it for HEDDLE_NVRTC_WORKER. Returns the
 * exit status, which is not 0 if NVRTC is not on this machine. */
int heddle_nvrtc_work (void);
