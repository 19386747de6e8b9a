/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

typedef enum
{
  HEDDLE_DIAGRAM_ERROR_SYNTAX,
  HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL,
  HEDDLE_DIAGRAM_ERROR_TYPE, /* axes or data types do not fit */
  HEDDLE_DIAGRAM_ERROR_SIZE, /* a size is missing, not whole, not positive, too large or contradicts another */
  HEDDLE_DIAGRAM_ERROR_INVALID, /* the edit or the diagram makes no sense */
  HEDDLE_DIAGRAM_ERROR_LIMIT, /* too deep, too many, too large */
  HEDDLE_DIAGRAM_ERROR_INPUT, /* an input array is missing or does not fit */
  HEDDLE_DIAGRAM_ERROR_UNSUPPORTED, /* right, but not to be said in the present language */
} HeddleDiagramError;

#define HEDDLE_DIAGRAM_ERROR (heddle_diagram_error_quark ())
/* Returns the domain of HeddleDiagramError. */
GQuark heddle_diagram_error_quark (void);
