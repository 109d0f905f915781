#include "render/contact_arrows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace odemesh::sim::render {

namespace {

constexpr int kSides = 8;

struct Arrow {
  float position[3];
  float normal[3];
  float colour[4];
};

/// A point of the arrow's profile (distance from its axis, height) with the outward direction there.
struct ProfilePoint {
  double radius, height;
  double normal_radius, normal_height;
};

ShadingVertex revolved(const ProfilePoint& p, int side) {
  const double angle = 2 * std::numbers::pi * side / kSides;
  const auto c = static_cast<float>(std::cos(angle));
  const auto s = static_cast<float>(std::sin(angle));
  const auto r = static_cast<float>(p.radius);
  const auto n = static_cast<float>(p.normal_radius);
  return {{r * c, r * s, static_cast<float>(p.height)}, {n * c, n * s, static_cast<float>(p.normal_height)}};
}

/// The band that a piece of the profile sweeps around the z axis.
void addBand(std::vector<ShadingVertex>& out, const ProfilePoint& low, const ProfilePoint& high) {
  for (int side = 0; side < kSides; ++side) {
    const ShadingVertex a = revolved(low, side);
    const ShadingVertex b = revolved(low, side + 1);
    const ShadingVertex c = revolved(high, side + 1);
    const ShadingVertex d = revolved(high, side);
    out.insert(out.end(), {a, b, c, a, c, d});
  }
}

void addBall(std::vector<ShadingVertex>& out, double radius) {
  constexpr int kBands = 4;
  const auto at = [&](int band) {
    const double angle = std::numbers::pi * (static_cast<double>(band) / kBands - 0.5);
    return ProfilePoint{radius * std::cos(angle), radius * std::sin(angle), std::cos(angle), std::sin(angle)};
  };
  for (int band = 0; band < kBands; ++band) addBand(out, at(band), at(band + 1));
}

std::vector<ShadingVertex> arrowVertices() {
  constexpr double kBall = 0.11;
  constexpr double kShaft = 0.035;
  constexpr double kTip = 0.09;
  constexpr double kTipStart = 0.74;
  std::vector<ShadingVertex> out;
  addBall(out, kBall);
  addBand(out, {kShaft, 0, 1, 0}, {kShaft, kTipStart, 1, 0});
  addBand(out, {0, kTipStart, 0, -1}, {kTip, kTipStart, 0, -1});
  addBand(out, {kTip, kTipStart, 0.94, 0.33}, {0, 1, 0.94, 0.33});
  return out;
}

double deepest(const std::vector<DrawnContact>& contacts) {
  double depth = 0;
  for (const DrawnContact& contact : contacts)
    if (std::isfinite(contact.depth)) depth = std::max(depth, contact.depth);
  return depth;
}

Arrow arrowOf(const DrawnContact& contact, const Vec3& origin, double reference_depth) {
  Arrow out{};
  const Vec3 position = contact.position - origin;
  const Vec3 normal = normalised(contact.normal, {0, 0, 1});
  for (int i = 0; i < 3; ++i) {
    out.position[i] = static_cast<float>(position[i]);
    out.normal[i] = static_cast<float>(normal[i]);
  }
  const Colour colour = depthColour(contact.depth, reference_depth);
  out.colour[0] = colour.r;
  out.colour[1] = colour.g;
  out.colour[2] = colour.b;
  out.colour[3] = colour.a;
  return out;
}

}  // namespace

ContactArrows::ContactArrows() : arrow_(arrowVertices()), instances_(generate<Buffer>(glGenBuffers)) {
  glBindVertexArray(arrow_.cornerArray());
  glBindBuffer(GL_ARRAY_BUFFER, instances_.get());
  setAttribute(2, 3, sizeof(Arrow), offsetof(Arrow, position));
  setAttribute(3, 3, sizeof(Arrow), offsetof(Arrow, normal));
  setAttribute(4, 4, sizeof(Arrow), offsetof(Arrow, colour));
  for (const GLuint attribute : {2U, 3U, 4U}) glVertexAttribDivisor(attribute, 1);
  glBindVertexArray(0);
}

std::size_t ContactArrows::upload(const std::vector<DrawnContact>& contacts, const Vec3& origin,
                                  double reference_depth) {
  const double reference = reference_depth > 0 ? reference_depth : deepest(contacts);
  std::vector<Arrow> instances;
  for (const DrawnContact& contact : contacts)
    if (isFinite(contact.position) && isFinite(contact.normal) && std::isfinite(contact.depth))
      instances.push_back(arrowOf(contact, origin, reference));
  count_ = static_cast<GLsizei>(instances.size());
  glBindBuffer(GL_ARRAY_BUFFER, instances_.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(Arrow)), instances.data(),
               GL_STREAM_DRAW);
  return instances.size() * sizeof(Arrow);
}

void ContactArrows::draw() const {
  glBindVertexArray(arrow_.cornerArray());
  glDrawArraysInstanced(GL_TRIANGLES, 0, arrow_.cornerCount(), count_);
}

}  // namespace odemesh::sim::render
