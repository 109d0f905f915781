"""Mesh bodies in DART from Python, collided by DART's ODE detector; knows nothing of odemesh.

Prints a line for each scene; ends with 0 if they came out as the argument says, "odemesh" or "stock", and with 77
where dartpy or its ODE detector is not installed. DART limits the speed at which a contact pushes, so ODE's own
collider, whose depths are far off, does not throw a stack apart here; it lets it creep.
"""

import os
import sys
import tempfile

try:
    import dartpy as dart
    import numpy as np
    dart.collision.OdeCollisionDetector()
except (ImportError, AttributeError) as problem:
    print(f"skipped: {problem}")
    sys.exit(77)

CORNERS = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
FACES = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4),
         (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]

URDF = """<robot name="{name}"><link name="body">
  <inertial><mass value="1"/><inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><mesh filename="{mesh}"/></geometry></collision>
</link></robot>"""


def write_box(folder, name, half_sides):
    """An OBJ file of 12 triangles; returns a URDF file of a body with it."""
    mesh = os.path.join(folder, name + ".obj")
    with open(mesh, "w", encoding="ascii") as out:
        for corner in CORNERS:
            out.write("v %g %g %g\n" % tuple(c * h for c, h in zip(corner, half_sides)))
        for face in FACES:
            out.write("f %d %d %d\n" % tuple(v + 1 for v in face))
    return write_body(folder, name, mesh)


def write_body(folder, name, mesh):
    urdf = os.path.join(folder, name + ".urdf")
    with open(urdf, "w", encoding="ascii") as out:
        out.write(URDF.format(name=name, mesh=mesh, i=1 / 6))
    return urdf


def load(urdf, name):
    skeleton = dart.utils.DartLoader().parseSkeleton(urdf)
    skeleton.setName(name)
    return skeleton


def new_world(time_step=1 / 500):
    world = dart.simulation.World()
    world.setTimeStep(time_step)
    world.getConstraintSolver().setCollisionDetector(dart.collision.OdeCollisionDetector())
    return world


def add_fixed(world, urdf, position, tilt=0.0):
    skeleton = load(urdf, "ground")
    skeleton.setPositions([0, tilt, 0] + list(position))
    skeleton.setMobile(False)
    world.addSkeleton(skeleton)


def add_body(world, urdf, name, position, tilt=0.0, velocity=(0, 0, 0)):
    skeleton = load(urdf, name)
    skeleton.setPositions([0, tilt, 0] + list(position))
    skeleton.setVelocities([0, 0, 0] + list(velocity))
    world.addSkeleton(skeleton)
    return skeleton


def run(world, seconds):
    for _ in range(round(seconds / world.getTimeStep())):
        world.step()


def stack(folder):
    """Five mesh boxes on a mesh slab, 3 s: the farthest that one of them has moved."""
    world = new_world()
    add_fixed(world, write_box(folder, "slab", (5, 5, 0.5)), (0, 0, -0.5))
    box = write_box(folder, "box", (0.5, 0.5, 0.5))
    boxes = [add_body(world, box, f"box{i}", (0, 0, 0.5 + i)) for i in range(5)]
    run(world, 3)
    return max(np.linalg.norm(b.getPositions()[3:] - [0, 0, 0.5 + i]) for i, b in enumerate(boxes))


def slide(folder):
    """A mesh box that starts at 3 m/s on a mesh slab, mu 1 (DART's default): how far from v^2 / 2g it comes to rest."""
    world = new_world()
    add_fixed(world, write_box(folder, "slab", (5, 5, 0.5)), (0, 0, -0.5))
    body = add_body(world, write_box(folder, "box", (0.5, 0.5, 0.25)), "box", (-2, 0, 0.25), velocity=(3, 0, 0))
    run(world, 2)
    return np.linalg.norm(body.getPositions()[3:] - [-2 + 9 / (2 * 9.81), 0, 0.25])


def one_triangle(folder):
    """A mesh box dropped onto a ground of one triangle, which ODE's own collider never collides: error in height."""
    mesh = os.path.join(folder, "triangle.obj")
    with open(mesh, "w", encoding="ascii") as out:
        out.write("v -20 -20 0\nv 20 -20 0\nv 0 20 0\nf 1 2 3\n")
    world = new_world()
    add_fixed(world, write_body(folder, "triangle", mesh), (0, 0, 0))
    body = add_body(world, write_box(folder, "box", (0.5, 0.5, 0.5)), "box", (0, 0, 0.6))
    run(world, 2)
    return abs(body.getPositions()[5] - 0.5)


# Name, scene, the error that odemesh stays below, and the error that ODE's own collider exceeds.
SCENES = [("stack", stack, 1e-4, 1e-3), ("slide", slide, 0.01, 0), ("one triangle", one_triangle, 1e-4, 1)]


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, scene, below, above in SCENES:
            error = scene(folder)
            print(f"{name}: {error:.7f} m from where it ought to be")
            failed += not (error < below if sys.argv[1] == "odemesh" else error > above)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
