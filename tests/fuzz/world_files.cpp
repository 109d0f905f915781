// Loads the bytes as a world file: the first byte chooses SDF or URDF. What comes out is a world that can be
// stepped, or an InputError.
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/world_file.hpp>

#include "require.hpp"
#include "scratch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace odemesh;
  if (size == 0) return 0;
  const std::string name = data[0] % 2 == 0 ? "world.sdf" : "world.urdf";
  sim::WorldFileOptions options;
  options.max_includes = 20;
  try {
    const sim::WorldDescription description =
        sim::loadWorldFile(fuzz::scratchFile(name, {data + 1, size - 1}), options);
    const auto world = sim::makeWorld(description);
    for (int step = 0; step < 3 && description.settings.iterations <= 100; ++step) world->step();
    fuzz::require(world->metrics().rejected_contacts == 0, "every contact can be handed to the solver");
  } catch (const sim::InputError&) {
  }
  return 0;
}
