#include "fuzz/identify/element_laws/element_law_probes.h"

#include <cmath>
#include <limits>
#include <random>

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

enum class Data : std::uint8_t { with_one, with_zero, among_zeros, special_scalar, wide };
constexpr Data kAllData[] = {Data::with_one, Data::with_zero, Data::among_zeros, Data::special_scalar,
                             Data::wide};

/// Elements that the law changes, of each sign.
std::vector<std::uint64_t> changed_elements(const ElementLaw& law, Element type) {
  std::vector<std::uint64_t> all = {0};
  if (!is_float(type))
    for (const std::uint64_t each :
         {std::uint64_t{1}, std::uint64_t{0x1281}, std::uint64_t{0x1234'5679}, ~std::uint64_t{2}})
      all.push_back(each & all_bits(type));
  if (is_float(type)) {
    const std::uint64_t top = std::uint64_t{1} << (8 * size_of(type) - 1);
    const std::uint64_t infinite = nearest(type, std::numeric_limits<double>::infinity());
    const std::uint64_t normal = infinite & (~infinite + 1);  // the least normal number
    for (const std::uint64_t each :
         {std::uint64_t{0}, std::uint64_t{3}, normal / 2, normal - 1, infinite, infinite | normal >> 1})
      for (const std::uint64_t sign : {std::uint64_t{0}, top}) all.push_back(each | sign);
  }
  std::erase_if(all, [&](std::uint64_t bits) { return !changes(law, type, bits); });
  return all;
}

constexpr unsigned kApart = 16;  // among zeros, so that the sum of a repeat is special too

/// `special`: elements of the type that the law changes.
std::uint64_t draw(const std::vector<std::uint64_t>& special, Element type, Data data,
                   std::mt19937_64& random) {
  if (data == Data::among_zeros)
    return special.empty() || random() % kApart != 0 ? 0 : special[random() % special.size()];
  if (data == Data::wide) {  // functions that make such results of others
    const std::uint64_t bits = random() & all_bits(type);
    if (!is_float(type) || std::isfinite(value_of(type, bits))) return bits;
    return nearest(type, std::numeric_limits<double>::infinity());
  }
  if (!special.empty() && (data == Data::with_zero || random() % 2 == 0))
    return special[random() % special.size()];
  const double plain = static_cast<double>(1 + random() % 2);
  return nearest(type, data == Data::with_zero ? 0 : is_signed(type) && random() % 2 == 0 ? -plain : plain);
}

Program fill(const ElementLaw& law, Program program, const Layout& layout, Data data) {
  Instruction& insn = program.instructions.back();
  const Row& row = row_of(insn.op);
  std::mt19937_64 random(1 + static_cast<unsigned>(data));
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const OperandColumn& column = row.operands[k];
    const Element type = operand_type(insn, column);
    const Region& region = layout.regions[k];
    put_small_numbers(program, region, k, 0);
    const bool is_typed = column.type == TypeOf::dst || column.type == TypeOf::src;
    const bool is_only_written = k == 0 && !row.reads_dst && !law.blends;
    if (!is_typed || column.walk == Walk::bits || is_only_written) continue;
    const auto special = changed_elements(law, type);
    for (std::uint32_t n = 0; n < region.bytes / size_of(type); ++n) {
      std::uint64_t bits = draw(special, type, data, random);
      // Which zero a maximum of +0 and -0 is, the documents leave open: an old -0 would show the difference.
      if (k == 0 && law.blends && value_of(type, bits) == 0) bits = nearest(type, 1);
      put_element(program, region, type, n, bits);
    }
  }
  return program;
}

void set_scalar(const ElementLaw& law, Data data, Instruction& insn) {
  if (!takes_scalar(insn)) return;
  const Element type = scalar_type(insn);
  const auto special = changed_elements(law, type);
  const std::uint64_t plain = nearest(type, data == Data::with_zero ? 0 : 1);
  std::uint64_t bits = plain;
  if (data == Data::special_scalar && !special.empty()) bits = special.front();
  if (data == Data::wide && law.is_of_scalars() && !special.empty()) bits = special.back();
  insn.scalar = scalar_from_bits(type, bits);
}

/// Does a backend that follows the law leave something that the documents do not allow?
bool shows(const ElementLaw& law, const Program& program, const Semantics& semantics) {
  return !agrees(program, semantics, left_under(law, {}, program, semantics), true);
}

/// Under an empty mask and one with gaps too, if the law says something of masked-off lanes.
std::vector<MaskWords> masks_of(const ElementLaw& law, const Subject& subject) {
  const MaskWords full = full_mask(subject);
  if (!law.blends) return {full};
  return {full, gapped_mask(subject), {0, 0}};
}

std::vector<Program> programs_of(const ElementLaw& law, const Subject& given, const Semantics& semantics) {
  std::vector<Program> programs;
  bool any = false;
  for (const Data data : kAllData) {
    if (data == Data::special_scalar && !takes_scalar(given.insn)) continue;
    Subject subject = in_a_row(given, 1);
    set_scalar(law, data, subject.insn);
    const auto layout = lay_out(subject);
    if (!layout) continue;
    for (const MaskWords& mask : masks_of(law, subject)) {
      auto program = probe_program(subject, *layout, mask);
      if (!program) continue;
      Program filled = fill(law, *std::move(program), *layout, data);
      if (find_fault(filled, semantics.readings)) continue;
      any = any || shows(law, filled, semantics);
      programs.push_back(std::move(filled));
    }
  }
  return any ? programs : std::vector<Program>{};
}

Element type_of(const ElementLaw& law, const Instruction& insn) {
  if (law.is_of_scalars()) return scalar_type(insn);
  return law.is_of_results() ? insn.dst_type : insn.src_type;
}

}  // namespace

std::vector<ElementLawProbe> element_law_probes(const ElementLaw& law, Profile profile,
                                                const Semantics& semantics) {
  std::vector<ElementLawProbe> probes;
  for (const Row& row : instruction_table()) {
    if (!row.in(profile).offered) continue;
    for (const TypePair& types : row.in(profile).pairs) {
      if (!law.of_integers && !is_float(types.dst) && !is_float(types.src)) continue;
      const Subject subject = default_subject(profile, row, types);
      if (!concerns(law, subject.insn)) continue;
      auto programs = programs_of(law, subject, semantics);
      if (!programs.empty())
        probes.push_back({mnemonic(subject.insn), row.op, type_of(law, subject.insn), std::move(programs)});
    }
  }
  return probes;
}

}  // namespace lanecheck
