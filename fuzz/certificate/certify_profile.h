// The mask certificate of all instructions of a profile, as a report holds it.
#pragma once

#include "fuzz/certificate/certify.h"
#include "fuzz/run/options.h"
#include "reports/report.h"

namespace lanecheck {

/// What is said of one instruction. A divergence that a reading explains is "not judged".
struct CertificateVerdict {
  enum class Kind : std::uint8_t { certified, diverges, not_judged };

  Kind kind = Kind::certified;
  std::string text;     ///< the sentence, or why it cannot be made
  std::string finding;  ///< id of the finding that explains the divergence; else empty
};
std::string_view name_of(CertificateVerdict::Kind kind);

/// Asks the backend again about a mask under which it does not conform.
CertificateVerdict verdict_of(const Certificate& certificate, const RunOptions& options,
                              const Backend& backend);

/// Certifies every instruction of the profile. `strength`: how many mask bits, 2 to 4. `between`: see
/// Certifier.
MaskCertificate certify_profile(const Backend& backend, RunOptions options, unsigned strength,
                                std::function<void()> between = {});

}  // namespace lanecheck
