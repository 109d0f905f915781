// The parameters of physics and contacts in an SDF file, as Gazebo classic hands them to ODE.
#pragma once

#include <odemesh/sim/world_settings.hpp>
#include <optional>
#include <sdf/Element.hh>
#include <sdf/World.hh>
#include <string>

namespace odemesh::sim {

/// Of a <surface>, which may be null: then SDF's defaults. Restitutions are limited to 0 to 1.
[[nodiscard]] Surface surfaceFromSdf(const sdf::ElementPtr& surface);

/// Step, solver, constraints and gravity of a world.
[[nodiscard]] WorldSettings settingsFromSdf(const sdf::World& world);

/// The type of solver that its <physics> asks for, where that is not one of ODE's.
[[nodiscard]] std::optional<std::string> unknownSolverOf(const sdf::World& world);

/// The type of its <physics>, "ode" where nothing is said.
[[nodiscard]] std::string engineOf(const sdf::World& world);

}  // namespace odemesh::sim
