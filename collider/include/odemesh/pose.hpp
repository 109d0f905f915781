// Points, directions and rigid poses. All in double, whatever the precision of the ODE that is linked.
#pragma once

#include <cmath>

/// Triangle mesh collision: `Mesh`, the queries on meshes and what they return.
namespace odemesh {

/// A point or a direction. Units are the caller's; every length in one call shares them.
struct Vec3 {
  double x = 0;  ///< along the first axis
  double y = 0;  ///< along the second axis
  double z = 0;  ///< along the third axis

  /// Component 0, 1 or 2.
  constexpr double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  /// Componentwise arithmetic and equality.
  ///@{
  constexpr Vec3 operator-() const { return {-x, -y, -z}; }
  constexpr Vec3& operator+=(const Vec3& b) { return *this = {x + b.x, y + b.y, z + b.z}; }
  constexpr Vec3& operator-=(const Vec3& b) { return *this = {x - b.x, y - b.y, z - b.z}; }
  constexpr Vec3& operator*=(double s) { return *this = {x * s, y * s, z * s}; }
  friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
  friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
  friend constexpr Vec3 operator*(Vec3 a, double s) { return a *= s; }
  friend constexpr Vec3 operator*(double s, Vec3 a) { return a *= s; }
  friend constexpr Vec3 operator/(Vec3 a, double s) { return a *= 1 / s; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
  ///@}
};

/// The scalar product.
[[nodiscard]] constexpr double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// The vector product, by the right hand.
[[nodiscard]] constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The square of the length.
[[nodiscard]] constexpr double lengthSq(const Vec3& a) {
  return dot(a, a);
}
/// The Euclidean length.
[[nodiscard]] inline double length(const Vec3& a) {
  return std::sqrt(lengthSq(a));
}
/// Is no component NaN or infinite?
[[nodiscard]] inline bool isFinite(const Vec3& a) {
  return 0 * a.x + 0 * a.y + 0 * a.z == 0;  // 0 times NaN or infinity is NaN
}

/// The unit vector along `a`, or `fallback` where `a` is zero.
[[nodiscard]] inline Vec3 normalised(const Vec3& a, const Vec3& fallback = {}) {
  const double n = length(a);
  return n > 0 ? a / n : fallback;
}

/// A 3 x 3 matrix by rows; as a rotation it takes local directions to world directions.
struct Mat3 {
  Vec3 row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};  ///< the identity at first

  /// The product with a column.
  [[nodiscard]] constexpr Vec3 operator*(const Vec3& v) const {
    return {dot(row[0], v), dot(row[1], v), dot(row[2], v)};
  }
  /// Of a rotation, its inverse.
  [[nodiscard]] constexpr Mat3 transposed() const {
    return {{{row[0].x, row[1].x, row[2].x}, {row[0].y, row[1].y, row[2].y}, {row[0].z, row[1].z, row[2].z}}};
  }
  /// The matrix product: first `b`, then this.
  [[nodiscard]] constexpr Mat3 operator*(const Mat3& b) const {
    const Mat3 columns = b.transposed();
    Mat3 out;
    for (int i = 0; i < 3; ++i)
      out.row[i] = {dot(row[i], columns.row[0]), dot(row[i], columns.row[1]), dot(row[i], columns.row[2])};
    return out;
  }
};

/// A rigid motion: world = rotation * local + translation. `rotation` is expected to be orthonormal.
struct Pose {
  Mat3 rotation;     ///< local directions to world directions
  Vec3 translation;  ///< where the local origin is in the world

  /// A point, local -> world.
  [[nodiscard]] constexpr Vec3 apply(const Vec3& local) const { return rotation * local + translation; }
  /// A direction, local -> world.
  [[nodiscard]] constexpr Vec3 rotate(const Vec3& local) const { return rotation * local; }
  /// world -> local.
  [[nodiscard]] constexpr Pose inverse() const {
    const Mat3 back = rotation.transposed();
    return {back, -(back * translation)};
  }
  /// First `b`, then this.
  [[nodiscard]] constexpr Pose operator*(const Pose& b) const {
    return {rotation * b.rotation, rotation * b.translation + translation};
  }
};

/// How far an entry of R R^T may be from the identity's. A rotation that a program has let drift, or typed
/// with three digits, is within this; a scaled or mirrored one, for which distances between meshes have no
/// meaning, is not.
inline constexpr double kOrthonormalSlack = 1e-3;

/// The rotation nearest to `m`, which single precision, drift or few digits have put off one; to within 1e-13
/// of one. The two frames of a pair would measure lengths differently otherwise. What is within that already,
/// and a matrix that is further off than all of `kOrthonormalSlack`, are returned as they are. Steps of
/// Bjorck and Bowie 1971, "An iterative algorithm for computing the best estimate of an orthogonal matrix".
[[nodiscard]] constexpr Mat3 nearestRotation(const Mat3& m) {
  constexpr double kNearEnoughSq = 1e-26, kFarthestSq = 9 * kOrthonormalSlack * kOrthonormalSlack;
  Mat3 near = m;
  for (int step = 0; step < 3; ++step) {
    // m^T m is symmetric; what it is off the identity, at xx, yy, zz and xy, xz, yz:
    const auto [x, y, z] = near.transposed().row;
    const Vec3 off{lengthSq(x) - 1, lengthSq(y) - 1, lengthSq(z) - 1}, mixed{dot(x, y), dot(x, z), dot(y, z)};
    const double off_sq = lengthSq(off) + 2 * lengthSq(mixed);
    if (!(off_sq > kNearEnoughSq && off_sq <= kFarthestSq)) break;
    const Vec3 h = off * -0.5, g = mixed * -0.5;
    near = near * Mat3{{{1 + h.x, g.x, g.y}, {g.x, 1 + h.y, g.z}, {g.y, g.z, 1 + h.z}}};  // (3 - m^T m) / 2
  }
  return near;
}

/// Is no number of the pose NaN or infinite?
[[nodiscard]] inline bool isFinite(const Pose& pose) {
  return isFinite(pose.translation) && isFinite(pose.rotation.row[0]) && isFinite(pose.rotation.row[1]) &&
         isFinite(pose.rotation.row[2]);
}

/// Pose of `b` seen from `a`: takes b-local points to a-local points. The translations are subtracted before
/// they are rotated, so two bodies that are far from the origin but near each other lose no accuracy here.
[[nodiscard]] constexpr Pose relativePose(const Pose& a, const Pose& b) {
  const Mat3 back = a.rotation.transposed();
  return {back * b.rotation, back * (b.translation - a.translation)};
}

}  // namespace odemesh
