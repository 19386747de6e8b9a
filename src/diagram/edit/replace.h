/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Puts @replacement (read from equations) in place of the diagram: objects that are still there by name keep
 * their ids, so labels and nudges stay with them; labels whose axis or operations are gone are removed. */
void heddle_edit_replace_diagram (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleDiagram *replacement /* taken */);
