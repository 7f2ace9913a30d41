// Bodies that push each other through joints, forces or contacts: the smallest part of a model whose step can be solved alone. Solves the
// equations of variational_stepper.h for its bodies, by Newton's method, or by an interior-point method if contacts may act.
//
//   | D + Cᵀ K V   −G(z_k)ᵀ |      D = diag(m·1, ∂π⁺/∂ω) and slopes of implicit forces,  T = ∂δθ/∂ω
//   | G(z_{k+1}) T/dt   ε   |      C, V, K: rows and condensed derivative of contacts (cone_constraint.h)      [Bruedigam2020, (38)]
//
// Joints that close loops may repeat or lose a direction. There ε, a 1e-9 of the diagonal that elimination gives, keeps every pivot away from
// zero and impulses near those of the last step; what it leaves open is taken out at the end (island_newton.cpp).
#pragma once

#include "sinew/steppers/central_path.h"
#include "sinew/steppers/stepper.h"
#include "sinew/steppers/variational/cones.h"
#include "sinew/steppers/variational/motion.h"
#include "sinew/steppers/variational/variational.h"

namespace sinew {

class Island {
 public:
  /// What it is made of; `pairs` are bodies coupled by forces or contacts.
  struct Parts {
    std::vector<int> bodies, joints, couplings, elements, media;
    std::vector<std::pair<int, int>> pairs;  // smaller index first, sorted, none twice
    bool operator==(const Parts&) const = default;
  };

  Island(const Parts& parts, Motion& motion);

  const Parts& parts() const { return parts_; }
  const GraphLdu& matrix() const { return ldu_; }
  bool is_asleep() const { return motion_.body(parts_.bodies.front()).is_asleep; }
  bool is_minimum_degree() const { return is_minimum_degree_; }

  /// Equations (1)-(3), with cones given by their index in the motion. False: the report says why.
  bool solve_positions(std::span<const int> cones, const State& state, const Variational& options, StepReport& report);
  /// BodyMotion::response to the impulses of all cones at z_k, after solve_positions(). False: the report says why.
  bool find_response_here(StepReport& report);
  /// Equations (4)-(6), and the response to the impulses of cones in them.
  bool solve_velocities(const Variational& options, StepReport& report);

 private:
  static constexpr double kRegularisation = 1e-9;  // ε relative to the diagonal that elimination gives
  /// (1)-(3), (4)-(6), or how impulses at z_k change the velocities there.
  enum class Stage { Positions, Velocities, Response };
  /// How far an iterate is from solving a stage.
  struct Residual {
    double joint = 0;           // largest |g| (m, rad)
    double row = 0;             // largest |g + dt ε (Λ − Λ₀)|: what Newton's method makes zero
    double rate = 0;            // largest error of rows that are velocities (m/s, rad/s)
    double motion = 0;          // largest imbalance of (1), (2) as a velocity, or `rate` if that is larger
    double slack = 0;           // largest difference of a gap and its slack (m/s)
    double rounding = 0;        // what double precision allows for all, impulses as velocities included
    double place_rounding = 0;  // and for |g| alone: impulses are large in singular poses, places are not
    double merit = 0;           // sum of squares of all rows as velocities
    int worst_node = -1;
    bool is_admissible = true;  // every |ω| < 2/dt
  };

  void guess(const State& state);
  Vec3 guess_turning(const BodyMotion& data, const Body& body, const Vec3& pi, int i) const;
  void compute_joint_wrenches(const VecX& impulses);
  /// Sum over the joints of a body.
  Vec6 joint_wrench(int body) const;
  Residual evaluate(Stage stage);
  Residual evaluate_positions();
  Residual evaluate_velocities();
  void finish_residual(Stage stage, Residual& result);
  void assemble(Stage stage);
  void add_cones_to_matrix();
  void add_cone_impulses(double sign, const Vec6 ConeConstraint::* impulse, VecX& out);
  Vec6 cone_rows(const ConeConstraint& cone, const VecX& direction) const;
  /// out = F direction, contacts left out. Overwrites the wrenches of joints.
  void multiply(const VecX& direction, VecX& out);
  bool factorize(StepReport& report, double least_pivot = GraphLdu::kLeastPivot);
  // Where joints close loops (island_newton.cpp).
  void start_stage(Stage stage);
  void set_regularisation(double epsilon);
  template <int R>
  void pull_to_centre(const JointMotion& data);
  bool move_centre(double tolerance, double rate_tolerance, double& last_left, Residual& current);
  void close_ahead();
  bool is_close_to_symplectic(StepReport& report);
  bool is_closing_ahead() const { return stage_in_work_ == Stage::Positions && closes_ahead_; }
  /// Along which impulses act.
  const JointConstraint& pushing_rows(const JointMotion& joint) const {
    if (is_closing_ahead()) return joint.ahead;
    return stage_in_work_ == Stage::Velocities ? joint.next : joint.here;
  }
  const CouplingMotion::PerBody& pushing_rows(const CouplingMotion& coupling) const {
    if (is_closing_ahead()) return coupling.A_ahead;
    return stage_in_work_ == Stage::Velocities ? coupling.A_next : coupling.A_here;
  }
  bool solve_newton(const Variational& options, StepReport& report);
  bool iterate_newton(int max_iterations, const Variational& options, StepReport& report);
  bool search_line(Residual& current);
  bool solve_interior_point(Stage stage, const Variational& options, StepReport& report);
  bool solve_cones(Stage stage, const Variational& options, StepReport& report);
  /// Where the central path begins: at the iterate, which impulses of the last step or stage nearly solve; at these impulses; at none; or at the
  /// iterate as sweeps left it.
  enum class Start { Near, Warm, Cold, Here };
  bool follow_central_path(Stage stage, Start start, double kappa, double velocity_scale, const Variational& options,
                           StepReport& report);
  ConeConstraint& working_cone(std::size_t n) const;
  void choose_cones(Stage stage);
  bool find_free_motion(Stage stage, double& velocity_scale, StepReport& report);
  void find_guess(Stage stage);
  void take_guessed_impulses();
  Residual evaluate_on_path(Stage stage);
  bool is_solution(const Residual& current, double velocity_scale, const Variational& options);
  static bool accept(const Residual& current, StepReport& report);
  void keep_point();
  void return_to_point();
  bool accept_point(Stage stage, StepReport& report);
  bool leap(Stage stage, double velocity_scale, const Variational& options, StepReport& report);
  /// newton_step_ = −F⁻¹ residual with the products of the cones aimed at κ, refined to the tolerance (m/s, rad/s).
  void find_direction(double kappa, bool with_correction, double tolerance);
  void find_corrected_direction(const ConeConstraint::Products& now, double kappa_end, double tolerance,
                                double last_length);
  static bool is_rough_solution(const Residual& residual, const ConeConstraint::Products& products,
                                double velocity_scale);
  double take_step(Stage stage, double mean_product, double velocity_scale);
  // Where that fails (island_sweeps.cpp).
  bool sweep_cones(Stage stage, double velocity_scale, StepReport& report);
  bool rest_at_swept(Stage stage, double velocity_scale, const Variational& options, StepReport& report);
  bool keep_path_end(StepReport& report);
  void compute_cone_response(Eigen::MatrixXd& W);
  void gather_cone_rows(const VecX& direction, Eigen::Ref<VecX> out) const;
  int count_cone_rows() const;
  bool turns_are_admissible() const;
  void compute_slopes();
  // Constraints that are not joints: their share of what is above (island_couplings.cpp).
  void find_coupling_slots(const std::vector<int>& node_of, int first_node);
  void guess_couplings(const State& state);
  void evaluate_couplings(Stage stage);
  Vec6 coupling_wrench(const CouplingMotion& data, int rows, std::size_t b) const;
  void add_coupling_sizes(Residual& result, double& largest, double& position_scale, double& velocity_scale) const;
  void assemble_couplings(Stage stage);
  void multiply_couplings(const VecX& direction, VecX& out) const;
  void keep_coupling_impulses(Vec3 CouplingMotion::* impulse);

  // Forces along coordinates and of media, likewise (island_elements.cpp).
  void find_element_slots(const std::vector<int>& node_of);
  void evaluate_elements();
  void add_element_sizes(double& velocity_scale) const;
  void assemble_elements();
  void multiply_elements(const VecX& direction, VecX& out) const;

  int body_index(int body) const { return motion_.body(body).offset; }
  std::string node_name(int node) const;

  template <class Work>
  void for_bodies(const Work& work);
  template <class Work>
  void for_joints(const Work& work);

  Parts parts_;
  Motion& motion_;
  bool is_minimum_degree_ = false;  // its elimination order; else depth-first
  GraphLdu ldu_;
  bool has_loops_ = false;
  double smallest_inertia_ = 0;  // kg, kg m²
  double regularisation_ = 0;    // ε of the stage in work, relative
  bool closes_ahead_ = false;    // what Λ is beyond its guess acts along rows ahead
  Stage stage_in_work_ = Stage::Positions;
  struct PairSlots {
    Slot ab, ba;
  };
  std::vector<PairSlots> pair_slots_;  // of parts_.pairs
  std::vector<int> cones_, active_cones_;
  std::span<const int> working_;  // cones of the stage in work
  std::vector<int> cone_pairs_;   // pair of every working cone, -1: touches the world
  std::vector<ConeConstraint::Point> kept_points_;
  std::vector<ConeConstraint*> working_cones_;  // the same
  std::vector<double> slack_errors_;
  int contact_iterations_ = 0;  // of the stage in work
  bool is_rough_ = false;       // the path last followed ended less exact than asked
  bool is_loop_open_ = false;   // it ended, but for a loop that impulses at z_k do not close
  VecX unknowns_, guess_, first_unknowns_, guessed_unknowns_, kept_unknowns_, trial_, residual_, newton_step_,
      correction_;
  VecX centre_;           // Λ₀
  VecX free_velocities_;  // of (4)-(6) without cones
};

}  // namespace sinew
