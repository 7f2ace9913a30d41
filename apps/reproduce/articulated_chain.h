// Minimal coordinates, to compare with: a chain of links that hangs from the world by one joint after another, with the articulated-body
// algorithm in O(n) [Featherstone2008, table 7.1], and optionally its last point held in the world by a constraint on accelerations:
//
//   q̈ = q̈₀ + B λ,   G q̈₀ + Ġ q̇ + (G B) λ = 0     where B λ is the response of the chain to a force λ at that point
//
// Dof = 1: revolute joints about −y, so that an angle > 0 turns a hanging link towards +x. Dof = 3: spherical joints. At zero coordinates
// the frame of every link, with its origin at the joint above it, has the axes of the world.
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew::reproduce {

struct ChainLink {
  double mass = 1;
  Vec3 com = Vec3(0, 0, -0.5);  // in the frame of the link
  Mat3 inertia = Mat3::Zero();  // about the centre of mass
  Vec3 end = Vec3(0, 0, -1);    // where the next joint is
};

/// A box of that length hanging down from its joint, with square section (0: a thin rod with a tiny moment about its axis).
ChainLink make_rod(double mass, double length, double thickness);

/// Orientation of each link relative to the one above, and the rates of the joints: ω relative to it, in the axes of the link.
struct ChainState {
  std::vector<Quat> q;
  std::vector<double> angle;  // Dof = 1 only: the same as q, continuous over whole turns
  VecX rates;                 // Dof entries per joint
};

template <int Dof>
class ArticulatedChain {
 public:
  explicit ArticulatedChain(std::vector<ChainLink> links, double gravity = 9.81);

  int size() const { return static_cast<int>(links_.size()); }

  /// Holds the end of the last link where it is: three rows for spherical joints, x and z for revolute ones.
  void close_loop() { is_closed_ = true; }

  /// A torque −damping · rate at every joint (N m s/rad).
  void set_damping(double damping) { damping_ = damping; }

  /// At rest, with absolute angles from hanging down, in the x-z plane.
  ChainState make_state(const std::vector<double>& angles) const;

  /// Accelerations of the joints.
  void accelerate(const ChainState& state, VecX& accelerations);

  double energy(const ChainState& state);
  /// End of the last link, in the world.
  Vec3 end_point(const ChainState& state) const;
  /// Angle of a link from hanging down, of a chain with revolute joints.
  static double absolute_angle(const ChainState& state, int link);
  /// Centre of mass of a link, in the world.
  Vec3 center(const ChainState& state, int link) const;

  /// state moved by φ: q exp(φ) for every joint.
  static void move(const ChainState& from, const VecX& phi, ChainState& to);
  /// φ̇ of q = q₀ exp(φ) for the rates of a state: exactly the rates for Dof = 1, to fourth order for Dof = 3.
  static void tangent(const VecX& phi, const ChainState& state, VecX& phi_rate);

 private:
  using MatS = Mat<6, Dof>;
  struct Node {
    Mat3 R;               // link to the one above
    Vec6 velocity, bias;  // (ω, v of the origin), and S-part of the acceleration
    Mat6 inertia;         // articulated
    Vec6 force;           // articulated bias force
    MatS U;               // I^A S
    Mat<Dof, Dof> inverse_d;
    Vec<Dof> u;
    Vec6 acceleration;
  };

  void compute_velocities(const ChainState& state);
  void factorize(const ChainState& state);
  void hold_end(VecX& accelerations);
  Vec6 to_child(int i, const Vec6& parent) const;
  Vec6 to_parent(int i, const Vec6& wrench) const;
  Vec3 base_of(int i) const { return i == 0 ? Vec3(Vec3::Zero()) : links_[static_cast<std::size_t>(i) - 1].end; }

  std::vector<ChainLink> links_;
  std::vector<Mat6> rigid_;  // inertia of every link about its joint
  std::vector<Node> nodes_;
  double gravity_, damping_ = 0;
  bool is_closed_ = false;
};

extern template class ArticulatedChain<1>;
extern template class ArticulatedChain<3>;

}  // namespace sinew::reproduce
