// The answer to `run`: what a backend did with the programs.
#include <algorithm>
#include <cstring>

#include "fuzz/backend/message_json.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

using Json = nlohmann::json;

Mask read_mask(const Json& ran) {
  const auto words = ran.find("mask");
  if (words == ran.end())
    throw ProtocolError("an answer lacks \"mask\" (the hello may say \"shows_mask\":false)");
  Mask mask;
  if (!words->is_array() || words->size() != kMaskSlots / 64)
    throw ProtocolError("\"mask\" is not a list of 4 words, slots 0..63 first");
  for (unsigned w = 0; w < kMaskSlots / 64; ++w) {
    const Json& word = (*words)[w];
    const auto value = word.is_string() ? parse_unsigned(word.get_ref<const std::string&>()) : std::nullopt;
    if (!value) throw ProtocolError("\"mask\" holds something other than words like \"0xff\"");
    set_mask_word(mask, w, *value);
  }
  return mask;
}

Mode read_mode(const Json& ran) {
  const std::string mode = short_text(ran, "mode");
  if (mode == kModeNames[0]) return Mode::normal;
  if (mode == kModeNames[1]) return Mode::counter;
  throw ProtocolError("\"mode\" is neither normal nor counter (the hello says \"shows_mode\":true)");
}

/// The final state of a program, as the object "ran" shows it. A raw image goes behind the line, into `raw`.
void append_state(std::string& out, std::string& raw, const State& state, Encoding encoding, Shown shown) {
  const char* separator = "";
  out.append(",\"ran\":{");
  if (shown.mode) {
    out.append("\"mode\":\"").append(kModeNames[static_cast<std::size_t>(state.mode)]).append("\"");
    separator = ",";
  }
  if (shown.mask) {
    out.append(separator).append("\"mask\":[");
    for (unsigned w = 0; w < kMaskSlots / 64; ++w)
      out.append(w > 0 ? ",\"" : "\"").append(show_hex(mask_word(state.mask, w))).append("\"");
    out.append("]");
    separator = ",";
  }
  if (encoding == Encoding::bytes) {
    raw.append(reinterpret_cast<const char*>(state.ub.data()), state.ub.size());
  } else {
    out.append(separator).append("\"ub\":\"");
    append_hex(out, state.ub.data(), state.ub.size());
    out.append("\"");
  }
  out.append("}");
}

void append_reason(std::string& out, std::string_view field, const std::string& why) {
  out.append(",\"").append(field).append("\":");
  out.append(Json(why).dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace

Outcome read_outcome(const Json& answer, Encoding encoding, State& state, std::size_t bytes, Shown shown) {
  unsigned kinds = 0;
  for (const auto kind : kOutcomeFields) kinds += answer.contains(kind) ? 1 : 0;
  if (kinds != 1) throw ProtocolError("an answer has not exactly one of ran, refused, skipped, errored");
  if (answer.contains("refused")) return Refused{short_text(answer, "refused")};
  if (answer.contains("skipped")) return Skipped{short_text(answer, "skipped")};
  if (answer.contains("errored")) return Errored{short_text(answer, "errored")};
  const Json& ran = answer.at("ran");
  if (!ran.is_object()) throw ProtocolError("\"ran\" is not an object");
  state.ub.resize(bytes);
  state.mask = shown.mask ? read_mask(ran) : kFullMask;
  state.mode = shown.mode ? read_mode(ran) : Mode::normal;
  if (encoding == Encoding::hex) read_hex_image(ran, state.ub);
  return Ran{};
}

void append_outcome(std::string& out, std::string& raw, const Outcome& outcome, const State& state,
                    Encoding encoding, Shown shown) {
  if (const auto* refused = std::get_if<Refused>(&outcome)) append_reason(out, "refused", refused->why);
  if (const auto* skipped = std::get_if<Skipped>(&outcome)) append_reason(out, "skipped", skipped->why);
  if (const auto* errored = std::get_if<Errored>(&outcome)) append_reason(out, "errored", errored->what);
  if (std::holds_alternative<Ran>(outcome)) append_state(out, raw, state, encoding, shown);
}

std::size_t read_answers(std::string_view line, std::uint64_t first_id, Encoding encoding, const Batch& batch,
                         Shown shown) {
  const Json json = parse_message(line);
  const Json& answers = list(json, "answers", kMostLine);
  const std::size_t count = batch.programs.size();
  std::size_t raw = 0;
  for (std::size_t n = 0; n < std::min(count, answers.size()); ++n) {
    if (!answers[n].is_object()) throw ProtocolError("\"answers\" holds something that is not an object");
    const std::uint64_t id = read_id(answers[n]), asked = first_id + n;
    if (id != asked)
      throw ProtocolError("answered program " + std::to_string(id) + " where " + std::to_string(asked) +
                          " was next (" + (id < asked ? "answered twice" : "out of order, or one left out") +
                          ")");
    batch.outcomes[n] =
        read_outcome(answers[n], encoding, batch.states[n], batch.programs[n].ub.size(), shown);
    if (std::holds_alternative<Ran>(batch.outcomes[n])) raw += batch.programs[n].ub.size();
  }
  if (answers.size() != count)
    throw ProtocolError("gave " + std::to_string(answers.size()) + " answers to " + std::to_string(count) +
                        " programs");
  if (encoding == Encoding::hex) return 0;
  if (const std::size_t said = raw_bytes(json); said != raw)
    throw ProtocolError("announced " + std::to_string(said) + " bytes behind the line, expected " +
                        std::to_string(raw) + " (all of UB of every program that ran)");
  return raw;
}

void fill_images(std::string_view raw, const Batch& batch) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < batch.programs.size(); ++n) {
    if (!std::holds_alternative<Ran>(batch.outcomes[n])) continue;
    std::memcpy(batch.states[n].ub.data(), raw.data() + at, batch.states[n].ub.size());
    at += batch.states[n].ub.size();
  }
}

std::string run_answer(const Request& request, std::span<const State> states,
                       std::span<const Outcome> outcomes, Shown shown) {
  std::string out = "{\"answers\":[", raw;
  for (std::size_t n = 0; n < outcomes.size(); ++n) {
    out.append(n > 0 ? "," : "").append("{\"id\":").append(std::to_string(request.ids[n]));
    append_outcome(out, raw, outcomes[n], states[n], request.encoding, shown);
    out.append("}");
  }
  out.append("]");
  if (request.encoding == Encoding::bytes) out.append(",\"bytes\":").append(std::to_string(raw.size()));
  out.append("}\n").append(raw);
  return out;
}

}  // namespace lanecheck
