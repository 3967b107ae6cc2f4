// Faults of gather_mask. Expected: GM, and the mistake that each fault here makes.
#include "fuzz/identify/gather_mask/gather_mask_map.h"

#include <cstring>

#include "fuzz/identify/gather_mask/gather_mask_laws.h"
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace gather_mask_map_test {

Subject gather_subject(const std::string& name) {
  const Row& row = row_of(name.starts_with("gather_mask_user") ? Op::gather_mask_user : Op::gather_mask);
  for (const TypePair& pair : row.in(Profile::a2).pairs)
    if (const Subject subject = default_subject(Profile::a2, row, pair); mnemonic(subject.insn) == name)
      return subject;
  ADD_FAILURE() << name;
  return {};
}

std::string said_of(const std::string& name, const Ask& ask) {
  const auto differences = gather_mask_differences(gather_subject(name), ask);
  return differences.empty() ? "" : differences.front().sentence();
}

/// The oracle, after which the returned count has changed.
template <class Change>
Ask returning(Change change) {
  return then([change](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    std::byte* at = &state.ub[start_of(program, insn.operands[row_of(insn.op).operands.size() - 1])];
    std::uint64_t count = 0;
    std::memcpy(&count, at, 8);
    count = change(count);
    std::memcpy(at, &count, 8);
  });
}

TEST(GatherMask, NothingIsSaidOfTheOracle) {
  for (const char* name :
       {"gather_mask.f16", "gather_mask.u32", "gather_mask_user.u16", "gather_mask_user.f32"}) {
    EXPECT_EQ(said_of(name, ask_oracle()), "");
    std::size_t asked = 0;
    said_of(name, [&](const Batch& batch) {
      asked += batch.programs.size();
      ask_oracle()(batch);
    });
    EXPECT_GE(asked, 6u) << name;
  }
}

TEST(GatherMask, AWrongCount) {
  EXPECT_EQ(said_of("gather_mask.f16", returning([](std::uint64_t n) { return 2 * n; })),
            "gather_mask.f16 returns the number of bytes that it keeps instead of that of elements");
  EXPECT_EQ(
      said_of("gather_mask.f32", returning([](std::uint64_t n) { return std::min<std::uint64_t>(n, 255); })),
      "gather_mask.f32 returns a count of 8 bits: at most 255");
}

/// The oracle, with change(count of the first gather_mask, own count) as the count of the last one.
template <class Change>
Ask returning_after(Change change) {
  return then([change](const Program& program, State& state) {
    const auto& all = program.instructions;
    if (all.size() < 2 || !row_of(all[all.size() - 2].op).compacts) return;
    Program first = program;
    first.instructions.pop_back();
    State before;
    execute(first, Semantics(default_readings(program.profile)), before);
    const auto& operands = all.back().operands;
    const std::uint32_t at = start_of(program, operands[row_of(all.back().op).operands.size() - 1]);
    std::uint64_t old = 0, own = 0;
    std::memcpy(&old, &before.ub[at], 8);
    std::memcpy(&own, &state.ub[at], 8);
    const std::uint64_t changed = change(old, own);
    std::memcpy(&state.ub[at], &changed, 8);
  });
}

TEST(GatherMask, ACountThatGoesOn) {
  for (const std::string name : {"gather_mask.f16", "gather_mask_user.u32"}) {
    EXPECT_EQ(said_of(name, returning_after([](auto old, auto own) { return old + own; })),
              name + " adds the count of an earlier gather_mask to its own");
    EXPECT_EQ(said_of(name, returning_after([](auto old, auto) { return old; })),
              name + " returns the count of an earlier gather_mask");
  }
}

TEST(GatherMask, AnotherPattern) {
  const Ask swapped = with([](Instruction& insn) {
    if (insn.op == Op::gather_mask && insn.settings[0] == 3) insn.settings[0] = 4;
  });
  EXPECT_EQ(said_of("gather_mask.u16", swapped),
            "gather_mask.u16 keeps element 1 of every 4 by pattern 3 instead of element 0 of every 4");
}

TEST(GatherMask, AStrideThatIsIgnored) {
  const Ask ignored = with([](Instruction& insn) { insn.operands[1].block_stride = 1; });
  EXPECT_EQ(said_of("gather_mask.f32", ignored),
            "src0 of gather_mask.f32 walks with block stride 1, whatever is given");
}

TEST(GatherMask, AGapBetweenRepeats) {
  const Ask gap = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.repeat == 1) return;
    Program one = program;
    one.instructions.back().repeat = 1;
    State first;
    execute(one, Semantics(default_readings(program.profile)), first);
    std::uint64_t kept = 0, all = 0;
    const std::uint32_t count = start_of(program, insn.operands[2]),
                        dst = start_of(program, insn.operands[0]);
    std::memcpy(&kept, &first.ub[count], 8);
    std::memcpy(&all, &state.ub[count], 8);
    std::memmove(&state.ub[dst + 2 * kept + 2], &state.ub[dst + 2 * kept], 2 * (all - kept));
    std::memcpy(&state.ub[dst + 2 * kept], &program.ub[dst + 2 * kept], 2);
  });
  EXPECT_EQ(
      said_of("gather_mask.f16", gap),
      "gather_mask.f16 leaves a gap of 1 element in dst, before the elements that a later repeat keeps");
}

TEST(GatherMask, AUserPatternThatIsTooShort) {
  const Ask reused = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      const Instruction& insn = changed.instructions.back();
      const std::uint32_t at = start_of(changed, insn.operands[2]);
      for (std::uint32_t byte = 0; byte < 32; ++byte) changed.ub[at + byte] = changed.ub[at + byte % 4];
      changed.instructions.back().operands[2].repeat_stride = 0;
      ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      std::copy_n(batch.programs[n].ub.begin() + at, 32, batch.states[n].ub.begin() + at);
    }
  };
  EXPECT_EQ(said_of("gather_mask_user.f16", reused),
            "gather_mask_user.f16 keeps each element of a repeat by bit (element mod 32) of the user pattern "
            "instead of by its own bit, in a call of one repeat");
}

TEST(GatherMask, AUserPatternWhoseWordsAreTurned) {
  const auto turned = [](std::uint32_t flipped) {
    return [flipped](const Batch& batch) {
      for (std::size_t n = 0; n < batch.programs.size(); ++n) {
        Program changed = batch.programs[n];
        const Instruction& insn = changed.instructions.back();
        const std::uint32_t at = start_of(changed, insn.operands[2]);
        const std::vector<std::byte>& old = batch.programs[n].ub;
        for (std::uint32_t byte = 0; at + (byte | 31) < start_of(changed, insn.operands[3]); ++byte)
          changed.ub[at + byte] = old[at + (byte ^ flipped)];
        ask_oracle()({{&changed, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      }
    };
  };
  EXPECT_EQ(said_of("gather_mask_user.f32", turned(2)),
            "gather_mask_user.f32 keeps each element of a repeat by bit (element xor 16) of the user pattern "
            "instead of by its own bit");
  EXPECT_EQ(said_of("gather_mask_user.u16", turned(4)),
            "gather_mask_user.u16 keeps each element of a repeat by bit (element xor 32) of the user pattern "
            "instead of by its own bit");
}

TEST(GatherMask, TheNextRepeatStrideWithinARepeat) {
  const Ask wraps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (setting(insn, "counter") == 0) return;
    const unsigned size = size_of(insn.src_type), whole = kRepeatBytes / size, all = setting(insn, "mask");
    std::uint32_t to = start_of(program, insn.operands[0]);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned e = 0; e < all; ++e) {
        if (!is_chosen(setting(insn, "pattern"), e)) continue;
        const std::uint64_t from =
            start_of(program, insn.operands[1]) + lane_offset(insn, 1, r + e / whole, e % whole);
        if (from + size <= program.ub.size()) std::memcpy(&state.ub[to], &program.ub[from], size);
        to += size;
      }
  });
  for (const std::string name : {"gather_mask.f16", "gather_mask.i32"})
    EXPECT_EQ(said_of(name, wraps), "src0 of " + name +
                                        " walks on by its repeat stride after each 256 bytes, within a "
                                        "repeat too");
}

TEST(GatherMask, AMaskThatGates) {
  const Ask gated = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      ask_oracle()({{&program, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      if (setting(program.instructions.back(), "mask") == 0 ||
          setting(program.instructions.back(), "counter") != 0)
        continue;
      Program counted = program;
      Instruction& insn = counted.instructions.back();
      insn.settings[1] = 1;
      insn.settings[2] = std::min(insn.settings[2], lanes_of(insn.src_type));
      ask_oracle()({{&counted, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
    }
  };
  EXPECT_EQ(
      said_of("gather_mask.f32", gated),
      "gather_mask.f32 takes only the first `mask` elements of each repeat, if its mask argument is not 0 in "
      "normal mode");
}

/// The oracle, after `change` has changed each gather_mask.
template <class Change>
Ask with_gather(Change change) {
  return with([change](Instruction& i) {
    if (row_of(i.op).compacts)
      change(i, [&](const char* name) -> std::uint32_t& {
        return i.settings[*setting_index(row_of(i.op), name)];
      });
  });
}

TEST(GatherMask, PatternsThatAreExchanged) {
  const Ask swaps = with_gather([](Instruction& i, auto setting) {
    if (i.op != Op::gather_mask) return;
    std::uint32_t& pattern = setting("pattern");
    if (pattern == 4 || pattern == 5) pattern = 9 - pattern;
  });
  EXPECT_EQ(said_of("gather_mask.u16", swaps), "gather_mask.u16 exchanges fixed patterns 4 and 5");
  // A given call whose own pattern keeps nothing, but the executed one does.
  Subject given = gather_subject("gather_mask.u16");
  for (const auto& [name, value] : {std::pair{"pattern", 5u}, {"counter", 1u}, {"mask", 2u}})
    given.insn.settings[*setting_index(row_of(given.insn.op), name)] = value;
  given.insn.repeat = 1;
  EXPECT_EQ(gather_mask_differences(given, swaps).front().sentence(),
            "gather_mask.u16 exchanges fixed patterns 4 and 5");
  const Ask turns = with_gather([](Instruction& i, auto setting) {
    if (i.op == Op::gather_mask && setting("pattern") >= 3 && setting("pattern") <= 5) ++setting("pattern");
  });
  EXPECT_EQ(said_of("gather_mask.f32", turns),
            "gather_mask.f32 executes fixed pattern 3 as 4, 4 as 5, 5 as 6");
}

TEST(GatherMask, StridesInItsCounterModeOnly) {
  for (const char* name : {"gather_mask.f32", "gather_mask_user.u16", "gather_mask_user.i32"}) {
    EXPECT_EQ(said_of(name, with_gather([](Instruction& i, auto setting) {
                        if (setting("counter") == 1) i.operands[1].block_stride = 1;
                      })),
              std::string("src0 of ") + name +
                  " walks with block stride 1, whatever is given, in its counter mode");
    EXPECT_EQ(said_of(name, with_gather([](Instruction& i, auto setting) {
                        if (setting("counter") == 1) i.operands[1].repeat_stride = 8;
                      })),
              std::string("src0 of ") + name +
                  " walks with repeat stride 8, whatever is given, in its counter mode");
  }
}

/// With a great repeat stride of src0, the patterns lie far behind src1, where a backend reads anything.
TEST(GatherMask, ThePatternsThatWalkWithTheRepeatStrideOfSrc0) {
  const Ask walks = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      changed.ub.resize(2 * kMaxUbBytes, std::byte{0x5a});
      for (Instruction& insn : changed.instructions)
        if (insn.op == Op::gather_mask_user) insn.operands[2].repeat_stride = insn.operands[1].repeat_stride;
      State& state = batch.states[n];
      execute(changed, Semantics(default_readings(changed.profile)), state);
      state.ub.resize(batch.programs[n].ub.size());
      batch.outcomes[n] = Ran{};
    }
  };
  EXPECT_EQ(first_said("gather_mask_user.f16", walks),
            "src1 of gather_mask_user.f16 walks with the repeat stride of src0 instead of its own");
}

/// GM: a repeat has 256 bytes. Here it has 128 elements of every type, in the counter mode of ascendc-310p,
/// where the mask counts the elements of all repeats.
TEST(GatherMask, AWholeRepeatOfOneNumberOfElementsForAllTypes) {
  const Ask of_128 = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::gather_mask || setting(insn, "counter") == 0) return;
    const unsigned size = size_of(insn.dst_type), pattern = setting(insn, "pattern");
    const auto at = [&](unsigned k) { return start_of(program, insn.operands[k]); };
    std::vector<std::byte> ub(program.ub.begin(), program.ub.end());
    std::uint64_t kept = 0;
    for (unsigned n = 0; n < setting(insn, "mask"); ++n) {
      const unsigned repeat = n / 128, element = n % 128, block = element * size / 32;
      if (pattern < 3 ? element % 2 != pattern - 1 : pattern < 7 && element % 4 != pattern - 3) continue;
      const std::size_t from =
          at(1) + 32 * (repeat * insn.operands[1].repeat_stride + block * insn.operands[1].block_stride) +
          element * size % 32;
      std::memcpy(&ub[at(0) + kept++ * size], &program.ub[from], size);
    }
    std::memcpy(&ub[at(2)], &kept, sizeof kept);
    std::ranges::copy(ub, state.ub.begin());
  });
  const auto said_on_310p = [&](Element type) {
    const auto found = gather_mask_differences(
        default_subject(Profile::p310, row_of(Op::gather_mask), TypePair{type, type}), of_128);
    return found.empty() ? "" : found.front().sentence();
  };
  EXPECT_EQ(said_on_310p(Element::u16), "");
  EXPECT_EQ(said_on_310p(Element::f32),
            "gather_mask.f32 takes 128 elements for a whole repeat, in its counter mode");
}

/// Obeys the vector mask wherever `obeys` holds for the program.
Ask obeys_the_vector_mask(bool (*obeys)(const Program&)) {
  return [obeys](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Semantics semantics(default_readings(batch.programs[n].profile));
      semantics.seams.gather_mask.obeys_mask = obeys(batch.programs[n]);
      batch.states[n] = {};
      execute(batch.programs[n], semantics, batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

bool sets_no_counter_mode(const Program& program) {
  return std::ranges::count(program.instructions, Op::set_mask_count, &Instruction::op) == 0;
}

/// GM: the vector mask has no say, whatever the mode of the mask.
TEST(GatherMask, TheVectorMaskHasASayInNormalModeAlone) {
  EXPECT_EQ(
      said_of("gather_mask_user.f32", obeys_the_vector_mask(sets_no_counter_mode)),
      "gather_mask_user.f32 keeps only elements whose slot of the vector mask is 1, unless the mask mode is "
      "counter mode before");
  const Ask in_both_normal_modes = obeys_the_vector_mask([](const Program& program) {
    return sets_no_counter_mode(program) && setting(program.instructions.back(), "counter") == 0;
  });
  EXPECT_EQ(said_of("gather_mask.u16", in_both_normal_modes),
            "gather_mask.u16 keeps only elements whose slot of the vector mask is 1, unless the mask mode is "
            "counter mode before, in its normal mode");
}

}  // namespace gather_mask_map_test
}  // namespace lanecheck
