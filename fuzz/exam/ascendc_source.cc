#include "fuzz/exam/ascendc_call.h"
#include "fuzz/exam/export.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr const char* kAscendHead = R"(#include "kernel_operator.h"

namespace {

template <typename T>
__aicore__ inline T FromBits(uint64_t bits) {
  union {
    uint64_t bits;
    T value;
  } both = {bits};
  return both.value;
}

class Exam {
 public:
  // `bytes`: of the UB of this launch.
  __aicore__ inline Exam(GM_ADDR image, uint32_t bytes) {
    image_.SetGlobalBuffer((__gm__ uint8_t*)image);
    pipe_.InitBuffer(buffer_, bytes);
    ub_ = buffer_.Get<uint8_t>();
  }
  // Copies `bytes` bytes to UB, from its byte `base` on. In the image they start at byte `offset`.
  __aicore__ inline void Load(uint32_t base, uint32_t offset, uint32_t bytes) {
    AscendC::DataCopy(ub_[base], image_[offset], bytes);
    Wait();
  }
  __aicore__ inline void Store(uint32_t base, uint32_t offset, uint32_t bytes) {
    AscendC::DataCopy(image_[offset], ub_[base], bytes);
    Wait();
  }
)";

constexpr const char* kAscendTail = R"(
 private:
  template <typename T>
  __aicore__ inline AscendC::LocalTensor<T> At(uint32_t start) {
    return ub_[start].template ReinterpretCast<T>();
  }
  __aicore__ inline void Wait() { AscendC::PipeBarrier<PIPE_ALL>(); }

  AscendC::TPipe pipe_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buffer_;
  AscendC::LocalTensor<uint8_t> ub_;
  AscendC::GlobalTensor<uint8_t> image_;
};

}  // namespace
)";

std::string member(const std::string& name, const std::string& body) {
  return "  __aicore__ inline void " + name + "() {\n" + body + "  }\n";
}

/// DataCopy moves whole data blocks.
void check_size(const ExamProgram& each, std::size_t n) {
  if (each.program.ub.size() % kBlockBytes != 0)
    throw InputError("--as ascendc", "program " + std::to_string(n) + " has a UB of " +
                                         std::to_string(each.program.ub.size()) +
                                         " bytes, which is no multiple of 32");
}

}  // namespace

std::vector<ExportedFile> ascendc_source(const Exam& exam, const ExamLayout& layout) {
  const ProfileRow& profile = row_of(exam.front().program.profile);
  if (profile.mask_operands != MaskOperands::by_form)
    throw InputError("--as ascendc", "the instructions of profile " + std::string(profile.name) +
                                         " are not calls of Ascend C; distill with --profile ascendc-a2 or "
                                         "ascendc-310p");
  std::string members, kernels, reset;
  for (const Instruction& insn : reset_instructions(profile.profile)) reset += ascendc_call({}, insn);
  members += "\n  // What runs between two programs of a launch.\n" + member("Reset", reset);
  for (std::size_t n = 0; n < exam.size(); ++n) {
    check_size(exam[n], n);
    const Program placed = placed_program(exam[n]);
    std::string body;
    for (const Instruction& insn : placed.instructions) body += ascendc_call(placed, insn);
    const std::string name = "Program" + std::to_string(n);
    members += member(name, body);
    const bool first = is_first_of_launch(exam, n);
    if (first)
      kernels += std::string(n == 0 ? "" : "}\n") +
                 "\nextern \"C\" __global__ __aicore__ void lanecheck_launch_" +
                 std::to_string(exam[n].launch) + "(GM_ADDR image) {\n  Exam exam(image, " +
                 std::to_string(layout.launches[exam[n].launch].bytes) + ");\n";
    const std::string place = "(" + std::to_string(exam[n].base) + ", " +
                              std::to_string(layout.offset_of(exam[n])) + ", " +
                              std::to_string(exam[n].program.ub.size()) + ");\n";
    kernels += "  exam.Load" + place + (first ? "" : "  exam.Reset();\n") + "  exam." + name +
               "();\n  exam.Store" + place;
  }
  return {{"exam_kernel.cpp",
           "// An exam of profile " + std::string(profile.name) + ": " + programs_in_launches(exam) +
               ". Written by `lanecheck export`.\n// Copy input.bin to global memory, start "
               "each kernel below on one core with its address, and write the\n// same "
               "bytes to output.bin afterwards.\n" +
               kAscendHead + members + kAscendTail + kernels + "}\n"}};
}

}  // namespace lanecheck
