// Edges by hand: the state of the mask, places, offsets and overlap.
#include "spec/legality/legality_testing.h"

namespace lanecheck {
namespace {

constexpr Edge kPlaceEdges[] = {
    // Counter mode: maskLow is the total. Nothing says what a contiguous mask is.
    {"LAW-counter-open", "0x0:0x5", "5",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
set_mask_count
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=@, repeat=1)"},
    // Counter mode: maskHigh is set to 0.
    {"LAW-counter-open", "0x0", "0x1",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
set_mask_count
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, mask=@:0x5, repeat=1)"},
    // Counter mode: the register at the start, all ones, is no count.
    {"LAW-counter-open", "set_vector_mask_total len=5", "set_mask_count",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
set_mask_count
@
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1)"},
    // The high word alone leaves no lane of 32 bits on.
    {"LAW-register-open", "0x1", "0x0",
     R"(profile ascendc-310p
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
set_vector_mask.f16 high=0x1 low=@
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1)"},
    // The count has 32 bits.
    {"LAW-count-range", "64", "4294967296",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, count=@, repeat=1)"},
    // The form for the first n elements has no strides.
    {"LAW-count-strides", "8", "9",
     R"(profile ascendc-a2
ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=@, scalar=2, count=64, repeat=1)"},
    // The 256 bytes of a repeat lie inside the allocation.
    {"LAW-footprint", "0", "32",
     R"(ub 1024
alloc dst f32 0 256
alloc src f32 256 256
adds.f32 dst+@ blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1)"},
    // Block stride 2: the last block of the repeat ends at byte 480.
    {"LAW-footprint", "480", "448",
     R"(ub 1024
alloc dst f32 0 @
alloc src f32 512 256
adds.f32 dst+0 blk=2 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1)"},
    // Repeat stride 9: the second repeat ends at byte 288 + 256.
    {"LAW-footprint", "544", "512",
     R"(ub 1280
alloc dst f32 0 @
alloc src f32 576 512
adds.f32 dst+0 blk=1 rep=9, src+0 blk=1 rep=8, scalar=2, repeat=2)"},
    // A count of 72: the second repeat has 8 elements.
    {"LAW-footprint", "288", "256",
     R"(profile ascendc-a2
ub 1280
alloc dst f32 0 @
alloc src f32 576 512
adds.f32 dst+0 blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, count=72, repeat=1)"},
    // Operands start on 32 bytes.
    {"LAW-alignment", "32", "16",
     R"(ub 1088
alloc dst f32 0 320
alloc src f32 320 256
adds.f32 dst+@ blk=1 rep=8, src+0 blk=1 rep=8, scalar=2, repeat=1)"},
    // The result of WholeReduceSum starts on an element.
    {"LAW-alignment", "4", "2",
     R"(ub 800
alloc dst f32 0 32
alloc src f32 32 256
cadd.f32 dst+@ rep=1, src+0 blk=1 rep=8, repeat=1)"},
    // SetCmpMask: 16 bytes.
    {"LAW-alignment", "16", "8",
     R"(ub 64
alloc src u8 0 64
set_cmpmask src+@)"},
    // dst of gather_mask starts on 32 bytes.
    {"GM-alignment", "32", "16",
     R"(profile ascendc-a2
ub 1088
alloc dst f32 0 288
alloc src f32 288 256
alloc count u64 544 32
gather_mask.f32 dst+@, src+0 blk=1 rep=8, count+0, pattern=1, counter=0, mask=0, repeat=1)"},
    // src of VectorPadding starts on 32 bytes.
    {"VP-alignment", "32", "16",
     R"(profile ascendc-310p
ub 1088
alloc dst f16 0 256
alloc src f16 256 288
vpadding.f16 dst+0 blk=1 rep=8, src+@ blk=1 rep=8, mode=0, side=0, repeat=1)"},
    // The last element of 256 bytes starts at byte 252.
    {"LAW-offsets", "252", "256",
     R"(ub 1088
alloc dst f32 0 256
alloc src f32 256 256
alloc offsets u32 512 256 = @ x64
gather.f32 dst+0 rep=8, src+0, offsets+0, repeat=1)"},
    // An offset is a multiple of the element.
    {"LAW-offsets", "4", "2",
     R"(ub 1088
alloc dst f32 0 256
alloc src f32 256 256
alloc offsets u32 512 256 = @ x64
gather.f32 dst+0 rep=8, src+0, offsets+0, repeat=1)"},
    // Gatherb moves data blocks: an offset is a multiple of 32.
    {"LAW-offsets", "224", "228",
     R"(profile ascendc-a2
ub 1088
alloc dst u32 0 256
alloc src u32 256 256
alloc offsets u32 512 32 = @ x8
gatherb.u32 dst+0 blk=1 rep=8, src+0, offsets+0, repeat=1)"},
    // In one repeat: the same place.
    {"LAW-overlap-partial", "0", "32",
     R"(ub 1024
alloc a f32 0 512
adds.f32 a+0 blk=1 rep=8, a+@ blk=1 rep=8, scalar=2, repeat=1)"},
    // In one repeat: apart.
    {"LAW-overlap-partial", "256", "224",
     R"(ub 1024
alloc a f32 0 512
adds.f32 a+0 blk=1 rep=8, a+@ blk=1 rep=8, scalar=2, repeat=1)"},
    // The same start is not the same place if the strides differ.
    {"LAW-overlap-partial", "1", "2",
     R"(ub 1024
alloc a f32 0 512
adds.f32 a+0 blk=1 rep=8, a+0 blk=@ rep=8, scalar=2, repeat=1)"},
    // Cast from narrow to wide in place may destroy its source.
    {"LAW-overlap-partial", "256", "0",
     R"(ub 1024
alloc a f32 0 512
cast.f32.f16 a+0 blk=1 rep=8, a+@ blk=1 rep=4, round=none, repeat=1)"},
    // In place over repeats that share a block.
    {"LAW-overlap-repeats", "8", "7",
     R"(ub 1024
alloc a f32 0 512
adds.f32 a+0 blk=1 rep=@, a+0 blk=1 rep=@, scalar=2, repeat=2)"},
    // Repeat 1 reads from byte 256 on, which repeat 0 wrote.
    {"LAW-overlap-repeats", "512", "256",
     R"(ub 1280
alloc a f32 0 1024
adds.f32 a+@ blk=1 rep=8, a+0 blk=1 rep=8, scalar=2, repeat=2)"},
    // Add may accumulate through its second source, Div may not.
    {"LAW-overlap-repeats", "add", "div",
     R"(ub 1024
alloc a f32 0 256
alloc b f32 256 512
@.f32 a+0 blk=1 rep=0, b+0 blk=1 rep=8, a+0 blk=1 rep=0, repeat=2)"},
    // Add may accumulate in i32, but not in i16.
    {"LAW-overlap-repeats", "i32", "i16",
     R"(ub 1024
alloc a i32 0 256
alloc b i32 256 512
add.@ a+0 blk=1 rep=0, b+0 blk=1 rep=8, a+0 blk=1 rep=0, repeat=2)"},
    // Axpy reads its dst.
    {"LAW-overlap-dst", "8", "7",
     R"(profile ascendc-a2
ub 1536
alloc dst f32 0 512
alloc src f32 512 512
axpy.f32 dst+0 blk=1 rep=@, src+0 blk=1 rep=8, scalar=2, repeat=2)"},
    {"LAW-overlap-dst-blocks", "1", "0",
     R"(ub 1088
alloc dst f32 0 512
alloc src f32 512 512
axpy.f32 dst+0 blk=@ rep=1, src+0 blk=1 rep=8, scalar=2, repeat=2)"},
    // Repeat 1 writes from byte 256 on, which repeat 0 read.
    {"LAW-overlap-open", "512", "256",
     R"(ub 1280
alloc a f32 0 1024
adds.f32 a+0 blk=1 rep=8, a+@ blk=1 rep=8, scalar=2, repeat=2)"},
    // repeat_times = 1: complete overlap, never partial overlap.
    {"TIK-overlap-one-repeat", "0", "32",
     R"(profile tik
ub 1024
alloc a f32 0 512
adds.f32 a+0 blk=1 rep=8, a+@ blk=1 rep=8, scalar=2, mask=64, repeat=1)"},
    // dst of iteration N is src of iteration N + 1.
    {"TIK-overlap-repeats", "8", "7",
     R"(profile tik
ub 1024
alloc a f32 0 512
adds.f32 a+0 blk=1 rep=@, a+0 blk=1 rep=@, scalar=2, mask=64, repeat=2)"},
};

}  // namespace

std::span<const Edge> place_edges() {
  return kPlaceEdges;
}

}  // namespace lanecheck
