#include "fuzz/identify/places/move_offsets.h"

#include <cstring>
#include <functional>

#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Where one offset is read, as a byte from the start of operand `offsets`, and with how many bytes.
struct Read {
  std::int64_t byte;
  unsigned bytes = 4;
};

/// One misreading. Each function that is empty stands for what is documented.
struct Misreading {
  std::string text;
  std::function<Read(unsigned repeat, unsigned n)> read{};  ///< offset `n` of a repeat
  /// What offset `n` of a repeat becomes.
  std::function<std::int64_t(std::int64_t offset, unsigned repeat, unsigned n)> use{};
  /// What it is added to: `start` is where the operand starts, `inside` how far this is in its allocation.
  std::function<std::int64_t(std::int64_t start, std::int64_t inside)> base{};
  RepeatLaw repeats{};      ///< in which repeats
  bool of_repeats = false;  ///< says what becomes of repeats: also "in every repeat" is said
  bool of_strides = false;  ///< says how strides matter: of any shape
  std::string key{};        ///< the same for the offsets of dst and of a source
};

struct Indexed {
  Subject subject;
  Layout layout;
  unsigned operand;  ///< the one that offsets address

  const Instruction& insn() const { return subject.insn; }
  bool in_blocks() const { return row_of(insn().op).moves_blocks; }
  unsigned unit() const { return in_blocks() ? kBlockBytes : size_of(insn().src_type); }
  /// Offsets of a repeat.
  unsigned count() const { return in_blocks() ? kRepeatBlocks : lanes_of(insn()); }
  std::string role() const { return std::string(row_of(insn().op).operands[operand].role); }
};

constexpr unsigned kOffsetRepeats = 4;  // "the last repeat" and "from repeat 2 on" are not the same

/// All operands in a row; with `own_strides` those that lie in rows keep their repeat strides.
std::optional<Indexed> indexed(const Subject& given, bool own_strides) {
  const auto operand = indexed_operand(row_of(given.insn.op));
  if (!operand) return {};
  constexpr std::uint32_t kRoom = 32 * 1024, kReach = 80 * 1024,
                          kMargin = 4096;  // holds what a repeat stride of 256 offsets reads
  Indexed all{in_a_row(given, kOffsetRepeats), {}, *operand};
  for (unsigned k = 0; own_strides && k < row_of(given.insn.op).operands.size(); ++k)
    if (row_of(given.insn.op).operands[k].walk == Walk::rows)
      all.subject.insn.operands[k].repeat_stride = given.insn.operands[k].repeat_stride;
  all.layout.ub_bytes = kMargin;  // the start of no allocation is that of UB
  for (unsigned k = 0; k < row_of(given.insn.op).operands.size(); ++k) {
    const bool far = k == *operand;
    const auto bytes =
        static_cast<std::uint32_t>(in_whole_blocks(extent(all.insn(), k, lanes_of(all.insn()))));
    const std::uint32_t margin = far ? kRoom : kMargin;
    all.layout.regions[k] = {all.layout.ub_bytes, margin + (far ? kReach + kMargin : bytes + margin), margin};
    all.layout.ub_bytes += all.layout.regions[k].bytes;
  }
  return all;
}

/// Finite numbers, neighbours differ.
void fill_with_noise(Program& program, Element type, std::uint32_t seed) {
  const unsigned size = size_of(type);
  for (std::size_t at = 0; at + size <= program.ub.size(); at += size) {
    seed = seed * 1664525 + 1013904223;  // "Numerical Recipes", Press et al., "An Even Quicker Generator"
    std::uint32_t bits = seed >> (32 - 8 * size);
    if (is_float(type))
      bits &= ~(std::uint32_t{1} << (8 * size - 2));  // the exponent is not the greatest one
    std::memcpy(&program.ub[at], &bits, size);
  }
}

/// Offsets `factor` * n + `first` places apart, modulo `places`, all different.
struct Spread {
  std::uint32_t factor, first, bytes, base;
};

/// Short ones, and such as need 17 bits.
constexpr Spread kSpreads[] = {{7, 3, 2048, 0}, {40503, 11, 65536, 0}, {27917, 5, 65536, 14400}};

std::optional<std::vector<Program>> programs_of(const Indexed& all) {
  std::vector<Program> programs;
  for (const Spread& spread : kSpreads) {
    auto program = probe_program(all.subject, all.layout, full_mask(all.subject));
    if (!program) return {};
    fill_with_noise(*program, all.insn().src_type, spread.factor);
    const Region& offsets = all.layout.regions[kOffsetsOperand];
    // The neighbours of the offsets are offsets too, so that a backend that reads them stays inside UB.
    const std::uint32_t places = spread.bytes / all.unit(), own = kOffsetRepeats * all.count();
    const auto before = static_cast<std::int64_t>(offsets.margin / 4);
    for (std::int64_t n = -before; n < static_cast<std::int64_t>(offsets.bytes / 4) - before; ++n) {
      const auto number = static_cast<std::uint32_t>(n + 4096);
      const std::uint32_t place = (number * spread.factor + spread.first) % std::max(places, own);
      put_element(*program, offsets, Element::u32, static_cast<std::uint32_t>(n + before),
                  place * all.unit() + spread.base);
    }
    programs.push_back(std::move(*program));
  }
  return programs;
}

/// The program in which the documented reading does what the misreading does in the given one; nothing if it
/// would leave UB.
std::optional<Program> changed(const Indexed& all, const Program& program, const Misreading& how) {
  Program result = program;
  const Instruction& insn = program.instructions.back();
  const std::int64_t offsets = start_of(program, insn.operands[kOffsetsOperand]);
  Operand& operand = result.instructions.back().operands[all.operand];
  const std::int64_t documented = start_of(program, operand);
  for (unsigned r = 0; r < kOffsetRepeats; ++r)
    for (unsigned n = 0; n < all.count(); ++n) {
      const bool wrong = how.repeats.holds(r, kOffsetRepeats);
      const std::int64_t own = std::int64_t{4} * (r * all.count() + n);
      const Read read = wrong && how.read ? how.read(r, n) : Read{own};
      const std::int64_t from = offsets + read.byte, ub = static_cast<std::int64_t>(program.ub.size());
      if (from < 0 || from + read.bytes > ub) return {};
      std::uint32_t offset = 0;
      std::memcpy(&offset, &program.ub[static_cast<std::size_t>(from)], read.bytes);
      const std::int64_t used = wrong && how.use ? how.use(offset, r, n) : offset;
      const std::int64_t base = wrong && how.base ? how.base(documented, operand.offset) : documented;
      const std::int64_t place = base + used;
      if (place < 0 || place + all.unit() > ub) return {};
      const auto written = static_cast<std::uint32_t>(place);
      std::memcpy(&result.ub[static_cast<std::size_t>(offsets + own)], &written, 4);
    }
  operand.offset -= static_cast<std::uint32_t>(documented);  // places are counted from the start of UB
  return result;
}

/// UB after the program under a misreading; nothing if it would leave UB.
std::optional<std::vector<std::byte>> predicted(const Indexed& all, const Program& program,
                                                const Misreading& how) {
  const auto other = changed(all, program, how);
  if (!other) return {};
  State state;
  Outcome outcome = NotRun{};
  ask_oracle()({{&*other, 1}, {&state, 1}, {&outcome, 1}});
  const std::size_t from = start_of(program, program.instructions.back().operands[kOffsetsOperand]);
  for (std::size_t byte = from; byte < from + std::size_t{4} * kOffsetRepeats * all.count(); ++byte)
    if (state.ub[byte] == other->ub[byte]) state.ub[byte] = program.ub[byte];
  return std::move(state.ub);
}

std::string multiples(unsigned bytes, unsigned unit) {
  if (bytes == kBlockBytes) return "data blocks of 32 bytes";
  return bytes == unit ? "elements" : std::to_string(bytes) + " bytes";
}

/// Which offset a lane takes.
void add_reads(const Indexed& all, const std::string& name, std::vector<Misreading>& list) {
  const unsigned count = all.count();
  for (const unsigned step : {8u, 16u, 32u, 64u, 128u, 256u}) {
    if (step == count) continue;
    const std::string lanes = std::to_string(count);
    list.push_back({.text = "repeat r of " + name + " reads its offsets from number " + std::to_string(step) +
                            " * r on instead of " + lanes + " * r",
                    .read = [=](unsigned r, unsigned n) { return Read{std::int64_t{4} * (r * step + n)}; },
                    .key = "repeats start at every offset " + std::to_string(step) + " of " + lanes});
  }
  if (all.operand == 0)  // of a gather, the map of its source says it
    list.push_back({.text = name + " uses the offsets of repeat 0",
                    .read = [](unsigned, unsigned n) { return Read{std::int64_t{4} * n}; },
                    .of_repeats = true});
  for (const int later : {-1, 1, 8, -8})
    list.push_back({name + " reads operand offsets " + std::to_string(std::abs(later)) +
                        (std::abs(later) == 1 ? " offset" : " offsets") + (later > 0 ? " later" : " earlier"),
                    [=](unsigned r, unsigned n) {
                      return Read{std::int64_t{4} * (static_cast<std::int64_t>(r * count + n) + later)};
                    }});
  list.push_back({name + " reads its offsets as 16-bit numbers in a row", [=](unsigned r, unsigned n) {
                    return Read{std::int64_t{2} * (r * count + n), 2};
                  }});
  list.push_back({name + " reads every other offset, as if offsets had 64 bits",
                  [=](unsigned r, unsigned n) { return Read{std::int64_t{8} * (r * count + n)}; }});
}

/// Only some of the offsets of a repeat are read.
void add_few(const Indexed& all, const std::string& name, std::vector<Misreading>& list) {
  const unsigned count = all.count();
  for (unsigned few = 4; few < count; few *= 2) {
    const std::string start =
        name + " reads only the first " + std::to_string(few) + " offsets of a repeat: the others are ";
    list.push_back({.text = start + "taken as 0",
                    .use = [few](std::int64_t o, unsigned, unsigned n) { return n < few ? o : 0; }});
    list.push_back({start + "these again",
                    [=](unsigned r, unsigned n) { return Read{std::int64_t{4} * (r * count + n % few)}; }});
  }
}

/// What an offset is taken for.
void add_uses(const Indexed& all, const std::string& name, std::vector<Misreading>& list) {
  const std::string offsets = "offsets of " + name + " are ";
  const auto add = [&](std::string text, std::function<std::int64_t(std::int64_t)> use) {
    list.push_back(
        {std::move(text), {}, [use = std::move(use)](std::int64_t o, unsigned, unsigned) { return use(o); }});
  };
  const unsigned unit = size_of(all.insn().src_type);
  for (const std::int64_t bytes : {2, 4, 8, 16, 32, 64}) {
    const auto number = static_cast<unsigned>(bytes);
    add(offsets + "rounded down to multiples of " + std::to_string(bytes) + " bytes",
        [=](std::int64_t o) { return o / bytes * bytes; });
    add(offsets + "rounded up to multiples of " + std::to_string(bytes) + " bytes",
        [=](std::int64_t o) { return (o + bytes - 1) / bytes * bytes; });
    add(offsets + "counted in " + multiples(number, unit) + " instead of bytes",
        [=](std::int64_t o) { return o * bytes; });
    add(offsets + "divided by " + (number == unit ? "the size of an element" : std::to_string(bytes)),
        [=](std::int64_t o) { return o / bytes; });
  }
  for (unsigned bits = 8; bits <= 16; ++bits) {
    const std::int64_t span = std::int64_t{1} << bits;
    // No number of bits for a type: it is the same cause where elements have another size.
    const bool is_type = bits == 8 || bits == 16;
    const std::string size = std::to_string(bits), start = name + " takes its offsets for numbers of type ",
                      lowest = name + " uses only the lowest " + size + " bits of its offsets";
    add(is_type ? start + "u" + size : lowest, [=](std::int64_t o) { return o % span; });
    add(is_type ? start + "i" + size : lowest + ", as a signed number",
        [=](std::int64_t o) { return o % span < span / 2 ? o % span : o % span - span; });
    add(offsets + "at most " + std::to_string(span - 1) + ": greater ones count as this number",
        [=](std::int64_t o) { return std::min(o, span - 1); });
  }
}

/// What is added to an offset because of its repeat or its number.
void add_sums(const Indexed& all, const std::string& name, std::vector<Misreading>& list) {
  const unsigned unit = all.unit(), count = all.count();
  std::vector<unsigned> steps = {unit, kBlockBytes, unit * count, kRepeatBytes};
  for (const unsigned step : sorted_unique(std::move(steps))) {
    const std::string sum = name + " adds " + std::to_string(step);
    list.push_back({sum + " * R bytes to each offset of repeat R (counted from 0)",
                    {},
                    [=](std::int64_t o, unsigned r, unsigned) { return o + std::int64_t{step} * r; }});
    if (step == unit || step == kBlockBytes)
      list.push_back({sum + " * N bytes to offset N of each repeat",
                      {},
                      [=](std::int64_t o, unsigned, unsigned n) { return o + std::int64_t{step} * n; }});
  }
}

std::vector<Misreading> misreadings(const Indexed& all) {
  const std::string name = mnemonic(all.insn());
  std::vector<Misreading> list;
  add_reads(all, name, list);
  add_few(all, name, list);
  add_uses(all, name, list);
  add_sums(all, name, list);
  const std::string from = "offsets of " + name + " are counted from ", instead = " instead of the start of ";
  list.push_back({from + "the start of UB" + instead + all.role(), {}, {}, [](std::int64_t, std::int64_t) {
                    return std::int64_t{0};
                  }});
  list.push_back({from + "the start of its allocation" + instead + all.role(),
                  {},
                  {},
                  [](std::int64_t start, std::int64_t inside) { return start - inside; }});
  list.push_back({name + " adds the address of " + all.role() + " twice to its offsets",
                  {},
                  {},
                  [](std::int64_t start, std::int64_t) { return 2 * start; }});
  return list;
}

/// "src: offsets of @ are divided by 32"
std::string key_of_use(std::string text, const std::string& name) {
  return "offsets: " + text.replace(text.find(name), name.size(), "@");
}

/// The repeat stride of an operand that lies in rows, taken for the step of the offsets.
std::vector<Misreading> stride_misreadings(const Indexed& all) {
  const std::string name = mnemonic(all.insn());
  std::vector<Misreading> list;
  for (unsigned k = 0; k < row_of(all.insn().op).operands.size(); ++k) {
    const OperandColumn& column = row_of(all.insn().op).operands[k];
    const std::int64_t stride = all.insn().operands[k].repeat_stride;
    if (column.walk != Walk::rows) continue;
    struct Unit {
      std::string_view text;
      std::int64_t bytes;
    };
    const Unit units[] = {{"data blocks", kBlockBytes},
                          {"offsets", 4},
                          {"as many offsets as a data block has elements",
                           4 * static_cast<std::int64_t>(per_block(all.insn().dst_type))}};
    for (const Unit& unit : units)
      list.push_back(
          {.text = name + " steps through its offsets by the repeat stride of " + std::string(column.role) +
                   " from repeat to repeat, in " + std::string(unit.text) +
                   ", instead of reading them in a row",
           .read = [=, bytes = unit.bytes](
                       unsigned r, unsigned n) { return Read{std::int64_t{4} * n + r * stride * bytes}; },
           .of_strides = true});
  }
  return list;
}

/// The first law of the list that gives all that the backend leaves. `is_right`: the documents give it.
std::optional<Difference> first_law(const Indexed& all, const std::vector<Misreading>& list, const Ask& ask,
                                    bool& is_right) {
  const auto programs = programs_of(all);
  if (!programs) return {};
  std::vector<Answers> answers;  // a program that fails says nothing
  for (const Program& program : *programs) answers.push_back(ask_all(ask, {&program, 1}));
  const auto explains = [&](const Misreading& how) {
    bool compared = false;
    for (std::size_t n = 0; n < programs->size(); ++n) {
      if (answers[n].states.empty()) continue;
      const auto ub = predicted(all, (*programs)[n], how);
      if (ub && *ub != answers[n].states[0].ub) return false;
      compared |= ub.has_value();
    }
    return compared;
  };
  is_right = explains({});
  if (is_right) return {};
  using Kind = RepeatLaw::Kind;
  for (const RepeatLaw& repeats :
       {RepeatLaw{Kind::all}, RepeatLaw{Kind::from, 1}, RepeatLaw{Kind::first}, RepeatLaw{Kind::last}})
    for (Misreading each : list) {
      each.repeats = repeats;
      if (!explains(each)) continue;
      const bool names_all = each.of_repeats && repeats.kind == Kind::all;
      Difference difference{map_of_role(all.role()), each.text,
                            names_all ? "in every repeat" : repeats.text()};
      difference.of_all_shapes = each.of_strides;
      // Numbers of bytes or bits are the same for all types, whatever part of a repeat they are.
      if (!each.key.empty()) difference.key = "offsets: " + each.key + repeats.text();
      if (each.use) difference.key = key_of_use(each.text, mnemonic(all.insn())) + repeats.text();
      return difference;
    }
  return {};
}

/// With another repeat stride of the operand in rows, so that a step of a fixed size is no law of strides.
bool holds_with_other_strides(const Subject& given, const Difference& law, const Ask& ask) {
  Subject subject = given;
  const auto operands = row_of(subject.insn.op).operands;
  for (unsigned k = 0; k < operands.size(); ++k)
    if (operands[k].walk == Walk::rows) subject.insn.operands[k].repeat_stride += 3;
  const auto all = indexed(subject, true);
  if (!all) return true;
  bool is_right = false;
  const auto other = first_law(*all, stride_misreadings(*all), ask, is_right);
  return other && other->what == law.what;
}

}  // namespace

std::optional<Difference> offset_difference(const Subject& subject, const Ask& ask) {
  for (const bool own_strides : {true, false}) {
    const auto all = indexed(subject, own_strides);
    if (!all) return {};
    bool is_right = false;
    auto law = first_law(*all, own_strides ? stride_misreadings(*all) : misreadings(*all), ask, is_right);
    if (law && own_strides && !holds_with_other_strides(subject, *law, ask)) continue;
    if (law || is_right) return law;
  }
  return {};
}

}  // namespace lanecheck
