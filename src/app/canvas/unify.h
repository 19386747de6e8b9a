/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/canvas/canvas.h"

G_BEGIN_DECLS

/* Asks whether axis @from is @into; @reason: why they do not contract. */
void heddle_canvas_offer_to_unify (
    HeddleCanvas *self, const char *from, const char *into, const char *reason);

G_END_DECLS
