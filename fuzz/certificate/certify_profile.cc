#include "fuzz/certificate/certify_profile.h"

#include "fuzz/run/judge.h"
#include "reports/format.h"

namespace lanecheck {
namespace {

using Said = CertificateVerdict::Kind;

/// What it means that the backend does not conform under one mask: a divergence, or an open question.
CertificateVerdict verdict_of_failure(const Certificate& certificate, const RunOptions& options,
                                      const Backend& backend) {
  const std::string under = "under mask " + mask_text(certificate.failing_mask) + ": ";
  const std::optional<Finding> finding = judge(*certificate.failing, options, backend);
  if (!finding) return {Said::diverges, under + "it diverged, and did not when lanecheck asked again", ""};
  const std::string what = under + printable(finding->what);
  switch (finding->verdict) {
    case Verdict::diverges:
      return {Said::diverges, what, finding->id};
    case Verdict::undecided:
      return {Said::not_judged, what + "; give --reading " + finding->id + " to judge it under this reading",
              ""};
    case Verdict::conforms:
    case Verdict::skipped:
    case Verdict::errored:
      break;
  }
  return {Said::not_judged, what, ""};
}

}  // namespace

std::string_view name_of(Said kind) {
  constexpr std::string_view kNames[] = {"certified", "diverges", "not judged"};
  return kNames[static_cast<std::size_t>(kind)];
}

CertificateVerdict verdict_of(const Certificate& certificate, const RunOptions& options,
                              const Backend& backend) {
  if (certificate.failing) return verdict_of_failure(certificate, options, backend);
  if (!certificate.holds()) return {Said::not_judged, printable(certificate.why_not), ""};
  return {Said::certified, certificate.sentence(), ""};
}

MaskCertificate certify_profile(const Backend& backend, RunOptions options, unsigned strength,
                                std::function<void()> between) {
  options.minimize = false;
  MaskCertificate all{strength, {}, {}};
  Certifier certifier(backend, options.readings, strength, std::move(between));
  for (const MaskedProgram& program : masked_programs(options.mix.profile)) {
    CertificateVerdict verdict = verdict_of(certifier.certify(program), options, backend);
    if (verdict.kind == Said::certified)
      all.certified.push_back(program.name);
    else
      all.others.push_back({program.name, verdict.kind == Said::diverges, std::move(verdict.text),
                            std::move(verdict.finding)});
  }
  return all;
}

}  // namespace lanecheck
