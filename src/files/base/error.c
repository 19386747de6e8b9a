/* SPDX-License-Identifier: MIT */
#include "files/base/files.h"

G_DEFINE_QUARK (heddle - files - error - quark, heddle_files_error)
