#!/usr/bin/python3
"""tests/oracles/make_contact_problems.py [FOLDER]: writes problems with Siconos' solutions into FOLDER (the tests folder):
solvers/contact_problems.txt, rigid bodies that touch with Coulomb's friction, and solvers/complementarity_problems.txt.

Needs Debian's python3-siconos (4.4) and python3-numpy, so the system's Python; the tests need only the files.

Contacts: u = W r + u_free, W = J M⁻¹ Jᵀ, 0 ≤ u_n ⊥ r_n ≥ 0, |r_t| ≤ μ r_n and u_t against r_t where it slides: Siconos' fc3d (not the convex
program). Solved by its nonsmooth Gauss-Seidel (NSGS), then Newton's method on the function of Alart and Curnier (NSN_AC) from there, and stored
if the law's residual (computed here) is below 1e-10. The whole again from five random starts: only if all give the same velocities (to 1e-9 m/s)
these are called unique; likewise impulses (1e-8), if W of the contacts that carry is regular. Rolling problems have two rows of rolling and a second disc, |r_r| ≤ μ_r r_n (rolling_fc3d); Siconos
has no Newton's method for them.

Lines: `problem name bodies contacts`; per body `mass inertia[3] x[3] v[3] omega[3]`, axes of inertia along the world's; per contact
`a b x[3] q[4] mu mu_rolling`, b = -1 the world, the normal from b to a and the tangents are the columns of the rotation by q (whole numbers);
`= velocities_unique impulses_unique`, r by contacts, u by contacts.

Complementarity problems: 0 ≤ z ⊥ M z + q ≥ 0 by Lemke's method, and checked by the definition to 1e-10. `lcp n unique`: M symmetric, q, w = M z + q, z. `program n m
unique`: H, c, A, b of min ½xᵀHx + cᵀx, x ≥ 0, A x ≥ b by its KKT conditions, the LCP of [[H, -Aᵀ], [A, 0]]; objective, x. `polygon contacts`: friction impulses of
eight directions, the convex program as an LCP of their weights: number of a contact problem, u.
"""
import math
import pathlib
import sys
import tempfile

import numpy as np
import siconos.numerics as sn


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


UP = np.array([1, 0, -1, 0])  # turns x into z


class Problem:
    def __init__(self, name):
        self.name, self.bodies, self.contacts = name, [], []

    def add_body(self, mass, inertia, x, v=(0, 0, 0), omega=(0, 0, 0)):
        self.bodies.append(np.concatenate([[mass], np.asarray(inertia, float), x, v, omega]))
        return len(self.bodies) - 1

    def add_contact(self, a, b, x, q, mu, mu_rolling=0):
        self.contacts.append((a, b, np.asarray(x, float), np.asarray(q), mu, mu_rolling))

    def rows(self):
        return 5 if any(c[5] > 0 for c in self.contacts) else 3

    def assemble(self):
        k = self.rows()
        J = np.zeros((k * len(self.contacts), 6 * len(self.bodies)))
        for i, (a, b, x, q, _, _) in enumerate(self.contacts):
            frame = rotation(q.astype(float))
            for body, sign in ((a, 1), (b, -1)):
                if body < 0:
                    continue
                arm = x - self.bodies[body][4:7]
                for r in range(3):
                    d = frame[:, r]
                    J[k * i + r, 6 * body:6 * body + 6] = sign * np.concatenate([d, np.cross(arm, d)])
                for r in range(3, k):
                    J[k * i + r, 6 * body + 3:6 * body + 6] = sign * frame[:, r - 2]
        inverse = np.concatenate([np.concatenate([[1 / m[0]] * 3, 1 / m[1:4]]) for m in self.bodies])
        v = np.concatenate([m[7:13] for m in self.bodies])
        return J @ (inverse[:, None] * J.T), J @ v


def residual(W, q, mu, mu_rolling, rows, r):
    """How far r is from the law, m/s: each condition as a projection that must not move r, times the mobility of its rows."""
    u, worst = W @ r + q, 0
    for i in range(len(mu)):
        at = rows * i
        n = W[at, at]
        worst = max(worst, abs(min(u[at], n * r[at])))
        discs = [(slice(at + 1, at + 3), mu[i])] + ([(slice(at + 3, at + 5), mu_rolling[i])] if rows == 5 else [])
        for rubs, coefficient in discs:
            t = np.trace(W[rubs, rubs]) / 2
            wanted, radius = r[rubs] - u[rubs] / t, coefficient * max(r[at], 0)
            size = np.linalg.norm(wanted)
            allowed = wanted if size <= radius else wanted * radius / size
            worst = max(worst, t * np.linalg.norm(r[rubs] - allowed))
    return worst


def make_rolling_problem(W, q, mu, mu_rolling):
    """Through a file: Siconos' Python has no other way."""
    n = len(q)
    lines = ["5", str(n // 5), "0", str(n), str(n), f"{n} {n}"] + [" ".join(f"{x:.24e}" for x in row) for row in (*W, q, mu, mu_rolling)]
    with tempfile.NamedTemporaryFile("w", suffix=".dat") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        return sn.rollingFrictionContact_new_from_filename(file.name)


def solve_contacts(W, q, mu, mu_rolling, rows, start):
    r, u = start.copy(), W @ start + q
    if rows == 5:
        problem = make_rolling_problem(W, q, mu, mu_rolling)
        options = sn.SolverOptions(sn.SICONOS_ROLLING_FRICTION_3D_NSGS)
        options.dparam[0], options.iparam[0] = 1e-13, 200000
        sn.rolling_fc3d_driver(problem, r, u, options)
        return r
    problem = sn.FrictionContactProblem(3, W, q, mu)
    best, least = None, math.inf
    for method, iterations in ((sn.SICONOS_FRICTION_3D_NSGS, 100000), (sn.SICONOS_FRICTION_3D_NSN_AC, 1000)):
        options = sn.SolverOptions(method)
        options.dparam[0], options.iparam[0] = 1e-14, iterations
        sn.fc3d_driver(problem, r, u, options)
        error = residual(W, q, mu, mu_rolling, rows, r)
        if error < least:
            best, least = r.copy(), error
        r, u = best.copy(), W @ best + q
    return best


def whole(rng, low, high, *shape):
    return rng.integers(low, high + 1, size=shape or None)


def quaternion(rng):
    q = np.zeros(4, int)
    while np.count_nonzero(q) < 4:
        q = whole(rng, -4, 4, 4)
    return q


def add_random_body(p, rng, mass, x):
    inertia = mass * whole(rng, 2, 6, 3) / 16
    return p.add_body(mass, inertia, x, whole(rng, -16, 16, 3) / 8, whole(rng, -16, 16, 3) / 8)


def make_scatter(rng, bodies, contacts, mu, masses, name, mu_rolling=0):
    """Bodies beside each other, contacts in any place and direction, between two of them or one and the world."""
    p = Problem(name)
    for b in range(bodies):
        add_random_body(p, rng, masses[b % len(masses)], np.array([b, 0, 0]))
    for c in range(contacts):
        a = c % bodies
        b = -1 if bodies == 1 or rng.random() < 0.5 else (a + 1) % bodies
        centre = p.bodies[a][4:7] if b < 0 else (p.bodies[a][4:7] + p.bodies[b][4:7]) / 2
        x = centre + whole(rng, -4, 4, 3) / 8
        p.add_contact(a, b, x, quaternion(rng), mu, mu_rolling)
        while c % 4 < 3 and p.assemble()[1][p.rows() * c] > -0.25:  # three of four close
            p.contacts.pop()
            p.add_contact(a, b, x, quaternion(rng), mu, mu_rolling)
    return p


def make_stack(rng, masses, mu, name, corners=4):
    """Boxes of 1 m on each other; they fall at different speeds, slide and turn a little."""
    p = Problem(name)
    for level, mass in enumerate(masses):
        v = np.concatenate([whole(rng, -8, 8, 2) / 8, [-whole(rng, 1, 8) / 8]])
        p.add_body(mass, [mass / 6] * 3, [0, 0, level + 0.5], v, whole(rng, -4, 4, 3) / 8)
        for x, y in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)][:corners]:
            p.add_contact(level, level - 1, [x, y, level], UP, mu)
    return p


def make_grip(rng, mu, name):
    """A body between two walls that come together, heavy as hands."""
    p = Problem(name)
    p.add_body(1, [1 / 6] * 3, [0, 0, 0], whole(rng, -8, 8, 3) / 8, whole(rng, -8, 8, 3) / 8)
    p.add_body(50, [20] * 3, [-2, 0, 0], [1, 0, whole(rng, -4, 4) / 8])
    p.add_body(50, [20] * 3, [2, 0, 0], [-1, 0, whole(rng, -4, 4) / 8])
    for y in (-0.25, 0.25):
        p.add_contact(0, 1, [-0.5, y, 0], [1, 0, 0, 0], mu)
        p.add_contact(0, 2, [0.5, y, 0], [0, 0, 0, 1], mu)
    return p


def make_contact_problems(rng):
    out = []
    for mu in (0.1, 0.4, 0.8):
        for bodies, contacts in ((1, 1), (1, 2), (2, 3), (3, 5), (4, 7), (6, 10)):
            out.append(make_scatter(rng, bodies, contacts, mu, [1, 2, 0.5], "scatter"))
        out.append(make_stack(rng, [2], mu, "box"))
        out.append(make_stack(rng, [2, 1], mu, "stack"))
        out.append(make_stack(rng, [3, 2, 1], mu, "stack", 3))
        out.append(make_grip(rng, mu, "grip"))
        out.append(make_scatter(rng, 3, 4, mu, [1, 1e4, 10], "mass_ratio"))
        out.append(make_stack(rng, [1, 1e4], mu, "mass_ratio"))
        out.append(make_scatter(rng, 2, 8, mu, [1, 3], "hyperstatic"))
    for mu in (2, 5, 10):
        for bodies, contacts in ((1, 1), (2, 2), (3, 4), (4, 6)):
            out.append(make_scatter(rng, bodies, contacts, mu, [1, 4], "high_friction"))
        out.append(make_stack(rng, [1], mu, "high_friction"))
        out.append(make_grip(rng, mu, "high_friction"))
    for mu, mu_rolling in ((0.3, 0.02), (0.5, 0.1), (0.8, 0.3)):
        for bodies, contacts in ((1, 1), (2, 2), (3, 4)):
            out.append(make_scatter(rng, bodies, contacts, mu, [1, 2], "rolling", mu_rolling))
    return out


def numbers(values):
    return " ".join(f"{v:.15g}" for v in np.ravel(values))


def write_contacts(problems, rng):
    lines, kept = [], []
    for p in problems:
        W, q = p.assemble()
        mu, mu_rolling = (np.array([c[k] for c in p.contacts], float) for k in (4, 5))
        rows = p.rows()
        found = []
        for start in range(6):
            r = np.zeros(len(q)) if start == 0 else rng.standard_normal(len(q)) / np.diag(W)
            r = solve_contacts(W, q, mu, mu_rolling, rows, r)
            if residual(W, q, mu, mu_rolling, rows, r) < 1e-10:
                found.append((W @ r + q, r))
        if not found:
            print(f"left out: {p.name}, {len(p.bodies)} bodies, {len(mu)} contacts, friction {mu[0]}")
            continue
        u, r = found[0]
        u_unique = len(found) >= 3 and all(np.abs(other - u).max() < 1e-9 for other, _ in found)
        r_unique = len(found) >= 3 and all(np.abs(other - r).max() < 1e-8 * max(1, np.abs(r).max()) for _, other in found)
        closed = np.repeat(r[::rows] > 0, rows)
        r_unique = r_unique and (not closed.any() or np.linalg.cond(W[np.ix_(closed, closed)]) < 1e8)
        lines.append(f"problem {p.name} {len(p.bodies)} {len(mu)}")
        lines += [numbers(b) for b in p.bodies]
        lines += [f"{a} {b} {numbers(x)} {numbers(f)} {m:g} {k:g}" for a, b, x, f, m, k in p.contacts]
        lines += [f"= {int(u_unique)} {int(r_unique)}", numbers(r), numbers(u)]
        kept.append((p, W, q, mu))
        print(f"{p.name:14} bodies {len(p.bodies)} contacts {len(mu):2} friction {mu[0]:4} solved from {len(found)} of 6 starts, unique {u_unique} {r_unique}, "
              f"rank {np.linalg.matrix_rank(W)} of {len(q)}")
    return lines, kept


def lemke(M, q):
    z, w = np.zeros(len(q)), np.zeros(len(q))
    options = sn.SolverOptions(sn.SICONOS_LCP_LEMKE)
    options.iparam[0] = 10000
    info = sn.linearComplementarity_driver(sn.LCP(M, q), z, w, options)
    w = M @ z + q
    scale = 1 + np.abs(q).max()
    if info != 0 or z.min() < -1e-10 * scale or w.min() < -1e-10 * scale or np.abs(z * w).max() > 1e-10 * scale * scale:
        return None
    return z, w


def write_complementarity(rng, contacts):
    lines = []
    for n in (1, 2, 3, 5, 8, 12, 20):
        for rank in {n, max(1, n // 2)}:
            for _ in range(2):
                B = whole(rng, -16, 16, rank, n) / 8
                M = B.T @ B + (np.eye(n) / 8 if rank == n else 0)
                q = whole(rng, -32, 32, n) / 8 if rank == n else B.T @ (whole(rng, -16, 16, rank) / 8) + whole(rng, 0, 8, n) / 8
                solution = lemke(M, q)
                if solution is None:
                    print(f"left out: lcp {n} of rank {rank}")
                    continue
                lines += [f"lcp {n} {int(rank == n)}", numbers(M), numbers(q), numbers(solution[1]), numbers(solution[0])]
    for n, m in ((1, 1), (2, 2), (3, 4), (5, 3), (8, 10), (12, 8)):
        for rank in (n, n // 2):
            B = whole(rng, -16, 16, rank, n) / 8
            H = B.T @ B + (np.eye(n) / 8 if rank == n else 0)
            c, A = whole(rng, -32, 32, n) / 8, whole(rng, -16, 16, m, n) / 8
            if rank < n:
                c = B.T @ (whole(rng, -16, 16, rank) / 8) + whole(rng, 0, 8, n) / 8
            b = A @ (whole(rng, 0, 16, n) / 8) - whole(rng, 0, 8, m) / 8
            solution = lemke(np.block([[H, -A.T], [A, np.zeros((m, m))]]), np.concatenate([c, -b]))
            if solution is None:
                print(f"left out: program {n} {m} of rank {rank}")
                continue
            x = solution[0][:n]
            lines += [f"program {n} {m} {int(rank == n)}", numbers(H), numbers(c), numbers(A), numbers(b), f"{0.5 * x @ H @ x + c @ x:.15g}", numbers(x)]
    directions = [(math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)) for k in range(8)]
    for index, (p, W, q, mu) in enumerate(contacts):
        if p.rows() == 5 or len(mu) > 8:
            continue
        D = np.zeros((len(q), 8 * len(mu)))
        for i, coefficient in enumerate(mu):
            for k, (x, y) in enumerate(directions):
                D[3 * i:3 * i + 3, 8 * i + k] = 1, coefficient * x, coefficient * y
        solution = lemke(D.T @ W @ D, D.T @ q)
        if solution is None:
            print(f"left out: polygon {index} {p.name}")
            continue
        lines += [f"polygon {index} {len(mu)}", numbers(W @ D @ solution[0] + q)]
    return lines


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]
    rng = np.random.default_rng(4)
    lines, contacts = write_contacts(make_contact_problems(rng), rng)
    (folder / "solvers/contact_problems.txt").write_text("\n".join(lines) + "\n")
    (folder / "solvers/complementarity_problems.txt").write_text("\n".join(write_complementarity(rng, contacts)) + "\n")


if __name__ == "__main__":
    main()
