#include "sinew/simulation/failure_causes.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/dynamics/constraint_rows.h"
#include "sinew/dynamics/coordinate_row.h"
#include "sinew/dynamics/joint_reaction.h"

namespace sinew {
namespace {

constexpr int kSamples = 32;             // of the time of a step
constexpr double kStepsAhead = 2;        // of the last good state: accelerations lead further than its rate alone
constexpr double kRankTolerance = 1e-7;  // as in dynamics/redundancy.cpp
constexpr int kMostBodies = 200;         // beyond, dense ranks take too long
constexpr double kFastest = 2;           // ω dt: leapfrog's limit [Hairer2006, I.5]

/// Which of the value and the derivatives a signal needs is not finite at some time.
std::string find_not_finite(const Signal& signal, int derivatives, double start, double end) {
  if (signal.expression.empty()) return "";  // waves and tables of finite numbers are finite
  for (int i = 0; i <= kSamples; ++i) {
    const double time = start + (end - start) * i / kSamples;
    const Jet jet = signal.at(time);
    const double values[] = {jet.value, jet.rate, jet.acceleration};
    constexpr std::string_view kNames[] = {"", "the rate of ", "the acceleration of "};
    for (int k = 0; k <= derivatives; ++k) {
      if (!std::isfinite(values[k]))
        return fmt::format("{}{} is {} at t = {:.9g} s", kNames[k], signal.expression.text(), values[k], time);
    }
  }
  return "";
}

/// Visits the fields of a force for a signal that is not finite.
struct SignalVisitor {
  double start, end;
  std::string field, finding;

  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    if constexpr (std::is_same_v<Member, Signal>) {
      if (!finding.empty()) return;
      finding = find_not_finite(member, 0, start, end);
      field = info.name;
    }
  }
};

std::pair<double, double> coordinate_and_rate(const CoordinateForce& force, int i, const State& state) {
  std::vector<BodyPlace> places;
  for (const int body : force.bodies(i)) places.push_back(body_place(state, body));
  std::vector<CoordinateForce::Row> gradient(places.size());
  const double coordinate = force.coordinate(i, places, force.near(state, i), gradient);
  double rate = 0;
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    const auto body = static_cast<std::size_t>(force.bodies(i)[k]);
    rate += gradient[k].dot(stacked(state.v_W[body], state.omega_B[body]));
  }
  return {coordinate, rate};
}

std::string expressions_of(const CoordinateLaw& law, std::size_t i) {
  std::vector<std::string> parts;
  if (!law.potentials.empty()) parts.push_back("potential " + law.potentials[i].text());
  if (!law.efforts.empty()) parts.push_back("effort " + law.efforts[i].text());
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Rows by (δx_W, δφ_B) of all bodies, each of length 1.
class Rows {
 public:
  explicit Rows(const Model& model) : width_(6 * model.body_count()) {}

  template <class... Parts>
  void add(const Parts&... body_and_row) {
    VecX row = VecX::Zero(width_);
    const auto put = [&](const auto& part) {
      if (part.first != kWorld) row.segment<6>(6 * part.first) += part.second.transpose();
    };
    (put(body_and_row), ...);
    if (row.norm() > 0) rows_.push_back(row.normalized());
  }
  std::size_t size() const { return rows_.size(); }
  int rank_without(std::size_t left_out) const {
    Eigen::MatrixXd columns(width_, static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i)
      columns.col(static_cast<Eigen::Index>(i)) = i == left_out ? VecX(VecX::Zero(width_)) : rows_[i];
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(columns);
    qr.setThreshold(kRankTolerance);
    return static_cast<int>(qr.rank());
  }

 private:
  Eigen::Index width_;
  std::vector<VecX> rows_;
};

using BodyRow = std::pair<int, Mat<1, 6>>;

void add_constraints(const Model& model, const State& state, Rows& out) {
  for (const ModelJoint& joint : model.joints()) {
    const JointConstraint c =
        compute_joint_constraint(joint, body_place(state, joint.parent), body_place(state, joint.child));
    for (int row = 0; row < joint.rows; ++row)
      out.add(BodyRow{joint.child, c.Gt_child.col(row).transpose()},
              BodyRow{joint.parent, c.Gt_parent.col(row).transpose()});
  }
  for (const ModelConstraint& constraint : model.constraints()) {
    const ConstraintRows c =
        compute_constraint_rows(model, constraint, constraint_places(constraint, state), state.joint_q);
    for (int row = 0; row < constraint.rows; ++row) {
      const auto part = [&](std::size_t b) {
        return b < static_cast<std::size_t>(constraint.body_count) ? BodyRow{constraint.bodies[b], c.A[b].row(row)}
                                                                   : BodyRow{kWorld, Mat<1, 6>::Zero()};
      };
      [&]<std::size_t... kBodies>(std::index_sequence<kBodies...>) {
        out.add(part(kBodies)...);
      }(std::make_index_sequence<std::tuple_size_v<decltype(c.A)>>());
    }
  }
}

}  // namespace

std::string find_signal_not_finite(const SceneDescription& scene, double start, double end) {
  for (std::size_t j = 0; j < scene.joints.size(); ++j) {
    for (std::size_t k = 0; k < scene.joints[j].motions.size(); ++k) {
      const PrescribedMotion& motion = scene.joints[j].motions[k];
      if (motion.is_free()) continue;
      const std::string finding = find_not_finite(motion.signal(), 2 - motion.order(), start, end);
      if (!finding.empty())
        return fmt::format("the motion of joint '{}' (joints[{}].motions[{}]) is not finite: {}", scene.joints[j].name,
                           j, k, finding);
    }
  }
  for (std::size_t i = 0; i < scene.forces.size(); ++i) {
    SignalVisitor visitor{start, end, "", ""};
    const std::string name = std::visit(
        [&]<class F>(const F& force) {
          F::visit_fields(force, visitor);
          return force.name();
        },
        scene.forces[i]);
    if (!visitor.finding.empty())
      return fmt::format("the {} of '{}' (forces[{}]) is not finite: {}", visitor.field, name, i, visitor.finding);
  }
  return "";
}

std::string find_law_not_finite(const SceneDescription& scene, const Model& model, const State& state, double dt) {
  for (std::size_t f = 0; f < scene.forces.size(); ++f) {
    const auto* described = std::get_if<CoordinateLaw>(&scene.forces[f]);
    if (described == nullptr) continue;
    CoordinateLaw law = *described;
    law.bind(model);
    for (int i = 0; i < law.coordinate_count(); ++i) {
      const auto [start, rate] = coordinate_and_rate(law, i, state);
      for (int sample = 0; sample <= kSamples; ++sample) {
        const double passed = kStepsAhead * dt * sample / kSamples, q = start + passed * rate, t = state.time + passed;
        const Effort effort = law.effort(i, q, rate, {t, nullptr});
        if (std::isfinite(effort.value) && std::isfinite(effort.by_coordinate) && std::isfinite(effort.by_rate))
          continue;
        return fmt::format(
            "the law '{}' (forces[{}]) or its derivative is not finite near q = {:.6g}, v = {:.6g}, "
            "t = {:.6g} s: {}",
            law.name(), f, q, rate, t, expressions_of(law, static_cast<std::size_t>(i)));
      }
    }
  }
  return "";
}

std::string find_overdriven_joints(const Model& model, const State& state) {
  if (!model.has_motions() || model.body_count() > kMostBodies) return "";
  Rows rows(model);
  add_constraints(model, state, rows);
  const std::size_t held = rows.size();
  const int free = 6 * model.body_count() - rows.rank_without(held);
  std::vector<int> joint_of;  // of each row after `held`
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    const BodyPlace parent = body_place(state, joint.parent), child = body_place(state, joint.child);
    for (int k = 0; k < static_cast<int>(joint.motions.size()); ++k) {
      if (joint.motions[static_cast<std::size_t>(k)].is_free()) continue;
      const int turning = k - (joint.dof - quaternion_dof(joint.type));
      if (turning < 0 && k >= joint.scalars()) continue;
      const CoordinateRow q =
          turning >= 0 ? compute_turning_row(joint, turning, parent, child)
                       : compute_coordinate_row(joint, k, parent, child, state.joint_q[joint.first_coordinate + k]);
      rows.add(BodyRow{joint.child, q.child}, BodyRow{joint.parent, q.parent});
      joint_of.resize(rows.size() - held, j);
    }
  }
  const int rank = rows.rank_without(rows.size());
  const int driven = static_cast<int>(joint_of.size()), taken = rank - (6 * model.body_count() - free);
  if (taken == driven) return "";
  std::vector<std::string> names;
  for (std::size_t i = 0; i < joint_of.size(); ++i) {
    const std::string name = fmt::format("'{}'", model.joint(joint_of[i]).name);
    if (rows.rank_without(held + i) == rank && (names.empty() || names.back() != name)) names.push_back(name);
  }
  return fmt::format(
      "motions contradict each other: {} follow {}, which leave each other no freedom; leave {} of their coordinates "
      "free, or give motions that fit at all times",
      fmt::join(names, ", "), names.size() == 1 ? "its motions" : "theirs", driven - taken);
}

// Joints that pull at a body on both sides straighten it: turned by δφ, it feels the torque −K δφ,  K = Σ (r·F) 1 − F rᵀ about its centre of mass. Links
// of mass m and length l under the tension T then vibrate across it with up to ω = √(12 T/(m l)), neighbours against each other. Impulses of joints act along
// the rows at the start of a step, so ω dt must stay below 2.
std::string find_fast_vibration(const Model& model, const State& state, double dt) {
  std::vector<Mat3> K(static_cast<std::size_t>(model.body_count()), Mat3::Zero());  // world axes
  std::vector<double> pull(K.size(), 0.0);                                          // N, the largest
  for (const ModelJoint& joint : model.joints()) {
    const Vec3 force = compute_joint_reaction(joint, state).force_W;
    const auto add = [&](int body, const Pose& X_body, double sign) {
      if (body == kWorld) return;
      const auto i = static_cast<std::size_t>(body);
      const Vec3 r = state.q_WB[i] * X_body.p, F = sign * force;
      K[i] += r.dot(F) * Mat3::Identity() - F * r.transpose();
      pull[i] = std::max(pull[i], F.norm());
    };
    add(joint.child, joint.X_CB, 1);
    add(joint.parent, joint.X_PA, -1);
  }
  int fastest = -1;
  double largest = kFastest / dt;  // rad/s
  for (std::size_t i = 0; i < K.size(); ++i) {
    const Mat3 R = state.q_WB[i].toRotationMatrix();
    const Mat3 stiffness = R.transpose() * (K[i] + K[i].transpose()) / 2 * R;
    if (!stiffness.allFinite()) continue;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Mat3> modes(stiffness, model.body(static_cast<int>(i)).inertia(),
                                                               Eigen::EigenvaluesOnly);
    const double omega = std::sqrt(std::max(modes.eigenvalues().maxCoeff(), 0.0));
    if (omega > largest) largest = omega, fastest = static_cast<int>(i);
  }
  if (fastest < 0) return "";
  return fmt::format(
      "joints pull at '{}' with {:.3g} N, across which so light a body vibrates at up to {:.3g} rad/s: dt times that "
      "must "
      "be below {}, take dt below {:.1e} s, or a heavier body",
      model.body_name(fastest), pull[static_cast<std::size_t>(fastest)], largest, kFastest, kFastest / largest);
}

}  // namespace sinew
