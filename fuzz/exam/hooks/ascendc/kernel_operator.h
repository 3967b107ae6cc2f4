// A stand-in for the header of Ascend C, for a test: each call writes one line of JSON with its arguments,
// and nothing is computed. The signatures are those of the public pages of each call (set-vector-mask,
// gather_mask and VectorPadding among them), as far as `lanecheck export --as ascendc` uses them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#define __global__
#define __aicore__
#define __gm__
using GM_ADDR = std::uint8_t*;
using std::int16_t, std::int32_t, std::int64_t, std::int8_t;
using std::uint16_t, std::uint32_t, std::uint64_t, std::uint8_t;
struct half {
  uint16_t bits;
};
struct bfloat16_t {
  uint16_t bits;
};
enum pipe_t { PIPE_ALL };

namespace AscendC {

constexpr uint64_t MASK_PLACEHOLDER = 0;
enum class MaskMode : uint8_t { NORMAL, COUNTER };
enum class TPosition : uint8_t { VECCALC };
enum class RoundMode { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };

template <typename T>
const char* type_name() {
  if constexpr (std::is_same_v<T, half>) return "f16";
  if constexpr (std::is_same_v<T, bfloat16_t>) return "bf16";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, int8_t>) return "i8";
  if constexpr (std::is_same_v<T, uint8_t>) return "u8";
  if constexpr (std::is_same_v<T, int16_t>) return "i16";
  if constexpr (std::is_same_v<T, uint16_t>) return "u16";
  if constexpr (std::is_same_v<T, int32_t>) return "i32";
  if constexpr (std::is_same_v<T, uint32_t>) return "u32";
  if constexpr (std::is_same_v<T, int64_t>) return "i64";
  if constexpr (std::is_same_v<T, uint64_t>) return "u64";
}

inline std::vector<uint8_t> unified_buffer;
[[noreturn]] inline void wrong(const char* what) {
  std::fprintf(stderr, "stub: %s\n", what);
  std::exit(1);
}

template <typename T>
struct LocalTensor {
  uint32_t start = 0;  // bytes

  LocalTensor operator[](uint32_t element) const { return {start + element * uint32_t{sizeof(T)}}; }
  template <typename U>
  LocalTensor<U> ReinterpretCast() const {
    return {start};
  }
  void SetValue(uint32_t element, T value);
};
template <typename T>
struct GlobalTensor {
  T* data = nullptr;

  void SetGlobalBuffer(T* buffer) { data = buffer; }
  GlobalTensor operator[](uint32_t element) const { return {data + element}; }
};
template <TPosition position>
struct TBuf {
  template <typename T>
  LocalTensor<T> Get() {
    return {0};
  }
};
struct TPipe {
  template <TPosition position>
  void InitBuffer(TBuf<position>&, uint32_t bytes) {
    unified_buffer.assign(bytes, 0);
  }
};

struct UnaryRepeatParams {
  uint16_t dstBlkStride, srcBlkStride;
  uint8_t dstRepStride, srcRepStride;
};
struct BinaryRepeatParams {
  uint8_t dstBlkStride, src0BlkStride, src1BlkStride, dstRepStride, src0RepStride, src1RepStride;
};
struct BrcbRepeatParams {
  uint16_t dstBlkStride, dstRepStride;
};
struct GatherRepeatParams {
  uint16_t dstBlkStride;
  uint8_t dstRepStride;
};
struct GatherMaskParams {
  uint8_t src0BlockStride;
  uint16_t repeatTimes, src0RepeatStride;
  uint8_t src1RepeatStride;
};
template <typename T>
struct MrgSortSrcList {
  LocalTensor<T> src1, src2, src3, src4;

  MrgSortSrcList(const LocalTensor<T>& one, const LocalTensor<T>& two, const LocalTensor<T>& three,
                 const LocalTensor<T>& four)
      : src1(one), src2(two), src3(three), src4(four) {}
};
struct MrgSort4Info {
  uint16_t elementLengths[4], validBit, repeatTimes;
  bool ifExhaustedSuspension;

  MrgSort4Info(const uint16_t lengths[4], bool suspends, uint16_t valid, uint16_t repeats)
      : validBit(valid), repeatTimes(repeats), ifExhaustedSuspension(suspends) {
    std::memcpy(elementLengths, lengths, sizeof elementLengths);
  }
};

/// One line: {"api": "Add", ...}.
class Line {
 public:
  explicit Line(const char* api) : text_(std::string("{\"api\": \"") + api + "\"") {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() { std::printf("%s}\n", text_.c_str()); }

  template <typename Number>
  Line& number(const char* name, Number value) {
    return add(name, std::to_string(value));
  }
  template <typename T>
  Line& tensor(const char* name, const LocalTensor<T>& value) {
    return add(name, "[\"" + std::string(type_name<T>()) + "\", " + std::to_string(value.start) + "]");
  }
  template <typename T>
  Line& scalar(T value) {
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return add("scalar", "[\"" + std::string(type_name<T>()) + "\", " + std::to_string(bits) + "]");
  }
  template <bool isSetMask = true>
  Line& mask(uint64_t lanes) {
    if constexpr (isSetMask) return number("contiguous", lanes);
    if (lanes != MASK_PLACEHOLDER) wrong("a mask that is not set must be MASK_PLACEHOLDER");
    return *this;
  }
  template <bool isSetMask = true>
  Line& mask(const uint64_t* words) {
    static_assert(isSetMask);
    return number("low", words[0]).number("high", words[1]);
  }
  Line& strides(const UnaryRepeatParams& by) {
    return number("dst_block", by.dstBlkStride)
        .number("src_block", by.srcBlkStride)
        .number("dst_repeat", by.dstRepStride)
        .number("src_repeat", by.srcRepStride);
  }
  Line& strides(const BinaryRepeatParams& by) {
    return number("dst_block", by.dstBlkStride)
        .number("src0_block", by.src0BlkStride)
        .number("src1_block", by.src1BlkStride)
        .number("dst_repeat", by.dstRepStride)
        .number("src0_repeat", by.src0RepStride)
        .number("src1_repeat", by.src1RepStride);
  }
  Line& self() { return *this; }
  Line& add(const char* name, const std::string& value) {
    text_ += ", \"" + std::string(name) + "\": " + value;
    return *this;
  }

 private:
  std::string text_;
};

template <typename T>
void LocalTensor<T>::SetValue(uint32_t element, T) {
  Line("SetValue").tensor("at", (*this)[element]);
}
template <pipe_t pipe>
void PipeBarrier() {}
inline void DataCopy(const LocalTensor<uint8_t>& dst, const GlobalTensor<uint8_t>& src, uint32_t bytes) {
  if (bytes % 32 != 0 || dst.start % 32 != 0 || dst.start + bytes > unified_buffer.size())
    wrong("DataCopy to UB");
  std::memcpy(&unified_buffer[dst.start], src.data, bytes);
  Line("load").number("base", dst.start).number("bytes", bytes);
}
inline void DataCopy(const GlobalTensor<uint8_t>& dst, const LocalTensor<uint8_t>& src, uint32_t bytes) {
  if (bytes % 32 != 0 || src.start % 32 != 0 || src.start + bytes > unified_buffer.size())
    wrong("DataCopy from UB");
  for (uint32_t n = 0; n < bytes; ++n)  // inverted, so that a program that is not copied out is noticed
    dst.data[n] = static_cast<uint8_t>(~unified_buffer[src.start + n]);
  Line("store").number("base", src.start).number("bytes", bytes);
}

inline void SetMaskNorm() {
  Line("SetMaskNorm");
}
inline void SetMaskCount() {
  Line("SetMaskCount");
}
inline void ResetMask() {
  Line("ResetMask");
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(uint64_t maskHigh, uint64_t maskLow) {
  static_assert(mode == MaskMode::NORMAL);
  Line("SetVectorMask")
      .add("type", '"' + std::string(type_name<T>()) + '"')
      .number("high", maskHigh)
      .number("low", maskLow);
}
template <typename T, MaskMode mode = MaskMode::NORMAL>
void SetVectorMask(int32_t len) {
  Line("SetVectorMask")
      .add("type", '"' + std::string(type_name<T>()) + '"')
      .number("len", len)
      .number("counter", mode == MaskMode::COUNTER ? 1 : 0);
}

}  // namespace AscendC

#include "vector_calls.h"
