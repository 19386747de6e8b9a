/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/kernel-audit.h"

G_BEGIN_DECLS

/* Counts what the kernel @entry is made of. %FALSE: the cubin is not of a kind that is known, or has no such kernel. */
gboolean heddle_audit_read (GBytes *cubin, const char *entry, HeddleAudit *audit);

G_END_DECLS
