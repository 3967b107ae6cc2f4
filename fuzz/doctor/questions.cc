#include <algorithm>
#include <array>

#include "fuzz/doctor/question.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr std::array kTwoSources = {"sub", "add", "vmax", "vmin", "mul", "vor", "vand"};
constexpr std::array kOneSource = {"adds", "abs", "muls", "vnot", "vmaxs", "relu", "exp", "sqrt"};
constexpr std::array kTypes = {Element::f32,  Element::i32, Element::f16, Element::i16,
                               Element::bf16, Element::u32, Element::u16, Element::i8,
                               Element::u8,   Element::i64, Element::u64};

constexpr std::uint32_t kRoom = 2048;  // of each operand: also for those who misunderstand its strides

/// Element k of allocation a: small, whole, different from its neighbours and from allocation to allocation.
void fill(Program& program) {
  for (std::size_t a = 0; a < program.allocations.size(); ++a) {
    const Allocation& home = program.allocations[a];
    const unsigned size = size_of(home.type);
    for (std::uint32_t k = 0; k < home.bytes / size; ++k) {
      const std::uint64_t bits =
          nearest(home.type, static_cast<double>((a == 0 ? 90u : 3u + 17u * a) + (7 * k + k / 8) % 29));
      std::memcpy(program.ub.data() + home.offset + std::size_t{k} * size, &bits, size);
    }
  }
}

Program with_data(const std::string& text) {
  Program program = parse_program(text, "the doctor");
  fill(program);
  return program;
}

/// Instructions that are on offer, to build questions from.
class Kit {
 public:
  explicit Kit(const Capabilities& offers) : offers_(offers) {}

  bool offers(std::string_view mnemonic) const {
    Instruction insn;
    return parse_mnemonic(mnemonic, insn) &&
           (!row_of(insn.op).typed() || types_of(insn, Profile::vmc) != nullptr) &&
           offers_.include(insn, Profile::vmc);
  }

  bool sets_masks() const { return offers("set_mask"); }

  /// An elementwise instruction of this type, as a line of a program; empty when there is none.
  /// `dst`, `src0`, `src1`: operands as text. `tail`: what follows them.
  std::string elementwise(Element type, const std::string& dst, const std::string& src0,
                          const std::string& src1, const std::string& tail) const {
    for (const char* name : kTwoSources)
      if (const auto mnemonic = typed(name, type); offers(mnemonic))
        return mnemonic + " " + dst + ", " + src0 + ", " + src1 + ", " + tail + "\n";
    for (const char* name : kOneSource)
      if (const auto mnemonic = typed(name, type); offers(mnemonic)) {
        const Row& row = *find_row(name);
        return mnemonic + " " + dst + ", " + src0 + ", " + (row.has_scalar ? "scalar=2, " : "") + tail + "\n";
      }
    return {};
  }

  /// The first type that some elementwise instruction has.
  std::optional<Element> type() const {
    for (const Element type : kTypes)
      if (!elementwise(type, "", "", "", "").empty()) return type;
    return {};
  }

  static std::string typed(std::string_view name, Element type) {
    return std::string(name) + "." + std::string(name_of(type));
  }

 private:
  const Capabilities& offers_;
};

std::string memory(Element type, std::uint32_t bytes) {
  const std::string name(name_of(type));
  std::string text = "ub " + std::to_string(3 * (bytes + 32)) + "\n";
  std::uint32_t offset = 0;
  for (const char* each : {"d", "a", "b"}) {
    text += std::string("alloc ") + each + " " + name + " " + std::to_string(offset) + " " +
            std::to_string(bytes) + "\n";
    offset += bytes + 32;
  }
  return text;
}

Program all_bytes(std::uint32_t bytes) {
  Program program = parse_program(
      "ub " + std::to_string(bytes) + "\nalloc all u8 0 " + std::to_string(bytes) + "\n", "the doctor");
  for (std::uint32_t n = 0; n < bytes; ++n) program.ub[n] = static_cast<std::byte>(n * 7 + n / 256 + 1);
  return program;
}

const std::string kWhole = "d+0 blk=1 rep=8", kFirst = "a+0 blk=1 rep=8", kSecond = "b+0 blk=1 rep=8";

/// One contiguous repeat of each type on offer.
std::vector<Program> type_programs(const Kit& kit) {
  std::vector<Program> programs;
  for (const Element type : kTypes)
    if (const auto line = kit.elementwise(type, kWhole, kFirst, kSecond, "repeat=1"); !line.empty())
      programs.push_back(with_data(memory(type, kRoom) + line));
  return programs;
}

/// Values whose order depends on the sign.
std::vector<Program> sign_programs(const Kit& kit) {
  std::vector<Program> programs;
  for (const Element type : kTypes) {
    const auto mnemonic = Kit::typed("vmax", type);
    if (is_float(type) || !kit.offers(mnemonic)) continue;
    Program program = with_data(memory(type, kRoom) + mnemonic + " " + kWhole + ", " + kFirst + ", " +
                                kSecond + ", repeat=1\n");
    for (std::uint32_t n = 0; n < 256; n += 2 * size_of(type))
      program.ub[program.allocations[1].offset + n + size_of(type) - 1] = std::byte{0x93};
    programs.push_back(std::move(program));
  }
  return programs;
}

}  // namespace

std::vector<Question> questions(const Capabilities& offers) {
  const Kit kit(offers);
  std::vector<Question> list;
  const auto ask = [&](std::string_view id, std::string_view asks, std::vector<Program> programs,
                       std::string_view needs) {
    list.push_back({id, asks, std::move(programs), needs});
  };
  constexpr std::string_view kNeedsElementwise = "an elementwise instruction such as add or adds";

  ask("memory", "does memory come back as it went in, when nothing is executed?",
      {all_bytes(64), all_bytes(4096)}, "");
  std::vector<Program> masks;
  if (kit.sets_masks())
    masks = {with_data("ub 32\nset_mask high=0x8000000000000017 low=0x2b\n"),
             with_data("ub 32\nset_mask high=0x0 low=0xfffffffffffffffe\n")};
  ask("set_mask", "does set_mask take high before low, the lowest bit for the lowest lane?", std::move(masks),
      "set_mask");
  ask("types", "does each element type mean what it says?", type_programs(kit), kNeedsElementwise);
  ask("signs", "are signed and unsigned types told apart?", sign_programs(kit), "vmax on integers");

  std::vector<Program> operands, blocks, repeats, lanes, scalars, fresh, flush, many;
  if (const auto type = kit.type()) {
    const auto line = [&](const std::string& dst, const std::string& src0, const std::string& src1,
                          const std::string& tail) { return kit.elementwise(*type, dst, src0, src1, tail); };
    const auto one = [&](const std::string& text) { return with_data(memory(*type, kRoom) + text); };
    operands = {one(line("d+32 blk=1 rep=8", "a+64 blk=1 rep=8", "b+96 blk=1 rep=8", "repeat=1"))};
    blocks = {one(line("d+0 blk=2 rep=1", "a+0 blk=3 rep=2", "b+0 blk=1 rep=4", "repeat=2"))};
    repeats = {one(line(kWhole, kFirst, kSecond, "repeat=3")),
               one(line(kWhole, kFirst, kSecond, "repeat=0"))};
    const std::string whole = line(kWhole, kFirst, kSecond, "repeat=1");
    if (kit.sets_masks()) {
      lanes = {one("set_mask high=0xf0f0f0f0f0f0f0f0 low=0x123456789abcdef0\n" + whole)};
      fresh = {one("set_mask high=0x0 low=0x5\n" + whole), all_bytes(3 * (kRoom + 32)), one(whole)};
    } else {
      fresh = {one(whole), all_bytes(3 * (kRoom + 32)), one(whole)};
    }
    flush = {one(line("d+0 blk=1 rep=8", kFirst, kSecond, "repeat=1") +
                 line("d+512 blk=1 rep=8", kFirst, kSecond, "repeat=1") +
                 line(kFirst, kSecond, kSecond, "repeat=1"))};
    for (unsigned n = 0; n < 24; ++n) {
      many.push_back(one(whole));
      for (std::byte& each : std::span(many.back().ub).subspan(many.back().allocations[1].offset, 32))
        each ^= static_cast<std::byte>(n);
    }
  }
  for (const Element type : {Element::f32, Element::f16, Element::i32, Element::i16})
    if (scalars.empty())
      for (const char* name : {"adds", "muls", "vmaxs", "vmins", "dup"})
        if (const auto mnemonic = Kit::typed(name, type); scalars.empty() && kit.offers(mnemonic))
          scalars = {with_data(memory(type, kRoom) + mnemonic + " " + kWhole +
                               (name == std::string_view("dup") ? "" : ", " + kFirst) +
                               ", scalar=24, repeat=1\n")};
  ask("operands", "are dst, src0 and src1 in their places, and offsets added?", std::move(operands),
      kNeedsElementwise);
  ask("strides", "are block stride and repeat stride in blocks of 32 bytes, each operand with its own?",
      std::move(blocks), kNeedsElementwise);
  ask("repeats", "are repeat times repeats, and 0 none?", std::move(repeats), kNeedsElementwise);
  ask("lanes", "does the mask reach the instructions?", std::move(lanes),
      "set_mask and an elementwise instruction");
  ask("scalar", "does the scalar arrive with its value?", std::move(scalars), "an instruction with a scalar");
  ask("fresh_state", "does each program start from its own memory and a full mask?", std::move(fresh),
      kNeedsElementwise);
  ask("all_written", "is every instruction executed, and every result handed back?", std::move(flush),
      kNeedsElementwise);
  ask("every_request", "does each of many programs get its own answer?", std::move(many), kNeedsElementwise);
  return list;
}

}  // namespace lanecheck
