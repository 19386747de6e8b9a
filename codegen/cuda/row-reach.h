/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/cuda/row-printer.h"
#include "derive/program/loop-program.h"

/* This file prints statements along a row that read around their element: rows at indices, windows, shifted
 * columns. No thread holds what they read. */

/* Prints the statement @node. Where terms are outside of their arrays, an element is what it begins with: 0,
 * or the unit of the sum. */
void heddle_row_reach_print (HeddleRowPrinter *self, const HeddleNode *node);
