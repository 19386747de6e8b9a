/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "diagram/base/problem.h"
#include "diagram/check/private.h"

/* This file reports problems of a diagram that is being checked. */

/* Reports a problem of the object, with a formatted message. Takes @remedy, which may be NULL. */
void heddle_check_report (HeddleCheck *self, HeddleSeverity severity, const char *object_id, char *remedy,
    const char *format, ...) G_GNUC_PRINTF (5, 6);
