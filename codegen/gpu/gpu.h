/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/base/codegen.h"
#include "codegen/ptx/ptx.h"

/* The GPU of this machine, by NVIDIA's driver, which is opened at run time. One thread at a time. */
typedef struct _HeddleGpu HeddleGpu;
/* A kernel on it. */
typedef struct _HeddleGpuKernel HeddleGpuKernel;

/* Opens the first GPU. Fails with %HEDDLE_CODEGEN_ERROR_MISSING if there is no driver or no GPU. */
HeddleGpu *heddle_gpu_open (GError **error);

/* Frees all memory, marks and the context of the GPU, and @self, which may be NULL. Kernels must have been
 * freed before. */
void heddle_gpu_close (HeddleGpu *self);
const char *heddle_gpu_get_name (const HeddleGpu *self); /* "NVIDIA H100 80GB HBM3" */
gint64 heddle_gpu_get_cache_bytes (const HeddleGpu *self); /* of the L2 */

/* Asks the driver for an attribute of the GPU, by the number of a CUdevice_attribute. */
gboolean heddle_gpu_ask (const HeddleGpu *self, int attribute, int *value, GError **error);
/* Asks how much memory the GPU has, and how much of it is free. */
gboolean heddle_gpu_ask_memory (const HeddleGpu *self, gsize *free_bytes, gsize *bytes, GError **error);
int heddle_gpu_get_driver (const HeddleGpu *self); /* 13000: of CUDA 13.0; 0: it does not say */

/* Allocates memory of the GPU and returns its address; 0 with an error. All of it is freed when the GPU is
 * closed. */
guint64 heddle_gpu_allocate (HeddleGpu *self, gsize bytes, GError **error);

/* Frees the memory at @address, which heddle_gpu_allocate () returned. Returns FALSE with the driver's
 * error. */
gboolean heddle_gpu_release (HeddleGpu *self, guint64 address, GError **error);

/* Copies @bytes from @data of the host to @address, and waits for it. Returns FALSE with the driver's error. */
gboolean heddle_gpu_write (HeddleGpu *self, guint64 address, gconstpointer data, gsize bytes, GError **error);

/* Copies @bytes at @address to @data of the host, after what was launched before. Returns FALSE with the
 * driver's error. */
gboolean heddle_gpu_read (HeddleGpu *self, guint64 address, gpointer data, gsize bytes, GError **error);

/* Sets each of @bytes at @address to @byte. Returns FALSE with the driver's error. */
gboolean heddle_gpu_fill (HeddleGpu *self, guint64 address, guint8 byte, gsize bytes, GError **error);

/* Writes the tensor map that describes an array of 16-bit elements to the copy hardware: 128 bytes, aligned
 * to 64. */
gboolean heddle_gpu_make_map (HeddleGpu *self, const HeddlePtxTensorMap *map, guint8 *bytes, GError **error);

/* Loads what was compiled for this GPU: its own code if that runs here, else its PTX, which the driver
 * compiles. Fails with %HEDDLE_CODEGEN_ERROR_UNSUPPORTED if the kernel is for another architecture. */
HeddleGpuKernel *heddle_gpu_load (
    HeddleGpu *self, const HeddleKernelText *text, const HeddleCompilation *compilation, GError **error);

/* Unloads the kernel from its GPU, which must still be open, and frees @self, which may be NULL. */
void heddle_gpu_kernel_free (HeddleGpuKernel *self);
/* Starts it on so many blocks: @arguments has an address of each argument's value. */
gboolean heddle_gpu_launch (
    HeddleGpu *self, HeddleGpuKernel *kernel, guint blocks, void **arguments, GError **error);

/* Waits until all that was launched is done. Returns FALSE with the driver's error, which may be a fault of an
 * earlier kernel. */
gboolean heddle_gpu_wait (HeddleGpu *self, GError **error);
/* Notes under the number @mark the time when what was launched before it is done. Returns FALSE with the
 * driver's error. */
gboolean heddle_gpu_mark (HeddleGpu *self, guint mark, GError **error);

/* Puts the seconds from mark @first to mark @second by the GPU's clock into @seconds; both must have passed
 * (heddle_gpu_wait ()). Returns FALSE with the driver's error. */
gboolean heddle_gpu_between (HeddleGpu *self, guint first, guint second, double *seconds, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleGpu, heddle_gpu_close)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleGpuKernel, heddle_gpu_kernel_free)
