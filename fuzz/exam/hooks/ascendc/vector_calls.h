// The calls of vector instructions, for kernel_operator.h, which includes this file.
#pragma once

#include "kernel_operator.h"

namespace AscendC {

// Each call has a form with a mask, repeat times and strides, and most have one with a count of elements.
template <bool isSetMask, typename Mask, typename Strides>
void sliced(Line& line, Mask mask, uint8_t repeatTime, const Strides& by) {
  line.template mask<isSetMask>(mask).number("repeat", repeatTime).strides(by);
}
#define STUB_UNARY(Name)                                                                         \
  template <typename T, bool isSetMask = true, typename Mask>                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, uint8_t repeatTime, \
            const UnaryRepeatParams& by) {                                                       \
    sliced<isSetMask>(Line(#Name).tensor("dst", dst).tensor("src", src), mask, repeatTime, by);  \
  }                                                                                              \
  template <typename T>                                                                          \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t count) {               \
    Line(#Name).tensor("dst", dst).tensor("src", src).number("count", count);                    \
  }
#define STUB_BINARY(Name)                                                                                 \
  template <typename T, bool isSetMask = true, typename Mask>                                             \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, Mask mask, \
            uint8_t repeatTime, const BinaryRepeatParams& by) {                                           \
    sliced<isSetMask>(Line(#Name).tensor("dst", dst).tensor("src0", src0).tensor("src1", src1), mask,     \
                      repeatTime, by);                                                                    \
  }                                                                                                       \
  template <typename T>                                                                                   \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,            \
            int32_t count) {                                                                              \
    Line(#Name).tensor("dst", dst).tensor("src0", src0).tensor("src1", src1).number("count", count);      \
  }
#define STUB_SCALAR(Name)                                                                                 \
  template <typename T, bool isSetMask = true, typename Mask>                                             \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalar, Mask mask,             \
            uint8_t repeatTime, const UnaryRepeatParams& by) {                                            \
    sliced<isSetMask>(Line(#Name).tensor("dst", dst).tensor("src", src).scalar(scalar), mask, repeatTime, \
                      by);                                                                                \
  }                                                                                                       \
  template <typename T>                                                                                   \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalar, int32_t count) {       \
    Line(#Name).tensor("dst", dst).tensor("src", src).scalar(scalar).number("count", count);              \
  }
STUB_UNARY(Exp)
STUB_UNARY(Ln)
STUB_UNARY(Abs)
STUB_UNARY(Reciprocal)
STUB_UNARY(Sqrt)
STUB_UNARY(Rsqrt)
STUB_UNARY(Not)
STUB_UNARY(Relu)
STUB_BINARY(Add)
STUB_BINARY(Sub)
STUB_BINARY(Mul)
STUB_BINARY(Div)
STUB_BINARY(Max)
STUB_BINARY(Min)
STUB_BINARY(And)
STUB_BINARY(Or)
STUB_BINARY(FusedMulAdd)
STUB_SCALAR(Adds)
STUB_SCALAR(Muls)
STUB_SCALAR(Maxs)
STUB_SCALAR(Mins)
STUB_SCALAR(LeakyRelu)
STUB_SCALAR(ShiftLeft)
STUB_SCALAR(ShiftRight)

template <typename T, typename U, bool isSetMask = true, typename Mask>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, Mask mask,
               uint8_t repeatTime, const BinaryRepeatParams& by) {
  sliced<isSetMask>(Line("MulAddDst").tensor("dst", dst).tensor("src0", src0).tensor("src1", src1), mask,
                    repeatTime, by);
}
template <typename T, typename U>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
               int32_t count) {
  Line("MulAddDst").tensor("dst", dst).tensor("src0", src0).tensor("src1", src1).number("count", count);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalar, Mask mask,
          uint8_t repeatTime, const UnaryRepeatParams& by) {
  sliced<isSetMask>(Line("Axpy").tensor("dst", dst).tensor("src", src).scalar(scalar), mask, repeatTime, by);
}
template <typename T, typename U>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalar, int32_t count) {
  Line("Axpy").tensor("dst", dst).tensor("src", src).scalar(scalar).number("count", count);
}
inline void SetDeqScale(half scale) {
  Line("SetDeqScale").scalar(scale);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode round, Mask mask,
          uint8_t repeatTime, const UnaryRepeatParams& by) {
  sliced<isSetMask>(
      Line("Cast").tensor("dst", dst).tensor("src", src).number("round", static_cast<int>(round)), mask,
      repeatTime, by);
}
template <typename T, typename U>
void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode round, uint32_t count) {
  Line("Cast")
      .tensor("dst", dst)
      .tensor("src", src)
      .number("round", static_cast<int>(round))
      .number("count", count);
}
template <typename T, bool isSetMask = true, typename Mask>
void Duplicate(const LocalTensor<T>& dst, const T& scalar, Mask mask, uint8_t repeatTime,
               uint16_t dstBlockStride, uint8_t dstRepeatStride) {
  Line("Duplicate")
      .tensor("dst", dst)
      .scalar(scalar)
      .template mask<isSetMask>(mask)
      .number("repeat", repeatTime)
      .number("dst_block", dstBlockStride)
      .number("dst_repeat", dstRepeatStride);
}
template <typename T>
void Duplicate(const LocalTensor<T>& dst, const T& scalar, int32_t count) {
  Line("Duplicate").tensor("dst", dst).scalar(scalar).number("count", count);
}

template <bool isSetMask, typename T, typename Mask>
void reduce(Line& line, const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, int32_t repeatTime,
            int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {
  line.tensor("dst", dst)
      .tensor("src", src)
      .template mask<isSetMask>(mask)
      .number("repeat", repeatTime)
      .number("dst_repeat", dstRepStride)
      .number("src_block", srcBlkStride)
      .number("src_repeat", srcRepStride);
}
template <typename T, bool isSetMask = true, typename Mask>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, int32_t repeatTime,
                    int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {
  reduce<isSetMask>(Line("WholeReduceSum").self(), dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                    srcRepStride);
}
#define STUB_EXTREME(Name)                                                                              \
  template <typename T, bool isSetMask = true, typename Mask>                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, int32_t repeatTime,        \
            int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride,                           \
            ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {                                       \
    reduce<isSetMask>(Line(#Name).number("order", static_cast<int>(order)), dst, src, mask, repeatTime, \
                      dstRepStride, srcBlkStride, srcRepStride);                                        \
  }
STUB_EXTREME(WholeReduceMax)
STUB_EXTREME(WholeReduceMin)
// Here the repeat times come before the mask.
#define STUB_GROUPS(Name)                                                                         \
  template <typename T, bool isSetMask = true, typename Mask>                                     \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t repeatTime, Mask mask,  \
            int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride) {                   \
    reduce<isSetMask>(Line(#Name).self(), dst, src, mask, repeatTime, dstRepStride, srcBlkStride, \
                      srcRepStride);                                                              \
  }
STUB_GROUPS(BlockReduceSum)
STUB_GROUPS(BlockReduceMax)
STUB_GROUPS(BlockReduceMin)
STUB_GROUPS(PairReduceSum)

template <typename T, typename U, bool isSetMask = true, typename Mask>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, Mask mask, uint8_t repeatTime, const BinaryRepeatParams& by) {
  sliced<isSetMask>(Line("Compare")
                        .tensor("dst", dst)
                        .tensor("src0", src0)
                        .tensor("src1", src1)
                        .number("compare", static_cast<int>(cmpMode)),
                    mask, repeatTime, by);
}
template <typename T, bool isSetMask = true, typename Mask>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode, Mask mask,
             const BinaryRepeatParams& by) {
  Line("Compare")
      .tensor("src0", src0)
      .tensor("src1", src1)
      .number("compare", static_cast<int>(cmpMode))
      .template mask<isSetMask>(mask)
      .strides(by);
}
template <typename T, typename U, bool isSetMask = true, typename Mask>
void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src, const T& scalar, CMPMODE cmpMode,
              Mask mask, uint8_t repeatTime, const UnaryRepeatParams& by) {
  sliced<isSetMask>(Line("Compares")
                        .tensor("dst", dst)
                        .tensor("src", src)
                        .scalar(scalar)
                        .number("compare", static_cast<int>(cmpMode)),
                    mask, repeatTime, by);
}
template <typename T, typename U>
Line& select(Line& line, const LocalTensor<T>& dst, const LocalTensor<U>& control, const LocalTensor<T>& src0,
             const LocalTensor<T>& src1, SELMODE mode) {
  if (mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) wrong("the mode is that of a scalar");
  return line.tensor("dst", dst)
      .tensor("control", control)
      .tensor("src0", src0)
      .tensor("src1", src1)
      .number("mode", static_cast<int>(mode));
}
template <typename T, typename U>
Line& select(Line& line, const LocalTensor<T>& dst, const LocalTensor<U>& control, const LocalTensor<T>& src0,
             const T& src1, SELMODE mode) {
  return line.tensor("dst", dst)
      .tensor("control", control)
      .tensor("src0", src0)
      .scalar(src1)
      .number("mode", static_cast<int>(mode));
}
template <typename T, typename U, bool isSetMask = true, typename Second, typename Mask>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const Second& src1, SELMODE mode, Mask mask, uint8_t repeatTime, const BinaryRepeatParams& by) {
  sliced<isSetMask>(select(Line("Select").self(), dst, selMask, src0, src1, mode), mask, repeatTime, by);
}
template <typename T, typename U, typename Second>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const Second& src1, SELMODE mode, uint32_t count) {
  select(Line("Select").self(), dst, selMask, src0, src1, mode).number("count", count);
}
template <typename T, SELMODE mode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
            uint8_t repeatTime, const BinaryRepeatParams& by) {
  Line("Select")
      .tensor("dst", dst)
      .tensor("src0", src0)
      .tensor("src1", src1)
      .number("mode", static_cast<int>(mode))
      .number("repeat", repeatTime)
      .strides(by);
}
template <typename T>
void SetCmpMask(const LocalTensor<T>& src) {
  Line("SetCmpMask").tensor("src", src);
}
template <typename T>
void GetCmpMask(const LocalTensor<T>& dst) {
  Line("GetCmpMask").tensor("dst", dst);
}

template <typename T, typename Mask>
void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<uint32_t>& srcOffset,
            uint32_t srcBaseAddr, Mask mask, uint8_t repeatTime, uint16_t dstRepStride) {
  Line("Gather")
      .tensor("dst", dst)
      .tensor("src", src[srcBaseAddr / sizeof(T)])
      .tensor("offsets", srcOffset)
      .mask(mask)
      .number("repeat", repeatTime)
      .number("dst_repeat", dstRepStride);
}
template <typename T>
void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& offset,
             uint8_t repeatTime, const GatherRepeatParams& by) {
  Line("Gatherb")
      .tensor("dst", dst)
      .tensor("src", src0)
      .tensor("offsets", offset)
      .number("repeat", repeatTime)
      .number("dst_block", by.dstBlkStride)
      .number("dst_repeat", by.dstRepStride);
}
template <typename T>
void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src0, uint8_t repeatTime,
          const BrcbRepeatParams& by) {
  Line("Brcb")
      .tensor("dst", dst)
      .tensor("src", src0)
      .number("repeat", repeatTime)
      .number("dst_block", by.dstBlkStride)
      .number("dst_repeat", by.dstRepStride);
}
template <typename T>
void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src1,
            int32_t repeatTime) {
  Line("Sort32").tensor("dst", dst).tensor("src", src0).tensor("index", src1).number("repeat", repeatTime);
}
template <typename T>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& info) {
  if (info.ifExhaustedSuspension) wrong("MrgSort must not stop when a queue is empty");
  const auto& n = info.elementLengths;
  Line("MrgSort")
      .tensor("dst", dst)
      .tensor("src0", src.src1)
      .tensor("src1", src.src2)
      .tensor("src2", src.src3)
      .tensor("src3", src.src4)
      .number("valid", info.validBit)
      .number("repeat", info.repeatTimes)
      .add("lengths", "[" + std::to_string(n[0]) + ", " + std::to_string(n[1]) + ", " + std::to_string(n[2]) +
                          ", " + std::to_string(n[3]) + "]");
}
inline Line& gather_mask(Line& line, bool reduceMode, uint32_t mask, const GatherMaskParams& by) {
  return line.number("counter", reduceMode ? 1 : 0)
      .number("mask", mask)
      .number("src0_block", by.src0BlockStride)
      .number("repeat", by.repeatTimes)
      .number("src0_repeat", by.src0RepeatStride)
      .number("src1_repeat", by.src1RepeatStride);
}
template <typename T>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, uint8_t src1Pattern, bool reduceMode,
                uint32_t mask, const GatherMaskParams& by, uint64_t&) {
  gather_mask(Line("GatherMask").tensor("dst", dst).tensor("src0", src0).number("pattern", src1Pattern),
              reduceMode, mask, by);
}
template <typename T, typename U>
void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<U>& src1Pattern,
                bool reduceMode, uint32_t mask, const GatherMaskParams& by, uint64_t&) {
  static_assert(sizeof(T) == sizeof(U));
  gather_mask(Line("GatherMask").tensor("dst", dst).tensor("src0", src0).tensor("src1", src1Pattern),
              reduceMode, mask, by);
}
template <typename T, bool isSetMask = true, typename Mask>
void VectorPadding(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t padMode, bool padSide,
                   Mask mask, uint8_t repeatTime, const UnaryRepeatParams& by) {
  sliced<isSetMask>(Line("VectorPadding")
                        .tensor("dst", dst)
                        .tensor("src", src)
                        .number("mode", padMode)
                        .number("side", padSide ? 1 : 0),
                    mask, repeatTime, by);
}
template <typename T>
void VectorPadding(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint8_t padMode, bool padSide,
                   uint32_t count) {
  Line("VectorPadding")
      .tensor("dst", dst)
      .tensor("src", src)
      .number("mode", padMode)
      .number("side", padSide ? 1 : 0)
      .number("count", count);
}

}  // namespace AscendC
