// Edges by hand: types, ranges, strides and masks.
#include "spec/legality/legality_testing.h"

namespace lanecheck {
namespace {

constexpr Edge kRangeEdges[] = {
    // UB is a whole number of data blocks.
    {"LAW-layout", "32", "33",
     R"(ub @
reset_mask)"},
    // An allocation starts on 32 bytes.
    {"LAW-layout", "32", "16",
     R"(ub 64
alloc a f32 @ 32
reset_mask)"},
    // Allocations do not overlap.
    {"LAW-layout", "64", "32",
     R"(ub 128
alloc a f32 0 64
alloc b f32 @ 32
reset_mask)"},
    // The format with a scalar source: adds and muls, not vmaxs.
    {"LAW-offered", "adds", "vmaxs",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
@.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=64, repeat=1)"},
    // TIK has no ResetMask.
    {"LAW-offered", "ascendc-a2", "tik",
     R"(profile @
ub 32
reset_mask)"},
    // Not is for i16 and u16.
    {"LAW-types", "i16", "f16",
     R"(ub 1024
alloc dst i16 0 256
alloc src i16 256 256
vnot.@ dst+0 blk=1 rep=8, src+0 blk=1 rep=8, repeat=1)"},
    // Cast: CAST_ODD is for f32 to f16 alone.
    {"LAW-round-mode", "f16", "i32",
     R"(ub 1024
alloc dst f32 0 256
alloc src f32 256 256
cast.@.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, round=odd, repeat=1)"},
    // Compare of i32 has EQ alone.
    {"LAW-round-mode", "eq", "lt",
     R"(profile ascendc-a2
ub 1088
alloc dst u8 0 32
alloc a i32 32 256
alloc b i32 288 256
compare.i32 dst+0, a+0 blk=1 rep=8, b+0 blk=1 rep=8, @, repeat=1)"},
    // An instruction of the A2 simulator takes no mask operand.
    {"LAW-mask-form", "", "mask=1, ",
     R"(ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, @repeat=1)"},
    // Repeat times are 0 to 255.
    {"LAW-repeat-range", "255", "256",
     R"(ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=0, src+0 blk=1 rep=0, scalar=2, repeat=@)"},
    // UnaryRepeatParams: the repeat strides are bytes.
    {"LAW-stride-range", "255", "256",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=@, scalar=2, mask=64, repeat=1)"},
    // The A2 simulator: 0 to 65535.
    {"LAW-stride-range", "65535", "65536",
     R"(ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=@, scalar=2, repeat=1)"},
    // BinaryRepeatParams: the block strides are bytes.
    {"LAW-stride-range", "255", "256",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
add.f32 dst+0 blk=1 rep=8, src+0 blk=@ rep=8, src+0 blk=1 rep=8, mask=64, repeat=0)"},
    // MrgSort: elementLengths are 0 to 4095.
    {"LAW-length-range", "4095", "4096",
     R"(ub 1024
alloc dst f32 0 256
alloc src f32 256 256
mergesort4.f32 dst+0, src+0, length=@, repeat=0)"},
    // A dst block stride of 0 is not supported.
    {"LAW-dst-block-stride", "1", "0",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=@ rep=8, src+0 blk=1 rep=8, scalar=2, mask=64, repeat=1)"},
    // ShiftLeft: by 0 to 16 for 16-bit elements.
    {"LAW-shift-range", "16", "17",
     R"(profile ascendc-a2
ub 1024
alloc dst i16 0 256
alloc src i16 256 256
shl.i16 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, by=@, mask=128, repeat=1)"},
    // ShiftRight: by 0 to 32 for 32-bit elements.
    {"LAW-shift-range", "32", "33",
     R"(profile ascendc-a2
ub 1024
alloc dst i32 0 256
alloc src i32 256 256
shr.i32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, by=@, mask=64, repeat=1)"},
    // ReduceOrder has four values.
    {"LAW-order-range", "3", "4",
     R"(profile ascendc-a2
ub 800
alloc dst f32 0 32
alloc src f32 32 256
cmax_index.f32 dst+0 rep=1, src+0 blk=1 rep=8, order=@, mask=64, repeat=1)"},
    // 16-bit: mask in [1, 128].
    {"SVM-range-contiguous-16", "128", "129",
     R"(profile ascendc-a2
ub 32
set_vector_mask_len.f16 len=@)"},
    // A length of 0 lies below the range.
    {"SVM-range-contiguous-16", "1", "0",
     R"(profile ascendc-a2
ub 32
set_vector_mask_len.f16 len=@)"},
    // 32-bit: mask in [1, 64].
    {"SVM-range-contiguous-32", "64", "65",
     R"(profile ascendc-a2
ub 32
set_vector_mask_len.f32 len=@)"},
    // A length of 0 lies below the range.
    {"SVM-range-contiguous-32", "1", "0",
     R"(profile ascendc-a2
ub 32
set_vector_mask_len.f32 len=@)"},
    // 64-bit: mask in [1, 32].
    {"SVM-range-contiguous-64", "32", "33",
     R"(profile ascendc-a2
ub 32
set_vector_mask_len.i64 len=@)"},
    // A length of 0 lies below the range.
    {"SVM-range-contiguous-64", "1", "0",
     R"(profile ascendc-a2
ub 32
set_vector_mask_len.i64 len=@)"},
    // The mask operand has the same range.
    {"SVM-range-contiguous-32", "64", "65",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=@, repeat=1)"},
    // 16-bit: not both 0 at the same time.
    {"SVM-range-bitwise-16", "0x1", "0x0",
     R"(profile ascendc-a2
ub 32
set_vector_mask.f16 high=@ low=0x0)"},
    // 32-bit: maskHigh is 0.
    {"SVM-range-bitwise-32", "0x0", "0x1",
     R"(profile ascendc-a2
ub 32
set_vector_mask.f32 high=@ low=0x1)"},
    // 32-bit: maskLow in (0, 2^64 - 1].
    {"SVM-range-bitwise-32", "0xffffffffffffffff", "0x0",
     R"(profile ascendc-a2
ub 32
set_vector_mask.f32 high=0x0 low=@)"},
    // 64-bit: maskHigh is 0.
    {"SVM-range-bitwise-64", "0x0", "0x1",
     R"(profile ascendc-a2
ub 32
set_vector_mask.i64 high=@ low=0x1)"},
    // 64-bit: maskLow in (0, 2^32 - 1].
    {"SVM-range-bitwise-64", "0xffffffff", "0x100000000",
     R"(profile ascendc-a2
ub 32
set_vector_mask.i64 high=0x0 low=@)"},
    // SetVectorMask(int32_t len), counter mode.
    {"SVM-range-length", "2147483647", "2147483648",
     R"(profile ascendc-a2
ub 32
set_mask_count
set_vector_mask_total len=@)"},
    // Counter mode: maskHigh is set to 0.
    {"SVM-counter-high-word", "0x0", "0x1",
     R"(profile ascendc-310p
ub 32
set_mask_count
set_vector_mask.f16 high=@ low=0x5)"},
    // Normal mode: maskHigh is any word for 16-bit elements.
    {"SVM-counter-high-word", "set_mask_norm", "set_mask_count",
     R"(profile ascendc-a2
ub 32
@
set_vector_mask.f16 high=0x1 low=0x5)"},
    // A fixed pattern is in [1, 7].
    {"GM-range-pattern", "7", "8",
     R"(profile ascendc-a2
ub 1088
alloc dst f32 0 288
alloc src f32 288 256
alloc count u64 544 32
gather_mask.f32 dst+0, src+0 blk=1 rep=8, count+0, pattern=@, counter=0, mask=0, repeat=1)"},
    // There is no pattern 0.
    {"GM-range-pattern", "1", "0",
     R"(profile ascendc-a2
ub 1088
alloc dst f32 0 288
alloc src f32 288 256
alloc count u64 544 32
gather_mask.f32 dst+0, src+0 blk=1 rep=8, count+0, pattern=@, counter=0, mask=0, repeat=1)"},
    // Counter mode: mask in [1, 2^32 - 1].
    {"GM-range-mask", "1", "0",
     R"(profile ascendc-a2
ub 1088
alloc dst f32 0 288
alloc src f32 288 256
alloc count u64 544 32
gather_mask.f32 dst+0, src+0 blk=1 rep=8, count+0, pattern=1, counter=1, mask=@, repeat=1)"},
    // Normal mode: mask is not used, 0 is advised.
    {"GM-range-mask", "0", "1",
     R"(profile ascendc-a2
ub 1088
alloc dst f32 0 288
alloc src f32 288 256
alloc count u64 544 32
gather_mask.f32 dst+0, src+0 blk=1 rep=8, count+0, pattern=1, counter=@, mask=0, repeat=1)"},
    // padMode is in [0, 2].
    {"VP-range-pad-mode", "2", "3",
     R"(profile ascendc-310p
ub 1088
alloc dst f16 0 256
alloc src f16 256 288
vpadding.f16 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, mode=@, side=0, repeat=1)"},
    // 16-bit and 32-bit types alone.
    {"VP-types", "u16", "u8",
     R"(profile ascendc-310p
ub 1088
alloc dst u16 0 256
alloc src u16 256 288
vpadding.@ dst+0 blk=1 rep=8, src+0 blk=1 rep=8, mode=0, side=0, repeat=1)"},
    // 16-bit: mask in [1, 128].
    {"TIK-range-contiguous-16", "128", "129",
     R"(profile tik
ub 1024
alloc dst f16 0 256
alloc src f16 256 256
adds.f16 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=@, repeat=1)"},
    // 32-bit: mask in [1, 64].
    {"TIK-range-contiguous-32", "64", "65",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=@, repeat=1)"},
    // A mask of 0 lies below the range.
    {"TIK-range-contiguous-32", "1", "0",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=@, repeat=1)"},
    // 32-bit: mask_h is 0.
    {"TIK-range-bitwise-32", "0x0", "0x1",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=@:0x1, repeat=1)"},
    // Counter mode: the mask is at least 1.
    {"TIK-range-counter", "1", "0",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, count=@, repeat=1)"},
    // repeat_times is in [0, 255].
    {"TIK-range-repeat", "255", "256",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=0, src+0 blk=1 rep=0, scalar=2, mask=1, repeat=@)"},
    // repeat_times as an immediate does not support 0.
    {"TIK-immediate-zero", "scalar:0", "0",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=1, repeat=@)"},
    // rep_stride is in [0, 255].
    {"TIK-range-stride", "255", "256",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=@, src+0 blk=1 rep=@, scalar=2, mask=1, repeat=1)"},
    // The prototype has no block stride.
    {"TIK-block-stride", "1", "2",
     R"(profile tik
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=@ rep=8, scalar=2, mask=1, repeat=scalar:0)"},
};

}  // namespace

std::span<const Edge> range_edges() {
  return kRangeEdges;
}

}  // namespace lanecheck
