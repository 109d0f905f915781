"""check.py NM LIBRARY HEADER_FOLDER: does the shared library export the documented interface, and nothing else?

libodemesh.so. Of C: exactly the functions that odemesh.h declares, and the nine of ODE's that are watched. Of C++: only members of namespace
odemesh itself that a header in the folder declares with ODEMESH_API. libodemesh-preload.so: exactly three of ODE's
colliders, what initialises and closes ODE, and those nine.
"""

import pathlib
import re
import subprocess
import sys

WATCHED = {"dGeomTriMeshData" + name for name in (
    "Create", "Destroy", "Update", "BuildSingle", "BuildSingle1", "BuildDouble", "BuildDouble1", "BuildSimple",
    "BuildSimple1")}


COLLIDERS = {"_Z11dCollideTTLP6dxGeomS0_iP12dContactGeomi", "_Z20dCollideTrimeshPlaneP6dxGeomS0_iP12dContactGeomi",
             "_Z19dCollideHeightfieldP6dxGeomS0_iP12dContactGeomi"}
INITIALISATION = {"dInitODE", "dInitODE2", "dCloseODE"}


def exported(nm, library, *options):
    lines = subprocess.run([nm, "-D", "--defined-only", *options, library], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    return {line.split(" ", 2)[2].split("@")[0] for line in lines if line.strip()}


def differences(symbols, expected):
    return ([f"exported but not documented: {s}" for s in sorted(symbols - expected)] +
            [f"documented but not exported: {s}" for s in sorted(expected - symbols)])


def check_library(nm, library, folder):
    headers = {path.name: path.read_text(encoding="utf-8") for path in pathlib.Path(folder).iterdir()}
    of_c = set(re.findall(r"ODEMESH_API [\w* ]+?\b(odemesh\w+)\(", headers["odemesh.h"])) | WATCHED
    of_cpp = set()
    for name, text in headers.items():
        if name.endswith(".hpp"):
            of_cpp |= set(re.findall(r"ODEMESH_API\s[^;{]*?(~?\w+(?:=|\b))\s*\(", text))
    symbols = exported(nm, library, "-C")
    plain = {s for s in symbols if "::" not in s}
    problems = differences(plain, of_c)
    for symbol in sorted(symbols - plain):
        match = re.match(r"odemesh::(?:\w+::)*([~\w]+=?)(?:\[abi:\w+\])?\(", symbol)
        if match is None or match[1] not in of_cpp:
            problems.append(f"exported but not declared with ODEMESH_API: {symbol}")
    return problems, f"{len(plain)} functions in C and {len(symbols - plain)} in C++"


def check_preload(nm, library):
    expected = COLLIDERS | INITIALISATION | WATCHED
    return differences(exported(nm, library), expected), f"{len(expected)} functions of ODE's"


def main():
    nm, library, folder = sys.argv[1:]
    is_preload = "preload" in pathlib.Path(library).name
    problems, summary = check_preload(nm, library) if is_preload else check_library(nm, library, folder)
    print("\n".join(problems) or f"{summary}, as documented")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
