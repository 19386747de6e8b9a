/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/problem.h"
#include "files/equations/private.h"

G_BEGIN_DECLS

/* Puts the place in a problem that was found elsewhere. */
void heddle_eq_place (const HeddleEqLine *line, guint column, HeddleProblem *problem);
/* @column in characters, from 1. */
void heddle_eq_error (HeddleEqLine *line, guint column, const char *format, ...) G_GNUC_PRINTF (3, 4);
void heddle_eq_warning (HeddleEqLine *line, guint column, const char *format, ...) G_GNUC_PRINTF (3, 4);

G_END_DECLS
