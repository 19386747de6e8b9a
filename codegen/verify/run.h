/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"
#include "derive/kernel/derived-kernel.h"

G_BEGIN_DECLS

GPtrArray *heddle_verify_run (
    HeddleVerifyRun *run, const HeddleDerivation *derivation, HeddleVerifyOn on, GError **error);

G_END_DECLS
