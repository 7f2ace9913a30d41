// A motor at a joint: effort along the joint's degrees of freedom, on the child, and the opposite on the parent.
//   w_child = S (SᵀS)⁻¹ τ a(t) in frame B                                                             [Bruedigam2024, (1a), (1b)]
// The effort is given, so D = 0; K would only say how the axes of the joint turn, and is left out.
#pragma once

#include "sinew/core/fields.h"
#include "sinew/core/signal.h"
#include "sinew/forces/force.h"

namespace sinew {

class JointActuator final : public Force {
 public:
  static constexpr std::string_view kName = "actuator";
  static constexpr std::string_view kDoc =
      "force or torque along the degrees of freedom of a joint, on the child; the parent gets the opposite";

  std::string label;
  JointName joint;
  std::vector<double> effort;
  Signal signal;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `actuator` if not given"), self.label);
    visit(required("joint", "", "joint it drives"), self.joint);
    visit(required("effort", "N or N m", "one number per degree of freedom of the joint"), self.effort);
    visit(optional("signal", "", "factor over time; 1 if not given"), self.signal);
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  void add_wrenches(const ForceContext& context, std::vector<AppliedWrench>& out) const override;
  const ModelJoint* along_joint() const override { return driven_; }
  std::unique_ptr<Force> clone() const override { return std::make_unique<JointActuator>(*this); }

 private:
  const ModelJoint* driven_ = nullptr;
};

/// The pair of wrenches of efforts along one joint; efforts has joint.dof numbers.
void add_joint_effort(const ForceContext& context, const ModelJoint& joint, const double* efforts,
                      std::vector<AppliedWrench>& out);

}  // namespace sinew
