// Hostile texts for tests of readers: a valid text with a few random changes. Whatever a reader is given, it
// reads it or throws an InputError that names the file.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "spec/program/input_error.h"

namespace lanecheck {

inline constexpr const char* kMutatedFile = "mutated.json";  ///< what a reader calls the text

/// Changes texts. The same seed always makes the same changes.
class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  /// The text with one to three bytes changed, taken out or put in, or with its end cut off.
  std::string change_bytes(std::string text) {
    constexpr std::string_view alphabet = "{}[]\",:0123456789xabcdefE+-.\\u\n\x01\xff ";
    for (auto edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = alphabet[below(alphabet.size())];
          break;
        case 1:
          text.erase(at, 1 + below(8));
          break;
        case 2:
          text.insert(at, 1, alphabet[below(alphabet.size())]);
          break;
        default:
          text.resize(at + 1);
      }
      if (text.empty()) text = "x";
    }
    return text;
  }

  /// The JSON text with one to three values deleted, doubled, exchanged or replaced by unusual ones.
  std::string change_values(std::string_view text) {
    Json json = Json::parse(text);
    for (auto edits = 1 + below(3); edits > 0; --edits) change_value(json);
    return json.dump();
  }

 private:
  using Json = nlohmann::ordered_json;

  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_() % count); }

  static void collect_parents(Json& json, std::vector<Json*>& parents) {
    if (!json.is_structured() || json.empty()) return;
    parents.push_back(&json);
    for (Json& each : json) collect_parents(each, parents);
  }

  Json::iterator child_of(Json& parent) {
    return std::next(parent.begin(), static_cast<Json::difference_type>(below(parent.size())));
  }

  Json unusual() {
    static const std::vector<Json> kUnusual = {nullptr,
                                               true,
                                               -1,
                                               0,
                                               1,
                                               0xffffffffu,
                                               ~std::uint64_t{0},
                                               std::uint64_t{1} << 63,
                                               1e300,
                                               Json::array(),
                                               Json::object(),
                                               "",
                                               "0x10",
                                               "\x01\x1b[2J",
                                               std::string(300, 'n')};
    return kUnusual[below(kUnusual.size())];
  }

  void change_value(Json& json) {
    std::vector<Json*> parents;
    collect_parents(json, parents);
    if (parents.empty()) return;
    Json& parent = *parents[below(parents.size())];
    const auto child = child_of(parent);
    switch (below(4)) {
      case 0:
        parent.erase(child);
        break;
      case 1:
        if (parent.is_array()) parent.push_back(Json(*child));
        break;
      case 2: {
        Json other = *child_of(*parents[below(parents.size())]);
        *child = std::move(other);
        break;
      }
      default:
        *child = unusual();
    }
  }

  std::mt19937_64 random_;
};

/// Gives `count` changes of the JSON text `good` to `read`, which calls the file kMutatedFile.
template <class Read>
void expect_reads_or_refuses(std::string_view good, unsigned count, Read read) {
  Mutator mutator(1);
  unsigned taken = 0, refused = 0;
  const auto give = [&](const std::string& text) {
    try {
      read(text);
      ++taken;
    } catch (const InputError& error) {
      ++refused;
      if (std::string_view(error.what()).find(kMutatedFile) == std::string_view::npos)
        ADD_FAILURE() << "does not name the file: " << error.what() << "\n" << text.substr(0, 2000);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not an InputError: " << error.what() << "\n" << text.substr(0, 2000);
    }
    return !testing::Test::HasFailure();
  };
  for (unsigned n = 0; n < count; ++n)
    if (!give(n % 2 == 0 ? mutator.change_values(good) : mutator.change_bytes(std::string(good)))) return;
  EXPECT_GT(taken, count / 100) << "some changes are harmless";
  EXPECT_GT(refused, count / 10) << "most changes are faults";
}

/// Gives `read` the text `good` with the JSON value at `pointer` nested a million levels deep.
template <class Read>
void expect_refuses_depth(std::string_view good, const std::string& pointer, Read read) {
  auto json = nlohmann::ordered_json::parse(good);
  json.at(nlohmann::ordered_json::json_pointer(pointer)) = "DEEP";
  std::string text = json.dump();
  const std::size_t levels = 1'000'000;
  text.replace(text.find("\"DEEP\""), 6, std::string(levels, '[') + std::string(levels, ']'));
  try {
    read(text);
    ADD_FAILURE() << pointer << ": was read";
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    EXPECT_NE(what.find(kMutatedFile), std::string::npos) << what;
    EXPECT_NE(what.find("is nested more than 64 levels deep"), std::string::npos) << what;
  }
}

}  // namespace lanecheck
