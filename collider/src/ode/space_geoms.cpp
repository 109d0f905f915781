// The geoms of a quadtree space: those whose boxes meet a geom that is without bounds.
#include "ode/space_geoms.hpp"

#include <exception>
#include <utility>

namespace odemesh::ode {

namespace {

struct Listing {
  dGeomID probe;
  std::vector<dGeomID> geoms;
  std::exception_ptr failure{};  ///< not to be thrown through ODE
};

void onGeom(void* data, dGeomID g1, dGeomID g2) {
  auto& listing = *static_cast<Listing*>(data);
  try {
    listing.geoms.push_back(g1 == listing.probe ? g2 : g1);
  } catch (...) {
    listing.failure = std::current_exception();
  }
}

}  // namespace

std::vector<dGeomID> geomsOfQuadTree(dSpaceID space) {
  // Of planes, those along an axis have bounds.
  Listing listing{dCreatePlane(nullptr, 1, 1, 1, 0), {}};
  dSpaceCollide2(listing.probe, reinterpret_cast<dGeomID>(space), &listing, onGeom);
  dGeomDestroy(listing.probe);
  if (listing.failure) std::rethrow_exception(listing.failure);
  return std::move(listing.geoms);
}

}  // namespace odemesh::ode
