#include "scenes/judge.hpp"

#include <cmath>
#include <utility>

#include "scenes/overlap.hpp"

namespace odemesh::sim {
namespace {

double countBelow(const World& world, const SceneFrame& frame, double floor) {
  int count = 0;
  for (const std::size_t i : dynamicBodies(world))
    count += frame.point(world.body(i).centreOfMass()).z < floor ? 1 : 0;
  return count;
}

std::vector<Figure> holdingFigures(const World& world, const SceneFrame& frame, const HoldLimits& limits,
                                   double energy_gain) {
  const double overlap = frame.length(greatestOverlap(world)) / limits.radius;
  std::vector<Figure> out = {
      {.name = "overlap at the end",
       .value = overlap * 100,
       .limit = limits.overlap_percent,
       .unit = "% of radius",
       .primitive_factor = 2},
  };
  if (std::isfinite(limits.energy_percent))
    out.push_back(
        {.name = "energy gain", .value = energy_gain * 100, .limit = limits.energy_percent, .unit = "%"});
  if (std::isfinite(limits.speed))
    out.push_back({.name = "speed at the end",
                   .value = frame.length(world.metrics().rms_speed),
                   .limit = limits.speed,
                   .unit = "m/s",
                   .primitive_factor = 2});
  if (std::isfinite(limits.floor))
    out.push_back(
        {.name = "fallen", .value = countBelow(world, frame, limits.floor), .limit = 0, .unit = ""});
  return out;
}

}  // namespace

SceneRun judgedHolding(SceneBuilder& builder, double duration, const HoldLimits& limits) {
  const SceneFrame frame = builder.frame();
  SceneRun run = builder.finish(duration);
  const auto energy = std::make_shared<EnergyWatch>(*run.world);
  const double fall = EnergyWatch::fallOfOneMetre(*run.world, frame);
  run.observe = [energy](const World& w) { energy->observe(w); };
  run.judge = [=](World& w) { return holdingFigures(w, frame, limits, energy->gain(fall)); };
  return run;
}

SceneRun judgedStill(SceneBuilder& builder, double duration, const StillLimits& limits) {
  SceneRun run = builder.finish(duration);
  const World& world = *run.world;
  const auto drift = std::make_shared<DriftWatch>(world, builder.frame(), dynamicBodies(world), 1);
  run.observe = [drift](const World& w) { drift->observe(w); };
  run.judge = [drift, limits](World&) {
    return std::vector<Figure>{{.name = "drift",
                                .value = drift->drift() * 1e3,
                                .limit = limits.drift,
                                .unit = "mm",
                                .primitive_factor = limits.primitive_factor},
                               {.name = "turn",
                                .value = drift->turnDegrees(),
                                .limit = limits.turn,
                                .unit = "deg",
                                .primitive_factor = limits.primitive_factor}};
  };
  return run;
}

void addFigures(SceneRun& run, std::function<std::vector<Figure>(World&)> more,
                std::function<void(const World&)> observe) {
  run.judge = [own = run.judge, more = std::move(more)](World& w) {
    std::vector<Figure> out = own(w);
    for (Figure& figure : more(w)) out.push_back(std::move(figure));
    return out;
  };
  if (!observe) return;
  run.observe = [own = run.observe, observe = std::move(observe)](const World& w) {
    if (own) own(w);
    observe(w);
  };
}

void addLongestStep(SceneRun& run, const LinkWatch& links, double pitch, double tube) {
  const auto watch = std::make_shared<LinkWatch>(links);
  addFigures(
      run,
      [=](World&) {
        return std::vector<Figure>{{.name = "longest step",
                                    .value = watch->longest() / pitch,
                                    .limit = 1 + tube / pitch,
                                    .unit = "of the pitch"}};
      },
      [watch](const World& w) { watch->observe(w); });
}

}  // namespace odemesh::sim
