// What one instruction leaves in the mask register and in the mask mode, observed: an instruction that uses
// the register is run afterwards.
#pragma once

#include <optional>
#include <vector>

#include "fuzz/identify/probes/probe.h"

namespace lanecheck {

inline constexpr unsigned kSlots = 128;
inline constexpr std::uint32_t kLength = 29;
/// Around the ends of the words, so that "at most 64" is told from "less than 64".
inline constexpr std::uint32_t kLengths[] = {1, 32, 63, 64, 65, 96, 127, 128};

/// The register and the mode before the subject, and the mask of a subject that sets it.
struct Before {
  Mode mode;
  MaskWords words, own;
  std::uint32_t length = kLength;    ///< of a subject that is given a number
  bool by_total = false;             ///< another set_vector_mask_total sets the register before
  bool by_length = false;            ///< set_vector_mask_len sets it: the words are the lowest ones
  MaskWords first = {kOnes, kOnes};  ///< the register before the mode is switched to counter mode
  std::uint32_t repeats = 1;         ///< for which the operands have room
};

/// What a reader finds after the subject.
struct LeftBehind {
  MaskWords words{};
  std::optional<Mode> mode;  ///< nothing if the reader writes neither of the two

  bool operator==(const LeftBehind&) const = default;
};

/// A register before, and what the backend and the documents leave after it.
struct Observed {
  Before before;
  LeftBehind actual, documented;
};

/// A program of the subject alone, with its operands in UB and the mask of `before`. Nothing if it has none.
std::optional<Program> subject_program(const Subject& subject, const Before& before);

/// The backend as one that shows slots 0 to 127 of its mask register: a reader runs behind each program. What
/// else its states would show is as documented.
Ask with_mask_read(const Ask& ask);

/// Is the subject given two words?
bool takes_words(const Subject& subject);
/// Is it given a contiguous mask: of its own, or for the register?
bool takes_length(const Subject& subject);

/// Without `is_run` the subject is left out. Nothing if the backend does not answer.
std::vector<Observed> observe_register(const Subject& subject, const Ask& ask, bool is_run);

/// The same in counter mode, with each of these counts in the register and in the words of its own, of at
/// most kRepeatsOfCounts repeats.
std::vector<Observed> observe_counts(const Subject& subject, const std::vector<std::uint64_t>& counts,
                                     const Ask& ask);
inline constexpr std::uint32_t kRepeatsOfCounts = 3;

/// Does the reader find each of these masks in normal mode, if set_vector_mask alone sets it? Nothing is said
/// of the subject by a reader that does not.
bool reader_finds(const Subject& subject, const std::vector<MaskWords>& masks, const Ask& ask);

/// The same in normal mode, with each of these masks of its own. The subject takes words.
std::vector<Observed> observe_own_masks(const Subject& subject, const std::vector<MaskWords>& masks,
                                        const Ask& ask);

/// The same in normal mode, with each of these lengths; a backend may fail with some of them. The subject
/// takes a length.
std::vector<Observed> observe_lengths(const Subject& subject, const std::vector<std::uint32_t>& lengths,
                                      const Ask& ask);

}  // namespace lanecheck
