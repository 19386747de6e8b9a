/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

/* Frees a #HeddleKernelParameter; a #GDestroyNotify. */
void heddle_kernel_parameter_free (gpointer data);

/* Frees @self and all that it owns; @self may be NULL. */
void heddle_kernel_text_free (HeddleKernelText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKernelText, heddle_kernel_text_free)
