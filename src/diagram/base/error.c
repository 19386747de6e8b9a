/* SPDX-License-Identifier: MIT */
#include "diagram/base/error.h"

G_DEFINE_QUARK (heddle - diagram - error - quark, heddle_diagram_error)
