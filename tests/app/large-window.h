/* SPDX-License-Identifier: MIT */
#pragma once

#include "robot.h"
#include "app/editor/editor.h"
#include "app/window/window.h"
#include "diagram/document/schedule.h"

/* A window with a diagram that takes longer than a frame to lay out and to draw. */

/* The path of a file with a network of 1,200 operations, in a folder of its own, for: */
char *write_file (void);
void remove_file (char *path);
HeddleEditor *editor_of (HeddleWindow *window);
/* Till no worker is at anything that it shows. */
void wait_for_all (HeddleWindow *window);
/* (transfer full): the schedule with that axis (its number in the diagram) grouped in shared memory. */
HeddleSchedule *label_axis (HeddleEditor *editor, guint axis);
