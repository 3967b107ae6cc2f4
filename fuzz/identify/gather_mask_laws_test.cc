// Laws of gather_mask. Expected: GM, and the mistake that each fault here makes in the oracle.
#include "fuzz/identify/gather_mask/gather_mask_laws.h"

#include <cstring>

#include "fuzz/identify/gather_mask/gather_mask_map.h"
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace gather_mask_laws_test {

Subject subject_for(Op op, Profile profile, Element type) {
  for (const TypePair& pair : row_of(op).in(profile).pairs)
    if (pair.dst == type) return default_subject(profile, row_of(op), pair);
  ADD_FAILURE() << row_of(op).name;
  return {};
}

std::string said_of(const Subject& subject, const Ask& ask) {
  const auto differences = gather_mask_differences(subject, ask);
  return differences.empty() ? "" : differences.front().sentence();
}

/// What is said without the name of the instruction, if it is the same for `ops`, both profiles in `profiles`
/// and types of 2 and 4 bytes; else all that is said.
std::string said_of_all(const std::vector<Op>& ops, const std::vector<Profile>& profiles, const Ask& ask) {
  std::vector<std::string> all;
  for (const Op op : ops)
    for (const Profile profile : profiles)
      for (const Element type : {Element::u16, Element::f32}) {
        const Subject subject = subject_for(op, profile, type);
        std::string text = said_of(subject, ask);
        const std::string name = mnemonic(subject.insn);
        if (const std::size_t at = text.find(name + " "); at != std::string::npos)
          text.erase(at, name.size() + 1);
        if (std::ranges::count(all, text) == 0) all.push_back(text);
      }
  std::string joined;
  for (const std::string& each : all) joined += (joined.empty() ? "" : " | ") + each;
  return joined;
}

const std::vector<Op> kBoth = {Op::gather_mask, Op::gather_mask_user}, kFixed = {Op::gather_mask},
                      kUser = {Op::gather_mask_user};
const std::vector<Profile> kA2 = {Profile::a2}, k310 = {Profile::p310}, kEach = {Profile::a2, Profile::p310};

/// The oracle with changed semantics.
template <class Change>
Ask semantics(Change change) {
  return [change](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Semantics changed(default_readings(batch.programs[n].profile));
      change(changed);
      batch.states[n] = {};
      execute(batch.programs[n], changed, batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

/// The oracle, with change(instruction) executed in place of each gather_mask in counter mode (or not in it).
template <class Change>
Ask gather_if(bool counts, Change change) {
  return with([counts, change](Instruction& insn) {
    if (row_of(insn.op).compacts && (setting(insn, "counter") != 0) == counts) change(insn);
  });
}

std::uint32_t& mask_of_call(Instruction& insn) {
  return insn.settings[*setting_index(row_of(insn.op), "mask")];
}

TEST(GatherMaskLaws, WithoutALawTheyPredictTheOracle) {
  for (const Op op : kBoth)
    for (const Profile profile : kEach)
      for (const Element type : {Element::u16, Element::f32}) {
        const Subject subject = subject_for(op, profile, type);
        for (const GatherCall& call : gather_calls(subject)) {
          const auto should = gather(call, ask_oracle());
          ASSERT_TRUE(should) << mnemonic(subject.insn) << call.condition();
          EXPECT_EQ(*should, predict(call, nullptr, nullptr)) << mnemonic(subject.insn) << call.condition();
        }
      }
}

/// What `law` predicts for all calls of 2 and 4 byte types.
std::vector<Gathered> predictions(Op op, const GatherLaw* law, const CountLaw* count) {
  std::vector<Gathered> all;
  for (const Profile profile : kEach)
    for (const Element type : {Element::u16, Element::f32})
      for (const GatherCall& call : gather_calls(subject_for(op, profile, type)))
        all.push_back(predict(call, law, count));
  return all;
}

TEST(GatherMaskLaws, NoTwoLawsSayTheSame) {
  for (const Op op : kBoth) {
    std::vector<std::pair<std::string, std::vector<Gathered>>> seen;
    const auto add = [&](const std::string& text, std::vector<Gathered> given) {
      for (const auto& [other, before] : seen) EXPECT_TRUE(before != given) << text << "\n" << other;
      seen.emplace_back(text, std::move(given));
    };
    const auto documented = predictions(op, nullptr, nullptr);
    for (const GatherLaw& law : gather_laws(subject_for(op, Profile::a2, Element::u16).insn)) {
      add(law.text, predictions(op, &law, nullptr));
      EXPECT_TRUE(seen.back().second != documented) << law.text;
    }
    for (const CountLaw& count : count_laws()) add(count.text, predictions(op, nullptr, &count));
  }
}

TEST(GatherMaskLaws, AStrideOf0IsTakenForAnother) {
  const auto says = [](std::uint32_t instead) {
    return said_of_all(kFixed, kEach, with([instead](Instruction& insn) {
                         std::uint32_t& stride = insn.operands[1].repeat_stride;
                         if (row_of(insn.op).compacts && stride == 0) stride = instead;
                       }));
  };
  EXPECT_EQ(says(8), "src0 of takes a repeat stride of 0 as 8");
  EXPECT_EQ(says(2), "src0 of takes a repeat stride of 0 as 2");
}

TEST(GatherMaskLaws, WhereEachRepeatReadsTheUserPattern) {
  EXPECT_EQ(
      said_of_all(kUser, kEach, semantics([](Semantics& s) { s.seams.gather_mask.pattern_runs_on = true; })),
      "reads the pattern of repeat r at bit r * E of src1 (E: the elements of a repeat), whatever repeat "
      "stride is given for src1");
  EXPECT_EQ(
      said_of_all(kUser, kEach, semantics([](Semantics& s) { s.seams.gather_mask.pattern_stays = true; })),
      "reads the pattern of every repeat where src1 starts, whatever repeat stride is given for src1");
  EXPECT_EQ(said_of_all(kUser, kEach, with([](Instruction& insn) {
                          if (insn.op == Op::gather_mask_user) insn.operands[2].repeat_stride &= 7;
                        })),
            "src1 of uses only the lowest 3 bits of its repeat stride");
  EXPECT_EQ(said_of_all(kUser, kEach,
                        gather_if(true,
                                  [](Instruction& insn) {
                                    insn.operands[2].repeat_stride = insn.operands[1].repeat_stride;
                                  })),
            "src1 of walks with the repeat stride of src0 instead of its own, in its counter mode");
}

/// The oracle on programs in which the patterns of the repeats, read at multiples of `step_of(instruction)`
/// bytes, lie far apart behind UB.
template <class StepOf>
Ask pattern_steps(StepOf step_of) {
  return [step_of](const Batch& batch) {
    constexpr std::uint32_t kStride = 16, kApart = kStride * kBlockBytes, kMostRepeats = 64;
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& given = batch.programs[n];
      Program changed = given;
      Instruction& insn = changed.instructions.back();
      if (insn.op == Op::gather_mask_user) {
        Operand& pattern = insn.operands[2];
        const std::uint32_t from = start_of(given, pattern), step = step_of(insn);
        const auto begin = static_cast<std::uint32_t>((given.ub.size() + 31) / 32 * 32);
        changed.ub.resize(begin + kMostRepeats * kApart);
        for (std::uint32_t r = 0; r < kMostRepeats; ++r)
          for (std::uint32_t byte = 0; byte < kApart; ++byte)
            if (const std::size_t at = from + std::size_t{r} * step + byte; at < given.ub.size())
              changed.ub[begin + r * kApart + byte] = given.ub[at];
        pattern.offset += begin - from;
        pattern.repeat_stride = kStride;
      }
      batch.states[n] = {};
      execute(changed, Semantics(default_readings(given.profile)), batch.states[n]);
      batch.states[n].ub.resize(given.ub.size());
      batch.outcomes[n] = Ran{};
    }
  };
}

/// The same words for types of 2 and 4 bytes, if one unit explains both.
TEST(GatherMaskLaws, TheUnitOfThePatternsRepeatStride) {
  const std::string takes = "takes src1's repeat stride for a number of ";
  const auto says = [&](auto bytes_of) {
    return said_of_all(kUser, kA2, pattern_steps([bytes_of](const Instruction& insn) {
                         return bytes_of(insn) * insn.operands[2].repeat_stride;
                       }));
  };
  EXPECT_EQ(says([](const Instruction& i) { return 32 / size_of(i.src_type); }),
            takes + "packed patterns (one bit for each element of a whole repeat)");
  EXPECT_EQ(says([](const Instruction& i) { return 4 / size_of(i.src_type); }),
            takes + "packed data blocks (one bit for each element of a data block)");
  EXPECT_EQ(says([](const Instruction& i) { return size_of(i.src_type); }), takes + "elements of src0");
  EXPECT_EQ(says([](const Instruction&) { return 8U; }), takes + "8 byte words");
  EXPECT_EQ(says([](const Instruction&) { return 16U; }), takes + "16 byte words");
}

TEST(GatherMaskLaws, ThePatternsLieInARowWhateverTheRepeatStrideIs) {
  const auto says = [&](auto step_of) { return said_of_all(kUser, kA2, pattern_steps(step_of)); };
  const std::string begin = "src1 of lies in a row, ", end = ": its repeat stride is ignored";
  EXPECT_EQ(says([](const Instruction& i) { return 32 / size_of(i.src_type); }),
            begin + "one bit for each element of a whole repeat" + end);
  EXPECT_EQ(says([](const Instruction&) { return 16U; }), begin + "16 bytes for each repeat" + end);
  EXPECT_EQ(says([](const Instruction&) { return 8U; }), begin + "8 bytes for each repeat" + end);
  EXPECT_EQ(says([](const Instruction&) { return 1U; }), begin + "one byte for each repeat" + end);
}

TEST(GatherMaskLaws, AStartOfAPatternThatNoLawGives) {
  EXPECT_EQ(
      said_of_all(kUser, kA2, with([](Instruction& insn) {
                    if (insn.op == Op::gather_mask_user) insn.operands[2].repeat_stride ^= 4;
                  })),
      "reads the patterns of its repeats at bits 0, 1280, 2560, 3840, 5120, 6400 of src1 instead of bits "
      "0, 256, 512, 768, 1024, 1280 with a repeat stride of 1");
}

TEST(GatherMaskLaws, TheOrderOfTheBits) {
  const std::string begin = "keeps each element of a repeat by bit (",
                    end = ") of the user pattern instead of by its own bit";
  EXPECT_EQ(said_of_all(kUser, kEach,
                        semantics([](Semantics& s) { s.seams.gather_mask.bits = BitLayout::highest_first; })),
            begin + "element xor 7" + end);
  EXPECT_EQ(said_of_all(kUser, kEach, semantics([](Semantics& s) {
                          s.seams.gather_mask.bits = BitLayout::byte_per_element;
                        })),
            "keeps each element of a repeat by a byte of src1 of its own, if that byte is not 0");
}

TEST(GatherMaskLaws, FixedPatterns) {
  const auto keeps = [](auto chosen) {
    return semantics([chosen](Semantics& s) { s.seams.gather_mask.keeps = chosen; });
  };
  EXPECT_EQ(said_of_all(kFixed, kA2,
                        keeps([](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
                          return pattern_keeps(pattern, r, r * lanes + e, lanes);
                        })),
            "goes on with its fixed pattern from repeat to repeat instead of starting it again");
  EXPECT_EQ(said_of_all(kFixed, kEach,
                        keeps([](unsigned pattern, std::uint64_t r, std::uint64_t e, std::uint64_t lanes) {
                          return !pattern_keeps(pattern, r, e, lanes);
                        })),
            "keeps the elements that its pattern leaves out, and no others");
  EXPECT_EQ(said_of_all(kFixed, kEach, with([](Instruction& insn) {
                          if (insn.op == Op::gather_mask && insn.settings[0] < 7) ++insn.settings[0];
                        })),
            "executes fixed pattern 1 as 2, 2 as 3, 3 as 4, 4 as 5, 5 as 6, 6 as 7");
  EXPECT_EQ(said_of_all(kFixed, kEach,
                        gather_if(true,
                                  [](Instruction& insn) {
                                    if (insn.settings[0] == 4 || insn.settings[0] == 5)
                                      insn.settings[0] = 9 - insn.settings[0];
                                  })),
            "exchanges fixed patterns 4 and 5, in its counter mode");
}

TEST(GatherMaskLaws, TheMaskArgumentOfCounterMode) {
  EXPECT_EQ(said_of_all(kBoth, kEach,
                        gather_if(true,
                                  [](Instruction& insn) {
                                    const std::uint32_t lanes = lanes_of(insn.src_type);
                                    mask_of_call(insn) = (mask_of_call(insn) + lanes - 1) / lanes * lanes;
                                  })),
            "rounds its mask argument up to whole repeats, in its counter mode");
  // Groups of 8: a byte of the pattern, which is a data block of types of 4 bytes.
  EXPECT_EQ(
      said_of_all(kBoth, kEach,
                  gather_if(true, [](Instruction& insn) { mask_of_call(insn) -= mask_of_call(insn) % 8; })),
      "leaves out what its mask argument counts after the last whole group of 8 elements, in its counter "
      "mode");
  EXPECT_EQ(said_of_all(kBoth, kEach,
                        gather_if(true, [](Instruction& i) { mask_of_call(i) += -mask_of_call(i) % 8; })),
            "rounds its mask argument up to whole groups of 8 elements, in its counter mode");
  EXPECT_EQ(said_of_all(kBoth, kEach,
                        gather_if(true,
                                  [](Instruction& insn) {
                                    const std::uint32_t lanes = per_block(insn.src_type);
                                    mask_of_call(insn) = (mask_of_call(insn) + lanes - 1) / lanes * lanes;
                                  })),
            "rounds its mask argument up to whole data blocks, in its counter mode");
  const auto if_more = [](bool more, auto unit) {
    return gather_if(true, [=](Instruction& insn) {
      const std::uint32_t lanes = unit(insn.src_type), mask = mask_of_call(insn);
      if ((mask > lanes_of(insn.src_type)) == more) mask_of_call(insn) = (mask + lanes - 1) / lanes * lanes;
    });
  };
  const auto repeat = [](Element type) { return lanes_of(type); };
  const auto block = [](Element type) { return per_block(type); };
  const std::string up = "rounds its mask argument up to whole ",
                    more = ", in its counter mode, if its mask argument is more than one repeat",
                    less = ", in its counter mode, if its mask argument is not more than one repeat";
  EXPECT_EQ(said_of_all(kBoth, kEach, if_more(true, repeat)), up + "repeats" + more);
  EXPECT_EQ(said_of_all(kBoth, kEach, if_more(true, block)), up + "data blocks" + more);
  EXPECT_EQ(said_of_all(kBoth, kEach, if_more(false, repeat)), up + "repeats" + less);
  EXPECT_EQ(said_of_all(kBoth, kEach, gather_if(true, [](Instruction& insn) { mask_of_call(insn) &= 255; })),
            "uses only the lowest 8 bits of its mask argument, in its counter mode");
  EXPECT_EQ(said_of_all(kBoth, kEach,
                        gather_if(true,
                                  [](Instruction& insn) {
                                    insn.settings[*setting_index(row_of(insn.op), "counter")] = 0;
                                  })),
            "ignores its mask argument: every repeat is a whole one, in its counter mode");
}

TEST(GatherMaskLaws, AMaskArgumentOfWholeRepeats) {
  const auto if_whole = [](std::uint32_t least, int repeats) {
    return gather_if(true, [=](Instruction& insn) {
      std::uint32_t& mask = mask_of_call(insn);
      const auto lanes = lanes_of(insn.src_type);
      if (mask % lanes == 0 && mask >= least * lanes) mask += static_cast<std::uint32_t>(repeats) * lanes;
    });
  };
  EXPECT_EQ(said_of_all(kBoth, kEach, if_whole(2, -1)),
            "leaves out the last repeat if its mask argument counts whole repeats and more than one, in its "
            "counter mode");
  const Ask none_of_one = [two_or_more = if_whole(2, -1)](const Batch& batch) {
    two_or_more(batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Instruction insn = batch.programs[n].instructions.back();
      if (setting(insn, "counter") == 0 || mask_of_call(insn) != lanes_of(insn.src_type)) continue;
      batch.states[n].ub = batch.programs[n].ub;
      const std::uint32_t at =
          start_of(batch.programs[n], insn.operands[row_of(insn.op).operands.size() - 1]);
      std::fill_n(&batch.states[n].ub[at], 8, std::byte{0});
    }
  };
  EXPECT_EQ(said_of_all(kBoth, k310, none_of_one),
            "leaves out the last repeat if its mask argument counts whole repeats, in its counter mode");
  EXPECT_EQ(said_of_all(kBoth, kEach, if_whole(1, 1)),
            "looks at one repeat more if its mask argument counts whole repeats, in its counter mode");
}

TEST(GatherMaskLaws, TheTwoConfigurationsOfCounterMode) {
  const auto reading = [](GatherCounter counter) {
    return [counter](const Batch& batch) {
      for (std::size_t n = 0; n < batch.programs.size(); ++n) {
        Readings readings = default_readings(batch.programs[n].profile);
        readings.gather_counter = counter;
        batch.states[n] = {};
        execute(batch.programs[n], Semantics(readings), batch.states[n]);
        batch.outcomes[n] = Ran{};
      }
    };
  };
  EXPECT_EQ(said_of_all(kBoth, kA2, reading(GatherCounter::total)),
            "takes its mask argument for the elements of all repeats together, in its counter mode");
  EXPECT_EQ(said_of_all(kBoth, k310, reading(GatherCounter::per_repeat)),
            "takes its mask argument for the elements of each repeat, in its counter mode");
}

TEST(GatherMaskLaws, WhatStandsInDst) {
  // With a total count, a fixed pattern keeps whole data blocks of each repeat except the last one.
  const Ask on_blocks = semantics([](Semantics& s) { s.seams.gather_mask.repeats_on_blocks = true; });
  EXPECT_EQ(said_of_all(kBoth, kA2, on_blocks), "starts what each repeat keeps on a new data block of dst");
  EXPECT_EQ(said_of_all(kFixed, k310, on_blocks), "");
  EXPECT_EQ(said_of_all(kUser, k310, on_blocks), "starts what each repeat keeps on a new data block of dst");
  EXPECT_EQ(said_of_all(kBoth, kEach, semantics([](Semantics& s) { s.seams.gather_mask.obeys_mask = true; })),
            "keeps only elements whose slot of the vector mask is 1");
}

/// The oracle, with the 8 bytes of the returned count changed by change(count, bytes before).
template <class Change>
Ask returning(Change change) {
  return then([change](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const std::uint32_t at = start_of(program, insn.operands[row_of(insn.op).operands.size() - 1]);
    std::uint64_t count = 0, old = 0;
    std::memcpy(&count, &state.ub[at], 8);
    std::memcpy(&old, &program.ub[at], 8);
    count = change(count, old);
    std::memcpy(&state.ub[at], &count, 8);
  });
}

TEST(GatherMaskLaws, WhichBytesOfTheCountAreWritten) {
  using Count = std::uint64_t;
  // With an earlier call, the bytes before are what that call leaves: its count has upper bytes of 0.
  const Ask low = [](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      const Program& program = batch.programs[n];
      ask_oracle()({{&program, 1}, batch.states.subspan(n, 1), batch.outcomes.subspan(n, 1)});
      const Instruction& insn = program.instructions.back();
      const std::uint32_t at = start_of(program, insn.operands[row_of(insn.op).operands.size() - 1]);
      std::memcpy(&batch.states[n].ub[at + 4], &program.ub[at + 4], 4);
    }
  };
  EXPECT_EQ(said_of_all(kBoth, kEach, low),
            "writes only the lowest 4 bytes of its count; the upper 4 keep their old values");
  EXPECT_EQ(said_of_all(kBoth, kEach, returning([](Count count, Count) { return count << 32; })),
            "writes its count into the upper 4 bytes");
  EXPECT_EQ(said_of_all(kBoth, kEach, returning([](Count count, Count) { return __builtin_bswap64(count); })),
            "writes the bytes of its count in reverse order");
  EXPECT_EQ(said_of_all(kBoth, kEach, returning([](Count count, Count) { return count + 1; })),
            "counts one element more than it keeps");
}

TEST(GatherMaskLaws, WhatIsCounted) {
  EXPECT_EQ(
      said_of_all(kBoth, kEach, semantics([](Semantics& s) { s.seams.gather_mask.counts_last = true; })),
      "returns the count of its last repeat only");
  EXPECT_EQ(
      said_of_all(kFixed, kEach, semantics([](Semantics& s) { s.seams.gather_mask.counts_scanned = true; })),
      "counts all elements that it looks at instead of those that it keeps");
}

}  // namespace gather_mask_laws_test
}  // namespace lanecheck
