// Where does a point that lies in a body come out of it?
#pragma once

#include <optional>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"
#include "separation/mesh_cast.hpp"

namespace odemesh {

/// Where `point` comes out of `body` along the unit vector `way`, if it is inside. The ray starts `lead`
/// before the point, so that one on the surface is not missed; `t` counts from the point. Farther than `most`
/// need not be looked.
[[nodiscard]] std::optional<FaceHit> leavesAt(const PlacedMesh& body, const Vec3& point, const Vec3& way,
                                              double lead, double most);

/// Where `point` of mesh `side`, which lies inside the other mesh, leaves it along the unit vector `way`: by
/// which face, and after how far (`t`). None if it is not inside, or, perhaps, if that is farther than
/// `most`.
[[nodiscard]] std::optional<FaceHit> exitFace(const MeshPair& pair, int side, const Vec3& point,
                                              const Vec3& way, double most = kEndless);

/// How far `point` of mesh `side`, which lies inside the other mesh, has to move along the unit vector `way`
/// to leave it. Zero if it is not inside, or the surface does not reach that far.
[[nodiscard]] double wayOut(const MeshPair& pair, int side, const Vec3& point, const Vec3& way);

/// The same, but behind a sheet, a way that does not meet it leads nowhere (`kEndless`), unless past its
/// border. Remembered in `scratch.ways_out`.
[[nodiscard]] double wayOutPast(const MeshPair& pair, int side, const Vec3& point, const Vec3& way,
                                ContactScratch& scratch);

/// The same for the middle of an edge, and at least as far as until it has come back over an edge that it has
/// passed.
[[nodiscard]] double wayOutPast(const MeshPair& pair, int side, const InsideEdge& edge, const Vec3& way,
                                ContactScratch& scratch);

/// A point, and how far it has to move until it is out.
struct PointOnWay {
  Vec3 point;
  double length;
};

/// An end of an edge inside and how far it has to move along `way`, if the edge's middle leaves by the face
/// of the other end: it is farther behind that one, and moves no farther than off its plane. The middle and 0
/// if that leaves by another face. Looked at a little further in.
[[nodiscard]] PointOnWay wayOutOfFarEnd(const MeshPair& pair, int side, const InsideEdge& edge,
                                        const Vec3& way, const ContactScratch& scratch);

/// Of an edge that runs through two opposite faces, and whose middle leaves by one of them: how far it has to
/// move until its end has come through that. As long as it has not, another piece of the edge is inside. 0 of
/// other edges.
[[nodiscard]] double wayOutOfThroughEdge(const MeshPair& pair, int side, const InsideEdge& edge,
                                         const Vec3& way, const ContactScratch& scratch);

}  // namespace odemesh
