#include "sinew/simulation/assembly.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "sinew/core/error.h"
#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/joint_constraint.h"
#include "sinew/dynamics/joint_error.h"
#include "sinew/dynamics/kinematics.h"

namespace sinew {
namespace {

constexpr int kMaxIterations = 100;
constexpr double kRelativeTolerance = 1e-13;

// G of all joints with columns scaled by M^{-1/2}: unknowns are then √M (δx, δφ), in which the metric is the identity.
struct ScaledConstraints {
  VecX g;
  Eigen::MatrixXd G;
};

class MassScale {
 public:
  explicit MassScale(const Model& model) {
    for (const Body& body : model.bodies()) {
      inverse_root_mass_.push_back(1 / std::sqrt(body.mass()));
      const Eigen::SelfAdjointEigenSolver<Mat3> eigen(body.inertia());
      inverse_root_inertia_.push_back(eigen.operatorInverseSqrt());
    }
  }
  double inverse_root_mass(int body) const { return inverse_root_mass_[static_cast<std::size_t>(body)]; }
  const Mat3& inverse_root_inertia(int body) const { return inverse_root_inertia_[static_cast<std::size_t>(body)]; }

 private:
  std::vector<double> inverse_root_mass_;
  std::vector<Mat3> inverse_root_inertia_;
};

/// Rows on velocities only if asked for: they keep no body from any place.
ScaledConstraints compute_constraints(const Model& model, const State& state, const MassScale& scale,
                                      bool with_velocity_rows) {
  ScaledConstraints out{VecX::Zero(model.rows()), Eigen::MatrixXd::Zero(model.rows(), 6 * model.body_count())};
  for (const ModelJoint& joint : model.joints()) {
    const JointConstraint c =
        compute_joint_constraint(joint, body_place(state, joint.parent), body_place(state, joint.child));
    out.g.segment(joint.first_row, joint.rows) = c.g.head(joint.rows);
    const auto write = [&](int body, const Mat6& Gt) {
      auto block = out.G.block(joint.first_row, 6 * body, joint.rows, 6);
      block.leftCols<3>() = Gt.topLeftCorner(3, joint.rows).transpose() * scale.inverse_root_mass(body);
      block.rightCols<3>() = Gt.bottomLeftCorner(3, joint.rows).transpose() * scale.inverse_root_inertia(body);
    };
    write(joint.child, c.Gt_child);
    if (joint.parent != kWorld) write(joint.parent, c.Gt_parent);
  }
  for (const ModelConstraint& constraint : model.constraints()) {
    const ConstraintRows c =
        compute_constraint_rows(model, constraint, constraint_places(constraint, state), state.joint_q);
    out.g.segment(constraint.first_row, constraint.holonomic_rows) = c.g.head(constraint.holonomic_rows);
    const int rows = with_velocity_rows ? constraint.rows : constraint.holonomic_rows;
    for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b) {
      const int body = constraint.bodies[b];
      auto block = out.G.block(constraint.first_row, 6 * body, rows, 6);
      block.leftCols<3>() = c.A[b].topLeftCorner(rows, 3) * scale.inverse_root_mass(body);
      block.rightCols<3>() = c.A[b].topRightCorner(rows, 3) * scale.inverse_root_inertia(body);
    }
  }
  return out;
}

// Says which joint, or other constraint if all joints are closed, cannot be assembled.
[[noreturn]] void fail(const Model& model, const State& state) {
  const LargestJointError largest = find_largest_joint_error(model, state);
  for (std::size_t c = 0; c < model.constraints().size(); ++c) {
    const ModelConstraint& constraint = model.constraints()[c];
    const double error = compute_constraint_error(model, constraint, state).g.norm();
    if (error <= std::max(largest.distance, largest.angle)) continue;
    throw Error(ErrorKind::Input, fmt::format("constraints[{}]", c),
                fmt::format("cannot assemble: constraint '{}' stays off by {:.6g}; start nearer to where it holds",
                            constraint.name, error));
  }
  const int joint = largest.distance_joint >= 0 ? largest.distance_joint : std::max(largest.angle_joint, 0);
  throw Error(ErrorKind::Input, fmt::format("joints[{}]", joint),
              fmt::format("cannot assemble: joint '{}' stays {:.6g} m and {:.6g} rad open; start nearer to a "
                          "closed pose, or check lengths",
                          model.joint(joint).name, largest.distance, largest.angle));
}

double size_of(const State& state) {
  double size = 1;
  for (const Vec3& x : state.x_W) size = std::max(size, x.norm());
  return size;
}

}  // namespace

void assemble_state(const Model& model, State& state) {
  if (model.rows() == 0) return;
  const MassScale scale(model);
  const double tolerance = kRelativeTolerance * size_of(state);
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0;; ++iteration) {
    const ScaledConstraints c = compute_constraints(model, state, scale, false);
    const double error = c.g.lpNorm<Eigen::Infinity>();
    if (error <= tolerance) break;
    const bool stalled = iteration > 10 && error > 0.999 * previous;
    if (stalled || iteration == kMaxIterations) fail(model, state);
    previous = error;
    const VecX step = -c.G.completeOrthogonalDecomposition().solve(c.g);
    for (int i = 0; i < model.body_count(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      state.x_W[k] += scale.inverse_root_mass(i) * step.segment<3>(6 * i);
      Vec3 turn = scale.inverse_root_inertia(i) * step.segment<3>(6 * i + 3);
      if (turn.norm() > 1) turn.normalize();  // farther than the linearisation can mean
      state.q_WB[k] = (state.q_WB[k] * exp_quat(turn)).normalized();
    }
  }
  project_velocities(model, state);
  update_joint_coordinates(model, state);
}

void project_velocities(const Model& model, State& state) {
  if (model.rows() == 0) return;
  const MassScale scale(model);
  const ScaledConstraints c = compute_constraints(model, state, scale, true);
  VecX scaled(6 * model.body_count());
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    scaled.segment<3>(6 * i) = state.v_W[k] / scale.inverse_root_mass(i);
    scaled.segment<3>(6 * i + 3) = scale.inverse_root_inertia(i).inverse() * state.omega_B[k];
  }
  const VecX violation = c.G * scaled;
  scaled -= c.G.completeOrthogonalDecomposition().solve(violation);
  for (int i = 0; i < model.body_count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    state.v_W[k] = scale.inverse_root_mass(i) * scaled.segment<3>(6 * i);
    state.omega_B[k] = scale.inverse_root_inertia(i) * scaled.segment<3>(6 * i + 3);
  }
}

}  // namespace sinew
