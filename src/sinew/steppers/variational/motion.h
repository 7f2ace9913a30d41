// What the variational stepper knows of every body, joint, force it treats implicitly and contact while it makes a step: at the start of the
// step, and at the iterate of its end. Islands work on their share of it.
#pragma once

#include <vector>

#include "sinew/contact/contact.h"
#include "sinew/core/parallel_for.h"
#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/joint_constraint.h"
#include "sinew/forces/coordinate_force.h"
#include "sinew/forces/medium_force.h"
#include "sinew/linalg/graph_ldu.h"
#include "sinew/steppers/cone_constraint.h"
#include "sinew/system/system.h"

namespace sinew {

struct BodyMotion {
  BodyPlace here, next;     // at z_k, and at the iterate of z_{k+1}
  bool ended_here = false;  // the last step did: what was computed at its end holds here
  Vec3 p, pi;               // right-hand sides of (1), (2) or (4), (5) without joint and contact impulses
  Vec6 velocity_here;       // (v_k, ω_k)
  Vec6 interval_velocity;   // (v, ω)
  Vec6 velocity_next;       // (v_{k+1}, ω_{k+1})
  Vec6 response;        // how impulses of cones at z_k, later at z_{k+1}, change the velocity there, joints being held
  Vec3 momentum_after;  // π⁺(ω): angular momentum at z_k after the impulses there
  Mat3 momentum_slope;  // ∂π⁺/∂ω
  Mat3 turn_slope;      // ∂δθ/∂ω / dt: how the end pose turns
  Vec6 velocity_after,
      velocity_before;  // (v, J⁻¹π⁺(ω)), (v, J⁻¹π⁻(ω)): at z_k after the impulses there, and before those at z_{k+1}
  Mat3 after_derivative, before_derivative;  // of their angular parts by ω, the latter as seen from the world
  bool is_touched = false;                   // by cones of the stage in work: the four above are kept
  Mat3 inverse_inertia_matrix;
  double inverse_mass, inverse_inertia;  // the latter of the smallest principal moment: scales of residuals
  Vec6 end_motion;                       // how its end pose moves along a direction (δv, δω): (δv, T δω/dt)
  int offset = 0;                        // in the vectors of its island
  Slot diagonal;
  bool is_asleep = false;  // through this step, with all of its island (sleep.h)
};

struct JointMotion {
  Vec6 g = Vec6::Zero();       // at z_{k+1}, later dt times its rate there; the first `rows` entries
  JointConstraint here, next;  // at z_k, and at the iterate of z_{k+1}
  JointConstraint ahead;  // about where the step ends: rows along which a loop is closed that passes a singular pose
  Vec6 wrench_parent, wrench_child;  // Gᵀ Λ on the two bodies: (force_W, torque_B)
  Vec6 impulse_here, impulse_next;   // Λ, Λ'
  double regularisation = 0;         // of its diagonal block, where constraints may repeat
  int offset = 0;
  Slot diagonal;
  Slot slot_child, slot_child_transposed, slot_parent, slot_parent_transposed;  // (joint, body) and (body, joint)
};

/// A constraint that is not a joint (island_couplings.cpp).
struct CouplingMotion {
  using PerBody = std::array<ConstraintRows::Rows, ModelConstraint::kMaxBodies>;
  PerBody A_here, A_next;                                         // at z_k, and at the iterate of z_{k+1}
  PerBody A_ahead;                                                // as JointMotion::ahead
  PerBody V;                                                      // ∂(row)/∂(velocities): the blocks of the matrix
  Mat3 rate_by_phi = Mat3::Zero();                                // of A_next times the interval velocity
  Vec3 value = Vec3::Zero();                                      // its rows of the residual, as velocities
  std::array<Vec6, ModelConstraint::kMaxBodies> wrench;           // Aᵀ Λ on its bodies: (force_W, torque_B)
  double scale = 0;                                               // what rounding of g is relative to
  Vec3 impulse_here = Vec3::Zero(), impulse_next = Vec3::Zero();  // Λ, Λ'
  double regularisation = 0;
  int offset = 0;
  Slot diagonal;
  std::array<Slot, ModelConstraint::kMaxBodies> slots, slots_transposed;  // (constraint, body) and (body, constraint)
};

/// One coordinate of a CoordinateForce. Its effort is taken at the mean of the coordinate over the step,
///   τ = τ((c_k + c_{k+1})/2, (c_{k+1} − c_k)/dt, t + dt/2),   half of its impulse acts at either end,
/// which is variational for elastic efforts (V_d = dt V(c̄)), second order, and stable for any stiffness. Of what is a rate alone,
/// c_{k+1} − c_k is dt ½ (g(z_k) + g(z_{k+1})) u, u the interval velocity: what its two halves of impulse do their work on.
struct ElementMotion {
  const CoordinateForce* force = nullptr;
  int source = 0, index = 0;    // force of the System, coordinate of the force
  std::span<const int> bodies;  // those it depends on
  using Row = CoordinateForce::Row;
  std::vector<Row> here, next;  // gradient by each body at z_k, and at the iterate of z_{k+1}
  std::vector<Row> V;  // ∂(change/dt) by the velocities of each body; of a rate alone, without how its gradient turns
  std::vector<Slot> slots;  // of every pair of bodies, row by row
  double c_here = 0, c_next = 0;
  double change = 0;  // c_{k+1} − c_k
  double effort = 0;
  double slope = 0;  // ∂τ by ċ at fixed c_k: τ_c dt/2 + τ_ċ
  double scale = 0;  // sum of the magnitudes its impulse is made of: what rounding is relative to
};

/// One body of a MediumForce. Its wrench is taken at the interval velocity; half of its impulse acts at either end. That is symmetric, second
/// order, and stable however thick the medium.
struct MediumMotion {
  const MediumForce* force = nullptr;
  int source = 0, body = 0;
  Resistance resistance;
};

/// Where a ConeConstraint comes from. Its geometry is that at z_k, later at z_{k+1}.
struct ConeOrigin : Touch {
  bool is_active = false;           // touches at z_{k+1}
  double normal_velocity_here = 0;  // minus what it leaves with at least: −e times its approach, the rate of a stop
  Vec6 guess = Vec6::Zero();        // impulses to start from; zero: none
  Rows next_a = Rows::Zero(), next_b = Rows::Zero();              // rows at the iterate of z_{k+1}
  Vec6 impulse_here = Vec6::Zero(), impulse_next = Vec6::Zero();  // at the two ends of the step
  Vec6 sliding_here = Vec6::Zero();                               // mean velocity of the step, opposed by the first
};

struct Motion {
  const System& system;
  ThreadPool& pool;
  std::vector<BodyMotion> bodies;
  std::vector<JointMotion> joints;
  std::vector<CouplingMotion> couplings;
  std::vector<ElementMotion> elements;
  std::vector<MediumMotion> media;
  FrictionPolygon polygon;  // of new cones
  std::vector<ConeConstraint> cones;
  std::vector<ConeOrigin> cone_origins;
  std::vector<Touch> touches;  // what they were made from
  BodyPlace world = world_place();
  double dt = 0;
  double time = 0;
  const Control* control = nullptr;
  const VecX* joint_q_here = nullptr;  // joint coordinates at z_k
  std::vector<BodyPlace> places;       // room for gather_places()

  const Model& model() const { return system.model(); }
  BodyMotion& body(int i) { return bodies[static_cast<std::size_t>(i)]; }
  const BodyMotion& body(int i) const { return bodies[static_cast<std::size_t>(i)]; }
  JointMotion& joint(int j) { return joints[static_cast<std::size_t>(j)]; }
  CouplingMotion& coupling(int c) { return couplings[static_cast<std::size_t>(c)]; }
  const CouplingMotion& coupling(int c) const { return couplings[static_cast<std::size_t>(c)]; }
  ElementMotion& element(int e) { return elements[static_cast<std::size_t>(e)]; }
  MediumMotion& medium(int m) { return media[static_cast<std::size_t>(m)]; }
  const ModelConstraint& constraint(int c) const { return model().constraints()[static_cast<std::size_t>(c)]; }
  /// Contacts of what sleeps are what they were.
  bool is_asleep(const ConeConstraint& cone) const { return body(cone.body_a).is_asleep; }
  const BodyPlace& place_here(int i) const { return i == kWorld ? world : body(i).here; }
  const BodyPlace& place_next(int i) const { return i == kWorld ? world : body(i).next; }
  bool ended_here(int i) const { return i == kWorld || body(i).ended_here; }
};

}  // namespace sinew
