// Constraints that are not joints, as nodes of the matrix of an island. Holonomic ones (gears, touching) are rows g of (3) and G of (6) in
// variational_stepper.h. Constraints on velocities, A(z)(v, ω) = 0, have no g: by the discrete principle of Lagrange and d'Alembert they
// allow variations with A(z) δz = 0, so impulses act by A(z_k)ᵀ Λ in (1), (2) and A(z_{k+1})ᵀ Λ' in (4), (5), with                     [Cortes2001]
//   (3')  0 = ½ (A(z_k) + A(z_{k+1})) (v, ω)        the discrete constraint, by trapezoids
//   (6')  0 = A(z_{k+1}) (v_{k+1}, ω_{k+1})
// The interval velocity is the same in the body axes at both ends, so (3') read backwards is itself: with (1)-(6) the step is symmetric, of
// second order [McLachlan2006], and may be composed; A(z_k)(v, ω) = 0 alone would be of first order. Its derivative by the velocities is
//   V = ½ (A(z_k) + A(z_{k+1})) + ½ ∂(A u)/∂φ T
#include <algorithm>
#include <cmath>

#include "sinew/steppers/variational/couplings.h"
#include "sinew/steppers/variational/discrete_rotation.h"
#include "sinew/steppers/variational/island.h"

namespace sinew {
namespace {

using Places = std::array<BodyPlace, ModelConstraint::kMaxBodies>;

/// Calls work(b, body) for every body of a constraint, b counting within it.
template <class Work>
void for_bodies_of(const ModelConstraint& constraint, const Work& work) {
  for (std::size_t b = 0; b < static_cast<std::size_t>(constraint.body_count); ++b) work(b, constraint.bodies[b]);
}

Places places_of(const ModelConstraint& constraint, const Motion& motion, BodyPlace BodyMotion::* place) {
  Places places = world_places();
  for_bodies_of(constraint, [&](std::size_t b, int body) { places[b] = motion.body(body).*place; });
  return places;
}

}  // namespace

void start_couplings(const State& state, Motion& motion) {
  motion.joint_q_here = &state.joint_q;
  for (std::size_t c = 0; c < motion.couplings.size(); ++c) {
    const ModelConstraint& constraint = motion.constraint(static_cast<int>(c));
    const Places places = places_of(constraint, motion, &BodyMotion::here);
    motion.couplings[c].A_here = compute_constraint_rows(motion.model(), constraint, places, state.joint_q).A;
  }
}

void write_coupling_forces(const Motion& motion, State& next) {
  for (std::size_t c = 0; c < motion.couplings.size(); ++c) {
    const ModelConstraint& constraint = motion.constraint(static_cast<int>(c));
    const CouplingMotion& data = motion.couplings[c];
    const int rows = constraint.rows;
    next.lambda.segment(constraint.first_row, rows) = 2 / motion.dt * data.impulse_next.head(rows);
    next.reaction.segment(constraint.first_row, rows) = (data.impulse_here + data.impulse_next).head(rows) / motion.dt;
  }
}

void Island::find_coupling_slots(const std::vector<int>& node_of, int first_node) {
  int node = first_node;
  for (const int c : parts_.couplings) {
    CouplingMotion& data = motion_.coupling(c);
    data.offset = ldu_.offset(node);
    data.diagonal = ldu_.diagonal_slot(node);
    for_bodies_of(motion_.constraint(c), [&](std::size_t b, int body) {
      const int other = node_of[static_cast<std::size_t>(body)];
      data.slots[b] = ldu_.slot(node, other);
      data.slots_transposed[b] = ldu_.slot(other, node);
    });
    ++node;
  }
}

// Impulses as at the end of the last step, added to velocities guessed without them.
void Island::guess_couplings(const State& state) {
  for (const int c : parts_.couplings) {
    const ModelConstraint& constraint = motion_.constraint(c);
    const CouplingMotion& data = motion_.coupling(c);
    auto impulse = unknowns_.segment(data.offset, constraint.rows);
    impulse = motion_.dt / 2 * state.lambda.segment(constraint.first_row, constraint.rows);
    for_bodies_of(constraint, [&](std::size_t b, int i) {
      const BodyMotion& body = motion_.body(i);
      const Vec6 wrench = data.A_here[b].topRows(constraint.rows).transpose() * impulse;
      unknowns_.segment<3>(body.offset) += body.inverse_mass * wrench.head<3>();
      const Vec3 omega = unknowns_.segment<3>(body.offset + 3) + body.inverse_inertia_matrix * wrench.tail<3>();
      if (is_admissible(omega, motion_.dt)) unknowns_.segment<3>(body.offset + 3) = omega;
    });
  }
}

// Aᵀ Λ on one of its bodies; where loops are closed ahead, the guess acts at z_k.
Vec6 Island::coupling_wrench(const CouplingMotion& data, int rows, std::size_t b) const {
  Vec6 wrench = pushing_rows(data)[b].topRows(rows).transpose() * unknowns_.segment(data.offset, rows);
  if (is_closing_ahead())
    wrench += (data.A_here[b] - data.A_ahead[b]).topRows(rows).transpose() * guess_.segment(data.offset, rows);
  return wrench;
}

// Rows of (3), (3') or (6), (6'), and their impulses taken from the balance of the bodies.
void Island::evaluate_couplings(Stage stage) {
  for (const int c : parts_.couplings) {
    const ModelConstraint& constraint = motion_.constraint(c);
    CouplingMotion& data = motion_.coupling(c);
    const int rows = constraint.rows, holonomic = constraint.holonomic_rows;
    data.value.setZero();
    if (stage == Stage::Positions) {
      const Vec6& u = motion_.body(constraint.bodies[0]).interval_velocity;
      const Places places = places_of(constraint, motion_, &BodyMotion::next);
      const ConstraintRows next =
          compute_constraint_rows(motion_.model(), constraint, places, *motion_.joint_q_here, u);
      data.A_next = next.A;
      data.rate_by_phi = next.rate_by_phi;
      data.scale = next.scale;
      for_bodies_of(constraint, [&](std::size_t b, int body) {
        data.value += (data.A_here[b] + data.A_next[b]) * unknowns_.segment<6>(body_index(body)) / 2;
      });
      data.value.head(holonomic) = next.g.head(holonomic) / motion_.dt;
    } else {
      for_bodies_of(constraint, [&](std::size_t b, int body) {
        data.value += data.A_next[b] * unknowns_.segment<6>(body_index(body));
      });
    }
    const auto impulse = unknowns_.segment(data.offset, rows);
    residual_.segment(data.offset, rows) =
        data.value.head(rows) + data.regularisation * (impulse - centre_.segment(data.offset, rows));
    for_bodies_of(constraint, [&](std::size_t b, int body) {
      residual_.segment<6>(body_index(body)) -= coupling_wrench(data, rows, b);
    });
  }
}

void Island::add_coupling_sizes(Residual& result, double& largest, double& position_scale,
                                double& velocity_scale) const {
  for (const int c : parts_.couplings) {
    const ModelConstraint& constraint = motion_.constraint(c);
    const CouplingMotion& data = motion_.coupling(c);
    const int holonomic = constraint.holonomic_rows;
    const double error = residual_.segment(data.offset, constraint.rows).lpNorm<Eigen::Infinity>();
    result.merit += error * error;
    result.row = std::max(result.row, std::abs(motion_.dt) * error);
    result.joint = std::max(result.joint, std::abs(motion_.dt) * data.value.head(holonomic).cwiseAbs().sum());
    result.rate = std::max(result.rate, data.value.tail(ModelConstraint::kMaxRows - holonomic).cwiseAbs().sum());
    result.motion = std::max(result.motion, result.rate);
    position_scale = std::max(position_scale, data.scale);
    for_bodies_of(constraint, [&](std::size_t b, int i) {
      const BodyMotion& body = motion_.body(i);
      const Vec6 wrench = coupling_wrench(data, constraint.rows, b);
      velocity_scale =
          std::max({velocity_scale, data.A_next[b].norm() * unknowns_.segment<6>(body.offset).norm(),
                    wrench.head<3>().norm() * body.inverse_mass, wrench.tail<3>().norm() * body.inverse_inertia});
    });
    if (error <= largest) continue;
    largest = error;
    result.worst_node = motion_.model().body_count() + motion_.model().joint_count() + c;
  }
}

void Island::assemble_couplings(Stage stage) {
  for (const int c : parts_.couplings) {
    const ModelConstraint& constraint = motion_.constraint(c);
    CouplingMotion& data = motion_.coupling(c);
    const int rows = constraint.rows, holonomic = constraint.holonomic_rows, others = rows - holonomic;
    for_bodies_of(constraint, [&](std::size_t b, int i) {
      const BodyMotion& body = motion_.body(i);
      ConstraintRows::Rows& V = data.V[b];
      V = stage == Stage::Response ? data.A_here[b] : data.A_next[b];
      if (stage == Stage::Positions) {
        const Mat3 T = DiscreteRotation(body.interval_velocity.tail<3>(), motion_.dt).increment_derivative();
        V.topRightCorner(holonomic, 3) *= T / motion_.dt;
        V.middleRows(holonomic, others) = (data.A_here[b] + data.A_next[b]).middleRows(holonomic, others) / 2;
        V.block(holonomic, 3, others, 3) += data.rate_by_phi.middleRows(holonomic, others) * T / 2;
      }
      ldu_.block(data.slots[b]) = V.topRows(rows);
      ldu_.block(data.slots_transposed[b]) = -pushing_rows(data)[b].topRows(rows).transpose();
    });
    ldu_.block(data.diagonal).setZero();
    ldu_.block(data.diagonal).diagonal().setConstant(data.regularisation);
  }
}

void Island::multiply_couplings(const VecX& direction, VecX& out) const {
  for (const int c : parts_.couplings) {
    const ModelConstraint& constraint = motion_.constraint(c);
    const CouplingMotion& data = motion_.coupling(c);
    const int rows = constraint.rows;
    const auto impulse = direction.segment(data.offset, rows);
    auto target = out.segment(data.offset, rows);
    target = data.regularisation * impulse;
    for_bodies_of(constraint, [&](std::size_t b, int body) {
      target.noalias() += data.V[b].topRows(rows) * direction.segment<6>(body_index(body));
      out.segment<6>(body_index(body)).noalias() -= pushing_rows(data)[b].topRows(rows).transpose() * impulse;
    });
  }
}

void Island::keep_coupling_impulses(Vec3 CouplingMotion::* impulse) {
  for (const int c : parts_.couplings) {
    const ModelConstraint& constraint = motion_.constraint(c);
    CouplingMotion& data = motion_.coupling(c);
    (data.*impulse).head(constraint.rows) = unknowns_.segment(data.offset, constraint.rows);
    for_bodies_of(constraint, [&](std::size_t b, int) { data.wrench[b] = coupling_wrench(data, constraint.rows, b); });
  }
}

}  // namespace sinew
