// Factorisation plus one solve of the Newton matrix of a pendulum of n links (ground joint, body, joint, body, ...;
// bodies 6 rows, revolute joints 5): GraphLdu beside Eigen SparseLU, KLU and dense LU, symbolic work done once and not
// timed. Writing the matrix is not timed either. Counters: relative residual reached ‖F x − b‖ / ‖b‖, and the fastest run divided by n, in seconds, which is
// what to compare on a busy machine.
#include <Eigen/Dense>
#include <Eigen/SparseLU>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "sinew/linalg/elimination_order.h"
#include "sinew/linalg/graph_ldu.h"

#ifdef SINEW_HAS_KLU
#include <klu.h>
#endif

namespace sinew {
namespace {

Mat3 make_cross(const Vec3& r) { return Mat3{{0, -r.z(), r.y()}, {r.z(), 0, -r.x()}, {-r.y(), r.x(), 0}}; }

// Rods of 1 m and 1 kg hanging at various angles about x; body i is node 2 i, the joint above it node 2 i + 1. The
// upper right blocks −Gᵀ are taken at the angles before the step, the lower left dt G at those after it, so F is not
// symmetric.
struct Pendulum {
  explicit Pendulum(int links) {
    std::vector<bool> has_zero_diagonal;
    for (int i = 0; i < links; ++i) {
      graph.sizes.insert(graph.sizes.end(), {6, 5});
      has_zero_diagonal.insert(has_zero_diagonal.end(), {false, true});
      graph.edges.emplace_back(2 * i, 2 * i + 1);
      if (i > 0) graph.edges.emplace_back(2 * i - 2, 2 * i + 1);
    }
    ldu = std::make_unique<GraphLdu>(graph, make_depth_first_order(graph, has_zero_diagonal, std::vector<int>{1}));
    const double dt = 0.01;
    for (int i = 0; i < links; ++i) {
      const double angle = 1.3 * std::sin(0.7 * i);
      const Vec3 inertia(1.0 / 12, 1.0 / 12, 0.01);
      const Vec3 omega(1.0 + 0.1 * std::cos(i), 0.0, 0.0);
      Mat6 dynamics = Mat6::Zero();
      dynamics.topLeftCorner<3, 3>().diagonal().setConstant(1.0);
      dynamics.bottomRightCorner<3, 3>() = Mat3(inertia.asDiagonal()) + dt * (make_cross(omega) * inertia.asDiagonal() -
                                                                              make_cross(inertia.cwiseProduct(omega)));
      ldu->block<6, 6>(ldu->diagonal_slot(2 * i)) = dynamics;
      couple(2 * i + 1, 2 * i, angle, angle + 0.01, 0.5, 1.0, dt);
      if (i > 0)
        couple(2 * i + 1, 2 * i - 2, 1.3 * std::sin(0.7 * (i - 1)), 1.3 * std::sin(0.7 * (i - 1)) + 0.01, -0.5, -1.0,
               dt);
    }
    saved.assign(ldu->all_values().begin(), ldu->all_values().end());
    fill_sparse();
    b = VecX::NullaryExpr(ldu->dimension(), [](Eigen::Index k) { return std::sin(static_cast<double>(k)); });
  }

  // Revolute joint, axis x: the joint point (0, 0, along) of the body, and its y and z rotations, agree with the other
  // body's.
  void couple(int joint, int body, double angle_before, double angle_after, double along, double sign, double dt) {
    const auto jacobian = [&](double angle) {
      const Mat3 rotation = Eigen::AngleAxisd(angle, Vec3::UnitX()).toRotationMatrix();
      Mat<5, 6> g = Mat<5, 6>::Zero();
      g.topLeftCorner<3, 3>().setIdentity();
      g.topRightCorner<3, 3>() = -rotation * make_cross(Vec3(0, 0, along));
      g.bottomRightCorner<2, 3>() = rotation.bottomRows<2>();
      return Mat<5, 6>(sign * g);
    };
    ldu->block<5, 6>(ldu->slot(joint, body)) = dt * jacobian(angle_after);
    ldu->block<6, 5>(ldu->slot(body, joint)) = -jacobian(angle_before).transpose();
  }

  void fill_sparse() {
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](int i, int j) {
      const auto block = ldu->block(ldu->slot(i, j));
      for (int c = 0; c < block.cols(); ++c) {
        for (int r = 0; r < block.rows(); ++r) {
          if (block(r, c) != 0.0) entries.emplace_back(ldu->offset(i) + r, ldu->offset(j) + c, block(r, c));
        }
      }
    };
    for (int i = 0; i < graph.node_count(); ++i) add(i, i);
    for (const auto& [i, j] : graph.edges) {
      add(i, j);
      add(j, i);
    }
    sparse.resize(ldu->dimension(), ldu->dimension());
    sparse.setFromTriplets(entries.begin(), entries.end());
    sparse.makeCompressed();
  }

  BlockGraph graph;
  std::unique_ptr<GraphLdu> ldu;
  std::vector<double> saved;  // values of ldu before factorisation
  Eigen::SparseMatrix<double> sparse;
  VecX b;
};

// Times solve(x), with prepare() and the copy of b outside the clock.
template <class Prepare, class Solve>
void run(benchmark::State& state, const Pendulum& pendulum, const Prepare& prepare, const Solve& solve) {
  VecX x = pendulum.b;
  double fastest = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    prepare();
    x = pendulum.b;
    const auto begin = std::chrono::steady_clock::now();
    solve(x);
    const auto end = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(end - begin).count();
    state.SetIterationTime(seconds);
    fastest = std::min(fastest, seconds);
  }
  state.counters["residual"] = (pendulum.sparse * x - pendulum.b).norm() / pendulum.b.norm();
  state.counters["fastest_per_link"] = fastest / static_cast<double>(state.range(0));
  state.SetComplexityN(state.range(0));
}

void graph_ldu(benchmark::State& state) {
  Pendulum pendulum(static_cast<int>(state.range(0)));
  GraphLdu& ldu = *pendulum.ldu;
  run(
      state, pendulum, [&] { std::copy(pendulum.saved.begin(), pendulum.saved.end(), ldu.all_values().begin()); },
      [&](VecX& x) {
        benchmark::DoNotOptimize(ldu.factorize());
        ldu.solve(x);
      });
}

void graph_ldu_solve_only(benchmark::State& state) {
  Pendulum pendulum(static_cast<int>(state.range(0)));
  benchmark::DoNotOptimize(pendulum.ldu->factorize());
  run(state, pendulum, [] {}, [&](VecX& x) { pendulum.ldu->solve(x); });
}

void eigen_sparse_lu(benchmark::State& state) {
  Pendulum pendulum(static_cast<int>(state.range(0)));
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  lu.analyzePattern(pendulum.sparse);
  run(
      state, pendulum, [] {},
      [&](VecX& x) {
        lu.factorize(pendulum.sparse);
        x = lu.solve(pendulum.b);
      });
}

void dense_lu(benchmark::State& state) {
  Pendulum pendulum(static_cast<int>(state.range(0)));
  const Eigen::MatrixXd dense = pendulum.sparse;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu(dense.rows());
  run(
      state, pendulum, [] {},
      [&](VecX& x) {
        lu.compute(dense);
        x = lu.solve(pendulum.b);
      });
}

#ifdef SINEW_HAS_KLU
void klu_refactor_and_solve(benchmark::State& state) {
  Pendulum pendulum(static_cast<int>(state.range(0)));
  Eigen::SparseMatrix<double>& f = pendulum.sparse;
  const int n = static_cast<int>(f.rows());
  klu_common common;
  klu_defaults(&common);
  klu_symbolic* symbolic = klu_analyze(n, f.outerIndexPtr(), f.innerIndexPtr(), &common);
  klu_numeric* numeric = klu_factor(f.outerIndexPtr(), f.innerIndexPtr(), f.valuePtr(), symbolic, &common);
  run(
      state, pendulum, [] {},
      [&](VecX& x) {
        klu_refactor(f.outerIndexPtr(), f.innerIndexPtr(), f.valuePtr(), symbolic, numeric, &common);
        klu_solve(symbolic, numeric, n, 1, x.data(), &common);
      });
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
}
BENCHMARK(klu_refactor_and_solve)->RangeMultiplier(10)->Range(1, 1000)->UseManualTime()->Complexity(benchmark::oN);
#endif

BENCHMARK(graph_ldu)->RangeMultiplier(10)->Range(1, 1000)->UseManualTime()->Complexity(benchmark::oN);
BENCHMARK(graph_ldu_solve_only)->RangeMultiplier(10)->Range(1, 1000)->UseManualTime()->Complexity(benchmark::oN);
BENCHMARK(eigen_sparse_lu)->RangeMultiplier(10)->Range(1, 1000)->UseManualTime()->Complexity(benchmark::oN);
BENCHMARK(dense_lu)->RangeMultiplier(10)->Range(1, 10)->UseManualTime();

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
#ifndef SINEW_HAS_KLU
  benchmark::AddCustomContext("klu", "not found at build time, comparison left out");
#endif
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
