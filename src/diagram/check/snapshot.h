/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

G_BEGIN_DECLS

GPtrArray *heddle_check_snapshot (const HeddleSnapshot *snapshot);

G_END_DECLS
