#include "suggestion.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "exit_code.hpp"

namespace odemesh::sandbox {
namespace {

// How many letters are to be put in, left out, changed or swapped with their neighbours.
std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

// The option whose name is nearest; empty if none is near.
std::string nearest(const CLI::App& app, const std::string& name) {
  std::string best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option->get_group().empty()) continue;
    const std::string& other = option->get_lnames()[0];
    const bool is_begun = name.size() > 2 && other.starts_with(name);
    const std::size_t distance = is_begun ? 1 : editDistance(name, other);
    if (distance >= least) continue;
    least = distance;
    best = other;
  }
  return best;
}

}  // namespace

std::string suggestions(const CLI::App& app) {
  std::string out;
  for (const std::string& word : app.remaining()) {
    const std::size_t begin = word.find_first_not_of('-');
    if (begin == 0 || begin == std::string::npos) continue;
    const std::string near = nearest(app, word.substr(begin, word.find('=') - begin));
    if (!near.empty()) out += word.substr(0, word.find('=')) + ": did you mean --" + near + "?\n";
  }
  return out;
}

int exitCodeFor(const CLI::App& app, const CLI::ParseError& error) {
  if (app.exit(error) == 0) return 0;
  std::fputs(suggestions(app).c_str(), stderr);
  return kBadInput;
}

}  // namespace odemesh::sandbox
