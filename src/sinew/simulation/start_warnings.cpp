#include "sinew/simulation/start_warnings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "sinew/contact/contact_detector.h"
#include "sinew/steppers/touch.h"

namespace sinew {
namespace {

constexpr double kLeastDepth = 1e-6;  // m or rad: what people compute, unlike what they write with a few digits
constexpr std::size_t kMostLines = 5;

struct Finding {
  double depth;  // m or rad
  std::string text;
};

std::string body_text(const Model& model, int body) { return fmt::format("'{}'", model.body_name(body)); }

/// The world by the name of its shape, if that has one.
std::string partner_text(const Model& model, const Contact& contact) {
  if (contact.body_b != kWorld) return body_text(model, contact.body_b);
  auto shape = static_cast<std::size_t>(contact.shape_b);
  for (const Body& body : model.bodies()) shape -= body.shapes.size();
  const std::string& name = model.world_shapes()[shape].name;
  return name.empty() ? "the world" : fmt::format("'{}' of the world", name);
}

void add_overlaps(const Model& model, const State& state, std::vector<Finding>& out) {
  if (!model.contact().enabled) return;
  ContactDetector detector(model);
  const std::vector<double> margins(static_cast<std::size_t>(model.body_count()), 0.0);
  std::vector<Contact> contacts;
  detector.detect(state, margins, contacts);
  for (std::size_t begin = 0, end = 0; begin < contacts.size(); begin = end) {  // those of two bodies stand together
    const Contact& first = contacts[begin];
    const Contact* deepest = &first;
    double depth = 0;
    for (; end < contacts.size() && contacts[end].body_a == first.body_a && contacts[end].body_b == first.body_b;
         ++end) {
      const Contact& contact = contacts[end];
      const double gap =
          evaluate_contact(contact, com_pose(state, contact.body_a), com_pose(state, contact.body_b)).gap;
      if (-gap > depth) depth = -gap, deepest = &contact;
    }
    if (depth <= kLeastDepth) continue;
    const std::string a = body_text(model, first.body_a);
    out.push_back({depth, fmt::format("{} and {} overlap by {:.3g} m at the start: they will be thrown apart, with "
                                      "energy from nowhere; move {}, or keep them from colliding (contact.exclude, "
                                      "group and mask of shapes)",
                                      a, partner_text(model, *deepest), depth, a)});
  }
}

std::string coordinate_text(const ModelJoint& joint, int index) {
  if (index == swing_index(joint)) return fmt::format("the swing of joint '{}'", joint.name);
  if (index == twist_index(joint)) return fmt::format("the twist of joint '{}'", joint.name);
  const auto scalars = scalar_info(joint.type);
  if (scalars.size() == 1) return fmt::format("joint '{}'", joint.name);
  return fmt::format("coordinate '{}' of joint '{}'", scalars[static_cast<std::size_t>(index)].name, joint.name);
}

std::string_view unit_of(const ModelJoint& joint, int index) {
  return index < joint.scalars() ? scalar_info(joint.type)[static_cast<std::size_t>(index)].unit : "rad";
}

void add_stops(const Model& model, const State& state, std::vector<Finding>& out) {
  for (const ModelJoint& joint : model.joints()) {
    for_joint_stops(joint, state.joint_q, [&](int index, const JointStop& stop, double near) {
      const double q =
          compute_coordinate_row(joint, index, body_place(state, joint.parent), body_place(state, joint.child), near)
              .value;
      const bool is_lower = q < stop.lower;
      const double limit = is_lower ? stop.lower : stop.upper, depth = is_lower ? limit - q : q - limit;
      if (!(depth > kLeastDepth)) return;
      const double shown = std::abs(q) > kLeastDepth ? q : 0;  // without rounding errors of zero
      out.push_back({depth, fmt::format("{} starts at {:.6g} {}, {:.3g} beyond its {} stop at {:.6g}: it will be "
                                        "thrown back, with energy from nowhere; move '{}', or the stop",
                                        coordinate_text(joint, index), shown, unit_of(joint, index), depth,
                                        is_lower ? "lower" : "upper", limit, model.body_name(joint.child))});
    });
  }
}

/// Whether a joint has a stop at some angle or length.
bool has_stops(const ModelJoint& joint, const State& state) {
  bool has = false;
  for_joint_stops(joint, state.joint_q, [&](int, const JointStop& stop, double) {
    has = has || std::isfinite(stop.lower) || std::isfinite(stop.upper);
  });
  return has;
}

}  // namespace

std::vector<std::string> find_stepper_warnings(const AnyStepper& stepper, const Model& model, const State& state) {
  const Variational* variational = std::get_if<Variational>(&stepper);
  if (variational == nullptr || variational->order == 2) return {};
  std::vector<std::string> lines;
  const auto joint = std::ranges::find_if(model.joints(), [&](const ModelJoint& j) { return has_stops(j, state); });
  if (joint != model.joints().end())
    lines.push_back(
        fmt::format("joint '{}' has stops: with order 4 the run ends where they come near; use order 2 if "
                    "they are met",
                    joint->name));
  if (model.contact().enabled)
    lines.push_back(
        "bodies may touch: with order 4 the run ends where they come near each other; use order 2 if they "
        "meet, or keep them from colliding (contact.exclude, group and mask of shapes)");
  return lines;
}

std::vector<std::string> find_start_warnings(const Model& model, const State& state) {
  std::vector<Finding> findings;
  add_overlaps(model, state, findings);
  add_stops(model, state, findings);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.depth > b.depth; });
  std::vector<std::string> lines;
  for (Finding& finding : findings) {
    if (lines.size() == kMostLines) {
      lines.push_back(fmt::format("and {} more overlaps and stops like these", findings.size() - kMostLines));
      break;
    }
    lines.push_back(std::move(finding.text));
  }
  return lines;
}

}  // namespace sinew
