/* The C interface between lanecheck and a simulator in a shared library. Build the library against this
 * header alone, export `lanecheck_plugin`, and run
 *
 *     lanecheck run --backend plugin:./libmy_sim.so
 *
 * The library is loaded into a worker process of its own: what it breaks there is a result. (--in-process
 * loads it into lanecheck itself, for a debugger.) All calls come from one thread, one after the other. The
 * worker is kept on the core of lanecheck, as the two work in turn; a simulator with threads of its own sets
 * their affinity itself.
 *
 * Ownership: what lanecheck hands over is valid during the call and stays lanecheck's; what the library hands
 * over must stay valid until it is unloaded. Nothing is allocated on one side and freed on the other.
 *
 * Limits: a program has at most 4096 instructions, 4096 allocations, names of 64 bytes and 196608 bytes of
 * UB. 512 guard bytes lie in front of and behind each UB and each mask, and the memory behind the last UB
 * cannot be written. A write there is reported. A write into the memory of another program of the batch
 * changes the result of that program.
 *
 * Units: offsets and sizes in bytes, block stride and repeat stride in data blocks of 32 bytes (the repeat
 * stride of a reduction's dst: in results of one repeat). `lanecheck offers` lists the instructions with
 * their operands.
 *
 * The semantics of each instruction are those of the documents, not of this header. */
#ifndef LANECHECK_PLUGIN_H
#define LANECHECK_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANECHECK_PLUGIN_VERSION 2u
#define LANECHECK_MASK_SLOTS 256u
#define LANECHECK_MOST_OPERANDS 4u
#define LANECHECK_MOST_SETTINGS 3u
#define LANECHECK_WHY_BYTES 240u

/* Element types, little-endian. */
enum {
  LANECHECK_F16,
  LANECHECK_BF16,
  LANECHECK_F32,
  LANECHECK_I8,
  LANECHECK_U8,
  LANECHECK_I16,
  LANECHECK_U16,
  LANECHECK_I32,
  LANECHECK_U32,
  LANECHECK_I64,
  LANECHECK_U64
};

/* lanecheck_instruction.round and .compare. */
enum {
  LANECHECK_ROUND_NONE,
  LANECHECK_RINT,
  LANECHECK_FLOOR,
  LANECHECK_CEIL,
  LANECHECK_ROUND,
  LANECHECK_TRUNC,
  LANECHECK_ODD
};
enum { LANECHECK_EQ, LANECHECK_NE, LANECHECK_LT, LANECHECK_LE, LANECHECK_GT, LANECHECK_GE };

/* Where an instruction takes its mask from: the register, the first `low` lanes of every repeat, the bits of
 * `high` and `low`, or the first `low` elements of the whole computation. */
enum { LANECHECK_MASK_REGISTER, LANECHECK_MASK_CONTIGUOUS, LANECHECK_MASK_BITWISE, LANECHECK_MASK_COUNT };

/* What became of a program. LANECHECK_UNANSWERED counts as a failure. */
enum {
  LANECHECK_UNANSWERED, /* as lanecheck hands it over */
  LANECHECK_RAN,        /* ub and mask hold the final state */
  LANECHECK_REFUSED,    /* the program is illegal; `why` says the reason */
  LANECHECK_SKIPPED,    /* this simulator does not offer something in it; `why` says what */
  LANECHECK_ERRORED     /* the simulator broke; `why` says how */
};

/* A named piece of UB. Allocations do not overlap. */
typedef struct lanecheck_allocation {
  const char* name;
  uint32_t type;   /* how people see it; operands may have other types */
  uint32_t offset; /* bytes from the start of UB */
  uint32_t bytes;
} lanecheck_allocation;

typedef struct lanecheck_operand {
  uint32_t at;            /* bytes from the start of UB: the allocation's offset + `offset` */
  uint32_t allocation;    /* index into lanecheck_program.allocations, for simulators with separate buffers */
  uint32_t offset;        /* bytes from the start of that allocation */
  uint32_t block_stride;  /* 0..65535 */
  uint32_t repeat_stride; /* 0..65535 */
} lanecheck_operand;

typedef struct lanecheck_instruction {
  /* "add", "set_mask", ...; the same pointer for the same instruction while the library is loaded */
  const char* op;
  uint32_t dst_type, src_type;
  uint32_t repeat; /* repeat times, 0..255; 1 for the instructions without */
  uint32_t round, compare;
  uint32_t operand_count;
  lanecheck_operand operands[LANECHECK_MOST_OPERANDS]; /* in the order of `lanecheck offers`, dst first */
  uint64_t scalar_bits;                                /* in the element type */
  double scalar_value;
  uint32_t lengths[2]; /* records in each queue of the merges */
  uint64_t high, low;  /* set_mask, set_vector_mask, mask operand: lanes 64..127, lanes 0..63 (or n) */
  uint32_t settings[LANECHECK_MOST_SETTINGS]; /* in the order of `lanecheck offers` */
  uint32_t mask_from;                         /* LANECHECK_MASK_... */
  uint32_t scalar_repeat;                     /* TIK: 1 when repeat times are given by a Scalar */
} lanecheck_instruction;

typedef struct lanecheck_program {
  const lanecheck_instruction* instructions;
  const lanecheck_allocation* allocations;
  uint32_t instruction_count, allocation_count;
  uint32_t ub_bytes;   /* 32..196608 */
  uint32_t verdict;    /* out */
  const char* profile; /* "vmc", "ascendc-a2", "ascendc-310p" or "tik" */
  uint32_t mode;       /* out: 0 normal, 1 counter */
  uint8_t* ub;   /* in: all of UB before the first instruction; out: after the last. Aligned to 16 bytes */
  uint8_t* mask; /* LANECHECK_MASK_SLOTS bytes of 0 or 1; in: all 1; out: after the last instruction */
  char why[LANECHECK_WHY_BYTES]; /* out, unless it ran: one line, ended by a 0 */
} lanecheck_program;

/* One row of what is on offer; NULL means any. */
typedef struct lanecheck_offer {
  const char *instruction, *dst, *src;
} lanecheck_offer;

typedef struct lanecheck_plugin_info {
  uint32_t version; /* LANECHECK_PLUGIN_VERSION of the header that the library was built with */
  uint32_t size;    /* sizeof(lanecheck_plugin_info): fields added later count as 0 in older libraries */
  const char* name;
  const char* release;           /* version of the simulator, or NULL */
  uint32_t hides_mask;           /* 1: `mask` means nothing after a run */
  uint32_t refuses_illegal;      /* 1: illegal programs are refused, and judged by that */
  const lanecheck_offer* offers; /* NULL: everything */
  uint32_t offer_count;
  /* "id=option" that the simulator follows on purpose (`lanecheck readings`), NULL at the end; or NULL */
  const char* const* readings;
  /* Names of the profiles whose programs it takes ("vmc", "ascendc-a2", ...), NULL at the end; NULL: vmc */
  const char* const* profiles;
  uint32_t shows_mode; /* 1: `mode` of a program that ran is the mode afterwards */
  /* Optional. What it returns is handed to the others. */
  void* (*open)(void);
  /* Runs programs[0..count), each from the default state, and sets their verdicts. Required. */
  void (*run)(void* opened, lanecheck_program* programs, uint32_t count);
  void (*close)(void* opened); /* optional */
} lanecheck_plugin_info;

/* The one symbol that the library exports. NULL is a failure. */
const lanecheck_plugin_info* lanecheck_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
