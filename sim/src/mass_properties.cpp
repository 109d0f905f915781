#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mass_properties.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <sstream>

namespace odemesh::sim {
namespace {

// Rounding error: volumes below this fraction of area * diagonal, and areas below this one of the diagonal
// squared.
constexpr double kMinVolumeFraction = 1e-12;
constexpr double kMinAreaFraction = 1e-12;

/// Integrals of 1, x and x x^T (its six entries xx, yy, zz, xy, yz, zx) over a body.
struct Moments {
  double zeroth = 0;
  Vec3 first;
  std::array<double, 6> second{};
};

void addOuterProduct(std::array<double, 6>& sum, const Vec3& v, double weight) {
  const std::array<double, 6> product = {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.y * v.z, v.z * v.x};
  for (std::size_t i = 0; i < 6; ++i) sum[i] += weight * product[i];
}

/// Adds a simplex of content `content` whose corners are a, b, c and `others` corners at the origin. Over a
/// simplex with n corners p_i and s = sum p_i, the integral of x is content * s / n, and that of x x^T is
/// content * (sum p_i p_i^T + s s^T) / (n (n + 1)).
void addSimplex(Moments& sum, double content, const Vec3& a, const Vec3& b, const Vec3& c, int corners) {
  const Vec3 s = a + b + c;
  sum.zeroth += content;
  sum.first += s * (content / corners);
  const double weight = content / (corners * (corners + 1));
  for (const Vec3& v : {a, b, c, s}) addOuterProduct(sum.second, v, weight);
}

enum class Content { kVolume, kArea };

/// Moments of the enclosed volume (signed) or of the surface, relative to `origin`.
Moments momentsOf(const TriangleMesh& mesh, const Vec3& origin, Content content) {
  Moments sum;
  for (const auto& [v0, v1, v2] : mesh.triangles) {
    const Vec3 a = mesh.vertices[v0] - origin, b = mesh.vertices[v1] - origin, c = mesh.vertices[v2] - origin;
    if (content == Content::kVolume)
      addSimplex(sum, dot(a, cross(b, c)) / 6, a, b, c, 4);
    else
      addSimplex(sum, length(cross(b - a, c - a)) / 2, a, b, c, 3);
  }
  return sum;
}

Moments scaled(const Moments& moments, double factor) {
  Moments out = moments;
  out.zeroth *= factor;
  out.first *= factor;
  for (double& entry : out.second) entry *= factor;
  return out;
}

/// Moments of a filled box of edge lengths `size` around the origin.
Moments boxMoments(const Vec3& size) {
  const double volume = size.x * size.y * size.z;
  Moments out;
  out.zeroth = volume;
  out.second = {
      volume * size.x * size.x / 12, volume * size.y * size.y / 12, volume * size.z * size.z / 12, 0, 0, 0};
  return out;
}

/// Where the mass lies, about its centre: `covariance` is the integral of (x - centre)(x - centre)^T.
struct Spread {
  Vec3 centre;
  Mat3 covariance;
};

Spread spreadOf(const Moments& moments) {
  const Vec3 centre = moments.first / moments.zeroth;
  std::array<double, 6> c = moments.second;
  addOuterProduct(c, centre, -moments.zeroth);
  return {centre, {{{c[0], c[3], c[5]}, {c[3], c[1], c[4]}, {c[5], c[4], c[2]}}}};
}

/// Eigenvalues of a symmetric matrix, ascending, by Jacobi rotations (Golub and Van Loan, "Matrix
/// computations", section 8.5). The closed form by cosines loses half the digits of the small ones, which are
/// the ones needed here.
std::array<double, 3> eigenvalues(const Mat3& symmetric) {
  double a[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = symmetric.row[i][j];
  constexpr int kSweeps = 12;  // convergence is quadratic; 5 or 6 are enough
  for (int turn = 0; turn < 3 * kSweeps; ++turn) {
    const int p = turn % 3, q = (p + 1) % 3, r = (p + 2) % 3;
    if (a[p][q] == 0) continue;
    const double tau = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    const double t = std::copysign(1.0, tau) / (std::abs(tau) + std::hypot(1.0, tau));
    const double c = 1 / std::hypot(1.0, t), s = t * c;
    a[p][p] -= t * a[p][q];
    a[q][q] += t * a[p][q];
    a[p][q] = a[q][p] = 0;
    const double rp = a[r][p], rq = a[r][q];
    a[r][p] = a[p][r] = c * rp - s * rq;
    a[r][q] = a[q][r] = s * rp + c * rq;
  }
  std::array<double, 3> values = {a[0][0], a[1][1], a[2][2]};
  std::sort(values.begin(), values.end());
  return values;
}

/// Inertia about the centre, I = trace(C) - C, raised if need be to that of a square rod as thick as
/// kMinThickness.
Mat3 inertiaOf(const Mat3& covariance, double volume, double diagonal) {
  const double trace = covariance.row[0].x + covariance.row[1].y + covariance.row[2].z;
  const double least = std::max(0.0, trace - eigenvalues(covariance)[2]);
  const double thickness = kMinThickness * diagonal;
  const double lift = std::max(0.0, volume * thickness * thickness / 6 - least);
  Mat3 inertia;
  for (int i = 0; i < 3; ++i) inertia.row[i] = inertia.row[i] * (trace + lift) - covariance.row[i];
  return inertia;
}

/// Could a body have these moments? Volume integrals of a closed surface whose parts are wound against each
/// other can put the centre outside of the mesh or spread the mass negatively.
bool isPhysical(const Moments& moments, const Bounds& bounds) {
  const Spread spread = spreadOf(moments);
  const Vec3 middle = spread.centre + bounds.centre();
  const double slack = 1e-9 * bounds.diagonal();
  for (int axis = 0; axis < 3; ++axis)
    if (middle[axis] < bounds.low[axis] - slack || middle[axis] > bounds.high[axis] + slack) return false;
  const std::array<double, 3> values = eigenvalues(spread.covariance);
  return values[0] >= -1e-9 * values[2];
}

/// The box's edge lengths, none below a shell's thickness.
Vec3 paddedSize(const Bounds& bounds) {
  const double least = kShellThickness * bounds.diagonal();
  const Vec3 size = bounds.high - bounds.low;
  return {std::max(size.x, least), std::max(size.y, least), std::max(size.z, least)};
}

struct Modelled {
  MassModel model;
  Moments moments;  ///< of the volume, relative to the middle of the bounds
};

/// What the closed surface encloses; the surface as a sheet if that is nothing definite; the bounding box
/// where there isn't any area either. `volume` is not negative.
Modelled modelled(const Moments& volume, const Moments& area, const Bounds& bounds, bool closed) {
  const double diagonal = bounds.diagonal();
  if (closed && volume.zeroth > kMinVolumeFraction * diagonal * area.zeroth && isPhysical(volume, bounds))
    return {MassModel::kSolid, volume};
  if (area.zeroth > kMinAreaFraction * diagonal * diagonal)
    return {MassModel::kShell, scaled(area, kShellThickness * diagonal)};
  return {MassModel::kBox, boxMoments(paddedSize(bounds))};
}

std::string describe(MassModel model) {
  return model == MassModel::kShell
             ? "its mass is spread over the surface as a shell 1% of its diagonal thick"
             : "its triangles have no area, so its mass is that of its bounding box, at least 1% of its "
               "diagonal thick";
}

void warnHollow(MassProperties& out, const TriangleMesh& mesh, bool closed) {
  std::ostringstream text;
  text << nameOf(mesh) << ": ";
  if (out.open_edges > 0)
    text << "is not watertight, " << out.open_edges << (out.open_edges == 1 ? " edge is" : " edges are")
         << " open or wound against a neighbour; " << describe(out.model);
  else if (!closed)
    text << "every triangle has the same vertex twice; " << describe(out.model);
  else
    text << "is closed but encloses no definite volume (flat, or its parts are wound against each other); "
         << describe(out.model);
  text << "; close and orient the surface, or give the mass itself";
  out.warnings.push_back(text.str());
}

void warnInsideOut(MassProperties& out, const TriangleMesh& mesh) {
  out.warnings.push_back(
      nameOf(mesh) +
      ": is inside out (its volume is negative); the mass properties were given the right sign; "
      "reverse the winding of its triangles");
}

void requireDensity(const TriangleMesh& mesh, double density) {
  if (density >= 1e-6 && density <= 1e12) return;
  std::ostringstream text;
  text << nameOf(mesh) << ": density is " << density << "; give 1e-6 to 1e12 kg/m^3 (water is 1000)";
  throw InputError(text.str());
}

}  // namespace

MassProperties MassProperties::withMass(double total) const {
  if (!(total > 0) || !std::isfinite(total)) {
    std::ostringstream text;
    text << "mass is " << total << "; give a positive number of kilograms";
    throw InputError(text.str());
  }
  MassProperties out = *this;
  out.mass = total;
  for (Vec3& row : out.inertia.row) row *= total / mass;
  return out;
}

MassProperties massProperties(const TriangleMesh& mesh, double density) {
  requireUsable(mesh);
  requireDensity(mesh, density);
  const Bounds bounds = boundsOf(mesh);
  const Vec3 middle = bounds.centre();
  const TriangleMesh surface = welded(mesh);
  const EdgeCensus census = countEdges(surface);
  const Moments volume = momentsOf(surface, middle, Content::kVolume);
  const Moments area = momentsOf(surface, middle, Content::kArea);
  const bool negative = volume.zeroth < 0;
  const Modelled body = modelled(scaled(volume, negative ? -1 : 1), area, bounds, census.isClosed());
  const Spread spread = spreadOf(body.moments);

  MassProperties out;
  out.model = body.model;
  out.open_edges = census.open;
  out.inside_out = negative && body.model == MassModel::kSolid;
  out.volume = body.moments.zeroth;
  out.mass = density * out.volume;
  out.centre = spread.centre + middle;
  out.inertia = inertiaOf(spread.covariance, out.volume, bounds.diagonal());
  for (Vec3& row : out.inertia.row) row *= density;
  if (body.model != MassModel::kSolid) warnHollow(out, mesh, census.isClosed());
  if (out.inside_out) warnInsideOut(out, mesh);
  return out;
}

}  // namespace odemesh::sim
