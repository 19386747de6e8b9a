/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/cuda/rows.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"

/* This file prices what threads of kernels made of plain loops take beside the rates of the units: they
 * compute indices, and wait for what they read. */

/* Returns the seconds that a kernel of the general family takes so, were all multiprocessors busy all the
 * time. It has no products in registers: each statement is a loop of a block's threads over points, and the
 * terms of a sum come one after another. */
double heddle_plan_thread_seconds (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleMachine *machine);

/* Returns the seconds of the kernel that merges the parts of @program, several at a time; 0 if there is
 * none. */
double heddle_plan_merging_seconds (
    const HeddleLoopProgram *program, const HeddleSizes *sizes, const HeddleMachine *machine);

/* Returns the same of a kernel by rows: a block goes through its rows some at a time, and waits for each of
 * them. */
double heddle_plan_row_seconds (const HeddleLoopProgram *program, const HeddleRows *rows,
    const HeddleSizes *sizes, const HeddleMachine *machine);
