// Variational integrator for rigid bodies in maximal coordinates, in position-momentum form.
//
// State k: poses z_k with g(z_k) = 0 and velocities (v_k, ω_k) with G(z_k)(v_k, ω_k) = 0. One step, with interval velocities (v, ω) and
// joint impulses Λ, Λ' as unknowns:
//
//   (1)  m v     = m v_k + (dt/2) f(z_k) + G_x(z_k)ᵀ Λ                                                [Bruedigam2020, (26)]
//   (2)  π⁺(ω)   = J ω_k + (dt/2) τ(z_k) + G_φ(z_k)ᵀ Λ                                                [Bruedigam2020, (33)] / 2
//   (3)  0       = g(z_{k+1}),   x_{k+1} = x_k + dt v,   q_{k+1} = q_k ⊗ δq(ω)                        [Bruedigam2020, (27), (32)]
//   (4)  m v_{k+1} = m v   + (dt/2) f(z_{k+1}) + G_x(z_{k+1})ᵀ Λ'
//   (5)  J ω_{k+1} = π⁻(ω) + (dt/2) τ(z_{k+1}) + G_φ(z_{k+1})ᵀ Λ'
//   (6)  0         = G(z_{k+1}) (v_{k+1}, ω_{k+1})
//
// (1)-(3) are nonlinear, solved by Newton's method; (4)-(6) are linear. Adding (4) of one step to (1) of the next gives the
// three-point scheme of [Bruedigam2020]: positions are the same. In this form (RATTLE, [Andersen1983], [Hairer2006, VII.1.4]) the start
// is the second-order half kick, velocities live at the same time as positions and satisfy the joints too, and the step length may
// change from step to step. Forces are evaluated at the two ends; control is constant during the step.
//
// Newton matrix of (1)-(3), rows 3 divided by dt; body nodes and joint nodes form the graph of the mechanism  [Bruedigam2020, (38)]:
//   | D             −G(z_k)ᵀ |      D = diag(m·1, ∂π⁺/∂ω),  T = ∂δθ/∂ω
//   | G(z_{k+1}) T/dt   0    |
#pragma once

#include <vector>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/linalg/graph_ldu.h"
#include "sinew/steppers/variational/variational.h"

namespace sinew {

class VariationalStepper final : public Stepper {
 public:
  VariationalStepper(const Variational& options, const System& system, ThreadPool& pool);

  void advance(const Control& control, double dt, State& state, StepReport& report) override;
  SolverSize solver_size() const override;

 private:
  /// How far an iterate is from solving (1)-(3).
  struct Residual {
    double joint = 0;     // largest |g| (m, rad)
    double motion = 0;    // largest imbalance of (1), (2) as a velocity (m/s, rad/s)
    double rounding = 0;  // what double precision allows for both
    double merit = 0;     // sum of squares of all rows as velocities
    int worst_node = -1;
    bool is_admissible = true;  // every |ω| < 2/dt
  };

  struct BodyData {
    BodyPlace here, next;                  // at z_k, and at the iterate of z_{k+1}
    Vec3 p, pi;                            // right-hand sides of (1), (2) or (4), (5) without joint impulses
    double inverse_mass, inverse_inertia;  // the latter of the smallest principal moment: scales of residuals
    int offset;                            // in vectors
    Slot diagonal;
  };
  struct JointData {
    Vec6 g;                                      // at z_{k+1}; the first `rows` entries
    double G_parent_here[36], G_child_here[36];  // at z_k: rows × 6, column-major
    double G_parent_next[36], G_child_next[36];  // at z_{k+1}
    Vec6 wrench_parent, wrench_child;            // Gᵀ Λ on the two bodies: (force_W, torque_B)
    int offset;
    Slot slot_child, slot_child_transposed, slot_parent, slot_parent_transposed;  // (joint, body) and (body, joint)
  };

  void start_here(const Control& control, double dt, const State& state);
  void guess(double dt, const State& state);
  Residual evaluate(const VecX& unknowns, double dt);
  void assemble(double dt, const VecX& unknowns);
  bool solve_positions(double dt, StepReport& report);
  bool is_resolved(double dt, const State& state, StepReport& report) const;
  bool solve_velocities(double dt, StepReport& report);
  void finish(const Control& control, double dt, State& state, StepReport& report);

  template <class Work>
  void for_bodies(const Work& work);
  template <class Work>
  void for_joints(const Work& work);
  const BodyPlace& place_here(int body) const {
    return body == kWorld ? world_ : bodies_[static_cast<std::size_t>(body)].here;
  }
  const BodyPlace& place_next(int body) const {
    return body == kWorld ? world_ : bodies_[static_cast<std::size_t>(body)].next;
  }
  void add_half_kick(const AppliedWrenches& wrenches, double dt);
  void compute_joint_wrenches(const VecX& impulses, bool at_next);
  void book_work(const AppliedWrenches& wrenches, double dt, StepReport& report) const;
  void book_impulses(const AppliedWrenches& wrenches, double dt, bool at_next, StepReport& report) const;
  std::string node_name(int node) const;
  void fail(StepReport& report, std::string reason) const;

  const Variational options_;
  const System& system_;
  ThreadPool& pool_;
  GraphLdu ldu_;
  const BodyPlace world_ = world_place();
  std::vector<BodyData> bodies_;
  std::vector<JointData> joints_;
  VecX unknowns_, trial_, residual_, newton_step_;  // (v, ω) of bodies and Λ of joints, in the order of the matrix
  VecX velocities_;                                 // (v_{k+1}, ω_{k+1}) and Λ'
  Kinematics kinematics_;
  AppliedWrenches wrenches_here_, wrenches_next_;
  State next_;
};

}  // namespace sinew
