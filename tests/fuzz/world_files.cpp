// Loads the bytes as a world file: the first byte chooses SDF or URDF. What comes out is a world that can be
// stepped, or an InputError. As `loadWorldFile` does it, but in this process, where libFuzzer and the
// sanitizers see it.
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/world_file.hpp>
#include <stdexcept>

#include "require.hpp"
#include "scratch_file.hpp"
#include "world_file/parsed_world.hpp"

namespace {

/// What libsdformat throws by itself is caught where it has a process of its own.
odemesh::sim::ParsedWorld parsed(const std::filesystem::path& file,
                                 const odemesh::sim::WorldFileOptions& options) {
  using namespace odemesh::sim;
  try {
    return parseWorldFile(file, options);
  } catch (const InputError&) {
    throw;
  } catch (const std::logic_error& error) {
    throw InputError(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace odemesh;
  if (size == 0) return 0;
  const std::string name = data[0] % 2 == 0 ? "world.sdf" : "world.urdf";
  sim::WorldFileOptions options;
  options.max_includes = 20;
  const auto file = fuzz::scratchFile(name, {data + 1, size - 1});
  try {
    const sim::WorldDescription description =
        sim::completed(sim::unpackedWorld(sim::packed(parsed(file, options))), file);
    const auto world = sim::makeWorld(description);
    const bool is_cheap =
        description.settings.iterations <= 100 && description.settings.solver == sim::Solver::kQuick;
    for (int step = 0; step < 3 && is_cheap; ++step) world->step();
    fuzz::require(world->metrics().rejected_contacts == 0, "every contact can be handed to the solver");
  } catch (const sim::InputError&) {
  }
  return 0;
}
