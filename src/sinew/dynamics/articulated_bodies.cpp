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

// The functions below are flattened: all they call becomes part of them, whatever the compiler thinks of the size.

/// Iᴬ of a body of its own.
[[gnu::flatten]] void set_inertia(double mass, const NodeMotion& motion, SpatialInertia& I) {
  const double x = motion.first_moment[0], y = motion.first_moment[1], z = motion.first_moment[2];
  I = {load_lanes(motion.inertia),
       {Lanes{0, z, -y, 0}, Lanes{-z, 0, x, 0}, Lanes{y, -x, 0, 0}},
       {Lanes{mass, 0, 0, 0}, Lanes{0, mass, 0, 0}, Lanes{0, 0, mass, 0}}};
}

/// U = Iᴬ S and D⁻¹ for one degree of freedom; what remains of Iᴬ, shifted, into the parent's.
[[gnu::flatten]] void eliminate_one(const Vec6& S, double extra, bool is_hinge, const Vec3& r, const SpatialInertia& I,
                                    Vec6& U, double& D_inverse, SpatialInertia* parent) {
  const Lanes axis = load_lanes(S.data());
  Lanes6 u;
  if (is_hinge) {
    u = {I.A * axis, transposed_times(I.B, axis)};
    D_inverse = 1 / (sum(axis * u.top) + extra);
  } else {
    const Lanes6 subspace = load_lanes(S);
    u = I * subspace;
    D_inverse = 1 / (dot(subspace, u) + extra);
  }
  store_lanes(u, U);
  if (parent != nullptr) *parent += shifted_back(plus_square(I, -D_inverse, u), load_lanes(r));
}

[[gnu::flatten]] void add_shifted_back(const SpatialInertia& I, const Vec3& r, SpatialInertia& out) {
  out += shifted_back(I, load_lanes(r));
}

/// u = τ − Sᵀ p, and p + U D⁻¹ u, shifted, into the parent's
[[gnu::flatten]] double pull_one(double tau, const Vec6& S, const Vec6& U, double D_inverse, const Vec3& r,
                                 const Vec6& wrench, Vec6* parent) {
  const Lanes6 p = load_lanes(wrench);
  const double u = tau - dot(load_lanes(S), p);
  if (parent == nullptr) return u;
  const Lanes6 up = p + u * D_inverse * load_lanes(U), sum = load_lanes(*parent);
  store_lanes(Lanes6{sum.top + up.top + cross(load_lanes(r), up.bottom), sum.bottom + up.bottom}, *parent);
  return u;
}

/// a = a_parent ⇧ r
[[gnu::always_inline]] inline Lanes6 carried(const Vec6* parent, const Vec3& r) {
  if (parent == nullptr) return {};
  const Lanes6 a = load_lanes(*parent);
  return {a.top, a.bottom + cross(a.top, load_lanes(r))};
}
[[gnu::flatten]] void carry(const Vec6* parent, const Vec3& r, Vec6& out) { store_lanes(carried(parent, r), out); }

/// v̇ = D⁻¹ (u − Uᵀ a), a + S v̇
[[gnu::flatten]] double move_one(double u, const Vec6& S, const Vec6& U, double D_inverse, const Vec6* parent,
                                 const Vec3& r, Vec6& out) {
  const Lanes6 a = carried(parent, r);
  const double rate = D_inverse * (u - dot(load_lanes(U), a));
  store_lanes(a + rate * load_lanes(S), out);
  return rate;
}

/// I x of one body
[[gnu::always_inline]] inline Lanes6 times_inertia(const NodeMotion& motion, double mass, const Lanes6& x) {
  const Lanes c = load_lanes(motion.first_moment);
  return {load_lanes(motion.inertia) * x.top + cross(c, x.bottom), mass * x.bottom - cross(c, x.top)};
}
/// I x + V ×* I V: what a body takes that accelerates by x.  With momentum (π, p) = I V:  V ×* (π, p) = (ω × π + v × p, ω × p)
[[gnu::always_inline]] inline Lanes6 newton_euler(const NodeMotion& motion, double mass, const Lanes6& x) {
  const Lanes6 V = load_lanes(motion.V), momentum = times_inertia(motion, mass, V);
  return times_inertia(motion, mass, x) +
         Lanes6{cross(V.top, momentum.top) + cross(V.bottom, momentum.bottom), cross(V.top, momentum.bottom)};
}

/// a ⇧ r + S v̇
[[gnu::flatten]] void accelerate(const Vec6* parent, const Vec3& r, const Vec6* S, const double* v_dot, int dof,
                                 Vec6& out) {
  Lanes6 a = carried(parent, r);
  for (int k = 0; k < dof; ++k) a = a + v_dot[k] * load_lanes(S[k]);
  store_lanes(a, out);
}
/// What a joint transmits to a body that accelerates by `a` besides its bias, under a wrench f; into the place of a.
[[gnu::flatten]] void transmit(const NodeMotion& motion, double mass, const Vec6& f, Vec6& a) {
  store_lanes(newton_euler(motion, mass, load_lanes(a) + load_lanes(motion.bias)) - load_lanes(f), a);
}
/// τ = Sᵀ w, and w, shifted, into the parent's
[[gnu::flatten]] void resolve(const Vec6& wrench, const Vec3& r, const Vec6* S, double* tau, int dof, Vec6* parent) {
  const Lanes6 w = load_lanes(wrench);
  for (int k = 0; k < dof; ++k) tau[k] = dot(load_lanes(S[k]), w);
  if (parent == nullptr) return;
  store_lanes(load_lanes(*parent) + Lanes6{w.top + cross(load_lanes(r), w.bottom), w.bottom}, *parent);
}

template <int Dof>
using Columns = Eigen::Map<const Mat<6, Dof>>;
template <int Dof>
Columns<Dof> columns(const std::vector<Vec6>& all, int first) {
  return Columns<Dof>(all[static_cast<std::size_t>(first)].data());
}

}  // namespace

[[gnu::flatten]] Vec6 multiply_inertia(const TreeNode& node, const NodeMotion& motion, const Vec6& x) {
  Vec6 out;
  store_lanes(times_inertia(motion, node.mass, load_lanes(x)), out);
  return out;
}

[[gnu::flatten]] Vec6 momentum_rate(const KinematicTree& tree, const TreeMotion& motion,
                                    std::span<const Vec6> accelerations) {
  Lanes6 sum;
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    const NodeMotion& m = motion.nodes[i];
    const Lanes6 rate = newton_euler(m, tree.nodes()[i].mass, load_lanes(accelerations[i]));
    sum = sum + Lanes6{rate.top + cross(load_lanes(m.x_W), rate.bottom), rate.bottom};
  }
  Vec6 out;
  store_lanes(sum, out);
  return out;
}

ArticulatedBodies::ArticulatedBodies(const KinematicTree& tree, std::vector<char> is_driven, LoopElimination loops)
    : tree_(tree),
      is_driven_(std::move(is_driven)),
      loops_(std::move(loops)),
      inertia_(static_cast<std::size_t>(tree.node_count())),
      U_(static_cast<std::size_t>(tree.dof())),
      D_inverse_(static_cast<std::size_t>(tree.squares())),
      wrenches_(static_cast<std::size_t>(tree.node_count())),
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
    SpatialInertia* parent = node.parent < 0 ? nullptr : &inertia_[static_cast<std::size_t>(node.parent)];
    if (is_driven(i)) {  // its motion is given: the parent carries all of it
      if (parent != nullptr) add_shifted_back(inertia_[i], motion.nodes[i].r, *parent);
    } else if (node.dof == 1) {
      eliminate_one(motion.S[first], extra.on_dof.size() > 0 ? extra.on_dof[node.first_dof] : 0.0, node.is_hinge,
                    motion.nodes[i].r, inertia_[i], U_[first], D_inverse_[static_cast<std::size_t>(node.first_square)],
                    parent);
    } else {
      SpatialInertia remaining = inertia_[i];
      with_dof(node.dof, [&]<int Dof>() {
        if constexpr (Dof > 0) {
          for (std::size_t k = first; k < first + Dof; ++k) U_[k] = inertia_[i] * motion.S[k];
          const auto S = columns<Dof>(motion.S, node.first_dof), U = columns<Dof>(U_, node.first_dof);
          Mat<Dof, Dof> D = S.transpose() * U;
          if (extra.on_dof.size() > 0) D.diagonal() += extra.on_dof.segment<Dof>(node.first_dof);
          const Eigen::LLT<Mat<Dof, Dof>> llt(D);
          Eigen::Map<Mat<Dof, Dof>>{D_inverse_.data() + node.first_square} = llt.solve(Mat<Dof, Dof>::Identity());
          const Mat<Dof, 6> W = llt.matrixL().solve(Mat<Dof, 6>(U.transpose()));  // U D⁻¹ Uᵀ = Wᵀ W
          for (int k = 0; k < Dof; ++k) remaining = plus_square(remaining, -1, load_lanes(Vec6(W.row(k).transpose())));
        }
      });
      if (parent != nullptr) add_shifted_back(remaining, motion.nodes[i].r, *parent);
    }
    if (loops_.concerns(i)) {
      loops_.pass(i, node.dof, motion.S.data() + first, U_.data() + first, D_inverse_.data() + node.first_square,
                  motion.nodes[i].r);
    }
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
    const Vec3& r = motion.nodes[i].r;
    Vec6* parent = node.parent < 0 ? nullptr : &wrenches_[static_cast<std::size_t>(node.parent)];
    if (is_driven(i)) {
      Vec6 a = Vec6::Zero();
      for (int k = node.first_dof; moves_driven && k < node.first_dof + node.dof; ++k)
        a += v_dot[k] * motion.S[static_cast<std::size_t>(k)];
      if (parent != nullptr) *parent += shifted_back(Vec6(wrenches_[i] + inertia_[i] * a), r);
    } else if (node.dof == 1) {
      v_dot[node.first_dof] =  // u, until the way outwards
          pull_one(tau[node.first_dof], motion.S[first], U_[first],
                   D_inverse_[static_cast<std::size_t>(node.first_square)], r, wrenches_[i], parent);
    } else {
      Vec6 up = wrenches_[i];
      with_dof(node.dof, [&]<int Dof>() {
        if constexpr (Dof > 0) {
          const auto S = columns<Dof>(motion.S, node.first_dof), U = columns<Dof>(U_, node.first_dof);
          const Eigen::Map<const Mat<Dof, Dof>> D_inverse(D_inverse_.data() + node.first_square);
          const Vec<Dof> u = tau.segment<Dof>(node.first_dof) - S.transpose() * up;
          v_dot.segment<Dof>(node.first_dof) = u;
          up.noalias() += U * (D_inverse * u);
        }
      });
      if (parent != nullptr) *parent += shifted_back(up, r);
    }
    if (loops_.concerns(i))
      loops_.pass(i, node.dof, v_dot.data() + node.first_dof, D_inverse_.data() + node.first_square);
  }
  loops_.end_solve(row_targets);
  for (std::size_t i = 0; i < accelerations_.size(); ++i) {
    const TreeNode& node = tree_.nodes()[i];
    const auto first = static_cast<std::size_t>(node.first_dof);
    Vec6& a = accelerations_[i];
    const Vec6* parent = node.parent < 0 ? nullptr : &accelerations_[static_cast<std::size_t>(node.parent)];
    if (loops_.concerns(i)) loops_.add_efforts(i, node.dof, v_dot.data() + node.first_dof);
    if (node.dof != 1 || is_driven(i)) carry(parent, motion.nodes[i].r, a);
    if (is_driven(i)) {
      auto rates = v_dot.segment(node.first_dof, node.dof);
      if (!moves_driven) rates.setZero();
      for (int k = 0; k < node.dof; ++k) a += rates[k] * motion.S[first + static_cast<std::size_t>(k)];
      const Vec6 wrench = inertia_[i] * a + wrenches_[i];
      for (int k = 0; k < node.dof; ++k)
        tau[node.first_dof + k] = motion.S[first + static_cast<std::size_t>(k)].dot(wrench);
    } else if (node.dof == 1) {
      v_dot[node.first_dof] =
          move_one(v_dot[node.first_dof], motion.S[first], U_[first],
                   D_inverse_[static_cast<std::size_t>(node.first_square)], parent, motion.nodes[i].r, a);
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
    wrenches_[i].setZero();  // of its acceleration besides its bias
    transmit(motion_->nodes[i], tree_.nodes()[i].mass, wrenches[i], wrenches_[i]);
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
  const auto parent_of = [&](const TreeNode& node) {
    return node.parent < 0 ? nullptr : &joint_wrenches[static_cast<std::size_t>(node.parent)];
  };
  for (std::size_t i = 0; i < count; ++i) {  // J v̇, until the way back
    const TreeNode& node = tree.nodes()[i];
    accelerate(parent_of(node), motion.nodes[i].r, motion.S.data() + node.first_dof, v_dot.data() + node.first_dof,
               node.dof, joint_wrenches[i]);
  }
  for (std::size_t i = 0; i < count; ++i)
    transmit(motion.nodes[i], tree.nodes()[i].mass, wrenches[i], joint_wrenches[i]);
  for (std::size_t i = count; i-- > 0;) {
    const TreeNode& node = tree.nodes()[i];
    resolve(joint_wrenches[i], motion.nodes[i].r, motion.S.data() + node.first_dof, tau.data() + node.first_dof,
            node.dof, parent_of(node));
  }
}

}  // namespace sinew
