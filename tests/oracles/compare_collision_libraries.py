#!/usr/bin/env python3
"""tests/oracles/compare_collision_libraries.py [FILE]: how far Coal and FCL are from the exact answers of tests/contact/convex_pairs.txt.

Needs numpy, scipy, coal and python-fcl in a virtual environment. Prints the table of docs/decisions/0006: signed distances by regime, and how much of the common
part of two faces the contact points of a single query span.
"""
import pathlib
import sys
from collections import defaultdict

import coal
import fcl
import numpy as np
from scipy.spatial import ConvexHull


def read_pairs(path):
    hulls, pairs, faces = [], [], []

    def solid(words):
        kind = words.pop(0)
        count = {"box": 3, "ellipsoid": 3, "sphere": 1, "convex": 1}.get(kind, 2)
        numbers = [float(words.pop(0)) for _ in range(count + 7)]
        size, q, p = numbers[:count], np.array(numbers[count:count + 4]), np.array(numbers[count + 4:])
        w, x, y, z = q / np.linalg.norm(q)
        R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        return kind, (hulls[int(size[0])] if kind == "convex" else size), R, p

    lines = iter(pathlib.Path(path).read_text().splitlines())
    for line in lines:
        what, *words = line.split()
        if what == "hull":
            hulls.append(np.array(words[1:], float).reshape(-1, 3))
            continue
        says = next(lines).split()[1:]
        regime = words.pop(0) if what == "pair" else ""
        a, b = solid(words), solid(words)
        if what == "pair":
            pairs.append((regime, a, b, float(says[0])))
        else:
            faces.append((a, b, float(says[0]), int(says[1]), float(says[2])))
    return pairs, faces


def outward_triangles(points):
    hull = ConvexHull(points)
    triangles = []
    for simplex, equation in zip(hull.simplices, hull.equations):
        a, b, c = points[simplex]
        triangles.append(simplex if np.cross(b - a, c - a) @ equation[:3] > 0 else simplex[::-1])
    return hull.vertices, np.array(triangles)


class Coal:
    name = "Coal " + coal.__version__
    tolerance, iterations = 1e-12, 1000

    @staticmethod
    def shape(kind, size):
        if kind == "convex":
            points = coal.StdVec_Vec3s()
            for x in size:
                points.append(x)
            return coal.Convex.convexHull(points, False, "Qt")
        makers = {"box": coal.Box, "sphere": coal.Sphere, "capsule": coal.Capsule, "cylinder": coal.Cylinder, "cone": coal.Cone, "ellipsoid": coal.Ellipsoid}
        return makers[kind](*size)

    @classmethod
    def place(cls, solid):
        kind, size, R, p = solid
        return cls.shape(kind, size), coal.Transform3s(R, p + (R[:, 2] * size[1] / 2 if kind == "cone" else 0))

    @classmethod
    def distance(cls, a, b):
        (A, X), (B, Y) = cls.place(a), cls.place(b)
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        request.enable_signed_distance = True
        request.gjk_tolerance = request.epa_tolerance = cls.tolerance
        request.gjk_max_iterations = request.epa_max_iterations = cls.iterations
        coal.distance(A, X, B, Y, request, result)
        return result.min_distance

    @classmethod
    def contact_points(cls, a, b):
        (A, X), (B, Y) = cls.place(a), cls.place(b)
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        request.num_max_contacts = 100
        coal.collide(A, X, B, Y, request, result)
        patch_request, patches = coal.ContactPatchRequest(), coal.ContactPatchResult()
        coal.computeContactPatch(A, X, B, Y, result, patch_request, patches)
        points = []
        for i in range(patches.numContactPatches()):
            patch = patches.getContactPatch(i)
            points += [patch.getPoint(k) for k in range(patch.size())]
        return points


class CoalDefault(Coal):
    name = Coal.name + " as it comes"
    tolerance, iterations = coal.DistanceRequest().gjk_tolerance, coal.DistanceRequest().gjk_max_iterations


class Fcl:
    name = "FCL " + fcl.__version__

    @classmethod
    def place(cls, solid):
        kind, size, R, p = solid
        if kind == "convex":
            vertices, triangles = outward_triangles(size)
            shape = fcl.Convex(size, len(triangles), np.hstack([np.full((len(triangles), 1), 3), triangles]).ravel())
        else:
            makers = {"box": fcl.Box, "sphere": fcl.Sphere, "capsule": fcl.Capsule, "cylinder": fcl.Cylinder, "cone": fcl.Cone, "ellipsoid": fcl.Ellipsoid}
            shape = makers[kind](*size)
        return fcl.CollisionObject(shape, fcl.Transform(R, p + (R[:, 2] * size[1] / 2 if kind == "cone" else 0)))

    @classmethod
    def distance(cls, a, b):
        request, result = fcl.DistanceRequest(enable_signed_distance=True), fcl.DistanceResult()
        return fcl.distance(cls.place(a), cls.place(b), request, result)

    @classmethod
    def contact_points(cls, a, b):
        request, result = fcl.CollisionRequest(num_max_contacts=100, enable_contact=True), fcl.CollisionResult()
        fcl.collide(cls.place(a), cls.place(b), request, result)
        return [np.array(c.pos) for c in result.contacts]


def extent(points, n, is_line):
    if len(points) < 2:
        return 0.0
    x = np.array(points)
    t = np.linalg.svd(n.reshape(1, 3))[2][1:]
    flat = x @ t.T
    if is_line:
        return max(np.linalg.norm(p - q) for p in flat for q in flat)
    if len(points) < 3 or np.linalg.matrix_rank(flat - flat[0], tol=1e-9) < 2:
        return 0.0
    return ConvexHull(flat).volume


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "contact/convex_pairs.txt"
    pairs, faces = read_pairs(path)
    for library in (Coal, CoalDefault, Fcl):
        rows = defaultdict(list)
        for regime, a, b, exact in pairs:
            curved = any(s[0] in ("cylinder", "cone", "ellipsoid") for s in (a, b))
            try:
                rows[regime, curved].append(abs(library.distance(a, b) - exact))
            except Exception as error:
                rows[regime, curved].append(np.nan)
                print(library.name, regime, a[0], b[0], "failed:", str(error)[:100])
        for (regime, curved), errors in sorted(rows.items()):
            e = np.array(errors)
            print(f"{library.name}, {regime} {'round' if curved else 'flat'}: {len(e)} pairs, {np.isnan(e).sum()} failed, "
                  f"{(e > 1e-6).sum()} wrong by more than 1e-6, median {np.nanmedian(e):.1e}, largest {np.nanmax(e):.1e}")
        covers = defaultdict(list)
        for a, b, gap, corners, exact in faces:
            if gap > 0:
                continue
            try:
                points = library.contact_points(a, b)
            except Exception as error:
                points = []
                print(library.name, a[0], "on", b[0], "failed:", str(error)[:100])
            covers[f"{a[0]} on {b[0]}", gap == 0].append((len(points), extent(points, b[2][:, 2], corners == 2) / exact))
        for (name, touching), values in covers.items():
            counts, parts = zip(*values)
            print(f"{library.name}, {name}, {'touching' if touching else 'overlapping'}: {len(values)} manifolds, {np.mean(counts):.1f} points, "
                  f"cover on average {np.mean(parts):.3f} of the exact extent, at least {min(parts):.3f}, at most {max(parts):.3f}")


if __name__ == "__main__":
    main()
