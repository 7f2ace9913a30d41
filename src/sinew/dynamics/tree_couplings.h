// Degrees of freedom of a tree that do not move by themselves: those of joints that follow a motion, and those that gears make depend on each
// other. They fall into groups with one coordinate s each, hyper-reduced coordinates:
//   q_i = r_i s + c_i,   v_i = r_i ṡ                                                                        [Sueda, (2.81)]
// s is the coordinate of the first member. It follows a motion, or it is an unknown. A gear of a group is one edge of a tree of members; gears
// beyond that repeat others, or, if they say something else, stay rows.
#pragma once

#include <span>
#include <vector>

#include "sinew/dynamics/kinematic_tree.h"

namespace sinew {

struct CoupledDof {
  int dof = 0;                                 // of the tree
  int coordinate = -1;                         // whose rate it is, in q of the tree; -1: of an orientation
  double ratio = 1, offset = 0;                // r, c
  int gear = -1, neighbour = -1;               // constraint of the model and member it hangs on; -1: the first
  double gear_ratio = 0, neighbour_ratio = 0;  // of that gear
};

struct CouplingGroup {
  int first = 0, count = 0;                  // members
  const PrescribedMotion* motion = nullptr;  // of s; nullptr: unknown
  int joint = -1, joint_dof = 0;             // of the model: what the motion is given for
};

class TreeCouplings {
 public:
  /// Throws Error if a joint with a motion or a gear closes a loop, or if gears join two joints with motions. The tree must outlive this.
  explicit TreeCouplings(const KinematicTree& tree);

  bool empty() const { return groups_.empty(); }
  std::span<const CouplingGroup> groups() const { return groups_; }
  std::span<const CoupledDof> members(const CouplingGroup& group) const {
    return std::span(members_).subspan(static_cast<std::size_t>(group.first), static_cast<std::size_t>(group.count));
  }
  /// Whether a node has members; then all its degrees of freedom are. One entry per node, or none.
  const std::vector<char>& is_held() const { return is_held_; }
  bool has_motions() const { return has_motions_; }
  /// Degrees of freedom that are no unknowns.
  int dependent_count() const;
  /// Whether a constraint of the model is a gear that groups have made superfluous.
  bool is_reduced(std::size_t constraint) const { return is_reduced_[constraint] != 0; }

  /// Sets coordinates and rates to what motions and gears make of them.
  void impose(double time, VecX& q, VecX& v) const;
  /// The same for v̇ of motions.
  void write_given_accelerations(double time, VecX& v_dot) const;

  /// From the efforts τ of all members: what drives each motion, into efforts by degree of freedom of the model, and the multipliers of
  /// reduced gears, into entries of State::lambda. Either may be nullptr.
  void distribute(const VecX& tau, VecX* motion_efforts, VecX* lambda);

 private:
  void add_group(int root_dof);
  void add_member(const CoupledDof& member);

  struct Edge {
    int gear;
    int dof[2];
    double ratio[2];
  };

  const KinematicTree& tree_;
  std::vector<CouplingGroup> groups_;
  std::vector<CoupledDof> members_;
  std::vector<char> is_held_, is_reduced_;
  std::vector<int> member_of_, node_of_dof_;
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> edges_of_;  // by degree of freedom
  bool has_motions_ = false;
  std::vector<double> rest_;  // efforts not yet accounted for
};

}  // namespace sinew
