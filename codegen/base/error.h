/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* The domain of all errors of code generation; their codes are in codegen.h. */

/* Returns the domain of the errors of code generation, HEDDLE_CODEGEN_ERROR; the codes are those of
 * HeddleCodegenError. */
GQuark heddle_codegen_error_quark (void);
