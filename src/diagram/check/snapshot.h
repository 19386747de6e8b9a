/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Checks all diagrams, their schedules and presentations, however wrong they are, and the calls between
 * them. Every diagram but the first is a definition: what nobody calls is checked too, but sizes may be
 * left to those who call. The caller owns the array (of HeddleProblem); it is empty if nothing is wrong. */
GPtrArray *heddle_check_snapshot (const HeddleSnapshot *snapshot);
