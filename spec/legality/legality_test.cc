// Every rule of legality: the smallest program just inside and just outside of it, written by hand from the
// documents; and every edge move, which must lead to both sides of its own rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "spec/legality/find_fault.h"
#include "spec/legality/legality_testing.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

std::vector<Edge> edges() {
  std::vector<Edge> all(range_edges().begin(), range_edges().end());
  all.insert(all.end(), place_edges().begin(), place_edges().end());
  return all;
}

std::string fault_of(std::string_view text) {
  const auto fault = find_fault(parse_program(text, "program"));
  return fault ? std::string(fault->rule->id) : "legal";
}

class EveryEdge : public testing::TestWithParam<Edge> {};
INSTANTIATE_TEST_SUITE_P(Legality, EveryEdge, testing::ValuesIn(edges()), [](const auto& of) {
  std::string name = std::string(of.param.rule) + "_" + std::to_string(of.index);
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST_P(EveryEdge, IsLegalJustInside) {
  const std::string program = GetParam().with(GetParam().inside);
  EXPECT_EQ(fault_of(program), "legal") << program;
}

TEST_P(EveryEdge, BreaksItsRuleJustOutside) {
  const std::string program = GetParam().with(GetParam().outside);
  EXPECT_EQ(fault_of(program), GetParam().rule) << program;
}

// A rule with an edge move has a case in corpus/ as well (corpus_test).
TEST(Legality, EveryRuleWithoutAnEdgeMoveHasAnEdgeByHand) {
  std::set<std::string_view> missing;
  for (const LegalityRule& rule : legality_rules())
    if (rule.edge == nullptr) missing.insert(rule.id);
  for (const Edge& edge : edges()) missing.erase(edge.rule);
  EXPECT_EQ(missing, std::set<std::string_view>{});
}

TEST(Legality, RulesHavePositionsAndIdsOfTheirOwn) {
  std::set<unsigned> positions;
  std::set<std::string_view> ids;
  for (const LegalityRule& rule : legality_rules()) {
    EXPECT_TRUE(positions.insert(rule.position).second) << rule.id;
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_NE(rule.checks[0].ask, nullptr) << rule.id;
    EXPECT_EQ(find_legality_rule(rule.id), &rule);
  }
}

/// Steps the last instruction of `program` until it stands where it should; false if no attempt does.
bool reaches_edge(const LegalityRule& rule, const Program& program, bool outside) {
  constexpr unsigned kAttempts = 300;
  std::mt19937 random(1);
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    Program stepped = program;
    EdgeSubject subject{stepped, stepped.instructions.back(), outside,
                        [&](unsigned n) { return static_cast<unsigned>(random() % n); }};
    if (!rule.edge(subject)) continue;
    const auto fault = find_fault(stepped);
    if (outside ? fault && fault->rule == &rule : !fault) return true;
  }
  return false;
}

/// Is the edge move right on some program that is legal by hand and whose profile has the rule?
bool some_program_reaches_edge(const LegalityRule& rule, bool outside) {
  const auto all = edges();
  return std::ranges::any_of(all, [&](const Edge& edge) {
    const Program program = parse_program(edge.with(edge.inside), "program");
    return rule.holds_in(program.profile) && reaches_edge(rule, program, outside);
  });
}

bool has_edge_by_hand(const LegalityRule& rule) {
  const auto all = edges();
  return std::ranges::find(all, rule.id, &Edge::rule) != all.end();
}

// generate_long_test tries the edge move of every rule on generated programs.
TEST(Legality, EveryEdgeMoveReachesBothSidesOfARuleWithAnEdgeByHand) {
  for (const LegalityRule& rule : legality_rules()) {
    if (rule.edge == nullptr || !has_edge_by_hand(rule)) continue;
    EXPECT_TRUE(some_program_reaches_edge(rule, false)) << rule.id << " inside";
    EXPECT_TRUE(some_program_reaches_edge(rule, true)) << rule.id << " outside";
  }
}

TEST(Legality, NamesTheInstructionThatBreaksTheRule) {
  const Program program =
      parse_program("profile ascendc-a2\nub 32\nreset_mask\nset_vector_mask_len.f32 len=65", "program");
  const auto fault = find_fault(program);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->instruction, 1u);
  EXPECT_EQ(describe(program, *fault),
            "instruction 2 (set_vector_mask_len): a contiguous mask of 65; allowed: 1 to 64");
}

TEST(Legality, ReadingsDecideWhatTheDocumentsLeaveOpen) {
  Readings readings;
  const Program empty = parse_program("profile ascendc-a2\nub 32\nset_vector_mask_len.f32 len=0", "program");
  EXPECT_TRUE(find_fault(empty, readings));
  readings.zero_mask = ZeroMask::no_op;
  EXPECT_FALSE(find_fault(empty, readings));

  readings = {};
  const Program tail = parse_program(
      "ub 512\nalloc a f32 0 32\nset_mask high=0x0 low=0xff\ndup.f32 a+0 blk=1 rep=8, scalar=1, repeat=1",
      "program");
  EXPECT_TRUE(find_fault(tail, readings));
  readings.masked_tail = MaskedTail::may_overhang;
  EXPECT_FALSE(find_fault(tail, readings));

  readings = {};
  const Program high_word = parse_program(
      "profile ascendc-a2\nub 32\nset_mask_count\nset_vector_mask.f16 high=0x1 low=0x5", "program");
  EXPECT_TRUE(find_fault(high_word, readings));
  readings.counter_high_word_range = CounterHighWordRange::any;
  EXPECT_FALSE(find_fault(high_word, readings));

  readings = {};
  const Program in_place = parse_program(
      "profile tik\nub 512\nalloc a f32 0 256\n"
      "adds.f32 a+0 blk=1 rep=8, a+0 blk=1 rep=8, scalar=2, mask=64, repeat=1",
      "program");
  EXPECT_FALSE(find_fault(in_place, readings));
  readings.tik_overlap = TikOverlap::never;
  EXPECT_TRUE(find_fault(in_place, readings));
}

/// A scatter whose offset number `n` is `offset`; all others are 4 times their number.
Program scatter_with_offset(unsigned n, std::uint32_t offset) {
  Program program = parse_program(
      "ub 2048\nalloc to f32 0 512\nalloc from f32 512 512\nalloc offsets u32 1024 512\n"
      "scatter.f32 to+0, from+0 rep=8, offsets+0, repeat=2",
      "program");
  for (unsigned k = 0; k < 128; ++k) store<std::uint32_t>(program.ub.data() + 1024 + 4 * k, 4 * k);
  store<std::uint32_t>(program.ub.data() + 1024 + 4 * n, offset);
  return program;
}

TEST(Legality, AScatterStoresInsideDst) {  // LAW-offsets
  EXPECT_FALSE(find_fault(scatter_with_offset(127, 508)));
  const auto fault = find_fault(scatter_with_offset(127, 512));
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule->id, "LAW-offsets");
}

TEST(Legality, OffsetsLieWhereNoInstructionWrites) {  // LAW-offsets
  const Program scatter = scatter_with_offset(127, 508);
  Program written = parse_program(
      "ub 2048\nalloc to f32 0 512\nalloc from f32 512 512\nalloc offsets u32 1024 512\n"
      "relu.f32 offsets+0 blk=1 rep=8, from+0 blk=1 rep=8, repeat=1",
      "program");
  written.ub = scatter.ub;
  EXPECT_FALSE(find_fault(written));
  written.instructions.insert(written.instructions.begin(), scatter.instructions[0]);
  for (const auto& fault :
       {find_fault(written), find_fault(scatter, written.instructions, default_readings(scatter.profile))}) {
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->rule->id, "LAW-offsets");
    EXPECT_EQ(fault->instruction, 0u);
  }
}

TEST(Legality, TwoElementsOfOneRepeatOfAScatterMayNotMeet) {  // LAW-equal-offsets
  EXPECT_FALSE(find_fault(scatter_with_offset(3, 12)));
  EXPECT_FALSE(find_fault(scatter_with_offset(64, 12))) << "another repeat: alias_winner decides";

  const Program meet = scatter_with_offset(3, 28);
  const auto fault = find_fault(meet);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->rule->id, "LAW-equal-offsets");
  EXPECT_EQ(
      describe(meet, *fault),
      "instruction 1 (scatter): offsets number 3 and 7 of repeat 0 (counted from 0) are both 28, and no "
      "document says whose element stays; give each element of a repeat a place of its own, or choose "
      "equal_offsets=last_lane");

  Readings readings;
  readings.equal_offsets = EqualOffsets::last_lane;
  EXPECT_FALSE(find_fault(meet, readings));
}

}  // namespace
}  // namespace lanecheck
