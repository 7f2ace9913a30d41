"""Quadratic programs beside ProxQP, OSQP and quadprog:
python benchmarks/peers/quadratic_programs.py build/release/bin (about two minutes; make bench-peers).

The programs are those of benchmarks/quadratic_program_benchmark.cpp. All solvers take turns, program by program; the smallest CPU times count."""

import argparse
import datetime
import json
import math
import pathlib
import subprocess
import time as clock
from importlib.metadata import version

import numpy as np
import osqp
import proxsuite
import quadprog
import scipy
import scipy.sparse as sparse

from sinew_side import Sinew
from tables import machine, table

TOLERANCE = 1e-9  # asked of the peers
DENSE = (10, 30, 100, 300)
CHAIN = (30, 100, 300, 3000, 30000)
PROXQP_LIMIT = 300  # variables of a sparse program; 3000 take it more than a minute
OURS = {"dense": ("dense_active_set", "dense_active_set_warm", "dense_interior_point"), "flat": ("flat_active_set",),
        "chain": ("chain_active_set", "chain_interior_point")}


def make_dense(n, rank):
    def wave(a, b, rows):
        x, y = np.arange(rows)[:, None], np.arange(n)[None, :]
        return np.sin(a + 7 * x + b * y + 0.13 * x * y * y)

    B = wave(1, 3.1, rank)
    H = B.T @ B / n + (0.01 * np.eye(n) if rank >= n else 0)
    one = np.ones(n)
    return H, 3 * np.cos(1.3 * np.arange(n)), wave(2, 1.7, n), -one, one, -one, one


def make_chain(n):
    D = sparse.diags([-np.ones(n - 1), np.ones(n - 1)], [0, 1], shape=(n - 1, n))
    H = D.T @ D + 0.01 * sparse.eye(n)
    return H.tocsc(), np.sin(np.arange(n) / 3), D.tocsc(), -0.1 * np.ones(n - 1), 0.1 * np.ones(n - 1), -np.ones(n), np.ones(n)


def make(kind, n):
    return make_chain(n) if kind == "chain" else make_dense(n, n if kind == "dense" else n // 2)


def solve_proxqp(problem):
    H, c, A, low, high, x_low, x_high = problem
    library = proxsuite.proxqp
    if sparse.issparse(H):  # without box constraints there: bounds are rows
        C = sparse.vstack([A, sparse.eye(len(c))]).tocsc()
        qp = library.sparse.QP(len(c), 0, C.shape[0])
        inputs = (H, c, None, None, C, np.r_[low, x_low], np.r_[high, x_high])
    else:
        qp = library.dense.QP(len(c), 0, len(A), True)
        inputs = (H, c, None, None, A, low, high, x_low, x_high)
    qp.settings.eps_abs, qp.settings.eps_rel = TOLERANCE, 0
    start = clock.process_time()
    qp.init(*inputs)
    qp.solve()
    spent = clock.process_time() - start
    rows = len(low)
    return spent, qp.results.x, -qp.results.z[:rows], -qp.results.z[rows:]


def solve_osqp(problem):
    H, c, A, low, high, x_low, x_high = problem
    H, C = sparse.triu(sparse.csc_matrix(H)).tocsc(), sparse.vstack([sparse.csc_matrix(A), sparse.eye(len(c))]).tocsc()
    solver = osqp.OSQP()
    start = clock.process_time()
    solver.setup(H, c, C, np.r_[low, x_low], np.r_[high, x_high], eps_abs=TOLERANCE, eps_rel=0, max_iter=100000, polishing=True, verbose=False)
    result = solver.solve()
    spent = clock.process_time() - start
    if result.info.status != "solved":
        return None
    rows = len(low)
    return spent, result.x, -result.y[:rows], -result.y[rows:]


def solve_quadprog(problem):
    H, c, A, low, high, x_low, x_high = problem
    C, b = np.vstack([A, -A, np.eye(len(c)), -np.eye(len(c))]).T.copy(), np.r_[low, -high, x_low, -x_high]
    start = clock.process_time()
    x, _, _, _, multipliers, _ = quadprog.solve_qp(H, -c, C, b)
    spent = clock.process_time() - start
    rows, n = len(low), len(c)
    return spent, x, multipliers[:rows] - multipliers[rows:2 * rows], multipliers[2 * rows:2 * rows + n] - multipliers[2 * rows + n:]


def peers(kind, n):
    if kind != "chain" or n <= PROXQP_LIMIT:
        yield f"ProxQP ({'sparse' if kind == 'chain' else 'dense'})", solve_proxqp
    yield "OSQP", solve_osqp
    if kind == "dense":  # needs H positive definite and dense
        yield "quadprog", solve_quadprog


def errors(problem, x, y, z):
    """Largest violation of a bound, and ‖Hx + c − Aᵀy − z‖∞"""
    H, c, A, low, high, x_low, x_high = problem
    rows = A @ x
    violation = max(0.0, *(np.max(gap) for gap in (low - rows, rows - high, x_low - x, x - x_high)))
    return violation, float(np.max(np.abs(H @ x + c - A.T @ y - z)))


def run_ours(program, name):
    command = [program, f"--benchmark_filter=^{name}/", "--benchmark_min_time=0.05", "--benchmark_format=json"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["benchmarks"]
    return min(run["cpu_time"] for run in runs) * 1e-9, runs[0]["violation"], runs[0]["dual_residual"]


def measure(program, turns):
    results = {}
    for kind, sizes in (("dense", DENSE), ("flat", DENSE), ("chain", CHAIN)):
        for n in sizes:
            problem = make(kind, n)
            rows = results[kind, n] = {}
            for _ in range(turns):
                for name in OURS[kind]:
                    if name == "chain_active_set" and n > 300:
                        continue
                    cost, *reached = run_ours(program, f"{name}/{n}")
                    label = "Sinew, " + name.split("_", 1)[1].replace("_", " ")
                    rows[label] = (min(cost, rows.get(label, (math.inf,))[0]), *reached)
                for label, solve in peers(kind, n):
                    if label in rows and (rows[label] is None or rows[label][0] > 1):
                        continue  # long enough to trust one run
                    solved = solve(problem)
                    rows[label] = (min(solved[0], rows.get(label, (math.inf,))[0]), *errors(problem, *solved[1:])) if solved else None
            print(kind, n, rows, flush=True)
    return results


def is_ours(label):
    return label.startswith("Sinew")


def page(results, about):
    titles = {"dense": "Dense, n variables with bounds and n rows, H positive definite", "flat": "The same, H of half rank",
              "chain": "Sparse, along a chain"}
    text = [f"# Quadratic programs beside other solvers\n\nMade by `make bench-peers` on {datetime.date.today()}. {about}\n",
            "One cold solve, with what a solver sets up for it; `warm` starts from the solution. CPU times, the smallest of all turns, which "
            "solvers take program by program. Sinew is timed in C++, the peers from Python (some µs a call, which matters below 30 variables), "
            f"at an absolute tolerance of {TOLERANCE:g}, OSQP with polishing; Sinew at its default, 1e-11 relative. Errors are those reached: "
            "largest violation of a bound, and ‖Hx + c − Aᵀy − z‖∞.\n"]
    lost = []
    for (kind, n), rows in results.items():
        ours = min((row[0], label) for label, row in rows.items() if is_ours(label) and "warm" not in label)
        faster = [f"{label} ({ours[0] / row[0]:.2g} ×)" for label, row in rows.items() if row and not is_ours(label) and row[0] < ours[0]]
        if faster:
            lost.append(f"- {kind}, n = {n}: faster than {ours[1]} are {', '.join(faster)}.")
    text += ["## Where we lose\n", "\n".join(lost) + "\n" if lost else "Nowhere here.\n"]
    for kind, title in titles.items():
        text += [f"## {title}\n",
                 table(["n", "solver", "ms", "violation", "dual residual"],
                       [[n, label, *([f"{1e3 * row[0]:.3g}", f"{row[1]:.0e}", f"{row[2]:.0e}"] if row else ["not solved", "-", "-"])]
                        for (k, n), rows in results.items() if k == kind for label, row in rows.items()])]
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=pathlib.Path, help="folder of sinew and quadratic_program_benchmark")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("benchmarks/results"))
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    about = (f"{Sinew((arguments.programs / 'sinew').resolve()).version()}; ProxSuite {proxsuite.__version__}, OSQP {osqp.__version__}, "
             f"quadprog {version('quadprog')}, NumPy {np.__version__}, SciPy {scipy.__version__}; "
             f"{machine()}.")
    results = measure((arguments.programs / "quadratic_program_benchmark").resolve(), arguments.turns)
    (arguments.out / "quadratic_program.md").write_text(page(results, about))


if __name__ == "__main__":
    main()
