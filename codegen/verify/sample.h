/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"

/* Returns which blocks to run if one takes @each instructions and all together may take @most. Returns %NULL
 * for all of them, as for a kernel whose blocks do not divide its outputs. */
GArray *heddle_verify_sample (const HeddleVerifyLaunch *self, guint64 each, guint64 most);
/* Puts what should be there in place of what other blocks would have written; what the sample wrote there
 * goes into @result->detail. */
void heddle_verify_complete (HeddleVerifyLaunch *self, const GArray *sample, HeddleVerification *result);
