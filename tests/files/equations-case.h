/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* The problems of a text, one line each: `LINE:COLUMN message`, warnings about what is not read left out. */
char *equations_problems (const char *text);
/* Reads a text that must be right; aborts with its problems otherwise. */
HeddleSnapshot *equations_read (const char *text);
/* The canonical text of a text that must be right. */
char *equations_canonical (const char *text);
/* Writing and reading @diagram must give an isomorphic one, and writing that one the same text. */
void equations_assert_round_trip (const HeddleDiagram *diagram);
/* Asserts that a text is written as it is read, and that a file of it holds the same diagrams and is written alike again. */
void equations_assert_stays (const char *text);
