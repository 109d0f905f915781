// Two meshes in Embree, as scenes of triangles for rtcCollide on one thread. It knows no poses: for each one
// the second scene has to be refitted, which `place` does. Candidates go through our exact test of triangles.
#pragma once

#include <embree3/rtcore.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "bench/speed/shapes.hpp"
#include "narrow_phase/intersect_exact.hpp"

namespace odemesh::bench {

class EmbreePair {
 public:
  EmbreePair(const Shape& a, const Shape& b) : a_(device_, a), b_(device_, b) {
    const auto begin = std::chrono::steady_clock::now();
    a_.commit();
    b_.commit();
    build_ms_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  ~EmbreePair() {
    a_.release();
    b_.release();
    rtcReleaseDevice(device_);
  }
  EmbreePair(const EmbreePair&) = delete;
  EmbreePair& operator=(const EmbreePair&) = delete;

  void place(const Pose& pose) {
    b_.place(pose);
    b_.commit();
  }
  /// The number of pairs of triangles that meet.
  [[nodiscard]] std::size_t collide() {
    count_ = 0;
    rtcCollide(a_.scene, b_.scene, onPairs, this);
    return count_;
  }
  [[nodiscard]] double buildMs() const { return build_ms_; }

 private:
  struct Body {
    const Shape& shape;
    std::vector<Triangle> triangles;
    RTCScene scene;
    RTCGeometry geometry;

    Body(RTCDevice device, const Shape& mesh) : shape(mesh), scene(rtcNewScene(device)) {
      place({});
      rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
      geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
      rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(triangles.size()));
      rtcSetGeometryUserData(geometry, this);
      rtcSetGeometryBoundsFunction(geometry, bounds, nullptr);
      rtcSetGeometryBuildQuality(geometry, RTC_BUILD_QUALITY_REFIT);
      rtcCommitGeometry(geometry);
      rtcAttachGeometry(scene, geometry);
    }
    void place(const Pose& pose) {
      triangles.clear();
      for (std::size_t i = 0; i < shape.indices.size(); i += 3) {
        const auto at = [&](std::size_t k) { return pose.apply(shape.vertices[shape.indices[i + k]]); };
        triangles.push_back({{at(0), at(1), at(2)}});
      }
    }
    void commit() {
      rtcCommitGeometry(geometry);
      rtcCommitScene(scene);
    }
    void release() {
      rtcReleaseGeometry(geometry);
      rtcReleaseScene(scene);
    }
    static void bounds(const RTCBoundsFunctionArguments* args) {
      const Triangle& t = static_cast<const Body*>(args->geometryUserPtr)->triangles[args->primID];
      float low[3], high[3];
      for (int i = 0; i < 3; ++i) {
        const auto [lo, hi] = std::minmax({t.v[0][i], t.v[1][i], t.v[2][i]});
        constexpr float kFar = std::numeric_limits<float>::infinity();
        low[i] = std::nextafter(static_cast<float>(lo), -kFar);
        high[i] = std::nextafter(static_cast<float>(hi), kFar);
      }
      RTCBounds& out = *args->bounds_o;
      out.lower_x = low[0], out.lower_y = low[1], out.lower_z = low[2];
      out.upper_x = high[0], out.upper_y = high[1], out.upper_z = high[2];
    }
  };

  static void onPairs(void* self, RTCCollision* pairs, unsigned count) {
    auto& pair = *static_cast<EmbreePair*>(self);
    for (unsigned i = 0; i < count; ++i)
      pair.count_ +=
          trianglesIntersect(pair.a_.triangles[pairs[i].primID0], pair.b_.triangles[pairs[i].primID1]);
  }

  RTCDevice device_ = rtcNewDevice("threads=1,set_affinity=0");
  Body a_, b_;
  std::size_t count_ = 0;
  double build_ms_ = 0;
};

}  // namespace odemesh::bench
