// Laws that the code which addresses the operands of all instructions may obey in place of the documented
// strides. Whether one of them gives what a backend left is computed, and needs no question.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/explain/questions/suspects.h"

namespace lanecheck {

class OperandLaws {
 public:
  explicit OperandLaws(const Documented& documented);
  OperandLaws(const OperandLaws&) = delete;  // laws point to their parts
  OperandLaws& operator=(const OperandLaws&) = delete;

  /// What is executed in place of `program` by the law of this number. Nothing if the law changes no
  /// instruction, or if the program would not be legal.
  std::optional<Program> by_law(std::size_t law, const Program& program) const;
  /// The same, whether it is legal or not.
  Program changed_by(std::size_t law, const Program& program) const {
    return changed_by(laws_[law], program);
  }
  bool gives(std::size_t law, const Program& program, const State& actual, Shown shown) const;
  /// Instruction `index` of `program` under its mask, with room for what the laws address, and with data by
  /// which every lane counts. Nothing if that is not legal.
  std::optional<Program> with_room(const Program& program, std::size_t index) const;
  /// The same with room for what this law addresses, however far that is.
  std::optional<Program> with_room(const Program& program, std::size_t index, std::size_t law) const;
  /// Does the law change dst and sources alike?
  bool is_of_all_operands(std::size_t law) const {
    return laws_[law].scope->first == 0 && laws_[law].scope->last > 0;
  }
  /// The laws that give `actual`, the plainest first.
  std::vector<std::size_t> that_give(const Program& program, const State& actual, Shown shown) const;
  /// "all operands of add.f16 walk with repeat stride 8, whatever is given"
  std::string sentence(std::size_t law, const std::string& instruction) const;
  /// "walks with repeat stride 8, whatever is given": the law of one operand.
  std::string key_of_one(std::size_t law) const;
  /// The sentence without the instruction.
  std::string key(std::size_t law) const;

 private:
  /// What becomes of the strides of an operand. `verb` is that of several operands.
  struct Change {
    std::string verb, rest;
    std::function<void(const Instruction& insn, unsigned k, Operand& operand)> apply;
  };
  /// Which operands of an instruction obey the law.
  struct Scope {
    std::string name;
    unsigned first, last;
  };
  struct Condition {
    std::string text;
    std::function<bool(const Program& program, std::size_t index)> holds;
  };
  struct Law {
    const Condition* condition;
    const Change* change;
    const Scope* scope;
  };

  /// `one`: of one operand, and not of several.
  static std::string said_of(const Law& law, bool one);
  static std::string text_of(const Law& law, const std::string& of);
  Program changed_by(const Law& law, const Program& program) const;
  void add_changes();
  void add_changes_of(std::uint32_t Operand::*field);

  const Documented& documented_;
  std::vector<Change> changes_;
  std::vector<Scope> scopes_;
  std::vector<Condition> conditions_;
  std::vector<Law> laws_;
};

}  // namespace lanecheck
