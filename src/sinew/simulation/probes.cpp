#include "sinew/simulation/probes.h"

#include <fmt/format.h>

#include "sinew/dynamics/joint_constraint.h"
#include "sinew/dynamics/kinematics.h"

namespace sinew {
namespace {

const std::vector<std::string> kXyz = {"x", "y", "z"};
const std::vector<std::string> kQuaternion = {"qw", "qx", "qy", "qz"};

std::vector<LedgerColumn> name_columns(const std::string& probe, const std::vector<std::string>& suffixes,
                                       const std::string& unit) {
  std::vector<LedgerColumn> columns;
  for (const std::string& suffix : suffixes) columns.push_back({probe + "." + suffix, unit});
  return columns;
}

// Columns of `count` numbers of a joint: translational joints in m, rotational in rad, quaternions without unit.
std::vector<LedgerColumn> joint_columns(const std::string& probe, const ModelJoint& joint, int count,
                                        std::string_view per) {
  const bool slides = joint.dof == 1 && joint.translation_rows == 2;
  const std::string unit = fmt::format("{}{}", slides ? "m" : "rad", per);
  if (count == 1) return {{probe, unit}};
  if (count == 4) return name_columns(probe, kQuaternion, "");
  std::vector<std::string> suffixes;
  for (int i = 0; i < count; ++i)
    suffixes.push_back(count == 3 ? kXyz[static_cast<std::size_t>(i)] : fmt::format("{}", i));
  return name_columns(probe, suffixes, unit);
}

void write(const Vec3& v, double* out) { Eigen::Map<Vec3>{out} = v; }

// One overload per kind: what a probe is called (columns) and how it is read.
struct MadeProbe {
  std::vector<LedgerColumn> columns;
  std::function<void(const State&, const Ledger&, double*)> reader;
};

MadeProbe make_probe(const std::string& name, const PointPositionProbe& p, const System& system, const Ledger&) {
  const Model& model = system.model();
  const int body = model.find_body(p.body.name);
  return {name_columns(name, kXyz, "m"), [&model, body, point = p.point](const State& s, const Ledger&, double* out) {
            write(body_pose(model, s, body) * point, out);
          }};
}
MadeProbe make_probe(const std::string& name, const PointVelocityProbe& p, const System& system, const Ledger&) {
  const Model& model = system.model();
  const int body = model.find_body(p.body.name);
  return {name_columns(name, kXyz, "m/s"), [&model, body, point = p.point](const State& s, const Ledger&, double* out) {
            if (body == kWorld) return write(Vec3::Zero(), out);
            const auto k = static_cast<std::size_t>(body);
            write(s.v_W[k] + s.q_WB[k] * s.omega_B[k].cross(point - model.body(body).com()), out);
          }};
}
MadeProbe make_probe(const std::string& name, const BodyPoseProbe& p, const System& system, const Ledger&) {
  const Model& model = system.model();
  const int body = model.find_body(p.body.name);
  std::vector<LedgerColumn> columns = name_columns(name, kXyz, "m");
  for (const LedgerColumn& column : name_columns(name, kQuaternion, "")) columns.push_back(column);
  return {columns, [&model, body](const State& s, const Ledger&, double* out) {
            const Pose X = body_pose(model, s, body);
            write(X.p, out);
            Eigen::Map<Vec<4>>(out + 3) << X.q.w(), X.q.x(), X.q.y(), X.q.z();
          }};
}
MadeProbe make_probe(const std::string& name, const JointCoordinateProbe& p, const System& system, const Ledger&) {
  const ModelJoint& joint = system.model().joint(system.model().find_joint(p.joint.name));
  return {joint_columns(name, joint, joint.coordinates, ""), [&joint](const State& s, const Ledger&, double* out) {
            Eigen::Map<VecX>(out, joint.coordinates) = s.joint_q.segment(joint.first_coordinate, joint.coordinates);
          }};
}
MadeProbe make_probe(const std::string& name, const JointRateProbe& p, const System& system, const Ledger&) {
  const ModelJoint& joint = system.model().joint(system.model().find_joint(p.joint.name));
  return {joint_columns(name, joint, joint.dof, "/s"),
          [&joint](const State& s, const Ledger&, double* out) { compute_joint_rates(joint, s, out); }};
}
MadeProbe make_probe(const std::string& name, const JointReactionProbe& p, const System& system, const Ledger&) {
  const ModelJoint& joint = system.model().joint(system.model().find_joint(p.joint.name));
  std::vector<LedgerColumn> columns = name_columns(name, {"fx", "fy", "fz"}, "N");
  for (const LedgerColumn& column : name_columns(name, {"tx", "ty", "tz"}, "N m")) columns.push_back(column);
  return {columns, [&joint](const State& s, const Ledger&, double* out) {
            const JointReaction reaction = compute_joint_reaction(joint, s);
            write(reaction.force_W, out);
            write(reaction.torque_W, out + 3);
          }};
}
MadeProbe make_probe(const std::string& name, const LedgerProbe& p, const System&, const Ledger& ledger) {
  const int column = ledger.find_column(p.entry);
  const auto k = static_cast<std::size_t>(column);
  return {{{name, ledger.columns()[k].unit}},
          [k](const State&, const Ledger& l, double* out) { *out = l.values()[k]; }};
}

}  // namespace

Probes::Probes(const std::vector<ProbeDescription>& probes, const System& system, const Ledger& ledger) {
  std::vector<Diagnostic> errors;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    try {
      MadeProbe made =
          std::visit([&](const auto& p) { return make_probe(probes[i].name, p, system, ledger); }, probes[i].probe);
      entries_.push_back({std::move(made.reader), columns_.size()});
      columns_.insert(columns_.end(), made.columns.begin(), made.columns.end());
    } catch (const Error& error) {
      errors.push_back({fmt::format("probes[{}]", i), error.diagnostics().front().message});
    }
  }
  if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));
  values_.assign(columns_.size(), 0.0);
}

std::span<const double> Probes::read(const State& state, const Ledger& ledger) {
  for (const Entry& entry : entries_) entry.reader(state, ledger, values_.data() + entry.first);
  return values_;
}

JointReaction compute_joint_reaction(const ModelJoint& joint, const State& state) {
  const BodyPlace child = body_place(state, joint.child);
  return std::visit(
      [&]<class J>(const J&) {
        const JointConstraint<J> c = compute_joint_constraint<J>(joint, body_place(state, joint.parent), child);
        const Vec6 wrench = c.G_child.transpose() * state.reaction.segment<J::kRows>(joint.first_row);
        const Vec3 force_W = wrench.head<3>();
        const Vec3 arm_W = child.R_WB * joint.X_CB.p;  // from the centre of mass to the joint
        return JointReaction{force_W, child.R_WB * wrench.tail<3>() - arm_W.cross(force_W)};
      },
      joint.type);
}

}  // namespace sinew
