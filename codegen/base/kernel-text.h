/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"

G_BEGIN_DECLS

/* Frees a #HeddleKernelParameter; a #GDestroyNotify. */
void heddle_kernel_parameter_free (gpointer data);
void heddle_kernel_text_free (HeddleKernelText *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleKernelText, heddle_kernel_text_free)

G_END_DECLS
