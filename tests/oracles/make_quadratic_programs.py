#!/usr/bin/env python3
"""tests/oracles/make_quadratic_programs.py [OUT]: writes tests/solvers/quadratic_programs.txt, problems with solutions by others.

Needs numpy, proxsuite, quadprog and highspy in a virtual environment; the test needs only the file. Data are multiples of 1/8, so that the
file holds them exactly. A solution is ProxSuite's at 1e-13, and stored only if quadprog (where H is positive definite) or HiGHS (where it is
not) has the same objective to 1e-10 relative. Lines: `name n m`, H by rows, c, A by rows, row_lower, row_upper, x_lower, x_upper, objective, x
(only if H is positive definite: else not unique, and the line is `-`).
"""
import pathlib
import sys

import highspy
import numpy as np
import proxsuite
import quadprog

INFINITY = 1e30


def draw(rng, *shape):
    return rng.integers(-16, 17, size=shape) / 8


def make_problem(rng, n, m, rank, equalities):
    b = draw(rng, rank, n)
    h = b.T @ b
    if rank >= n:
        h += np.eye(n) / 8
    inside = draw(rng, n)
    a = draw(rng, m, n)
    value = a @ inside
    lower, upper = value - rng.integers(0, 9, m) / 8, value + rng.integers(1, 17, m) / 8
    upper[rng.random(m) < 0.3] = INFINITY
    lower[:equalities] = upper[:equalities] = value[:equalities]
    x_lower, x_upper = inside - rng.integers(0, 17, n) / 8, inside + rng.integers(1, 25, n) / 8
    return {"H": h, "c": 4 * draw(rng, n), "A": a, "row_lower": lower, "row_upper": upper, "x_lower": x_lower, "x_upper": x_upper}


def solve_proxsuite(p):
    n, m = len(p["c"]), len(p["row_lower"])
    qp = proxsuite.proxqp.dense.QP(n, 0, m + n)
    qp.settings.eps_abs, qp.settings.eps_rel, qp.settings.max_iter = 1e-13, 0, 10000
    qp.settings.default_rho = 1e-3  # with 1e-6 semi-definite objectives have seven digits only
    c = np.vstack([p["A"], np.eye(n)])
    low, high = (np.concatenate([p[f"row_{s}"], p[f"x_{s}"]]) for s in ("lower", "upper"))
    qp.init(p["H"], p["c"], None, None, c, low, high)
    qp.solve()
    return qp.results.x


def solve_quadprog(p):
    n = len(p["c"])
    c = np.vstack([p["A"], np.eye(n)])
    low, high = (np.concatenate([p[f"row_{s}"], p[f"x_{s}"]]) for s in ("lower", "upper"))
    same, below, above = low == high, (low > -INFINITY) & (low != high), (high < INFINITY) & (low != high)
    g = np.vstack([c[same], c[below], -c[above]])
    h = np.concatenate([low[same], low[below], -high[above]])
    return quadprog.solve_qp(p["H"], -p["c"], g.T, h, int(same.sum()))[0]


def solve_highs(p):
    n, m = len(p["c"]), len(p["row_lower"])
    model = highspy.HighsModel()
    lp = model.lp_
    lp.num_col_, lp.num_row_, lp.col_cost_ = n, m, p["c"]
    lp.col_lower_, lp.col_upper_ = p["x_lower"], p["x_upper"]
    lp.row_lower_, lp.row_upper_ = p["row_lower"], p["row_upper"]
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.arange(0, n * (m + 1), n)
    lp.a_matrix_.index_ = np.tile(np.arange(n), m)
    lp.a_matrix_.value_ = p["A"].ravel()
    hessian = model.hessian_
    hessian.dim_, hessian.format_ = n, highspy.HessianFormat.kTriangular
    columns = [np.arange(j, n) for j in range(n)]
    hessian.start_ = np.concatenate([[0], np.cumsum([len(r) for r in columns])])
    hessian.index_ = np.concatenate(columns)
    hessian.value_ = np.concatenate([p["H"][r, j] for j, r in enumerate(columns)])
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.passModel(model)
    highs.run()
    return np.array(highs.getSolution().col_value)


def objective(p, x):
    return 0.5 * x @ p["H"] @ x + p["c"] @ x


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "solvers/quadratic_programs.txt"
    rng = np.random.default_rng(9)
    lines = []
    for n, m in [(1, 1), (2, 3), (3, 2), (4, 6), (5, 3), (6, 10), (8, 5), (10, 8), (12, 16)]:
        for name, rank, equalities in (("definite", n, 0), ("definite_equal", n, min(m, n // 3)), ("semidefinite", n // 2, 0)):
            p = make_problem(rng, n, m, rank, equalities)
            x = solve_proxsuite(p)
            other = solve_highs(p) if name == "semidefinite" else solve_quadprog(p)
            value = objective(p, x)
            if abs(value - objective(p, other)) > 1e-10 * (1 + abs(value)):
                print(f"left out: {name} {n} {m}: {value} and {objective(p, other)}")
                continue
            lines.append(f"{name} {n} {m}")
            for key in ("H", "c", "A", "row_lower", "row_upper", "x_lower", "x_upper"):
                lines.append(" ".join(f"{v:.17g}" for v in np.ravel(p[key])))
            lines.append(f"{value:.15g}")
            lines.append("-" if name == "semidefinite" else " ".join(f"{v:.15g}" for v in x))
    out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
