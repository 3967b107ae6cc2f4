#include "fuzz/explain/measured/mask_sequences.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The lines that a sequence may consist of, by their letters. An instruction writes to the allocation of
/// this letter.
struct Line {
  char letter;
  std::string_view text, allocation;
};

constexpr Line kLines[] = {
    {'A', "set_mask high=0x2f8b6ce19d03574a low=0x94d1a76e50f83c2b", ""},
    {'B', "set_mask high=0xb5c6e8127af09b49 low=0x6d21f0c3a95e7b04", ""},
    {'R', "reset_mask", ""},
    {'a', "dup.i16 a+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'b', "dup.i16 b+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'c', "dup.i16 c+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'f', "dup.f32 f+0 blk=1 rep=8, scalar=1, repeat=1", "f32 256 = 0 x64"},
    {'h', "dup.f16 h+0 blk=1 rep=8, scalar=1, repeat=1", "f16 256 = 0 x128"},
    {'d', "dup.i16 d+0 blk=1 rep=8, scalar=1, repeat=3", "i16 768 = 0 x384"},
    {'p', "adds.i16 p+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'k', "cadd.i16 k+0 rep=1, s+0 blk=1 rep=8, repeat=1", "i16 32 = 0 x16"},
    {'l', "cadd.i16 l+0 rep=1, s+0 blk=1 rep=8, repeat=1", "i16 32 = 0 x16"},
    {'m', "cadd.i16 m+0 rep=1, s+0 blk=1 rep=0, repeat=3", "i16 32 = 0 x16"},
    {'g', "cgadd.i32 g+0 rep=1, t+0 blk=1 rep=8, repeat=1", "i32 32 = 0 x8"},
    {'i', "brcb.u16 i+0 blk=1 rep=8, u+0, repeat=1", "u16 256 = 0 x128"},  // ignores the mask
    {'s', "", "i16 256 = 1 x128"},
    {'t', "", "i32 256 = 1 x64"},
    {'u', "", "u16 32 = 1 x16"},
};

/// The lines that read the source with this letter.
std::string_view readers_of(char source) {
  if (source == 'u') return "i";
  return source == 's' ? "pklm" : "g";
}

/// The program of these lines. Those that the backend does not offer are left out.
Program sequence(std::string_view letters, const Capabilities& offers) {
  std::string allocations, instructions;
  unsigned at = 0;
  for (const Line& each : kLines) {
    const bool is_source = each.text.empty();
    const std::string_view users = is_source ? readers_of(each.letter) : std::string_view(&each.letter, 1);
    const bool used = letters.find_first_of(users) != std::string_view::npos;
    if (each.allocation.empty() || !used) continue;
    const std::size_t type_end = each.allocation.find(' ');
    const std::string rest(each.allocation.substr(type_end + 1));
    allocations += "alloc " + std::string(1, each.letter) + " " +
                   std::string(each.allocation.substr(0, type_end)) + " " + std::to_string(at) + " " + rest +
                   "\n";
    at += static_cast<unsigned>(std::stoul(rest));
  }
  for (const char letter : letters)
    instructions.append(std::ranges::find(kLines, letter, &Line::letter)->text).append("\n");
  Program program =
      parse_program("ub " + std::to_string(at) + "\n" + allocations + instructions, "a sequence of masks");
  restrict_to(offers, program);
  return program;
}

constexpr std::string_view kSmall[] = {"Aa",  "Ak",   "Ag",   "Ap",   "Aab",  "Akl",  "App", "Aka",
                                       "Aak", "AaRb", "AaBb", "AkRl", "AkBl", "ApRp", "ABRa"};
constexpr std::string_view kLarge[] = {
    "AaBbc",     "ABa",       "ABk",       "ABg",       "ABp",         "ARa",         "ABRRa",       "ABRk",
    "AaRbfhpkg", "AaBbfhpkg", "AkRlgabfh", "AkBlgabfh", "AhRfaRhpBkg", "AfBgRfBaRkl", "AafRBkgbARh", "Aia",
    "Aik",       "Ad",        "ABd",       "AaRd",      "Am",          "AkRm"};

std::vector<Program> sequences_of(std::span<const std::string_view> all, const Capabilities& offers) {
  std::vector<Program> programs;
  for (const std::string_view each : all) programs.push_back(sequence(each, offers));
  return programs;
}

}  // namespace

std::vector<Program> small_sequences(const Capabilities& offers) {
  return sequences_of(kSmall, offers);
}

std::vector<Program> larger_sequences(const Capabilities& offers) {
  return sequences_of(kLarge, offers);
}

}  // namespace lanecheck
