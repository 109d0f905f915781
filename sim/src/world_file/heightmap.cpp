#include "heightmap.hpp"

#include <algorithm>

namespace odemesh::sim {
namespace {

/// With a sample in the middle of each two and each four.
GreyImage refined(const GreyImage& image) {
  GreyImage out{2 * image.width - 1, 2 * image.height - 1, {}};
  const auto at = [&](std::size_t column, std::size_t row) {
    return image.samples[row * image.width + column];
  };
  for (std::size_t row = 0; row < out.height; ++row)
    for (std::size_t column = 0; column < out.width; ++column) {
      const std::size_t left = column / 2;
      const std::size_t right = (column + 1) / 2;
      const std::size_t above = row / 2;
      const std::size_t below = (row + 1) / 2;
      out.samples.push_back((at(left, above) + at(right, above) + at(left, below) + at(right, below)) / 4);
    }
  return out;
}

/// The upper side is a grid, the lower one a fan around its middle; walls join their edges.
class TerrainBuilder {
 public:
  TerrainBuilder(const GreyImage& image, const Vec3& size) : image_(image), size_(size) {
    const float brightest = *std::max_element(image.samples.begin(), image.samples.end());
    z_scale_ = brightest > 0 ? size.z / static_cast<double>(brightest) : 0;
    bottom_ = -std::max(size.x, size.y) / 20;
  }

  TriangleMesh build() {
    addTop();
    addWallsAndBottom();
    return std::move(mesh_);
  }

 private:
  void addTop() {
    for (std::size_t row = 0; row < image_.height; ++row)
      for (std::size_t column = 0; column < image_.width; ++column)
        mesh_.vertices.push_back({placeOf(column, image_.width, size_.x),
                                  -placeOf(row, image_.height, size_.y),
                                  z_scale_ * static_cast<double>(image_.samples[at(column, row)])});
    for (std::size_t row = 0; row + 1 < image_.height; ++row)
      for (std::size_t column = 0; column + 1 < image_.width; ++column) {
        const std::uint32_t a = at(column, row);
        const std::uint32_t b = at(column + 1, row);
        const std::uint32_t c = at(column, row + 1);
        const std::uint32_t d = at(column + 1, row + 1);
        mesh_.triangles.push_back({a, c, b});
        mesh_.triangles.push_back({b, c, d});
      }
  }

  // Around the edge, counter-clockwise as seen from above.
  [[nodiscard]] std::vector<std::uint32_t> rim() const {
    std::vector<std::uint32_t> out;
    const std::size_t w = image_.width - 1;
    const std::size_t h = image_.height - 1;
    for (std::size_t i = 0; i < h; ++i) out.push_back(at(0, i));
    for (std::size_t i = 0; i < w; ++i) out.push_back(at(i, h));
    for (std::size_t i = h; i > 0; --i) out.push_back(at(w, i));
    for (std::size_t i = w; i > 0; --i) out.push_back(at(i, 0));
    return out;
  }

  void addWallsAndBottom() {
    const std::vector<std::uint32_t> upper = rim();
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (const std::uint32_t vertex : upper) {
      const Vec3 above = mesh_.vertices[vertex];
      mesh_.vertices.push_back({above.x, above.y, bottom_});
    }
    const auto middle = static_cast<std::uint32_t>(mesh_.vertices.size());
    mesh_.vertices.push_back({0, 0, bottom_});
    const auto count = static_cast<std::uint32_t>(upper.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t next = (i + 1) % count;
      mesh_.triangles.push_back({upper[i], first + i, first + next});
      mesh_.triangles.push_back({upper[i], first + next, upper[next]});
      mesh_.triangles.push_back({middle, first + next, first + i});
    }
  }

  [[nodiscard]] std::uint32_t at(std::size_t column, std::size_t row) const {
    return static_cast<std::uint32_t>(row * image_.width + column);
  }
  static double placeOf(std::size_t index, std::size_t count, double size) {
    return size * (static_cast<double>(index) / static_cast<double>(count - 1) - 0.5);
  }

  const GreyImage& image_;
  Vec3 size_;
  double z_scale_;
  double bottom_;
  TriangleMesh mesh_;
};

}  // namespace

TriangleMesh terrainOf(const GreyImage& image, const Vec3& size) {
  if (std::max(image.width, image.height) > kMostRefined) return TerrainBuilder(image, size).build();
  const GreyImage fine = refined(image);
  return TerrainBuilder(fine, size).build();
}

}  // namespace odemesh::sim
