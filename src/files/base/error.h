/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Returns the error domain of this room, HEDDLE_FILES_ERROR; codes are of HeddleFilesError. */
GQuark heddle_files_error_quark (void);
