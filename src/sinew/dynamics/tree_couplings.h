// Degrees of freedom of a tree that do not move by themselves: those that follow a motion, and those that gears and couplings make depend on
// others. They are linear in a few coordinates s, hyper-reduced coordinates:
//   q_i = Σ_j E_ij s_j + c_i,   v_i = Σ_j E_ij ṡ_j                                                          [Sueda, (2.81)]
// Every s is one of the coordinates themselves. It follows a motion, or it is an unknown. A constraint all of whose coordinates but one are
// known says what that one is. Constraints beyond that repeat others, or, if they say something else, stay rows.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/dynamics/kinematic_tree.h"

namespace sinew {

/// An entry of E: v of a degree of freedom of the tree grows by `ratio` times ṡ.
struct CoupledDof {
  int dof = 0;
  double ratio = 1;
};

/// A coordinate s: a column of E.
struct CouplingGroup {
  int dof = 0;                               // of s in the tree
  int coordinate = -1;                       // of s in q of the tree; -1: of an orientation
  const PrescribedMotion* motion = nullptr;  // of s; nullptr: unknown
  int joint = -1, joint_dof = 0;             // of the model: what the motion is given for
  int first = 0, count = 0;                  // members; the first is s itself
};

class TreeCouplings {
 public:
  /// Throws Error if a joint with a motion, a gear or a coupling closes a loop, or if constraints join motions. The tree must outlive this.
  explicit TreeCouplings(const KinematicTree& tree);

  bool empty() const { return groups_.empty(); }
  std::span<const CouplingGroup> groups() const { return groups_; }
  std::span<const CoupledDof> members(const CouplingGroup& group) const {
    return std::span(members_).subspan(static_cast<std::size_t>(group.first), static_cast<std::size_t>(group.count));
  }
  /// (Eᵀ τ) of one group.
  double along(const CouplingGroup& group, const VecX& tau) const;

  /// Whether a node has members; then all its degrees of freedom are. One entry per node, or none.
  const std::vector<char>& is_held() const { return is_held_; }
  bool has_motions() const { return has_motions_; }
  /// Degrees of freedom that are no unknowns.
  int dependent_count() const;
  /// Whether a constraint of the model is one that groups have made superfluous.
  bool is_reduced(std::size_t constraint) const { return is_reduced_[constraint] != 0; }

  /// Sets coordinates and rates to what motions and constraints make of them.
  void impose(double time, VecX& q, VecX& v) const;
  /// v̇ of all that is held, by motions alone: what does not follow from them is 0.
  void write_given_accelerations(double time, VecX& v_dot) const;

  /// From the efforts τ of all members: what drives each motion, into efforts by degree of freedom of the model, and the multipliers of
  /// reduced constraints, into entries of State::lambda. Either may be nullptr.
  void distribute(const VecX& tau, VecX* motion_efforts, VecX* lambda);

 private:
  /// Σ ratio q = offset, of a constraint of the model.
  struct Equation {
    int constraint = 0;
    double offset = 0;
    std::vector<CoupledDof> terms;
    int unknown = 0;        // terms of which nothing is known yet
    bool is_spent = false;  // it has said what one of them is
    int follower = -1;      // degree of freedom that had better not be an s
  };
  /// A row of E, of a degree of freedom that an equation determines.
  struct Dependent {
    int dof = 0, coordinate = 0;
    double offset = 0;
    std::size_t equation = 0;
    std::vector<std::pair<std::size_t, double>> shares;  // group, ratio
  };
  /// Three degrees of freedom whose motions are a rotation vector.
  struct DrivenTurn {
    int first_dof = 0, first_coordinate = 0;
    const PrescribedMotion* motions = nullptr;
  };

  void hold_driven_joints(std::vector<char>& held);
  void add_equations(std::vector<char>& held);
  void add_groups(const std::vector<char>& held);
  void add_group(int dof, const PrescribedMotion* motion);
  void resolve();
  void solve_for(std::size_t equation);
  void judge_spare_equations();
  void add_members();
  const PrescribedMotion* motion_of(int dof) const;
  int coordinate_of(int dof) const;

  const KinematicTree& tree_;
  std::vector<CouplingGroup> groups_;
  std::vector<CoupledDof> members_;
  std::vector<Dependent> dependents_;  // each after those it follows
  std::vector<DrivenTurn> turns_;
  std::vector<Equation> equations_;
  std::vector<char> is_held_, is_reduced_;
  std::vector<int> node_of_dof_, group_of_, dependent_of_;  // by degree of freedom; -1: none
  std::vector<std::vector<std::size_t>> equations_of_;      // likewise
  std::vector<int> fresh_;                                  // known, but not yet told to the equations
  bool has_motions_ = false;
  VecX rest_;  // efforts not yet accounted for
};

}  // namespace sinew
