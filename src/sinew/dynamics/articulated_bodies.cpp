#include "sinew/dynamics/articulated_bodies.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "sinew/spatial/se3.h"

namespace sinew {
namespace {

/// Calls work.template operator()<dof>().
template <class Work>
void with_dof(int dof, const Work& work) {
  switch (dof) {
    case 0:
      return work.template operator()<0>();
    case 1:
      return work.template operator()<1>();
    case 2:
      return work.template operator()<2>();
    case 3:
      return work.template operator()<3>();
    case 4:
      return work.template operator()<4>();
    case 5:
      return work.template operator()<5>();
    default:
      return work.template operator()<6>();
  }
}

/// [r] M, column by column.
Mat3 crossed(const Vec3& r, const Mat3& M) {
  Mat3 out;
  for (int k = 0; k < 3; ++k) out.col(k) = r.cross(M.col(k));
  return out;
}

// The functions below are flattened: all they call becomes part of them, whatever the compiler thinks of the size.

/// The same inertia at the start of r:  C, B + [r]C, A + [r](B + [r]C)ᵀ + ([r]Bᵀ)ᵀ
[[gnu::flatten]] void add_shifted_back(const SpatialInertia& I, const Vec3& r, SpatialInertia& out) {
  const Mat3 B = I.B + crossed(r, I.C);
  out.A += I.A + crossed(r, B.transpose()) + crossed(r, I.B.transpose()).transpose();
  out.B += B;
  out.C += I.C;
}

/// Iᴬ of a body of its own.
[[gnu::flatten]] void set_inertia(double mass, const NodeMotion& motion, SpatialInertia& I) {
  I = {motion.inertia, skew(motion.first_moment), mass * Mat3::Identity()};
}

/// U = Iᴬ S, D⁻¹ and what remains of Iᴬ, for one degree of freedom.
[[gnu::flatten]] void eliminate_one(const Vec6& S, double extra, bool is_hinge, const SpatialInertia& I, Vec6& U,
                                    double& D_inverse, SpatialInertia& remaining) {
  const Vec3 axis = S.head<3>();
  U = is_hinge ? stacked(I.A * axis, I.B.transpose() * axis) : I * S;
  D_inverse = 1 / (S.dot(U) + extra);
  const Vec3 top = U.head<3>(), bottom = U.tail<3>();
  const Vec3 scaled_top = D_inverse * top, scaled_bottom = D_inverse * bottom;
  for (int k = 0; k < 3; ++k) {
    remaining.A.col(k) = I.A.col(k) - scaled_top[k] * top;
    remaining.B.col(k) = I.B.col(k) - scaled_bottom[k] * top;
    remaining.C.col(k) = I.C.col(k) - scaled_bottom[k] * bottom;
  }
}

/// u = τ − Sᵀ p, and p + U D⁻¹ u
[[gnu::flatten]] double pull_one(double tau, const Vec6& S, const Vec6& U, double D_inverse, Vec6& p) {
  const double u = tau - S.dot(p);
  p += u * D_inverse * U;
  return u;
}

/// v̇ = D⁻¹ (u − Uᵀ a), a + S v̇
[[gnu::flatten]] double move_one(double u, const Vec6& S, const Vec6& U, double D_inverse, Vec6& a) {
  const double rate = D_inverse * (u - U.dot(a));
  a += rate * S;
  return rate;
}

[[gnu::flatten]] void add_wrench_back(const Vec6& wrench, const Vec3& r, Vec6& out) { out += shifted_back(wrench, r); }
[[gnu::flatten]] void shift_acceleration(const Vec6& a, const Vec3& r, Vec6& out) { out = shifted(a, r); }

template <int Dof>
using Columns = Eigen::Map<const Mat<6, Dof>>;
template <int Dof>
Columns<Dof> columns(const std::vector<Vec6>& all, int first) {
  return Columns<Dof>(all[static_cast<std::size_t>(first)].data());
}

}  // namespace

[[gnu::flatten]] Vec6 multiply_inertia(const TreeNode& node, const NodeMotion& motion, const Vec6& x) {
  const Vec3 omega = x.head<3>(), v = x.tail<3>();
  return stacked(motion.inertia * omega + motion.first_moment.cross(v),
                 node.mass * v - motion.first_moment.cross(omega));
}

// With momentum (π, p) = I V:  V ×* (π, p) = (ω × π + v × p, ω × p)
[[gnu::flatten]] Vec6 bias_wrench(const TreeNode& node, const NodeMotion& motion) {
  const Vec3 omega = motion.V.head<3>(), v = motion.V.tail<3>();
  const Vec6 momentum = multiply_inertia(node, motion, motion.V);
  const Vec3 pi = momentum.head<3>(), p = momentum.tail<3>();
  return multiply_inertia(node, motion, motion.bias) + stacked(omega.cross(pi) + v.cross(p), omega.cross(p));
}

ArticulatedBodies::ArticulatedBodies(const KinematicTree& tree, std::vector<char> is_driven, LoopElimination loops)
    : tree_(tree),
      is_driven_(std::move(is_driven)),
      loops_(std::move(loops)),
      inertia_(static_cast<std::size_t>(tree.node_count())),
      U_(static_cast<std::size_t>(tree.dof())),
      D_inverse_(static_cast<std::size_t>(tree.squares())),
      wrenches_(static_cast<std::size_t>(tree.node_count())),
      bias_wrenches_(wrenches_.size()),
      accelerations_(static_cast<std::size_t>(tree.node_count())) {}

void ArticulatedBodies::factorize(const TreeMotion& motion, const ImplicitInertia& extra, const TreeRows& rows) {
  motion_ = &motion;
  loops_.begin_factors(tree_, motion, rows);
  for (std::size_t i = 0; i < inertia_.size(); ++i) {
    set_inertia(tree_.nodes()[i].mass, motion.nodes[i], inertia_[i]);
    if (!extra.on_nodes.empty()) inertia_[i] += extra.on_nodes[i];
  }
  for (std::size_t i = inertia_.size(); i-- > 0;) {
    const TreeNode& node = tree_.nodes()[i];
    const auto first = static_cast<std::size_t>(node.first_dof);
    if (loops_.concerns(i)) loops_.meet(i, inertia_[i]);
    SpatialInertia remaining;
    if (is_driven(i)) {
      remaining = inertia_[i];  // its motion is given: the parent carries all of it
    } else if (node.dof == 1) {
      eliminate_one(motion.S[first], extra.on_dof.size() > 0 ? extra.on_dof[node.first_dof] : 0.0, node.is_hinge,
                    inertia_[i], U_[first], D_inverse_[static_cast<std::size_t>(node.first_square)], remaining);
    } else {
      remaining = inertia_[i];
      with_dof(node.dof, [&]<int Dof>() {
        if constexpr (Dof > 0) {
          for (std::size_t k = first; k < first + Dof; ++k) U_[k] = inertia_[i] * motion.S[k];
          const auto S = columns<Dof>(motion.S, node.first_dof), U = columns<Dof>(U_, node.first_dof);
          Mat<Dof, Dof> D = S.transpose() * U;
          if (extra.on_dof.size() > 0) D.diagonal() += extra.on_dof.segment<Dof>(node.first_dof);
          const Eigen::LLT<Mat<Dof, Dof>> llt(D);
          Eigen::Map<Mat<Dof, Dof>>{D_inverse_.data() + node.first_square} = llt.solve(Mat<Dof, Dof>::Identity());
          const Mat<Dof, 6> W = llt.matrixL().solve(Mat<Dof, 6>(U.transpose()));  // U D⁻¹ Uᵀ = Wᵀ W
          for (int k = 0; k < Dof; ++k) subtract_square(W.row(k).transpose(), remaining);
        }
      });
    }
    if (loops_.concerns(i)) {
      loops_.pass(i, node.dof, motion.S.data() + first, U_.data() + first, D_inverse_.data() + node.first_square,
                  motion.nodes[i].r);
    }
    if (node.parent >= 0)
      add_shifted_back(remaining, motion.nodes[i].r, inertia_[static_cast<std::size_t>(node.parent)]);
  }
  loops_.end_factors();
}

// M v̇ = τ − Jᵀ p for the wrenches p of wrenches_: towards the root
//   u = τ − Sᵀ p,   p_parent += ⇩(p + U D⁻¹ u)            where driven: p + Iᴬ S v̇
// and outwards  a = a_parent ⇧ r,  v̇ = D⁻¹ (u − Uᵀ a),  a += S v̇.                              [Featherstone2008, table 7.1]
void ArticulatedBodies::solve(VecX& tau, VecX& v_dot, bool moves_driven, const VecX& row_targets) {
  const TreeMotion& motion = *motion_;
  loops_.begin_solve();
  for (std::size_t i = wrenches_.size(); i-- > 0;) {
    const TreeNode& node = tree_.nodes()[i];
    const auto first = static_cast<std::size_t>(node.first_dof);
    if (loops_.concerns(i)) loops_.meet(i, row_targets, wrenches_[i]);
    Vec6 up = wrenches_[i];
    if (is_driven(i)) {
      Vec6 a = Vec6::Zero();
      for (int k = node.first_dof; moves_driven && k < node.first_dof + node.dof; ++k)
        a += v_dot[k] * motion.S[static_cast<std::size_t>(k)];
      up += inertia_[i] * a;
    } else if (node.dof == 1) {
      v_dot[node.first_dof] =  // u, until the way outwards
          pull_one(tau[node.first_dof], motion.S[first], U_[first],
                   D_inverse_[static_cast<std::size_t>(node.first_square)], up);
    } else {
      with_dof(node.dof, [&]<int Dof>() {
        if constexpr (Dof > 0) {
          const auto S = columns<Dof>(motion.S, node.first_dof), U = columns<Dof>(U_, node.first_dof);
          const Eigen::Map<const Mat<Dof, Dof>> D_inverse(D_inverse_.data() + node.first_square);
          const Vec<Dof> u = tau.segment<Dof>(node.first_dof) - S.transpose() * up;
          v_dot.segment<Dof>(node.first_dof) = u;
          up.noalias() += U * (D_inverse * u);
        }
      });
    }
    if (loops_.concerns(i))
      loops_.pass(i, node.dof, v_dot.data() + node.first_dof, D_inverse_.data() + node.first_square);
    if (node.parent >= 0) add_wrench_back(up, motion.nodes[i].r, wrenches_[static_cast<std::size_t>(node.parent)]);
  }
  loops_.end_solve(row_targets);
  for (std::size_t i = 0; i < accelerations_.size(); ++i) {
    const TreeNode& node = tree_.nodes()[i];
    const auto first = static_cast<std::size_t>(node.first_dof);
    Vec6& a = accelerations_[i];
    if (node.parent < 0) {
      a.setZero();
    } else {
      shift_acceleration(accelerations_[static_cast<std::size_t>(node.parent)], motion.nodes[i].r, a);
    }
    if (loops_.concerns(i)) loops_.add_efforts(i, node.dof, v_dot.data() + node.first_dof);
    if (is_driven(i)) {
      auto rates = v_dot.segment(node.first_dof, node.dof);
      if (!moves_driven) rates.setZero();
      for (int k = 0; k < node.dof; ++k) a += rates[k] * motion.S[first + static_cast<std::size_t>(k)];
      const Vec6 wrench = inertia_[i] * a + wrenches_[i];
      for (int k = 0; k < node.dof; ++k)
        tau[node.first_dof + k] = motion.S[first + static_cast<std::size_t>(k)].dot(wrench);
    } else if (node.dof == 1) {
      v_dot[node.first_dof] = move_one(v_dot[node.first_dof], motion.S[first], U_[first],
                                       D_inverse_[static_cast<std::size_t>(node.first_square)], a);
    } else {
      with_dof(node.dof, [&]<int Dof>() {
        if constexpr (Dof > 0) {
          const auto S = columns<Dof>(motion.S, node.first_dof), U = columns<Dof>(U_, node.first_dof);
          const Eigen::Map<const Mat<Dof, Dof>> D_inverse(D_inverse_.data() + node.first_square);
          auto rates = v_dot.segment<Dof>(node.first_dof);
          const Vec<Dof> u = rates - U.transpose() * a;
          rates.noalias() = D_inverse * u;
          a.noalias() += S * rates;
        }
      });
    }
    if (loops_.concerns(i)) loops_.resolve(i, a);
  }
}

void ArticulatedBodies::compute_accelerations(std::span<const Vec6> wrenches, VecX& tau, VecX& v_dot,
                                              const VecX& row_targets) {
  v_dot.conservativeResize(tree_.dof());
  for (std::size_t i = 0; i < wrenches_.size(); ++i) {
    bias_wrenches_[i] = bias_wrench(tree_.nodes()[i], motion_->nodes[i]);
    wrenches_[i] = bias_wrenches_[i] - wrenches[i];
  }
  solve(tau, v_dot, true, row_targets);
}

void ArticulatedBodies::compute_response(std::span<const Vec6> wrenches, const VecX& tau, VecX& delta_v,
                                         const VecX& row_targets) {
  delta_v.resize(tree_.dof());
  for (std::size_t i = 0; i < wrenches_.size(); ++i)
    wrenches_[i] = wrenches.empty() ? Vec6(Vec6::Zero()) : -wrenches[i];
  if (tau.size() > 0)
    response_tau_ = tau;
  else
    response_tau_.setZero(tree_.dof());
  solve(response_tau_, delta_v, false, row_targets);
}

void ArticulatedBodies::compute_driven_response(VecX& tau, VecX& delta_v) {
  tau.setZero(tree_.dof());
  std::fill(wrenches_.begin(), wrenches_.end(), Vec6::Zero());
  solve(tau, delta_v, true, {});
}

void compute_inverse_dynamics(const KinematicTree& tree, const TreeMotion& motion, std::span<const Vec6> wrenches,
                              const VecX& v_dot, std::vector<Vec6>& joint_wrenches, VecX& tau) {
  const std::size_t count = motion.nodes.size();
  joint_wrenches.resize(count);
  tau.resize(tree.dof());
  for (std::size_t i = 0; i < count; ++i) {  // J v̇, until the way back
    const TreeNode& node = tree.nodes()[i];
    Vec6 a = node.parent < 0 ? Vec6(Vec6::Zero())
                             : shifted(joint_wrenches[static_cast<std::size_t>(node.parent)], motion.nodes[i].r);
    for (int k = node.first_dof; k < node.first_dof + node.dof; ++k)
      a += v_dot[k] * motion.S[static_cast<std::size_t>(k)];
    joint_wrenches[i] = a;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const TreeNode& node = tree.nodes()[i];
    const NodeMotion& m = motion.nodes[i];
    joint_wrenches[i] = multiply_inertia(node, m, joint_wrenches[i]) + bias_wrench(node, m) - wrenches[i];
  }
  for (std::size_t i = count; i-- > 0;) {
    const TreeNode& node = tree.nodes()[i];
    for (int k = node.first_dof; k < node.first_dof + node.dof; ++k)
      tau[k] = motion.S[static_cast<std::size_t>(k)].dot(joint_wrenches[i]);
    if (node.parent >= 0)
      joint_wrenches[static_cast<std::size_t>(node.parent)] += shifted_back(joint_wrenches[i], motion.nodes[i].r);
  }
}

}  // namespace sinew
