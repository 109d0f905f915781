// What rays tell of the lengths of ways, before whole bodies are tried.
#pragma once

#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Puts what `passesFrom` goes by into `scratch.middles`: of the smaller body, or both if they are as large
/// as each other, the centre, or points all over the surface of a solid that is hollow there.
void findMiddles(const MeshPair& pair, ContactScratch& scratch);

/// From what length on, up to `limit` at least, mesh 1 that moves along the unit vector `direction` has led
/// half of `scratch.middles`, from outside, through the other body. `kEndless` if it never does.
[[nodiscard]] double passesFrom(const MeshPair& pair, const Vec3& direction, double limit,
                                ContactScratch& scratch);

/// Appends lengths at which the line through `point` meets both of two solids, mesh 1 moved along the unit
/// vector `direction`, at the same place. Both rays cross all of a mesh.
void addBlocked(const MeshPair& pair, const Vec3& point, const Vec3& direction, ContactScratch& scratch,
                std::vector<LengthRange>& blocked);

/// Do lines through points, one after the other as far as is needed, tell that mesh 1 meets mesh 2 where it
/// is moved by `length` along `direction`? `bounds` remembers what they told.
[[nodiscard]] bool isBlocked(const MeshPair& pair, std::span<const Vec3> points, const Vec3& direction,
                             double length, WayBounds& bounds, ContactScratch& scratch);

}  // namespace odemesh
