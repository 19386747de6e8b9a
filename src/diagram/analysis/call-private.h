/* SPDX-License-Identifier: MIT */
#pragma once

/* The limits of how often a definition may be repeated, and of how deep definitions may call others. */
#define HEDDLE_MAX_REPEAT 10000
#define HEDDLE_MAX_CALL_DEPTH 64
