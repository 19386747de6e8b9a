/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* One quantity of an accounting: what is counted, as an expression over sizes (d), labels (g_q, s_x), the
 * machine (sms, clock, registers …), the kernel (step_bytes, flops …) and the quantities before it. */
typedef struct
{
  const char *name; /* interned; what later quantities call it */
  char *title, *unit;
  char *text; /* the expression as the file has it */
  HeddleExpr *value;
  gboolean result; /* what the accounting is for, rather than what it counts */
  double number; /* once evaluated */
} HeddleQuantity;

/* The origin of a figure that the machine's and the diagram's own numbers do not give. */
typedef enum
{
  HEDDLE_ACCOUNTING_DERIVED, /* counted from sizes and rates */
  HEDDLE_ACCOUNTING_CALIBRATED, /* with a number fitted to what was measured: no prediction */
} HeddleAccountingKind;

/**
 * HeddleAccounting: what is counted to come to a figure, read from a key file in data/accounting/ or the user's own, so that anyone can see it and
 * count otherwise.
 */
typedef struct
{
  char *name, *title, *source, *note;
  HeddleAccountingKind kind;
  GPtrArray *quantities; /* of HeddleQuantity, in the order of the file */
} HeddleAccounting;

/* Returns a new accounting; @name is a file in the folder "accounting" of the data directory or the user's,
 * or a path. Returns %NULL with %HEDDLE_DERIVE_ERROR_MACHINE, which names file and line, if it cannot be
 * read. */
HeddleAccounting *heddle_accounting_find (const char *name, GError **error);
/* Frees the accounting with its quantities; NULL is allowed. */
void heddle_accounting_free (HeddleAccounting *self);
/* Sets the quantity @name to @number in place of its expression. Returns %FALSE with an error if there is
 * none of that name. */
gboolean heddle_accounting_set (HeddleAccounting *self, const char *name, double number, GError **error);
/* Evaluates all quantities. @kernel: priced on @machine. Error: %HEDDLE_DERIVE_ERROR_LABEL naming a symbol
 * that is not known. */
gboolean heddle_accounting_evaluate (HeddleAccounting *self, const HeddleDiagram *diagram,
    const HeddleSizes *sizes, const HeddleMachine *machine, const HeddleKernel *kernel, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleAccounting, heddle_accounting_free)
