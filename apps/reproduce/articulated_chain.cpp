#include "reproduce/articulated_chain.h"

#include <Eigen/Dense>
#include <cmath>

#include "sinew/spatial/so3.h"

namespace sinew::reproduce {
namespace {

constexpr double kThinRodMoment = 1e-3;  // about its axis, of a rod without thickness (kg m²)

// Rigid-body inertia about the joint, for (ω, v).
Mat6 make_rigid(const ChainLink& link) {
  const Mat3 c = skew(link.com);
  Mat6 inertia;
  inertia << link.inertia - link.mass * c * c, link.mass * c, -link.mass * c, link.mass * Mat3::Identity();
  return inertia;
}

// v × m for motions and v ×* f for forces   [Featherstone2008, (2.31), (2.32)]
Vec6 cross_motion(const Vec6& v, const Vec6& m) {
  Vec6 result;
  result.head<3>() = v.head<3>().cross(m.head<3>());
  result.tail<3>() = v.head<3>().cross(m.tail<3>()) + v.tail<3>().cross(m.head<3>());
  return result;
}
Vec6 cross_force(const Vec6& v, const Vec6& f) {
  Vec6 result;
  result.head<3>() = v.head<3>().cross(f.head<3>()) + v.tail<3>().cross(f.tail<3>());
  result.tail<3>() = v.head<3>().cross(f.tail<3>());
  return result;
}

template <int Dof>
Mat<6, Dof> make_subspace() {
  Mat<6, Dof> s = Mat<6, Dof>::Zero();
  if constexpr (Dof == 1) {
    s(1, 0) = -1;
  } else {
    s.template topRows<3>().setIdentity();
  }
  return s;
}

}  // namespace

ChainLink make_rod(double mass, double length, double thickness) {
  const double across = mass * (length * length + thickness * thickness) / 12;
  const double about = thickness > 0 ? mass * thickness * thickness / 6 : kThinRodMoment;
  return {.mass = mass,
          .com = Vec3(0, 0, -length / 2),
          .inertia = Vec3(across, across, about).asDiagonal(),
          .end = Vec3(0, 0, -length)};
}

template <int Dof>
ArticulatedChain<Dof>::ArticulatedChain(std::vector<ChainLink> links, double gravity)
    : links_(std::move(links)), nodes_(links_.size()), gravity_(gravity) {
  for (const ChainLink& link : links_) rigid_.push_back(make_rigid(link));
}

template <int Dof>
ChainState ArticulatedChain<Dof>::make_state(const std::vector<double>& angles) const {
  ChainState state;
  double above = 0;
  for (const double angle : angles) {
    state.q.emplace_back(Eigen::AngleAxisd(angle - above, -Vec3::UnitY()));
    if constexpr (Dof == 1) state.angle.push_back(angle - above);
    above = angle;
  }
  state.rates = VecX::Zero(Dof * size());
  return state;
}

template <int Dof>
Vec6 ArticulatedChain<Dof>::to_child(int i, const Vec6& parent) const {
  const Mat3& R = nodes_[static_cast<std::size_t>(i)].R;
  Vec6 child;
  child.head<3>() = R.transpose() * parent.head<3>();
  child.tail<3>() = R.transpose() * (parent.tail<3>() + parent.head<3>().cross(base_of(i)));
  return child;
}

template <int Dof>
Vec6 ArticulatedChain<Dof>::to_parent(int i, const Vec6& wrench) const {
  const Mat3& R = nodes_[static_cast<std::size_t>(i)].R;
  Vec6 parent;
  parent.tail<3>() = R * wrench.tail<3>();
  parent.head<3>() = R * wrench.head<3>() + base_of(i).cross(parent.tail<3>());
  return parent;
}

template <int Dof>
void ArticulatedChain<Dof>::compute_velocities(const ChainState& state) {
  const MatS S = make_subspace<Dof>();
  for (int i = 0; i < size(); ++i) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.R = state.q[static_cast<std::size_t>(i)].toRotationMatrix();
    const Vec6 joint = S * state.rates.segment<Dof>(Dof * i);
    node.velocity = joint;
    if (i > 0) node.velocity += to_child(i, nodes_[static_cast<std::size_t>(i) - 1].velocity);
    node.bias = cross_motion(node.velocity, joint);
  }
}

// Articulated inertias and bias forces, from the last link to the first.
template <int Dof>
void ArticulatedChain<Dof>::factorize(const ChainState& state) {
  const MatS S = make_subspace<Dof>();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    nodes_[i].inertia = rigid_[i];
    nodes_[i].force = cross_force(nodes_[i].velocity, rigid_[i] * nodes_[i].velocity);
  }
  for (int i = size() - 1; i >= 0; --i) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.U.noalias() = node.inertia * S;
    node.inverse_d = (S.transpose() * node.U).inverse();
    node.u = -damping_ * state.rates.segment<Dof>(Dof * i) - S.transpose() * node.force;
    if (i == 0) break;
    Node& above = nodes_[static_cast<std::size_t>(i) - 1];
    const Mat6 inertia = node.inertia - node.U * node.inverse_d * node.U.transpose();
    above.force += to_parent(i, node.force + inertia * node.bias + node.U * (node.inverse_d * node.u));
    Mat6 X;  // to_child as a matrix
    X << node.R.transpose(), Mat3::Zero(), -node.R.transpose() * skew(base_of(i)), node.R.transpose();
    above.inertia.noalias() += X.transpose() * inertia * X;
  }
}

template <int Dof>
void ArticulatedChain<Dof>::accelerate(const ChainState& state, VecX& accelerations) {
  accelerations.resize(Dof * size());
  compute_velocities(state);
  factorize(state);
  const MatS S = make_subspace<Dof>();
  Vec6 above;  // the world, accelerated upwards instead of gravity downwards
  above << Vec3::Zero(), Vec3(0, 0, gravity_);
  for (int i = 0; i < size(); ++i) {
    Node& node = nodes_[static_cast<std::size_t>(i)];
    node.acceleration = to_child(i, above) + node.bias;
    accelerations.segment<Dof>(Dof * i) = node.inverse_d * (node.u - node.U.transpose() * node.acceleration);
    node.acceleration += S * accelerations.segment<Dof>(Dof * i);
    above = node.acceleration;
  }
  if (is_closed_) hold_end(accelerations);
}

// The force at the end of the last link that makes its acceleration zero.
template <int Dof>
void ArticulatedChain<Dof>::hold_end(VecX& accelerations) {
  const MatS S = make_subspace<Dof>();
  Mat3 R_W = Mat3::Identity();
  for (const Node& node : nodes_) R_W = R_W * node.R;
  const Vec3& end = links_.back().end;
  const auto end_acceleration = [&](const Vec6& a) { return Vec3(a.tail<3>() + a.head<3>().cross(end)); };
  const Vec6& v = nodes_.back().velocity;
  const Vec3 end_velocity = v.tail<3>() + v.head<3>().cross(end);
  const Vec3 free =
      R_W * (end_acceleration(nodes_.back().acceleration) + v.head<3>().cross(end_velocity)) - Vec3(0, 0, gravity_);

  constexpr int kRows = Dof == 1 ? 2 : 3;
  constexpr int kDirection[3] = {0, Dof == 1 ? 2 : 1, 2};
  Mat<kRows, kRows> A;
  Vec<kRows> b;
  std::vector<VecX> responses(kRows, VecX::Zero(Dof * size()));
  for (int k = 0; k < kRows; ++k) {
    Vec6 wrench;  // of a unit force on the last link, then its negative as a bias force up the chain
    wrench.tail<3>() = R_W.transpose() * Vec3::Unit(kDirection[k]);
    wrench.head<3>() = end.cross(wrench.tail<3>());
    Vec6 bias = -wrench;
    VecX& response = responses[static_cast<std::size_t>(k)];
    for (int i = size() - 1; i >= 0; --i) {
      const Node& node = nodes_[static_cast<std::size_t>(i)];
      response.segment<Dof>(Dof * i) = -node.inverse_d * (S.transpose() * bias);
      bias = to_parent(i, bias + node.U * response.segment<Dof>(Dof * i));
    }
    Vec6 above = Vec6::Zero();
    for (int i = 0; i < size(); ++i) {
      const Node& node = nodes_[static_cast<std::size_t>(i)];
      above = to_child(i, above);
      response.segment<Dof>(Dof * i) -= node.inverse_d * (node.U.transpose() * above);
      above += S * response.segment<Dof>(Dof * i);
    }
    const Vec3 moved = R_W * end_acceleration(above);
    for (int row = 0; row < kRows; ++row) A(row, k) = moved[kDirection[row]];
    b[k] = -free[kDirection[k]];
  }
  const Vec<kRows> lambda = A.fullPivLu().solve(b);
  for (int k = 0; k < kRows; ++k) accelerations += lambda[k] * responses[static_cast<std::size_t>(k)];
}

template <int Dof>
double ArticulatedChain<Dof>::energy(const ChainState& state) {
  compute_velocities(state);
  double energy = 0;
  Mat3 R_W = Mat3::Identity();
  Vec3 top = Vec3::Zero();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    R_W = R_W * nodes_[i].R;
    energy += 0.5 * nodes_[i].velocity.dot(rigid_[i] * nodes_[i].velocity);
    energy += links_[i].mass * gravity_ * (top + R_W * links_[i].com).z();
    top += R_W * links_[i].end;
  }
  return energy;
}

template <int Dof>
Vec3 ArticulatedChain<Dof>::end_point(const ChainState& state) const {
  Quat q = Quat::Identity();
  Vec3 top = Vec3::Zero();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    q = q * state.q[i];
    top += q * links_[i].end;
  }
  return top;
}

template <int Dof>
Vec3 ArticulatedChain<Dof>::center(const ChainState& state, int link) const {
  Quat q = Quat::Identity();
  Vec3 top = Vec3::Zero();
  for (std::size_t i = 0;; ++i) {
    q = q * state.q[i];
    if (i == static_cast<std::size_t>(link)) return top + q * links_[i].com;
    top += q * links_[i].end;
  }
}

template <int Dof>
double ArticulatedChain<Dof>::absolute_angle(const ChainState& state, int link) {
  double sum = 0;
  for (int i = 0; i <= link; ++i) sum += state.angle[static_cast<std::size_t>(i)];
  return sum;
}

template <int Dof>
void ArticulatedChain<Dof>::move(const ChainState& from, const VecX& phi, ChainState& to) {
  for (std::size_t i = 0; i < from.q.size(); ++i) {
    if constexpr (Dof == 1) {
      to.angle[i] = from.angle[i] + phi[static_cast<Eigen::Index>(i)];
      const double half = to.angle[i] / 2;
      to.q[i] = Quat(std::cos(half), 0, -std::sin(half), 0);
    } else {
      to.q[i] = (from.q[i] * exp_quat(phi.segment<3>(static_cast<Eigen::Index>(3 * i)))).normalized();
    }
  }
}

// φ̇ = ω + ½ φ × ω + (1/12) φ × (φ × ω) + O(φ⁴)   [Hairer2006, IV.(7.3)]
template <int Dof>
void ArticulatedChain<Dof>::tangent(const VecX& phi, const ChainState& state, VecX& phi_rate) {
  phi_rate = state.rates;
  if constexpr (Dof == 3) {
    for (Eigen::Index i = 0; i < phi.size(); i += 3) {
      const Vec3 p = phi.segment<3>(i), turned = p.cross(Vec3(state.rates.segment<3>(i)));
      phi_rate.segment<3>(i) += 0.5 * turned + p.cross(turned) / 12;
    }
  }
}

template class ArticulatedChain<1>;
template class ArticulatedChain<3>;

}  // namespace sinew::reproduce
