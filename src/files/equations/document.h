/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/equations/reader.h"

/* Reads a diagram and its definitions from equations in UTF-8, @length bytes or up to a NUL if it is -1;
 * @file_name is for messages and for the diagram's name. A statement that is wrong does not keep those
 * after it from being checked: all problems found are appended to @problems (of HeddleProblem). Returns the
 * snapshot (transfer full); NULL means that a problem is an error. */
HeddleSnapshot *heddle_equations_read (
    const char *text, gssize length, const char *file_name, GPtrArray *problems);
