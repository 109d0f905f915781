#include "manual.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

#include "options.hpp"

namespace odemesh::sandbox {
namespace {

// Backslashes and hyphens of options mean something else to man, and so do dots and quotes at the start of a
// line.
std::string escaped(const std::string& text) {
  std::string out;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_starts = c == '\n';
  }
  return out;
}

std::string nameOf(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true) : "--" + option.get_lnames().at(0);
}

void describe(const CLI::Option& option, std::ostream& out) {
  out << ".TP\n\\fB" << escaped(nameOf(option)) << "\\fR";
  const std::string type = option.get_type_name();
  if (!option.get_positional() && !type.empty()) out << " \\fI" << escaped(type) << "\\fR";
  out << "\n" << escaped(option.get_description());
  if (!option.get_default_str().empty()) out << ". Default: " << escaped(option.get_default_str()) << ".";
  out << "\n";
}

// Words that an option's value is one of.
std::string valuesOf(const std::string& name) {
  if (name == "--collider") return "odemesh ode";
  if (name == "--solver") return "quick exact";
  if (name == "--up") return "file x y z";
  if (name == "--ground") return "plane box bowl";
  if (name == "--expect") return "at-rest max-depth= stays-inside= stands= same-hash";
  std::string out;
  if (name == "--show")
    for (const char* each : kShowable) out += std::string(out.empty() ? "" : " ") + each;
  return out;
}

}  // namespace

std::string manualPage(const CLI::App& app, const std::string& footer) {
  std::ostringstream out;
  out << ".TH ODEMESH-SANDBOX 1 \"\" \"odemesh " ODEMESH_VERSION "\" \"User Commands\"\n"
      << ".SH NAME\nodemesh\\-sandbox \\- drop triangle meshes on a ground, and look at what happens\n"
      << ".SH SYNOPSIS\n.B odemesh\\-sandbox\n[\\fIOPTIONS\\fR] [\\fIFILES\\fR...]\n"
      << ".SH DESCRIPTION\n"
      << escaped(app.get_description()) << "\n.SH OPTIONS\n";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) describe(*option, out);
  for (const std::string& group : app.get_groups()) {
    if (group.empty()) continue;  // of hidden options
    out << ".SS " << escaped(group) << "\n";
    for (const CLI::Option* option : app.get_options())
      if (option->get_group() == group && !option->get_positional()) describe(*option, out);
  }
  out << ".SH NOTES\n.nf\n" << escaped(footer) << "\n.fi\n";
  return out.str();
}

std::string bashCompletion(const CLI::App& app) {
  std::string options;
  std::string cases;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;
    const std::string name = nameOf(*option);
    options += " " + name;
    if (const std::string values = valuesOf(name); !values.empty())
      cases += "    " + name + ") words=\"" + values + "\" ;;\n";
  }
  return "# Completion of odemesh-sandbox for bash.\n"
         "_odemesh_sandbox() {\n"
         "  local word=\"${COMP_WORDS[COMP_CWORD]}\" words=''\n"
         "  case \"${COMP_WORDS[COMP_CWORD-1]}\" in\n" +
         cases +
         "    --scene) words=\"$(\"${COMP_WORDS[0]}\" --scene list 2>/dev/null | cut -d ' ' -f 1)\" ;;\n"
         "  esac\n"
         "  [[ $word == -* ]] && words=\"" +
         options.substr(1) +
         "\"\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  [[ -n $words ]] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "}\n"
         "complete -o filenames -F _odemesh_sandbox odemesh-sandbox\n";
}

}  // namespace odemesh::sandbox
