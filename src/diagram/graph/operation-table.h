/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/expression/expr.h"

/* An associative, commutative way to combine, with its unit. */
typedef enum
{
  HEDDLE_MONOID_SUM,
  HEDDLE_MONOID_PROD,
  HEDDLE_MONOID_MAX,
  HEDDLE_MONOID_MIN,
} HeddleMonoid;

/* Returns the unit of the monoid, which is the reduction of no points: 0, 1, -inf or inf. */
double heddle_monoid_unit (HeddleMonoid monoid);
/* Returns @a and @b combined in IEEE double. */
double heddle_monoid_combine (HeddleMonoid monoid, double a, double b);
/* Returns the name of a monoid, which is static: "sum", "prod", "max" or "min". */
const char *heddle_monoid_to_string (HeddleMonoid monoid);

/* The form of an operation: what it does with its core axes. */
typedef enum
{
  HEDDLE_FORM_MAP, /* no core axis: a scalar function of any number of operands; the body is the operation's own */
  HEDDLE_FORM_CONTRACT, /* sum over core axes of the product of two or more operands */
  HEDDLE_FORM_REDUCE, /* one operand; the core axes go */
  HEDDLE_FORM_NORMALISE, /* one operand; the core axes stay */
  HEDDLE_FORM_REINDEX, /* operand 0 read at index expressions over the result's axes and the whole numbers that the others hold */
  HEDDLE_FORM_CONCAT, /* operands one after the other along the core axis, in the place of an axis that each has of its own */
  HEDDLE_FORM_SCAN, /* a state carried along the core axis, which stays: the state after each point */
  HEDDLE_FORM_SELECT, /* where along the first core axis the largest are, in order along the second */
  HEDDLE_FORM_CALL, /* another diagram of the document; one or more results */
} HeddleOperationForm;

/* One reduction of a row's meaning: variable `name` = monoid over the core axes of `body`. The body may use
 * $0 (the operand's value at the point), variables of earlier stages, option names, n (the number of points
 * reduced) and place (which of them the point is). */
typedef struct
{
  const char *name;
  HeddleMonoid monoid;
  const char *body;
  const char *title; /* in words, for the inspector: "running maximum" */
} HeddleStageRow;

/* One reduction of a row's derivative, read as the rows above are: its body may use x (the operand), y (the
 * result), dy (the result's cotangent), earlier ones, option names and n. */
typedef struct
{
  const char *name;
  HeddleMonoid monoid; /* SUM or PROD */
  const char *body;
} HeddleDerivativeRow;

/* The step of a SCAN's state, which begins at 0: state = factor * state + term, both of $0 … alone; factor is
 * 1 or an operand. */
typedef struct
{
  const char *factor, *term;
} HeddleScanRow;

#define HEDDLE_SCAN_OPERANDS 2
#define HEDDLE_MAX_STAGES 4
#define HEDDLE_MAX_OPTIONS 2

/* One row of the operation table: all that is known of an operation, as data. */
typedef struct
{
  const char *id; /* in files and equations: "softmax" */
  const char *title; /* N_() "Softmax" */
  const char *group; /* palette group: N_() "Reduce and normalise" */
  HeddleOperationForm form;
  guint min_operands, max_operands; /* max 0: any number */
  HeddleStageRow stages[HEDDLE_MAX_STAGES]; /* ends at name == NULL */
  const char *
      result; /* the result in terms of $0 and the stages; NULL for MAP, CONTRACT, REINDEX (their own data says it) */
  HeddleScanRow scan; /* of a SCAN */
  gboolean whole; /* the result is places: whole numbers, which have no derivative */
  HeddleDerivativeRow derivative[HEDDLE_MAX_STAGES]; /* ends at name == NULL */
  const char
      *cotangent; /* the operand's cotangent in terms of x, y, dy and `derivative`; NULL where `result` is */
  struct
  {
    const char *name; /* "eps" */
    double value; /* when not given */
  } options[HEDDLE_MAX_OPTIONS];
  const char *glyph; /* key of the glyph drawn by the figure room: "softmax", "cup", … */
  const char *fill; /* style class of the box's fill: "softmax", "contraction", … or NULL */
  const char *keywords; /* for the palette's search */
} HeddleOperationKind;

/* Returns all kinds of operations in the order of the palette, and their number in @n_rows. The table is
 * static. */
const HeddleOperationKind *heddle_operation_table (guint *n_rows);
/* Returns the row of the operation that files and equations call @id, which is static; NULL where there is
 * none. */
const HeddleOperationKind *heddle_operation_kind (const char *id);
