#include "sinew/simulation/probes.h"

#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/joint_reaction.h"
#include "sinew/dynamics/kinematics.h"
#include "sinew/system/joint_effort.h"

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

// The numbers of a joint: one is called as the probe, several get their own names behind it.
std::vector<LedgerColumn> joint_columns(const std::string& probe, std::span<const CoordinateInfo> infos) {
  if (infos.size() == 1) return {{probe, std::string(infos[0].unit)}};
  std::vector<LedgerColumn> columns;
  for (const CoordinateInfo& info : infos)
    columns.push_back({fmt::format("{}.{}", probe, info.name), std::string(info.unit)});
  return columns;
}

/// Of the effort whose power with a rate of the given unit is in W.
std::string effort_unit(std::string_view rate_unit) {
  if (rate_unit == "m/s") return "N";
  if (rate_unit == "rad/s") return "N m";
  return rate_unit == "1/s" ? "J" : "N or N m";
}

void write(const Vec3& v, double* out) { Eigen::Map<Vec3>{out} = v; }

// One overload per kind: what a probe is called (columns) and how it is read.
struct MadeProbe {
  std::vector<LedgerColumn> columns;
  std::function<void(const ProbedMoment&, double*)> reader;
};

MadeProbe make_probe(const std::string& name, const PointPositionProbe& p, const System& system, const Ledger&) {
  const Model& model = system.model();
  const int body = model.find_body(p.body.name);
  return {name_columns(name, kXyz, "m"), [&model, body, point = p.point](const ProbedMoment& now, double* out) {
            write(body_pose(model, now.state, body) * point, out);
          }};
}
MadeProbe make_probe(const std::string& name, const PointVelocityProbe& p, const System& system, const Ledger&) {
  const Model& model = system.model();
  const int body = model.find_body(p.body.name);
  return {name_columns(name, kXyz, "m/s"), [&model, body, point = p.point](const ProbedMoment& now, double* out) {
            const State& s = now.state;
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
  return {columns, [&model, body](const ProbedMoment& now, double* out) {
            const Pose X = body_pose(model, now.state, body);
            write(X.p, out);
            Eigen::Map<Vec<4>>(out + 3) << X.q.w(), X.q.x(), X.q.y(), X.q.z();
          }};
}
MadeProbe make_probe(const std::string& name, const JointCoordinateProbe& p, const System& system, const Ledger&) {
  const ModelJoint& joint = system.model().joint(system.model().find_joint(p.joint.name));
  return {joint_columns(name, coordinate_info(joint.type)), [&joint](const ProbedMoment& now, double* out) {
            Eigen::Map<VecX>(out, joint.coordinates) =
                now.state.joint_q.segment(joint.first_coordinate, joint.coordinates);
          }};
}
MadeProbe make_probe(const std::string& name, const JointRateProbe& p, const System& system, const Ledger&) {
  const ModelJoint& joint = system.model().joint(system.model().find_joint(p.joint.name));
  return {joint_columns(name, rate_info(joint.type)),
          [&joint](const ProbedMoment& now, double* out) { compute_joint_rates(joint, now.state, out); }};
}
// The frames are those of the scene, before the builder turned them to the axis of the joint.
MadeProbe make_joint_reaction_probe(const std::string& name, const ModelJoint& joint, ReactionFrame frame) {
  std::vector<LedgerColumn> columns = name_columns(name, {"fx", "fy", "fz"}, "N");
  for (const LedgerColumn& column : name_columns(name, {"tx", "ty", "tz"}, "N m")) columns.push_back(column);
  const Quat alignment = std::visit([](const auto& type) { return Quat(type.alignment()); }, joint.type);
  return {columns, [&joint, frame, alignment](const ProbedMoment& now, double* out) {
            const JointReaction reaction = compute_joint_reaction(joint, now.state, now.reactions);
            const bool is_world = frame == ReactionFrame::World;
            const Wrench& turned = frame == ReactionFrame::Parent ? reaction.in_A : reaction.in_B;
            write(is_world ? reaction.force_W : alignment * turned.force, out);
            write(is_world ? reaction.torque_W : alignment * turned.torque, out + 3);
          }};
}

// Of a constraint between coordinates the effort on each, ratio · λ; of others λ itself.
MadeProbe make_constraint_reaction_probe(const std::string& name, const Model& model,
                                         const ModelConstraint& constraint) {
  std::vector<LedgerColumn> columns;
  for (const CouplingTerm& term : constraint.terms) {
    const ModelJoint& joint = model.joint(term.joint);
    const CoordinateInfo& rate = rate_info(joint.type)[static_cast<std::size_t>(term.coordinate)];
    const std::string of_joint = fmt::format("{}.{}", name, joint.name);
    columns.push_back(
        {joint.scalars() == 1 ? of_joint : fmt::format("{}.{}", of_joint, rate.name), effort_unit(rate.unit)});
  }
  if (!columns.empty()) {
    return {columns, [&constraint](const ProbedMoment& now, double* out) {
              const double lambda = now.state.reaction[constraint.first_row];
              for (const CouplingTerm& term : constraint.terms) *out++ = term.ratio * lambda;
            }};
  }
  for (const std::string_view force : force_rows(constraint.type))
    columns.push_back({force.empty() ? name : fmt::format("{}.{}", name, force), "N"});
  return {columns, [&constraint](const ProbedMoment& now, double* out) {
            Eigen::Map<VecX>(out, constraint.rows) = now.state.reaction.segment(constraint.first_row, constraint.rows);
          }};
}

MadeProbe make_probe(const std::string& name, const ReactionProbe& p, const System& system, const Ledger&) {
  const Model& model = system.model();
  if (p.joint.has_value() == p.constraint.has_value())
    throw Error(ErrorKind::Input, "joint",
                fmt::format("expected 'joint' or 'constraint', got {}", p.joint ? "both" : "none of them"));
  if (p.joint) return make_joint_reaction_probe(name, model.joint(model.find_joint(p.joint->name)), p.frame);
  if (p.frame != ReactionFrame::World)
    throw Error(ErrorKind::Input, "frame", "expected 'frame' with a joint only, got it with a constraint");
  return make_constraint_reaction_probe(name, model, model.constraint(model.find_constraint(p.constraint->name)));
}
MadeProbe make_probe(const std::string& name, const JointEffortProbe& p, const System& system, const Ledger&) {
  const ModelJoint& joint = system.model().joint(system.model().find_joint(p.joint.name));
  JointEffort effort(system, joint, p.force);
  std::vector<LedgerColumn> columns = joint_columns(name, rate_info(joint.type));
  for (LedgerColumn& column : columns) column.unit = effort_unit(column.unit);
  return {columns, [effort = std::move(effort)](const ProbedMoment& now, double* out) mutable {
            effort.compute(now.state, now.control, out);
          }};
}
MadeProbe make_probe(const std::string& name, const LedgerProbe& p, const System&, const Ledger& ledger) {
  const int column = ledger.find_column(p.entry);
  const auto k = static_cast<std::size_t>(column);
  return {{{name, ledger.columns()[k].unit}},
          [k](const ProbedMoment& now, double* out) { *out = now.ledger.values()[k]; }};
}

}  // namespace

Probes::Probes(const std::vector<ProbeDescription>& probes, const System& system, const Ledger& ledger)
    : least_reactions_(system.model()) {
  std::vector<Diagnostic> errors;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    try {
      MadeProbe made =
          std::visit([&](const auto& p) { return make_probe(probes[i].name, p, system, ledger); }, probes[i].probe);
      reads_reactions_ = reads_reactions_ || std::holds_alternative<ReactionProbe>(probes[i].probe);
      entries_.push_back({std::move(made.reader), columns_.size()});
      columns_.insert(columns_.end(), made.columns.begin(), made.columns.end());
    } catch (const Error& error) {
      errors.push_back({fmt::format("probes[{}]", i), error.diagnostics().front().message});
    }
  }
  if (!errors.empty()) throw Error(ErrorKind::Input, std::move(errors));
  values_.assign(columns_.size(), 0.0);
}

std::span<const double> Probes::read(const State& state, const Ledger& ledger, const Control& control) {
  if (reads_reactions_) {
    reactions_ = state.reaction;
    least_reactions_.factorize(state);
    least_reactions_.apply(reactions_);
  }
  for (const Entry& entry : entries_) entry.reader({state, ledger, control, reactions_}, values_.data() + entry.first);
  return values_;
}

}  // namespace sinew
