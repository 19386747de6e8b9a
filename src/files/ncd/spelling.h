/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/ncd/parse.h"

/* Labels and prose are spelt with commands, of which some are known. */

/* Warns, at the place of @node, of the first command of the label @text that is not known, or of its environment. */
void heddle_ncd_check_label (HeddleNcdReader *self, xmlNode *node, const char *text);
/* Does so for prose, which holds mathematics between dollar signs. */
void heddle_ncd_check_prose (HeddleNcdReader *self, xmlNode *node, const char *text);
