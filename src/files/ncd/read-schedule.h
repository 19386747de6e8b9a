/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "files/ncd/private.h"

/* Reads a <schedule> of a diagram into the snapshot: machine, type, regions, labels. Errors are reported with
 * their places. */
void heddle_ncd_read_schedule (HeddleNcdReader *self, xmlNode *node);
/* Reads the presentation of a diagram into the snapshot. Errors are reported with their places. */
void heddle_ncd_read_presentation (HeddleNcdReader *self, xmlNode *node);
