/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file describes how values that kernels make for one another are laid out in memory, if not as the
 * diagram draws them. */

/* Returns a new array of HeddleValue, owned by the derivation: what @kernel makes for others and lays out in
 * memory with its axes in another order than in @diagram; the axes of these values have that order. */
GPtrArray *heddle_derivation_laid_values (
    const HeddleDerivation *self, const HeddleDiagram *diagram, const HeddleKernel *kernel);
/* Returns those as text, "Q[h,y,k], K[h,x,k]", newly allocated; NULL where there are none. */
char *heddle_derivation_layout_text (
    const HeddleDerivation *self, const HeddleDiagram *diagram, const HeddleKernel *kernel);

/* Makes @schedule say how values of @diagram are laid out in the derivation, with the labels of the kernels
 * that copy inputs. */
void heddle_derivation_write_layouts (
    const HeddleDerivation *self, const HeddleDiagram *diagram, HeddleSchedule *schedule);
