#include "scenes/hull.hpp"

#include <algorithm>
#include <cmath>

namespace odemesh::sim {
namespace {

struct Point {
  double x, y;
};

double turn(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

std::vector<Point> projected(const std::vector<Vec3>& points, const Vec3& normal) {
  const Vec3 n = normalised(normal);
  const Vec3 other = std::abs(n.x) < 0.7 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = normalised(cross(n, other)), v = cross(n, u);
  std::vector<Point> out;
  for (const Vec3& p : points) out.push_back({dot(p, u), dot(p, v)});
  return out;
}

void appendChain(std::vector<Point>& hull, const std::vector<Point>& sorted) {
  const std::size_t start = hull.size();
  for (const Point& p : sorted) {
    while (hull.size() >= start + 2 && turn(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
    hull.push_back(p);
  }
  hull.pop_back();  // the first of the next chain
}

}  // namespace

double hullArea(const std::vector<Vec3>& points, const Vec3& normal) {
  if (points.size() < 3) return 0;
  std::vector<Point> sorted = projected(points, normal);
  std::sort(sorted.begin(), sorted.end(),
            [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Point> hull;
  appendChain(hull, sorted);
  std::reverse(sorted.begin(), sorted.end());
  appendChain(hull, sorted);
  double twice = 0;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Point &a = hull[i], &b = hull[(i + 1) % hull.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return twice / 2;
}

}  // namespace odemesh::sim
