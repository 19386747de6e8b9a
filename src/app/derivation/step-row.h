/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

#include "derive/report/forecast.h"

/* Steps are rows of a list. They stay from one frame of a drag to the next, and only their words change. */

typedef enum
{
  HEDDLE_STEP_PAST,
  HEDDLE_STEP_NOW,
  HEDDLE_STEP_SUGGESTED,
} HeddleStepBadge;

/* "34.6 M moved", or what stands against the step. Newly allocated. */
char *heddle_step_describe (const HeddleForecast *forecast, HeddleStepBadge badge);

/* Makes the row in place @place, from 0, show step @number; where it was for another, it and those after it
 * are made anew. @forecast is NULL while it is being computed. */
void heddle_step_rows_put (GtkListBox *list, guint place, guint number, const char *title,
    const HeddleForecast *forecast, HeddleStepBadge badge);
/* There are no more than @place rows. */
void heddle_step_rows_end (GtkListBox *list, guint place);
/* Returns the row's title with what it says of the price, newly allocated. */
char *heddle_step_row_describe (GtkListBoxRow *widget);
/* Returns the title of the step that @row tells of, owned by the row. */
const char *heddle_step_row_get_title (GtkListBoxRow *row);
