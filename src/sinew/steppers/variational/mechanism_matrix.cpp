#include "sinew/steppers/variational/mechanism_matrix.h"

#include "sinew/linalg/elimination_order.h"

namespace sinew {

GraphLdu make_mechanism_matrix(const Model& model) {
  BlockGraph graph;
  std::vector<bool> is_joint;
  std::vector<int> ground_joints;
  for (int i = 0; i < model.body_count(); ++i) {
    graph.sizes.push_back(6);
    is_joint.push_back(false);
  }
  for (int j = 0; j < model.joint_count(); ++j) {
    const ModelJoint& joint = model.joint(j);
    if (joint.rows == 0) continue;
    const int node = joint_node(model, j);
    graph.sizes.push_back(joint.rows);
    is_joint.push_back(true);
    graph.edges.emplace_back(node, body_node(joint.child));
    if (joint.parent == kWorld) {
      ground_joints.push_back(node);
    } else {
      graph.edges.emplace_back(node, body_node(joint.parent));
    }
  }
  return GraphLdu(graph, make_depth_first_order(graph, is_joint, ground_joints));
}

}  // namespace sinew
