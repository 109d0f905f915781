#include "parsed_world.hpp"

#include <concepts>
#include <stdexcept>
#include <type_traits>

#include "bytes.hpp"

namespace odemesh::sim {
namespace {

template <class T, class Wanted>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Wanted>;

// One list of fields serves both ways.
template <class Archive>
void fields(Archive& archive, MaybeConst<PendingMesh> auto& mesh) {
  archive(mesh.kind, mesh.body, mesh.part, mesh.owner, mesh.file, mesh.submesh, mesh.is_centred, mesh.size);
}
template <class Archive>
void fields(Archive& archive, MaybeConst<Part> auto& part) {
  archive(part.geometry, part.pose, part.surface);
}
template <class Archive>
void fields(Archive& archive, MaybeConst<BodySpec> auto& body) {
  archive(body.name, body.parts, body.pose, body.is_static, body.has_gravity, body.group, body.density,
          body.mass, body.inertial, body.linear_damping, body.angular_damping, body.linear_velocity,
          body.angular_velocity);
}
template <class Archive>
void fields(Archive& archive, MaybeConst<JointSpec> auto& joint) {
  archive(joint.name, joint.type, joint.child, joint.parent, joint.anchor, joint.axes, joint.limit_erp,
          joint.limit_cfm);
}
template <class Archive>
void fields(Archive& archive, MaybeConst<ParsedWorld> auto& parsed) {
  auto& world = parsed.world;
  archive(world.name, world.settings, world.bodies, world.joints, world.warnings, parsed.meshes);
}

class Packer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (put(values), ...);
  }
  [[nodiscard]] std::string take() { return out_.take(); }

 private:
  template <class T>
  void put(const T& value) {
    if constexpr (std::is_trivially_copyable_v<T> || std::is_same_v<T, std::string>)
      out_.put(value);
    else
      fields(*this, value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    out_.put(values.size());
    for (const T& value : values) put(value);
  }
  void put(const Geometry& geometry) {
    out_.put(geometry.index());
    std::visit(
        [&]<class T>(const T& shape) {
          if constexpr (std::is_trivially_copyable_v<T>) out_.put(shape);
        },
        geometry);
  }

  ByteWriter out_;
};

template <std::size_t kIndex = 0>
[[nodiscard]] Geometry takeGeometry(ByteReader& in, std::size_t index) {
  if constexpr (kIndex == std::variant_size_v<Geometry>) {
    throw std::length_error("there is no such geometry");
  } else {
    if (index != kIndex) return takeGeometry<kIndex + 1>(in, index);
    std::variant_alternative_t<kIndex, Geometry> shape{};
    if constexpr (std::is_trivially_copyable_v<decltype(shape)>) in.take(shape);
    return shape;
  }
}

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : in_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (take(values), ...);
  }

 private:
  template <class T>
  void take(T& value) {
    if constexpr (std::is_trivially_copyable_v<T> || std::is_same_v<T, std::string>)
      in_.take(value);
    else
      fields(*this, value);
  }
  template <class T>
  void take(std::vector<T>& values) {
    const std::size_t count = in_.takeCount(1);
    for (std::size_t i = 0; i < count; ++i) take(values.emplace_back());
  }
  void take(Geometry& geometry) {
    std::size_t index = 0;
    in_.take(index);
    geometry = takeGeometry(in_, index);
  }

  ByteReader in_;
};

}  // namespace

std::string packed(const ParsedWorld& parsed) {
  Packer out;
  fields(out, parsed);
  return out.take();
}

ParsedWorld unpackedWorld(std::string_view bytes) {
  Unpacker in(bytes);
  ParsedWorld out;
  fields(in, out);
  return out;
}

}  // namespace odemesh::sim
