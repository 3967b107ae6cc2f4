#include <map>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

/// Instructions that are not certified, by the reason: many have the same.
using Reasons = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

Reasons reasons_of(const CertificateView& certificate) {
  Reasons reasons;
  for (const UncertifiedView& each : certificate.others) {
    std::string why = each.text;  // "a program is skipped: add.f16 is not on offer"
    if (const auto at = why.find(each.instruction); at != std::string::npos)
      why.replace(at, each.instruction.size(), "the instruction");
    reasons[{each.verdict, why}].push_back(each.instruction);
  }
  return reasons;
}

std::string list_of(const std::vector<std::string>& instructions) {
  std::string out;
  for (const std::string& each : instructions)
    out += (out.empty() ? "<code>" : ", <code>") + escaped(each) + "</code>";
  return out;
}

}  // namespace

std::string sentence_of(const CertificateView& certificate) {
  const std::size_t certified = certificate.certified.size();
  const std::size_t all = certified + certificate.others.size();
  return "Mask certificate of strength " + std::to_string(certificate.strength) + ": " +
         (certified == all ? "all " + counted(all, "instruction")
                           : grouped(certified) + " of " + counted(all, "instruction")) +
         " conform under masks that hold every combination of any " + std::to_string(certificate.strength) +
         " mask bits. Any fault of these instructions that depends on at most " +
         std::to_string(certificate.strength) + " mask bits was exercised.";
}

std::string certificate_html(const ReportView& report) {
  const CertificateView& certificate = report.certificate;
  if (certificate.strength == 0) return "";
  std::string out =
      "<section id=\"certificate\" aria-labelledby=\"h-certificate\">\n<h2 id=\"h-certificate\">Mask "
      "certificate</h2>\n<p>" +
      escaped(sentence_of(certificate)) +
      "</p>\n<p class=\"soft\">It covers 2 repeats, operands in a row, one set of data and one mode of each "
      "instruction, here with its element types. Exercised does not mean seen: a fault shows only if it "
      "changes the result.</p>\n";
  for (const auto& [reason, instructions] : reasons_of(certificate))
    out += "<p><b>" + std::string(reason.first == "diverges" ? "Diverges" : "Not judged") + "</b>, " +
           escaped(reason.second) + ": " + list_of(instructions) + ".</p>\n";
  if (!certificate.certified.empty())
    out += "<details><summary>Certified: " + counted(certificate.certified.size(), "instruction") +
           "</summary>\n<p>" + list_of(certificate.certified) + ".</p></details>\n";
  return out + "</section>\n";
}

}  // namespace lanecheck::page
