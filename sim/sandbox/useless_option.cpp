#include "useless_option.hpp"

#include <algorithm>
#include <odemesh/sim/world_file.hpp>
#include <vector>

namespace odemesh::sandbox {
namespace {

/// Options, whether they have an effect, and what they need.
struct Rule {
  std::vector<const char*> names;
  bool has_effect;
  const char* needed;
};

std::vector<Rule> rulesFor(const Options& o, bool has_world) {
  const bool has_window = !o.headless && o.json.empty();
  const bool draws = !o.screenshot.empty() || !o.video.empty();
  return {
      {{"--settle"}, !o.expect.empty(), "without --expect; give that too"},
      {{"--json-every"}, !o.json.empty(), "without --json; give that too"},
      {{"--fps"}, !o.video.empty() || !o.record.empty(), "without --video or --record; give one of them"},
      {{"--size", "--show", "--quality"},
       draws || has_window,
       "without a picture or a window; give --screenshot or --video, or let the window open"},
      {{"--frames", "--script"},
       has_window,
       "without the window, which --json, --video, --record, --check and --expect keep closed"},
      {{"--model-path"},
       has_world || has_window,
       "without a world; it is where model:// names are looked up"},
  };
}

// A world brings its own bodies and settings, apart from the collider.
std::string uselessBesideWorld(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string& group = option->get_group();
    const bool is_of_world =
        option->get_positional() || option->check_name("--collider") || option->check_name("--side-by-side");
    if (option->count() > 0 && (group == "Scene" || group == "Physics") && !is_of_world)
      return option->get_name() +
             ": has no effect on a world, which brings its own bodies and settings; leave it out";
  }
  return "";
}

}  // namespace

std::string uselessOption(const CLI::App& app, const Options& options) {
  const bool has_world = std::any_of(options.files.begin(), options.files.end(),
                                     [](const auto& f) { return sim::isWorldFile(f); });
  for (const Rule& rule : rulesFor(options, has_world))
    for (const char* name : rule.names)
      if (!rule.has_effect && app.count(name) > 0)
        return std::string(name) + ": has no effect " + rule.needed;
  return has_world ? uselessBesideWorld(app) : "";
}

}  // namespace odemesh::sandbox
