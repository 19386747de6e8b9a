/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/kernel-audit.h"

/* Counts the instructions of the kernel @entry. Returns %FALSE if the cubin is of an unknown kind, or has no
 * such kernel. */
gboolean heddle_audit_read (GBytes *cubin, const char *entry, HeddleAudit *audit);
