/* SPDX-License-Identifier: MIT */
#include "files/base/npy.h"
#include "files/base/open.h"
#include "files/onnx/model.h"
#include "files/onnx/tensor-file.h"
#include "files/onnx/tensor.h"
#include "files/onnx/wire.h"

/**
 * heddle_onnx_tensor_load:
 * @path: a file that is one TensorProto
 * @error: return location for errors of files, %HEDDLE_FILES_ERROR_FORMAT or _LIMIT
 *
 * Returns: (transfer full): its numbers
 */
HeddleArray *
heddle_onnx_tensor_load (const char *path, GError **error)
{
  g_autoptr (GMappedFile) file = heddle_file_map (path, error);
  g_autoptr (HeddleOnnxTensor) tensor = NULL;
  HeddleArray *array = NULL;
  HeddleWire wire;

  if (file == NULL)
    return NULL;
  heddle_wire_init (
      &wire, (const guint8 *) g_mapped_file_get_contents (file), g_mapped_file_get_length (file));
  tensor = heddle_onnx_tensor_parse (&wire, error);
  if (tensor != NULL)
    array = heddle_onnx_tensor_read (tensor, NULL, error);
  if (array == NULL)
    g_prefix_error (error, "%s: ", path);
  return array;
}

/**
 * heddle_array_load:
 * @path: a file `.pb` that is one TensorProto, or one of NumPy
 * @error: return location for errors of files, %HEDDLE_FILES_ERROR_FORMAT or _LIMIT
 *
 * Returns: (transfer full): its numbers
 */
HeddleArray *
heddle_array_load (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  return g_str_has_suffix (path, ".pb") ? heddle_onnx_tensor_load (path, error)
                                        : heddle_npy_read (path, error);
}
