/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/ptx/ptx.h"

/* One instruction, or a few, and what they make of some inputs. The letters of @widths are those of the registers
 * %d (the result), %a, %b, %c, %e: h for 16 bits, w for 32, x for 64. %p and %q are predicates, %t and %u registers
 * of 32 bits. */
typedef struct
{
  const char *code;
  const char *widths;
  guint64 inputs[4];
  guint64 expected;
} PtxCase;

guint64 ptx_case_run (const PtxCase *self, GError **error);
void ptx_case_check (const PtxCase *cases, guint n);
HeddlePtxModule *ptx_case_module (const char *parameters, const char *body);
gboolean ptx_case_launch (HeddlePtxModule *module, HeddlePtxMemory *memory, const HeddlePtxLaunch *config,
    const guint64 *arguments, guint n_arguments, HeddlePtxStats *stats, GError **error);
void ptx_case_assert_error (GError *error, int code, const char *const *words);
