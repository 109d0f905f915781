// 4 x 4 matrices as OpenGL wants them.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <odemesh/sim/render/camera.hpp>

namespace odemesh::sim::render {

/// By rows, in double; converted once, when it is handed to OpenGL.
struct Mat4 {
  std::array<std::array<double, 4>, 4> row{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};

  [[nodiscard]] Mat4 operator*(const Mat4& b) const {
    Mat4 out;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        out.row[i][j] = 0;
        for (int k = 0; k < 4; ++k) out.row[i][j] += row[i][k] * b.row[k][j];
      }
    return out;
  }

  /// By rows; OpenGL transposes them on upload.
  [[nodiscard]] std::array<float, 16> asFloats() const {
    std::array<float, 16> out{};
    for (int i = 0; i < 16; ++i) out[i] = static_cast<float>(row[i / 4][i % 4]);
    return out;
  }
};

[[nodiscard]] inline Mat4 fromPose(const Pose& pose) {
  Mat4 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) out.row[i][j] = j < 3 ? pose.rotation.row[i][j] : pose.translation[i];
  return out;
}

/// The pose world -> view of something at `eye` that looks at `target`: x to the right, y up, z backwards.
[[nodiscard]] inline Pose lookAt(const Vec3& eye, const Vec3& target) {
  const Vec3 back = normalised(eye - target, {0, 0, 1});
  // Straight up or down, "right" is any horizontal direction.
  const Vec3 right = normalised(cross({0, 0, 1}, back), {1, 0, 0});
  const Mat3 axes{{right, cross(back, right), back}};
  return {axes, -(axes * eye)};
}

/// OpenGL's perspective projection: `half_height` is the tangent of half the field of view.
[[nodiscard]] inline Mat4 perspective(double half_height, double aspect, double near, double far) {
  Mat4 out;
  out.row[0][0] = 1 / (half_height * aspect);
  out.row[1][1] = 1 / half_height;
  out.row[2] = {0, 0, -(far + near) / (far - near), -2 * far * near / (far - near)};
  out.row[3] = {0, 0, -1, 0};
  return out;
}

/// The cube of half edge `radius` around the origin of the view.
[[nodiscard]] inline Mat4 orthographic(double radius) {
  Mat4 out;
  out.row[0][0] = out.row[1][1] = 1 / radius;
  out.row[2][2] = -1 / radius;
  return out;
}

[[nodiscard]] inline double halfHeight(const Camera& camera) {
  return std::tan(camera.field_of_view * std::numbers::pi / 360);
}

}  // namespace odemesh::sim::render
