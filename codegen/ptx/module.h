/* SPDX-License-Identifier: MIT */
#pragma once

/* The parsed form of a module. A register, a constant and a special register are each named by a slot: which of
 * the three tables of a warp, and the place in it; a place holds one 64-bit value per lane. Values are kept
 * zero-extended from the width of their register. */

#include "codegen/ptx/ptx.h"

#define PTX_LANES 32
#define PTX_MOST_THREADS 1024
#define PTX_MOST_LOCAL (512u << 10)
#define PTX_MOST_SHARED (227u << 10)
#define PTX_NO_SLOT G_MAXUINT32

/* The places of generic addresses of the state spaces. Global buffers lie below all of them. */
#define PTX_WINDOW_SHARED G_GUINT64_CONSTANT (0x7f4000000000)
#define PTX_WINDOW_LOCAL G_GUINT64_CONSTANT (0x7f5000000000)
#define PTX_WINDOW_PARAMETERS G_GUINT64_CONSTANT (0x7f6000000000)
#define PTX_WINDOW_CALL G_GUINT64_CONSTANT (0x7f6800000000)
#define PTX_WINDOW_CODE G_GUINT64_CONSTANT (0x7f7000000000)
#define PTX_WINDOW_SIZE G_GUINT64_CONSTANT (0x100000000)

typedef enum
{
  PTX_NONE,
  PTX_PRED,
  PTX_B8,
  PTX_U8,
  PTX_S8,
  PTX_B16,
  PTX_U16,
  PTX_S16,
  PTX_F16,
  PTX_BF16,
  PTX_B32,
  PTX_U32,
  PTX_S32,
  PTX_F32,
  PTX_TF32,
  PTX_F16X2,
  PTX_BF16X2,
  PTX_B64,
  PTX_U64,
  PTX_S64,
  PTX_F64,
  PTX_E4M3,
  PTX_E4M3X2,
  PTX_E5M2,
  PTX_E5M2X2,
  PTX_N_TYPES
} PtxType;

/* A type as a member of a set of types. */
#define PTX_T(name) (1u << PTX_##name)

typedef enum
{
  PTX_BASE_REGISTER,
  PTX_BASE_CONSTANT,
  PTX_BASE_SPECIAL,
} PtxBase;

#define PTX_SLOT(base, index) ((guint32) (base) << 30 | (index))
#define PTX_SLOT_BASE(slot) ((slot) >> 30)
#define PTX_SLOT_INDEX(slot) ((slot) &0x3fffffffu)

/* The subject of a modifier; an instruction keeps one value for each, 0 if the modifier is absent. */
typedef enum
{
  PTX_ROUND,
  PTX_INTEGRAL,
  PTX_FTZ,
  PTX_SATURATE,
  PTX_APPROXIMATE,
  PTX_NAN,
  PTX_XORSIGN,
  PTX_RELU,
  PTX_NOFTZ,
  PTX_UNIFORM,
  PTX_ALIGNED,
  PTX_COMPARE,
  PTX_BOOLEAN,
  PTX_SUM,
  PTX_EXTREME,
  PTX_COUNT,
  PTX_LOGIC,
  PTX_SWAP,
  PTX_SPACE,
  PTX_VECTOR,
  PTX_CACHE,
  PTX_ORDER,
  PTX_SCOPE,
  PTX_PERMUTE,
  PTX_TEST,
  PTX_TILE,
  PTX_COMPLETES,
  PTX_MULTICAST,
  PTX_GROUP,
  PTX_READ_ONLY,
  PTX_OBJECT,
  PTX_PARITY,
  PTX_N_MODIFIERS
} PtxModifier;

/* A modifier as a member of the set that an instruction allows. */
#define PTX_M(name) (1u << PTX_##name)

typedef enum
{
  PTX_ROUND_NONE,
  PTX_ROUND_NEAREST,
  PTX_ROUND_ZERO,
  PTX_ROUND_DOWN,
  PTX_ROUND_UP,
  PTX_ROUND_NEAREST_INTEGER,
  PTX_ROUND_ZERO_INTEGER,
  PTX_ROUND_DOWN_INTEGER,
  PTX_ROUND_UP_INTEGER,
  PTX_ROUND_AWAY,
} PtxRound;

typedef enum
{
  PTX_COMPARE_NONE,
  PTX_COMPARE_EQ,
  PTX_COMPARE_NE,
  PTX_COMPARE_LT,
  PTX_COMPARE_LE,
  PTX_COMPARE_GT,
  PTX_COMPARE_GE,
  PTX_COMPARE_EQU,
  PTX_COMPARE_NEU,
  PTX_COMPARE_LTU,
  PTX_COMPARE_LEU,
  PTX_COMPARE_GTU,
  PTX_COMPARE_GEU,
  PTX_COMPARE_NUM,
  PTX_COMPARE_NANS,
} PtxCompare;

typedef enum
{
  PTX_AND = 1,
  PTX_OR,
  PTX_XOR,
  PTX_POPC,
} PtxBoolean;

typedef enum
{
  PTX_ATOMIC_ADD = 1,
  PTX_ATOMIC_MIN,
  PTX_ATOMIC_MAX,
  PTX_ATOMIC_AND,
  PTX_ATOMIC_OR,
  PTX_ATOMIC_XOR,
  PTX_ATOMIC_INC,
  PTX_ATOMIC_DEC,
  PTX_ATOMIC_EXCH,
} PtxAtomic;

typedef enum
{
  PTX_GENERIC,
  PTX_GLOBAL,
  PTX_SHARED,
  PTX_LOCAL,
  PTX_CONST,
  PTX_PARAM,
} PtxSpace;

typedef enum
{
  PTX_FINITE = 1,
  PTX_INFINITE,
  PTX_NUMBER,
  PTX_NOT_A_NUMBER,
  PTX_NORMAL,
  PTX_SUBNORMAL,
} PtxTest;

/* The special registers; the clocks, whose values change, come last. */
typedef enum
{
  PTX_TID_X,
  PTX_TID_Y,
  PTX_TID_Z,
  PTX_CTAID_X,
  PTX_CTAID_Y,
  PTX_CTAID_Z,
  PTX_NTID_X,
  PTX_NTID_Y,
  PTX_NTID_Z,
  PTX_NCTAID_X,
  PTX_NCTAID_Y,
  PTX_NCTAID_Z,
  PTX_LANEID,
  PTX_WARPID,
  PTX_NWARPID,
  PTX_LANEMASK_EQ,
  PTX_LANEMASK_LT,
  PTX_LANEMASK_LE,
  PTX_LANEMASK_GT,
  PTX_LANEMASK_GE,
  PTX_DYNAMIC_SHARED,
  PTX_TOTAL_SHARED,
  PTX_CLUSTERID_X,
  PTX_CLUSTERID_Y,
  PTX_CLUSTERID_Z,
  PTX_NCLUSTERID_X,
  PTX_NCLUSTERID_Y,
  PTX_NCLUSTERID_Z,
  PTX_CLUSTER_CTAID_X,
  PTX_CLUSTER_CTAID_Y,
  PTX_CLUSTER_CTAID_Z,
  PTX_CLUSTER_NCTAID_X,
  PTX_CLUSTER_NCTAID_Y,
  PTX_CLUSTER_NCTAID_Z,
  PTX_CLUSTER_CTARANK,
  PTX_CLUSTER_NCTARANK,
  PTX_IS_EXPLICIT_CLUSTER,
  PTX_SPECIAL_ZERO,
  PTX_SPECIAL_ONE,
  PTX_CLOCK,
  PTX_CLOCK_HIGH,
  PTX_CLOCK64,
  PTX_N_SPECIALS
} PtxSpecial;

typedef struct _PtxWarp PtxWarp;
typedef struct _PtxInstruction PtxInstruction;
typedef struct _PtxFunction PtxFunction;
typedef struct _PtxVariable PtxVariable;

/* The action of the warp after an instruction: go on to the next one, go on where all its lanes branched to,
 * look again at where they are, or give up. */
typedef enum
{
  PTX_NEXT,
  PTX_BRANCHED,
  PTX_JUMPED,
  PTX_FAILED,
} PtxStatus;

typedef PtxStatus (*PtxExecute) (PtxWarp *warp, const PtxInstruction *in);

/* The way in which undefined registers pass through an instruction: into the result, not at all, or as it
 * handles them itself. */
typedef enum
{
  PTX_UNDEFINED_PASSES,
  PTX_UNDEFINED_FAILS,
  PTX_UNDEFINED_CUSTOM,
} PtxUndefined;

/* One instruction of the language: a row of a table. @name is the opcode with the modifiers that make it another
 * instruction ("mul.wide"); @operands has one letter per operand, see operand.c. */
typedef struct
{
  const char *name;
  guint32 modifiers;
  guint32 needs;
  guint32 types;
  guint32 types2;
  const char *operands;
  PtxExecute execute;
  PtxUndefined undefined;
} PtxRow;

/* An operand. @slot: the register, or the base of an address; @second: the predicate after a bar; @elements:
 * of a vector. */
typedef struct
{
  guint32 slot;
  guint32 second;
  guint16 count;
  guint8 bits;
  gboolean negate;
  gint64 offset;
  guint32 *elements;
} PtxOperand;

/* A piece of the parameter space of a function: what a call copies. */
typedef struct
{
  char *name;
  gsize size;
  gsize align;
  gsize offset;
} PtxParameter;

typedef struct
{
  const PtxFunction *function;
  guint32 slot;
  GArray *arguments;
  GArray *results;
} PtxCall;

struct _PtxInstruction
{
  PtxExecute execute;
  const PtxRow *row;
  PtxOperand *operands;
  guint32 *reads;
  guint32 *writes;
  PtxCall *call;
  guint32 *targets;
  guint32 guard;
  guint32 target;
  guint32 line;
  guint32 text;
  guint32 text_length;
  guint16 n_operands;
  guint16 n_reads;
  guint16 n_writes;
  guint16 n_targets;
  guint8 guarded;
  guint8 class;
  guint8 type;
  guint8 type2;
  guint8 modifier[PTX_N_MODIFIERS];
};

/* An address of this function's local memory that waits in a register, since each activation has its own. */
typedef struct
{
  guint32 slot;
  gsize offset;
} PtxLocalAddress;

struct _PtxFunction
{
  char *name;
  gboolean entry;
  gboolean defined;
  gboolean calls;
  guint line;
  guint index;
  GArray *parameters;
  GArray *results;
  gsize parameter_bytes;
  gsize call_bytes;
  gsize local_bytes;
  guint32 n_registers;
  GArray *code;
  GArray *local_addresses;
  GPtrArray *variables;
  guint required_block[3];
  guint required_cluster[3]; /* 0: it does not say */
};

/* An address inside the initial value of a variable. */
typedef struct
{
  gsize offset;
  const PtxVariable *variable;
  const PtxFunction *function;
} PtxRelocation;

struct _PtxVariable
{
  char *name;
  PtxSpace space;
  gsize align;
  gsize size;
  gboolean dynamic;
  guint index;
  const PtxFunction *owner;
  GByteArray *initial;
  GArray *relocations;
};

/* A constant; one with a variable stands for its address, known at launch, plus @value. */
typedef struct
{
  guint64 value;
  const PtxVariable *variable;
} PtxConstant;

struct _HeddlePtxModule
{
  char *text;
  GPtrArray *functions;
  GPtrArray *variables;
  GPtrArray *kernels;
  GArray *constants;
  GPtrArray *calls;
  GPtrArray *blocks;
};

/* Returns the kernel called @name, owned by the module, or NULL where none with a body is. */
const PtxFunction *ptx_module_find_kernel (const HeddlePtxModule *self, const char *name);

/* Returns @size zeroed bytes that live as long as the module, or NULL where @size is 0. */
gpointer ptx_module_alloc (HeddlePtxModule *self, gsize size);

/* Makes a module that holds a copy of @length bytes of @text and nothing else yet, for the parser to fill. */
HeddlePtxModule *ptx_module_empty (const char *text, gsize length);

/* Returns the text of instruction @in in one line, of at most 160 bytes, for messages. The caller frees
 * it. */
char *ptx_module_text (const HeddlePtxModule *self, const PtxInstruction *in);

/* Lays the shared variables that @kernel needs one after another, and returns the bytes of those of known size.
 * @offsets, which may be NULL, receives a byte offset for each variable of the module that is placed; @align
 * receives the offset where dynamic shared memory begins. */
gsize ptx_module_layout_shared (
    const HeddlePtxModule *self, const PtxFunction *kernel, gsize *offsets, gsize *align);

extern const PtxRow ptx_rows_integer[];
extern const PtxRow ptx_rows_bits[];
extern const PtxRow ptx_rows_float[];
extern const PtxRow ptx_rows_special_functions[];
extern const PtxRow ptx_rows_half[];
extern const PtxRow ptx_rows_compare[];
extern const PtxRow ptx_rows_convert[];
extern const PtxRow ptx_rows_move[];
extern const PtxRow ptx_rows_access[];
extern const PtxRow ptx_rows_atomic[];
extern const PtxRow ptx_rows_control[];
extern const PtxRow ptx_rows_lanes[];
extern const PtxRow ptx_rows_barrier[];
extern const PtxRow ptx_rows_cluster[];
extern const PtxRow ptx_rows_async[];
extern const PtxRow ptx_rows_matrix[];
extern const PtxRow ptx_rows_mma[];
extern const PtxRow ptx_rows_wmma[];
extern const PtxRow ptx_rows_wgmma[];
extern const PtxRow ptx_rows_mbarrier[];
extern const PtxRow ptx_rows_bulk[];
extern const PtxRow ptx_rows_store[];
extern const PtxRow ptx_rows_tensor_map[];
extern const PtxRow ptx_rows_registers[];

/* Frees the module and all that it owns; @self must not be NULL, and no launch may be using it. */
void heddle_ptx_module_free (HeddlePtxModule *self);

/* Returns how many kernels the module declares. */
guint heddle_ptx_module_get_n_kernels (const HeddlePtxModule *self);

/* Returns the name of kernel @index, in the order of the text, owned by the module. */
const char *heddle_ptx_module_get_kernel (const HeddlePtxModule *self, guint index);

/* Returns whether the module has a kernel called @kernel with a body, so that it can be launched. */
gboolean heddle_ptx_module_has_kernel (const HeddlePtxModule *self, const char *kernel);

/* Returns how many parameters @kernel, which must exist, takes. */
guint heddle_ptx_module_get_n_parameters (const HeddlePtxModule *self, const char *kernel);

/* Describes parameter @index of @kernel, its sizes and offset in bytes; the name is owned by the module.
 * Returns FALSE where there is no such kernel or parameter. */
gboolean heddle_ptx_module_get_parameter (
    const HeddlePtxModule *self, const char *kernel, guint index, HeddlePtxParameter *parameter);

/* Returns the bytes of shared memory that @kernel declares itself, besides what a launch adds; 0 where there
 * is no such kernel. */
gsize heddle_ptx_module_get_static_shared (const HeddlePtxModule *self, const char *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddlePtxModule, heddle_ptx_module_free)
