// Scenes for the tests of the viewer.
#pragma once

#include <odemesh/sim/scenes/scene.hpp>
#include <odemesh/sim/shapes.hpp>
#include <stdexcept>

#include "viewer/app.hpp"

namespace odemesh::viewer {

/// A mesh box of 1 m that falls from 1 m over the origin onto a plane.
inline sim::SceneRun fallingBox(sim::Collider collider) {
  sim::WorldSettings settings;
  settings.collider = collider;
  settings.kill_min = {-50, -50, -50};
  settings.kill_max = {50, 50, 50};
  sim::SceneRun run;
  run.world = std::make_unique<sim::World>(settings);
  sim::BodySpec ground;
  ground.name = "ground";
  ground.is_static = true;
  ground.parts.push_back({sim::PlaneGeometry{}});
  run.world->addBody(ground);
  sim::BodySpec box;
  box.name = "box";
  box.parts.push_back({sim::MeshGeometry{sim::CollisionMesh::make(sim::makeBox({1, 1, 1}))}});
  box.pose.translation = {0, 0, 1.5};
  run.world->addBody(box);
  return run;
}

inline MakeScene libraryScene(const char* name) {
  const sim::Scene* scene = sim::findScene(name);
  if (scene == nullptr) throw std::runtime_error(name);
  return [scene](sim::Collider collider) {
    sim::SceneOptions options = scene->options;
    options.collider = collider;
    return scene->build(options);
  };
}

}  // namespace odemesh::viewer
