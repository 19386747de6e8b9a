/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

G_BEGIN_DECLS

/* Checks all diagrams, their schedules and presentations, however wrong they are, and the calls between
 * them. The caller owns the array (of HeddleProblem); it is empty if nothing is wrong. */
GPtrArray *heddle_check_snapshot (const HeddleSnapshot *snapshot);

G_END_DECLS
