// Mistakes about masks: the register, its mode, masks that instructions bring, and counts of elements.
#include <algorithm>

#include "fuzz/doctor/mistaken_adapter.h"
#include "oracle/mutants/mutant.h"
#include "spec/mask/mask_register.h"

namespace lanecheck {
namespace {

constexpr ProfileSet kWithRegister = {Profile::vmc, Profile::a2, Profile::p310};
constexpr ProfileSet kWithModes = {Profile::a2, Profile::p310};
constexpr ProfileSet kWithOwnMasks = {Profile::a2, Profile::p310, Profile::tik};

template <std::uint64_t Reversed(std::uint64_t)>
Foretold mask_words_as(const Asked& asked) {
  return misread_each(asked, [](Instruction& insn) {
    if (!sets_words(insn)) return;
    insn.high = Reversed(insn.high);
    insn.low = Reversed(insn.low);
  });
}

std::uint64_t bits_reversed(std::uint64_t word) {
  std::uint64_t reversed = 0;
  for (unsigned bit = 0; bit < 64; ++bit) reversed |= (word >> bit & 1) << (63 - bit);
  return reversed;
}

/// set_mask sets slots 128..255 to 0, which it must leave as they are.
Foretold upper_slots_cleared(const Asked& asked) {
  std::vector<State> states;
  for (const Program& program : asked.programs) {
    State state{program.ub, kFullMask};
    for (const Instruction& insn : program.instructions) {
      execute_one(program, insn, Semantics{}, state);
      if (sets_words(insn)) std::fill(state.mask.begin() + 128, state.mask.end(), std::uint8_t{0});
    }
    states.push_back(std::move(state));
  }
  return states;
}

/// set_mask leaves word `Word` of the mask as it is.
template <unsigned Word>
Foretold word_kept(const Asked& asked) {
  return misread(asked, [](Program& program) {
    Mask mask = kFullMask;
    for (Instruction& insn : program.instructions) {
      if (sets_words(insn)) (Word == 0 ? insn.low : insn.high) = mask_word(mask, Word);
      apply_documented(mask, insn);
    }
  });
}

/// What of one program the next one still sees.
struct Kept {
  bool mask = false, mode = false, memory = false;
};

/// The programs run one after the other on a machine that is not reset between them.
Foretold without_reset(const Asked& asked, Kept kept) {
  std::vector<State> states;
  State machine;
  const auto run = [&](const Program& program) {
    State start{program.ub, kept.mask ? machine.mask : kFullMask, kept.mode ? machine.mode : Mode::normal};
    if (kept.memory)
      std::copy_n(machine.ub.begin(), std::min(machine.ub.size(), start.ub.size()), start.ub.begin());
    const Semantics semantics = semantics_of(program);
    for (const Instruction& insn : program.instructions) execute_one(program, insn, semantics, start);
    machine = std::move(start);
  };
  std::ranges::for_each(asked.before, run);
  for (const Program& program : asked.programs) {
    run(program);
    states.push_back(machine);
  }
  return states;
}

Foretold setting_ignored(const Asked& asked) {
  return misread(asked, [](Program& program) { std::erase_if(program.instructions, sets_words); });
}

/// Instructions that set the mask only change the mask that is shown.
Foretold mask_not_connected(const Asked& asked) {
  Foretold states = setting_ignored(asked);
  for (std::size_t n = 0; states && n < states->size(); ++n)
    (*states)[n].mask = right_answer(asked.programs[n]).mask;
  return states;
}

/// A mask that is set reaches the instruction after the next one.
Foretold mask_late(const Asked& asked) {
  return misread(asked, [](Program& program) {
    std::vector<Instruction> late, waiting;
    for (const Instruction& insn : program.instructions) {
      (sets_words(insn) ? waiting : late).push_back(insn);
      if (sets_words(insn)) continue;
      late.insert(late.end(), waiting.begin(), waiting.end());
      waiting.clear();
    }
    late.insert(late.end(), waiting.begin(), waiting.end());
    program.instructions = std::move(late);
  });
}

template <Op Ignored>
Foretold op_ignored(const Asked& asked) {
  return misread(asked, [](Program& program) {
    std::erase_if(program.instructions, [](const Instruction& insn) { return insn.op == Ignored; });
  });
}

template <class Change>
Foretold misread_masks(const Asked& asked, MaskFrom from, Change change) {
  return misread_each(asked, [&](Instruction& insn) {
    if (insn.mask_from == from) change(insn);
  });
}

/// The mask that the first instruction brings stays for those after it.
Foretold first_own_mask_kept(const Asked& asked) {
  return misread(asked, [](Program& program) {
    const Instruction* first = nullptr;
    for (Instruction& insn : program.instructions) {
      if (insn.mask_from == MaskFrom::reg) continue;
      if (first == nullptr) first = &insn;
      insn.mask_from = first->mask_from;
      insn.high = first->high;
      insn.low = first->low;
    }
  });
}

/// A mask that an instruction brings goes into the register, together with what stands there.
Foretold own_mask_and_register(const Asked& asked) {
  return misread(asked, [](Program& program) {
    MaskWords reg{kOnes, kOnes};
    for (Instruction& insn : program.instructions) {
      if (sets_words(insn)) reg = {insn.high, insn.low};
      if (insn.mask_from != MaskFrom::contiguous && insn.mask_from != MaskFrom::bitwise) continue;
      const MaskWords own = operand_words(insn, default_readings(program.profile));
      reg = {own.high & reg.high, own.low & reg.low};
      insn.mask_from = MaskFrom::bitwise;
      insn.high = reg.high;
      insn.low = reg.low;
    }
  });
}

void take_lanes(Instruction& insn, std::uint64_t lanes) {
  insn.mask_from = MaskFrom::contiguous;
  insn.high = 0;
  insn.low = std::min<std::uint64_t>(lanes, lanes_of(insn));
}

/// What an adapter makes of a count of elements, which the instruction or the register gives.
template <class Change>
Foretold counts_as(const Asked& asked, Change change) {
  return misread(asked, [&](Program& program) {
    const Readings& readings = default_readings(program.profile);
    MaskBits reg;
    for (Instruction& insn : program.instructions) {
      const Instruction sent = insn;
      reg.load(sent, readings);
      if (reg.mode == Mode::counter && takes_mask(row_of(insn.op))) change(insn, reg.total());
      reg.leave(sent, readings);
    }
    std::erase_if(program.instructions, [](const Instruction& insn) {
      return insn.op == Op::set_mask_count || insn.op == Op::set_vector_mask_total;
    });
  });
}

std::uint32_t repeats_for(const Instruction& insn, std::uint32_t total) {
  return (total + lanes_of(insn) - 1) / lanes_of(insn);
}

constexpr AdapterMistake kMaskMistakes[] = {
    {"mask-starts-empty", "programs start with an empty mask",
     "every program starts with all 256 mask slots at 1",
     [](const Asked& p) {
       return believing(p, [](const Readings& readings) {
         Semantics empty(readings);
         empty.initial_mask = Mask{};
         return empty;
       });
     }},
    {"mask-of-128-slots", "slots 128..255 of the mask come back as 0",
     "the mask has 256 slots; set_mask (SetVectorMask) leaves the upper 128 as they are",
     [](const Asked& p) {
       return misreport(p, [](const Program&, State& state) {
         std::fill(state.mask.begin() + 128, state.mask.end(), std::uint8_t{0});
       });
     }},
    {"set_mask-clears-upper", "set_mask (SetVectorMask) clears slots 128..255 of the mask",
     "set_mask (SetVectorMask) changes slots 0..127 only; the upper 128 keep their values",
     upper_slots_cleared},
    {"set_mask-ignored",
     "set_mask (SetVectorMask) has no effect: it does nothing, or it changes only a copy of the mask",
     "write the new mask back to where the instructions and the answer take it from", setting_ignored},
    {"set_mask-high-ignored", "set_mask (SetVectorMask) ignores `high`: slots 64..127 stay as they were",
     "`high` sets slots 64..127, `low` sets slots 0..63", word_kept<1>},
    {"set_mask-low-ignored", "set_mask (SetVectorMask) ignores `low`: slots 0..63 stay as they were",
     "`high` sets slots 64..127, `low` sets slots 0..63", word_kept<0>},
    {"set_mask-high-is-0", "set_mask (SetVectorMask) takes `high` as 0",
     "`high` sets slots 64..127, `low` sets slots 0..63",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (sets_words(insn)) insn.high = 0;
       });
     }},
    {"mask-not-shown", "the mask that comes back is always full",
     "put the mask as it is after the last instruction into the answer, or answer hello with shows_mask: "
     "false",
     [](const Asked& p) {
       return misreport(p, [](const Program&, State& state) { state.mask = kFullMask; });
     }},
    {"mask-words-reversed", "the four words of the mask come back in reverse order",
     "put slots 0..63 into the first word of `mask`",
     [](const Asked& p) {
       return misreport(p, [](const Program&, State& state) {
         for (unsigned w = 0; w < 2; ++w)
           std::swap_ranges(state.mask.begin() + 64 * w, state.mask.begin() + 64 * w + 64,
                            state.mask.begin() + 64 * (3 - w));
       });
     }},
    {"mask-inverted", "a mask slot of 1 switches its lane off", "a slot of 1 means that the lane is active",
     [](const Asked& p) {
       return believing(
           p, [](const Readings& readings) { return find_mutant("mask-inverted")->semantics(readings); });
     }},
    {"set_mask-arguments-swapped", "the arguments of set_mask (SetVectorMask) are swapped",
     "`high` is for lanes 64..127, `low` for lanes 0..63; high comes first",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (sets_words(insn)) std::swap(insn.high, insn.low);
       });
     }},
    {"mask-bits-reversed", "the bits of the mask words are read from the wrong end",
     "bit 0, the lowest, is the lowest lane of its word", mask_words_as<bits_reversed>},
    {"mask-bits-all-reversed", "the 128 bits of the mask are read from the wrong end",
     "lane 0 is bit 0 of `low`; read a binary text from its right end",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (!sets_words(insn)) return;
         const std::uint64_t high = bits_reversed(insn.low), low = bits_reversed(insn.high);
         insn.high = high;
         insn.low = low;
       });
     }},
    {"mask-not-connected",
     "set_mask (SetVectorMask) changes the mask that is shown, but not what instructions do",
     "pass the program's mask to every instruction that obeys it", mask_not_connected},
    {"mask-one-late",
     "the mask of set_mask (SetVectorMask) reaches the instruction after the next one, not the next one",
     "set the mask before the next instruction reads it, for example before its lanes are prepared",
     mask_late, kWithRegister},
    {"mask-leaks", "the next program still sees the mask that a program left",
     "set all 256 slots to 1 before every program",
     [](const Asked& p) { return without_reset(p, {.mask = true}); }},
    {"memory-leaks", "the next program still sees the UB that a program left",
     "copy all of `ub` into the simulator before every program",
     [](const Asked& p) { return without_reset(p, {.memory = true}); }},
    {"state-leaks", "the next program still sees the mask and the UB that a program left",
     "start every program from its own `ub` and a full mask",
     [](const Asked& p) { return without_reset(p, {.mask = true, .mode = true, .memory = true}); },
     kWithRegister},
    {"mode-leaks", "the next program still sees the mode of the mask that a program left",
     "start every program in normal mode", [](const Asked& p) { return without_reset(p, {.mode = true}); },
     kWithModes},
    {"register-leaks", "the next program still sees the mask and its mode that a program left",
     "start every program in normal mode, with all 256 slots at 1",
     [](const Asked& p) { return without_reset(p, {.mask = true, .mode = true}); }, kWithModes},
    {"own-mask-ignored", "the mask that an instruction brings is ignored",
     "use `mask_operand` of the instruction; only without one does the register hold the mask",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.mask_from != MaskFrom::reg && insn.mask_from != MaskFrom::count)
           take_lanes(insn, lanes_of(insn));
       });
     },
     kWithOwnMasks},
    {"own-mask-kept",
     "the mask that an instruction brings stays for later ones of the same kind, if not for all",
     "each instruction uses its own `mask_operand`", first_own_mask_kept, kWithOwnMasks},
    {"own-mask-and-register", "the mask that an instruction brings is combined by and with the one before it",
     "an instruction uses its own `mask_operand` alone", own_mask_and_register, kWithOwnMasks},
    {"own-mask-words-swapped", "the words of a mask that an instruction brings are swapped",
     "`high` of `mask_operand` is for lanes 64..127, `low` for lanes 0..63",
     [](const Asked& p) {
       return misread_masks(p, MaskFrom::bitwise, [](Instruction& insn) { std::swap(insn.high, insn.low); });
     },
     kWithOwnMasks},
    {"contiguous-as-bits", "a contiguous mask is taken as bits",
     "`contiguous` is a number of lanes: the first lanes of every repeat",
     [](const Asked& p) {
       return misread_masks(p, MaskFrom::contiguous,
                            [](Instruction& insn) { insn.mask_from = MaskFrom::bitwise; });
     },
     kWithOwnMasks},
    {"count-ignored", "the count that an instruction brings is ignored",
     "`count` of `mask_operand` is the number of elements of the whole instruction",
     [](const Asked& p) {
       return misread_masks(p, MaskFrom::count, [](Instruction& insn) { take_lanes(insn, lanes_of(insn)); });
     },
     kWithOwnMasks},
    {"count-as-repeats", "a count of elements is taken as repeat times",
     "a count is a number of elements, the last repeat takes those that are left",
     [](const Asked& p) {
       return counts_as(p, [](Instruction& insn, std::uint32_t total) {
         insn.repeat = total;
         take_lanes(insn, lanes_of(insn));
       });
     },
     kWithOwnMasks},
    {"count-as-lanes", "a count of elements is taken as the number of lanes of each repeat",
     "a count is a number of elements of the whole instruction, and `repeat` is ignored",
     [](const Asked& p) { return counts_as(p, take_lanes); }, kWithOwnMasks},
    {"count-stops-at-repeat", "a count of elements goes no further than `repeat` repeats",
     "with a count of elements `repeat` is ignored",
     [](const Asked& p) {
       return counts_as(p, [](Instruction& insn, std::uint32_t total) {
         insn.mask_from = MaskFrom::count;
         insn.low = std::min(total, insn.repeat * lanes_of(insn));
       });
     },
     kWithOwnMasks},
    {"count-fills-repeats", "a count of elements is rounded up to whole repeats",
     "the last repeat takes only the elements that are left",
     [](const Asked& p) {
       return counts_as(p, [](Instruction& insn, std::uint32_t total) {
         insn.repeat = repeats_for(insn, total);
         take_lanes(insn, lanes_of(insn));
       });
     },
     kWithOwnMasks},
    {"set_mask_count-ignored", "set_mask_count has no effect: the mask stays a mask of bits",
     "after set_mask_count the low 32 bits of the mask are a number of elements",
     op_ignored<Op::set_mask_count>, kWithModes},
    {"set_mask_norm-ignored", "set_mask_norm has no effect: the mask stays a number of elements",
     "after set_mask_norm the mask is bits again", op_ignored<Op::set_mask_norm>, kWithModes},
    {"length-as-bits", "the length of set_vector_mask_len is taken as bits",
     "a length of n switches the first n lanes on",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op == Op::set_vector_mask_len)
           insn = mask_setter(Op::set_vector_mask, {0, insn.settings[0]}, insn.dst_type);
       });
     },
     kWithModes},
    {"total-as-length", "set_vector_mask_total sets as many bits as the number of elements",
     "set_vector_mask_total puts the number itself into the mask",
     [](const Asked& p) {
       return misread_each(p, [](Instruction& insn) {
         if (insn.op != Op::set_vector_mask_total) return;
         insn.op = Op::set_vector_mask_len;
         insn.dst_type = insn.src_type = Element::f16;
       });
     },
     kWithModes},
};

}  // namespace

std::span<const AdapterMistake> mask_mistakes() {
  return kMaskMistakes;
}

}  // namespace lanecheck
