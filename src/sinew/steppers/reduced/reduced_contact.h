// Contacts, joint stops and friction of a step in joint coordinates: impulses at both ends of the step, smooth motion between them.
//
//   at z_k        v⁺ = v_k + X r,   X = M_r⁻¹ Cᵀ with loops kept closed
//                 0 ≤ gap(z_{k+1}) ⊥ r_n ≥ 0, friction opposes the mean sliding velocity of the step, so that what sticks does not creep
//   between       the integrator of the stepper
//   at z_{k+1}    v_{k+1} = v⁻ + X r where bodies touch:   0 ≤ w_n + e w_n(v_k) ⊥ r_n ≥ 0, friction opposes sliding there
//
// as in the variational stepper, so a body at rest has no velocity at all. Gaps and mean velocities are known only after the motion: they are
// corrected with W = C X for their slopes until they are as predicted. Friction in bearings is bounded by what joints carry, which depends on r in turn: bilateral
// staggered projections [Sueda, Alg. 8], with reactions from inverse dynamics instead of (2.117).
//
// With the adaptive integrator only touches that are closed at z_k are treated so. Others are watched (touch_watch.h), and where the first of them
// closes the motion ends, all that is closed there meets, and another motion begins:
//
//   impact        v⁺ = v⁻ + X r,   0 ≤ w_n + e w_n(v⁻) ⊥ r_n ≥ 0, friction opposes sliding, that of bearings bounded by μ times the impulses
//                 joints carry
//
// What is deep at z_k comes out by the end of the step, no faster: gap(z_{k+1}) ≥ min(gap(z_k), 0) (1 − h/rest) over a part h of its rest.
#pragma once

#include <vector>

#include "sinew/linalg/pivoted_cholesky.h"
#include "sinew/solvers/fixed_point.h"
#include "sinew/steppers/contact_problem.h"
#include "sinew/steppers/contact_report.h"
#include "sinew/steppers/contact_search.h"
#include "sinew/steppers/reduced/reduced.h"
#include "sinew/steppers/reduced/reduced_dynamics.h"
#include "sinew/steppers/reduced/touch_watch.h"

namespace sinew {

class ReducedContact {
 public:
  ReducedContact(const Reduced& options, const System& system);

  /// To be called once per step, of length dt.
  void start_step(double dt);
  /// What may touch or rub in `duration` from the moment last evaluated. `smooth` are the multipliers of joints without impulses (N, N m). If all
  /// the way counts, not only its end, it looks further.
  void find(const ReducedDynamics& dynamics, const VecX& smooth, double duration, bool is_all_the_way);
  bool has_touches() const { return !touches_.empty(); }
  /// Whether bodies overlap at the end of a motion where no contact was looked at: which ones, by name, and how deep (m). Then `find_again` finds what
  /// touches once more, those included, from the moment last evaluated.
  bool has_missed(const State& end, std::string& who, double& depth);
  void find_again(const ReducedDynamics& dynamics, const VecX& smooth, double duration, bool is_all_the_way);
  /// From now on touches that are open have no impulses, but are watched.
  void watch_open(const State& bodies) { watch_.take_open(bodies, touches_); }
  TouchWatch& watch() { return watch_; }
  const TouchWatch& watch() const { return watch_; }

  /// Prepares impulses at z_k of a motion of this duration: the moment last evaluated by `dynamics`, with rates v.
  void start_here(const VecX& v, const VecX& smooth, double duration, ReducedDynamics& dynamics);
  /// A first r, from velocities and accelerations at z_k. False: the report says why.
  bool predict(StepReport& report);
  /// Likewise at z_{k+1}. If it has them alone, impulses there stand for the whole motion.
  void start_end(const VecX& v, const VecX& smooth, double duration, bool is_alone, ReducedDynamics& dynamics);

  /// Whether something meets at the moment last evaluated; then prepares impulses on all that is closed there, which take no time.
  bool start_impact(const VecX& v, ReducedDynamics& dynamics);

  /// Whether stops of joints rest here that nothing else moves; then prepares impulses, which take no time.
  bool start_stops(const VecX& v, ReducedDynamics& dynamics);
  /// Of these stops: W, and the speeds with which they open.
  Eigen::MatrixXd stop_mobility() const { return problem_.W()(stop_rows_, stop_rows_); }
  VecX stop_speed() const { return velocity_(stop_rows_); }
  void put_stop_impulses(const VecX& impulse);
  /// The velocities are from now on those with the impulses in work.
  void take_over_velocities() { velocity_ += problem_.W() * impulse_; }
  /// Those in `held` become rows of the dynamics.
  void hold(std::span<const int> held, ReducedDynamics& dynamics);
  /// From now on none of them has impulses. Those not in `held` open with these speeds, and are watched.
  void release_stops(std::span<const int> held, const VecX& speed);

  /// Impulses in work, and what they do: X r, and to joints (N s, N m s).
  const VecX& impulse() const { return impulse_; }
  void apply(VecX& v) const {
    if (impulse_.size() > 0) v.noalias() += X_.lazyProduct(impulse_);
  }
  void add_joint_impulses(double factor, VecX& multipliers) const;
  /// On degrees of freedom that motions and gears hold.
  void held_impulse(VecX& out) const {
    out.setZero(Held_.rows());
    if (impulse_.size() > 0) out.noalias() = Held_.lazyProduct(impulse_);
  }

  /// At z_k: corrects r by where bodies are at the end. False: the report says why. `is_settled`: r was right, and is unchanged.
  bool correct(const State& end, StepReport& report, bool& is_settled);
  /// How far velocities were from those predicted, when they were corrected last (m/s, rad/s).
  double correction() const { return correction_; }
  /// At z_{k+1}, and of an impact: finds r.
  bool solve_end(StepReport& report);
  bool solve_impact(const VecX& v, ReducedDynamics& dynamics, StepReport& report);

  /// Work of the impulses: r · (C v + C (v + X r))/2.
  double work() const;
  /// The same where rates reach `v` while bodies are still where they are, placed in `dynamics`: r · (C v_k + C v)/2.
  double work_until(const VecX& v, const ReducedDynamics& dynamics);

  /// After impulses at z_{k+1} or an impact: what contacts have done so far.
  void gather();
  /// After all: certificates, and what the next step begins with.
  void report(const State& end, StepReport& report);
  void remember(State& state);

 private:
  static constexpr double kSettled = 1e-8;  // m/s: error of predicted velocities that no longer matters

  /// A contact with impulses, where it had the last.
  struct ActedContact {
    Touch touch;
    Vec6 impulse = Vec6::Zero();   // sum of all, along its rows
    Vec6 velocity = Vec6::Zero();  // after the last
    RubbingSum rubbing;
  };

  void start(const VecX& v, const VecX& smooth, ReducedDynamics& dynamics);
  void prepare_impact(const VecX& v, ReducedDynamics& dynamics);
  void add_rows(const ReducedDynamics& dynamics);
  Vec6 mean_velocity(std::size_t touch, const State& end) const;
  bool solve(const VecX& free_velocity, StepReport& report);
  template <class Solve>
  bool solve_bouncing(const Solve& solve, StepReport& report);
  void keep_stops_without_impulse();
  bool solve_with_friction(const VecX& free_velocity, StepReport& report);
  bool sticks(std::size_t touch, const VecX& free_velocity) const;
  void add_new_pairs();
  void make_touches_of(const State& bodies, const VecX& smooth, double duration, bool is_all_the_way);
  void put_free_velocities();
  std::vector<ActedContact>::iterator find_acted(const Touch& touch);
  void guess_friction(const State& state);
  void compute_friction(const VecX& multipliers, double factor, VecX& out) const;

  const Model& model_;
  ContactSearch search_;
  ContactProblem problem_;
  double step_ = 0;      // dt
  double rest_ = 0;      // of it, when touches were found last
  double duration_ = 0;  // of the motion in work: dt, or a part of it
  double correction_ = 0;
  double share_ = 0;  // of it, for which the impulses in work stand
  std::vector<Contact> contacts_, found_, missed_;
  std::vector<Touch> touches_;  // first of the whole motion, then those active at its end
  TouchWatch watch_;
  std::vector<ActedContact> acted_;
  std::vector<Vec6> impulse_here_, sliding_here_;                // at z_k, and the mean velocity it opposes
  std::vector<Touch> inactive_;                                  // contacts that were near
  std::vector<std::pair<std::uint64_t, std::size_t>> touching_;  // id, touch
  std::vector<std::size_t> stops_;                               // touches that rest as reduced_stops.cpp says
  std::vector<int> stop_rows_;
  std::vector<char> has_impulse_;  // by touch
  std::vector<Touch> held_;
  PivotedCholesky stop_factors_;
  bool has_bearings_ = false;
  bool is_unsettled_ = false;  // turns of friction and loads, when they were tried last

  TreeRows rows_;
  std::vector<Vec6> twists_;
  Eigen::MatrixXd X_, Lambda_, Held_;  // per row: change of rates, impulses of joints and of what is held
  State bodies_;                       // where the impulses act
  VecX velocity_;                      // C v before impulses
  VecX smooth_;                        // multipliers of joints without impulses
  VecX friction_, load_friction_, residual_, last_residual_, assumed_, from_;  // of bearings, one number per touch, N
  FixedPoint fixed_point_;
  VecX impulse_, free_velocity_, acceleration_, leaving_, least_gap_, change_, column_, joint_column_, held_column_,
      loads_;
};

}  // namespace sinew
