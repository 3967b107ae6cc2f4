// The contracts under which the one machine is used, by name only (their rows: spec/program/profile.h), and
// sets of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace lanecheck {

enum class Profile : std::uint8_t { vmc, a2, p310, tik };

inline constexpr std::array kEveryProfile = {Profile::vmc, Profile::a2, Profile::p310, Profile::tik};
inline constexpr std::size_t kProfiles = kEveryProfile.size();
inline constexpr Profile kDefaultProfile =
    Profile::vmc;  ///< the profile of programs and commands that name none

class ProfileSet {
 public:
  constexpr ProfileSet() = default;
  constexpr ProfileSet(std::initializer_list<Profile> profiles) {
    for (const Profile each : profiles) bits_ = static_cast<std::uint8_t>(bits_ | bit(each));
  }
  constexpr bool contains(Profile profile) const { return (bits_ & bit(profile)) != 0; }
  constexpr ProfileSet operator|(ProfileSet other) const {
    other.bits_ = static_cast<std::uint8_t>(other.bits_ | bits_);
    return other;
  }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  static constexpr unsigned bit(Profile profile) { return 1u << static_cast<unsigned>(profile); }
  std::uint8_t bits_ = 0;
};

inline constexpr ProfileSet kAllProfiles = {Profile::vmc, Profile::a2, Profile::p310, Profile::tik};

}  // namespace lanecheck
