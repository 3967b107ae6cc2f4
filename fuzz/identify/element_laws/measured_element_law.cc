#include "fuzz/identify/element_laws/measured_element_law.h"

#include <algorithm>

#include "fuzz/identify/element_laws/element_law_probes.h"

namespace lanecheck {
namespace {

/// Numbers that few instructions change may be a mistake of their own. What blends dst shows itself in one.
std::size_t least_instructions(const ElementLaw& law) {
  return law.blends ? 1 : 3;
}

std::string op_of(const std::string& name) {
  return name.substr(0, name.find('.'));
}

/// "brcb, cast of bf16.f32, f16.f32, gather". `others`: a name without types stands for all that it has here.
std::string by_op(const std::set<std::string>& names, const std::set<std::string>& others) {
  std::string text, last;
  for (const std::string& each : names) {
    const std::string op = op_of(each);
    const bool whole =
        std::ranges::none_of(others, [&](const std::string& other) { return op_of(other) == op; });
    if (whole && op == last) continue;
    text += text.empty() ? "" : ", ";
    text += whole || op == each ? op
            : op == last        ? each.substr(op.size() + 1)
                                : op + " of " + each.substr(op.size() + 1);
    last = op;
  }
  return text;
}

/// "instructions with f16 or f32 results"; of more than three types: "instructions"
std::string subject_of(const ElementLaw& law, const std::set<Element>& types) {
  constexpr std::size_t kMostTypes = 3;
  if (types.size() > kMostTypes) return "instructions";
  std::string text;
  for (const Element each : types) text += (text.empty() ? "" : " or ") + std::string(name_of(each));
  const std::string of = law.is_of_scalars() ? " scalars" : law.is_of_results() ? " results" : " elements";
  return "instructions with " + text + of;
}

/// `spared`: of the same types as the followers.
std::string sentence_of(const ElementLaw& law, const std::set<Element>& types,
                        const std::set<std::string>& followers, const std::set<std::string>& spared) {
  const std::string asked = std::to_string(followers.size() + spared.size()) + " that were asked";
  const std::string start = subject_of(law, types) + " " + law.text + "; ";
  if (spared.empty()) return start + "all " + asked + " do so";
  const std::string some = std::to_string(followers.size()) + " of the " + asked + " do so";
  if (followers.size() < spared.size()) return start + some + ": " + by_op(followers, spared);
  return start + some + ", and these do not: " + by_op(spared, followers);
}

}  // namespace

std::optional<MeasuredElementLaw> measure_element_law(const ElementLaw& law, Profile profile,
                                                      const Semantics& semantics, const Ask& ask,
                                                      Shown shown) {
  MeasuredElementLaw measured{law, {}, {}, {}, {}};
  const std::vector<ElementLawProbe> probes = element_law_probes(law, profile, semantics);
  std::set<Op> ops;
  std::set<Element> types;
  for (const ElementLawProbe& probe : probes) {
    const Answers answers = ask_all(ask, probe.programs);
    if (!answers.why_not.empty()) continue;
    bool follows = true;
    for (std::size_t n = 0; n < probe.programs.size(); ++n)
      follows = follows && gives(law, {}, probe.programs[n], semantics, answers.states[n], shown);
    (follows ? measured.followers : measured.spared).insert(probe.name);
    if (!follows) continue;
    ops.insert(probe.op);
    types.insert(probe.type);
    measured.programs.insert(measured.programs.end(), probe.programs.begin(), probe.programs.end());
  }
  if (ops.size() < least_instructions(law)) return {};
  std::set<std::string> of_same_types;
  for (const ElementLawProbe& probe : probes)
    if (measured.spared.contains(probe.name) && types.contains(probe.type)) of_same_types.insert(probe.name);
  measured.sentence = sentence_of(law, types, measured.followers, of_same_types);
  return measured;
}

}  // namespace lanecheck
