// Where the two surfaces pass through each other: edge-face crossings, joined to contours.
#pragma once

#include "contact/placed_mesh.hpp"
#include "contact/region/near_pairs.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Fills `scratch.crossings` and `scratch.segments`. Every edge-face pair is decided once, by the signs of
/// volumes whose operands stand in the same order wherever they occur, so that neighbouring triangles agree
/// and contours close. For these decisions alone, mesh 2 is shifted by `kCrossingShift`, which parts aligned
/// edges and faces, and solids are blown up by `kInflation`.
/// `near` may be null; else it saves the search where the meshes have hardly moved.
void findContours(const MeshPair& pair, ContactScratch& scratch, QueryStats& stats, NearPairs* near);

/// The same at the pose of the last query that `kept` was told of, if it keeps its pairs, with meshes that
/// are blown up less far.
void findContoursAmong(const NearPairs& kept, const MeshPair& pair, ContactScratch& scratch,
                       QueryStats& stats);

}  // namespace odemesh
