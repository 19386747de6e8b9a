/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/machine.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* This file prints what a kernel costs beyond what its labels say: how H depends on the memory, what each
 * level of a hierarchy takes, the energy. */

/* Adds the keys "form" and "energy" to the object begun. */
void heddle_form_json (JsonBuilder *json, const HeddleDiagram *diagram, const HeddleMachine *machine,
    const HeddleKernel *kernel);
/* Prints the closed form of the transfer of a kernel on the standard output, with @hierarchy also what
 * each memory level takes, and the energy on a real machine. It prints nothing if the kernel has no form. */
void heddle_form_print (const HeddleDiagram *diagram, const HeddleMachine *machine,
    const HeddleKernel *kernel, gboolean hierarchy);
