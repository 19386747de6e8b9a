/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/report/forecast.h"
#include <glib.h>

/* Quantities for people; newly allocated. */
/* Returns a number with so many significant digits, without zeros at the end and never with an exponent:
 * "1820", "0.35", "5.5". */
char *heddle_format_number (double value, int digits);
char *heddle_format_bytes (double bytes); /* "112.8 KiB" */
char *heddle_format_count (double count); /* "34.6 M" */
char *heddle_format_seconds (double seconds); /* "0.42 ms" */
char *heddle_format_rate (double bytes_per_s); /* "3.35 TB/s" */
const char *heddle_format_unit (const char *unit); /* "tensor" -> "Tensor", "dram" -> "GMEM"; translated */
/* Returns in a few words, translated and newly allocated, what the time of a forecast is limited by: "L2-bound" where a unit is the largest part
 * of it, else that part, such as "24 % of the SMs are busy". */
char *heddle_format_limit (const HeddleForecast *forecast);
const char *heddle_format_place (
    const char *title); /* of a level or a link, as in a machine's file; translated where it is ours */

char *heddle_format_memory (double amount, gboolean in_values); /* bytes, or values on the abstract machine */
/* Gives a text as it is searched in, whatever the case of its letters and the marks they are composed of; newly allocated. */
char *heddle_fold_case (const char *text);
