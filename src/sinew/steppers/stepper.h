// What a stepper is: it moves a State from t to t + dt. It may keep scratch memory, but nothing that matters: destroying a stepper and
// making it again between two steps changes no bit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/core/parallel_for.h"
#include "sinew/model/control.h"
#include "sinew/model/state.h"
#include "sinew/system/system.h"

namespace sinew {

enum class StepStatus {
  Converged,
  Failed,  // the State is untouched
};

/// Friction against turning at a contact, about its normal (spin) or across it (rolling): this part of the certificate.
struct TurningReport {
  double slack = 0;      // N m: coefficient × normal force − torque
  double speed = 0;      // rad/s
  double alignment = 1;  // 1: the torque is opposite to turning
};

/// One contact at the end of a step, with its certificate.
struct ContactReport {
  int body_a = 0, body_b = kWorld;
  std::uint64_t id = 0;
  bool is_touching = false;
  Vec3 point_W = Vec3::Zero(), normal_W = Vec3::UnitZ();  // normal from b to a
  Vec3 force_W = Vec3::Zero();                            // N on a, mean over the step
  double gap = 0;                                         // m
  double normal_force = 0;                                // N, mean over the step
  double complementarity = 0;                             // N m: gap × normal force
  double cone_slack = 0;                                  // N: μ × normal force − friction
  double sliding_speed = 0;                               // m/s
  double dissipation_alignment = 1;                       // 1: friction is opposite to sliding
  Vec3 torque_W = Vec3::Zero();                           // N m on a, of spin and rolling friction, mean over the step
  TurningReport spin, rolling;                            // where the surfaces have such friction
};

/// The contacts of a step in a few numbers.
struct ContactSummary {
  int touching = 0;
  int rough = 0;                // problems that were accepted though less exact than asked
  double penetration = 0;       // m: largest negative gap, as a positive number
  double complementarity = 0;   // N m: largest gap × normal force
  double cone_violation = 0;    // N: largest friction beyond μ × normal force
  double torque_violation = 0;  // N m: largest torque of spin or rolling friction beyond coefficient × normal force

  void include(const ContactReport& contact);
};

/// What an integrator did within a step; nothing for steppers that have none.
struct IntegratorReport {
  std::int64_t evaluations = 0;  // of the accelerations
  std::int64_t substeps = 0, rejected = 0;
  std::int64_t stiff_substeps = 0;  // as long as stability allows rather than accuracy (dormand_prince.h)
  double error = 0;  // largest estimate accepted, as a part of what the tolerance allows; 0: none is made

  void include(const IntegratorReport& other);
};

/// What happened in one step.
struct StepReport {
  /// Set by the caller: a step that fails is tried again in two halves, so one that is right to first order only may fail. Cleared by a step that fails at
  /// any length.
  bool may_be_halved = false;
  StepStatus status = StepStatus::Converged;
  int iterations = 0;          // of Newton's method, the island with the most
  int contact_iterations = 0;  // of the contact solver, likewise
  int events = 0;              // impacts located within the step
  IntegratorReport integrator;
  double residual = 0;  // largest remaining residual (joint rows in m or rad, motion rows in m/s or rad/s)
  std::string reason;   // if failed: what, where (body or joint by name), likely cause and remedy; else empty

  std::vector<double>
      work;  // J done during the step by each force of the System, by control, by contacts and joint stops
  std::vector<ContactReport> contacts;  // near enough to matter, at the end of the step
  ContactSummary contact_summary;
  int asleep = 0;                       // bodies that sleep at the end of the step
  double sleep_work = 0;                // J taken from bodies that fell asleep, as a negative number
  Vec3 linear_impulse = Vec3::Zero();   // N s, of everything outside the model: forces, joints to the world, sleep
  Vec3 angular_impulse = Vec3::Zero();  // N m s about the world origin

  bool ok() const { return status == StepStatus::Converged; }
  /// Empty again, for a new step; keeps its memory.
  void reset(int work_entries);
  void fail(std::string why);
  /// What failed is done in another way, as exactly.
  void clear_failure();
  /// What failed is done in another way, less exact than asked: counts among the rough ones.
  void take_back_failure();
};

/// Length of StepReport::work.
inline int work_entries(const System& system) { return system.force_count() + 2; }

/// Throws Error, naming a joint, if one follows a motion: for steppers that do not know them.
void refuse_motions(const System& system, std::string_view stepper);

/// Size of the linear systems a stepper solves, for `sinew info`.
struct SolverSize {
  int unknowns = 0;
  int blocks = 0;                // of the matrix, fill-in included
  int fill_blocks = 0;           // created by loops
  int parts = 0;                 // solved one by one
  int minimum_degree_parts = 0;  // of them eliminated in minimum-degree order, the others depth-first
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Advances the state by dt (s). On failure the state is untouched and the report says why. Does not allocate after its first call,
  /// except to describe a failure.
  virtual void advance(const Control& control, double dt, State& state, StepReport& report) = 0;

  virtual SolverSize solver_size() const = 0;
};

}  // namespace sinew
