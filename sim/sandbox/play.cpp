#include "play.hpp"

#include <cstdio>

#include "exit_code.hpp"
#include "picture.hpp"
#include "report.hpp"

namespace odemesh::sandbox {
namespace {

int draw(const Options& options) {
  DrawnRecording drawn;
  {
    Progress progress(1, !options.quiet);
    drawn = drawRecording(options, [&](double share, double time) {
      progress.show(share, std::to_string(time).substr(0, 5) + " s played");
    });
  }
  if (!drawn.problem.empty()) {
    std::fprintf(stderr, "error: no picture: %s\n", drawn.problem.c_str());
    return kFailedRun;
  }
  if (options.quiet) return kGood;
  std::printf("played           %s, %.3g s\n", options.play.c_str(), drawn.seconds);
  if (!options.video.empty())
    std::printf("video            %s (%zu frames)\n", options.video.c_str(), drawn.frames);
  if (!options.screenshot.empty()) std::printf("picture          %s\n", options.screenshot.c_str());
  return kGood;
}

}  // namespace

int play(const Options& options) {
  const bool has_pictures = !options.screenshot.empty() || !options.video.empty();
  std::string problem = "--headless is given";
  if (!options.headless) {
    problem = showRecording(options);
    if (problem.empty()) return kGood;
    if (has_pictures) std::fprintf(stderr, "note: no window: %s; running headless\n", problem.c_str());
  }
  if (has_pictures) return draw(options);
  std::fprintf(
      stderr,
      "error: --play has no window to show %s in (%s); give --screenshot or --video, or repeat its run with "
      "--replay\n",
      options.play.c_str(), problem.c_str());
  return options.headless ? kBadInput : kFailedRun;
}

}  // namespace odemesh::sandbox
