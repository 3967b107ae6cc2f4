#include <cctype>
#include <map>

#include "reports/page/escape.h"
#include "reports/page/html_parts.h"

namespace lanecheck::page {
namespace {

/// Instructions that are not certified, by the reason: many have the same.
using Reasons = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

/// The text without the name of the instruction, where that stands as a word of its own: "add.f16" is not
/// meant in "cadd.f16".
std::string without_name(std::string text, const std::string& name) {
  const auto is_part = [&](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
  };
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool goes_on = is_part(end) || (end < text.size() && text[end] == '.' && is_part(end + 1));
    if (goes_on || (at > 0 && (is_part(at - 1) || text[at - 1] == '.'))) continue;
    return text.replace(at, name.size(), "the instruction");
  }
  return text;
}

Reasons reasons_of(const CertificateView& certificate) {
  Reasons reasons;
  for (const UncertifiedView& each : certificate.others) {
    // "a program is skipped: add.f16 is not on offer"
    reasons[{each.verdict, without_name(each.text, each.instruction)}].push_back(each.instruction);
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
  if (certified == 0)
    return "No instruction has the mask certificate of strength " + std::to_string(certificate.strength) +
           ".";
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
