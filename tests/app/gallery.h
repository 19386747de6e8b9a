/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/window/window.h"

typedef struct
{
  const char *name;
  void (*show) (const char *name);
} GalleryState;

/* gallery-more.c; ends with one without a name. */
extern const GalleryState gallery_more[];

/* Lets what is under way come to rest. */
void gallery_wait (GtkWidget *widget);
void gallery_take (GtkWidget *window, const char *name);
HeddleWindow *gallery_open (const char *file);
HeddleWindow *gallery_open_attention (void);
/* The toplevel that came after the window. */
GtkWidget *gallery_find_dialog (GtkWidget *window);
/* Waits for it, takes it and closes it. */
void gallery_take_dialog (HeddleWindow *window, const char *name);
void gallery_act (HeddleWindow *window, const char *action);
const char *gallery_softmax_of (HeddleWindow *window);
