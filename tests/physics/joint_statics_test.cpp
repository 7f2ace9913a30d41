// Reactions of every joint in every stepper against statics. A body hangs on the joint in a generic pose, in frames that are turned; its weight and
// a force and torque on it balance along the free directions of the joint, so it stays, and the joint carries the rest:
//   f = −(F + m g),   τ about the origin of a frame = −(T + (x − p) × (F + m g)),   x the centre of mass, p the origin
#include <gtest/gtest.h>
#include <random>

#include "physics/mechanisms.h"

#include "sinew/dynamics/joint_reaction.h"

namespace sinew::testing {
namespace {

constexpr double kMass = 2.5;
constexpr int kSteps = 20;
constexpr double kBound = 1e-8;  // of the size of the load

const std::vector<AnyStepper> kSteppers = {Variational{}, Maximal{}, Reduced{}};

std::string name_of(const AnyStepper& stepper) {
  return std::visit([](const auto& s) { return std::string(s.kName); }, stepper);
}

template <int N>
Vec<N> draw(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  Vec<N> v;
  for (int i = 0; i < N; ++i) v[i] = uniform(random);
  return v;
}

template <class J>
J example() {
  J joint;
  if constexpr (requires { joint.axis; } && !requires { joint.second_axis; })
    joint.axis = Vec3(.3, -.5, .8).normalized();
  if constexpr (requires { joint.length; }) joint.length = .7;
  if constexpr (requires { joint.pitch; }) joint.pitch = -.3;
  return joint;
}

/// A wrench on a body, about its centre of mass, in the world.
struct Load {
  Vec3 force, torque;
};

/// What a joint must carry: the opposite of weight and load, about p.
Wrench expected_about(const Vec3& p, const Vec3& x, const Load& load) {
  const Vec3 force = load.force + kMass * Vec3(0, 0, -kGravity);
  return {-(load.torque + (x - p).cross(force)), -force};
}

Wrench seen_in(const Pose& X, const Wrench& w) { return {X.q.conjugate() * w.torque, X.q.conjugate() * w.force}; }

void expect_equal(const Wrench& actual, const Wrench& expected, double scale) {
  EXPECT_LT((actual.force - expected.force).norm(), kBound * scale)
      << actual.force.transpose() << " N, expected " << expected.force.transpose();
  EXPECT_LT((actual.torque - expected.torque).norm(), kBound * scale)
      << actual.torque.transpose() << " N m, expected " << expected.torque.transpose();
}

ExternalWrench make_wrench(const std::string& body, const Vec3& com, const Load& load) {
  ExternalWrench wrench;
  wrench.body.name = body;
  wrench.point = com;
  wrench.force = load.force;
  wrench.torque = load.torque;
  return wrench;
}

JointDescription make_framed(const std::string& name, const AnyJoint& type, const std::string& parent,
                             const std::string& child, const Pose& X_PA, const Pose& X_CB) {
  JointDescription joint;
  joint.name = name;
  joint.joint = type;
  joint.parent.name = parent;
  joint.child.name = child;
  joint.parent_frame = FrameDescription{X_PA.p, X_PA.q};
  joint.child_frame = FrameDescription{X_CB.p, X_CB.q};
  return joint;
}

void stay(Simulation& simulation) {
  const State start = simulation.state();
  advance(simulation, kSteps);
  for (std::size_t i = 0; i < start.x_W.size(); ++i) {
    EXPECT_LT((simulation.state().x_W[i] - start.x_W[i]).norm(), 1e-9);
    EXPECT_LT(simulation.state().v_W[i].norm(), 1e-9);
  }
}

template <class J>
class JointStatics : public ::testing::Test {};
template <class List>
struct AsTestTypes;
template <class... Js>
struct AsTestTypes<TypeList<Js...>> {
  using Types = ::testing::Types<Js...>;
};
TYPED_TEST_SUITE(JointStatics, AsTestTypes<AllJoints>::Types);

template <class J>
void check_reaction(std::mt19937& random) {
  const J joint = example<J>();
  const Pose align{Vec3::Zero(), Quat(joint.alignment())};
  const Pose X_WA{draw<3>(random, .5), exp_quat(draw<3>(random, 1.5))},
      X_CB{draw<3>(random, .3), exp_quat(draw<3>(random, 1.5))};
  const Vec<J::kCoordinates> q = joint.integrate(joint.neutral(), draw<J::kDof>(random, .6));
  const Pose X_WB = X_WA * align * joint.pose(q);  // as the joint sees it
  const Pose X_WC = X_WB * align.inverse() * X_CB.inverse();
  const Vec3 com = draw<3>(random, .2), x = X_WC * com;

  Vec6 carried = draw<6>(random, 30);  // (torque, force) about the origin of B, in B; only across S
  const Mat<6, J::kDof> S = joint.motion_subspace(q);
  if constexpr (J::kDof > 0) {
    const Vec<J::kDof> along = Mat<J::kDof, J::kDof>(S.transpose() * S).llt().solve(S.transpose() * carried);
    carried -= S * along;
  }
  const Vec3 force = X_WB.q * Vec3(carried.tail<3>());
  Load load;
  load.force = -force - kMass * Vec3(0, 0, -kGravity);
  load.torque = -(X_WB.q * Vec3(carried.head<3>())) - (X_WB.p - x).cross(force);

  SceneDescription scene;
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.bodies = {make_body("body", kMass, Vec3(.2, .25, .15), X_WC.p, X_WC.q)};
  scene.bodies[0].center_of_mass = com;
  scene.joints = {make_framed("joint", joint, "world", "body", X_WA, X_CB)};
  scene.forces = {make_wrench("body", com, load)};
  const Pose X_WA_aligned = X_WA * align;
  for (const AnyStepper& stepper : kSteppers) {
    SCOPED_TRACE(name_of(stepper));
    Simulation simulation = make_run(stepper, scene, .005);
    stay(simulation);
    const JointReaction reaction = compute_joint_reaction(simulation.model().joint(0), simulation.state());
    const double scale = load.force.norm() + load.torque.norm();
    expect_equal(reaction.in_B, seen_in(X_WB, expected_about(X_WB.p, x, load)), scale);
    expect_equal(reaction.in_A, seen_in(X_WA_aligned, expected_about(X_WA_aligned.p, x, load)), scale);
    expect_equal({reaction.torque_W, reaction.force_W}, expected_about(X_WB.p, x, load), scale);
  }
}

// A rope has no rows: it is a stop, and what it carries shows in what carries it. A weld on the world holds the bar from which it hangs; the
// rope points along the load of the weight below, so the weld feels that load where the rope is made fast.
void check_rope(std::mt19937& random) {
  const double length = .7;
  const Vec3 pull = kMass * Vec3(0, 0, -kGravity) + draw<3>(random, 20), direction = pull.normalized();
  const Vec3 end_on_bar = draw<3>(random, .3), bar = draw<3>(random, .5), end_on_weight = draw<3>(random, .2);
  const Quat turned = exp_quat(draw<3>(random, 1));
  const Vec3 top = bar + end_on_bar, weight = top + length * direction - turned * end_on_weight;
  const Load load{pull - kMass * Vec3(0, 0, -kGravity), -(turned * end_on_weight).cross(-pull)};
  SceneDescription scene;
  scene.gravity = Vec3(0, 0, -kGravity);
  scene.bodies = {make_body("bar", 1.5, Vec3(.1, .12, .08), bar),
                  make_body("weight", kMass, Vec3(.2, .25, .15), weight, turned)};
  scene.joints = {make_framed("weld", Fixed{}, "world", "bar", {bar, Quat::Identity()}, Pose{}),
                  make_framed("rope", Rope{.length = length}, "bar", "weight", {end_on_bar, Quat::Identity()},
                              {end_on_weight, Quat::Identity()})};
  scene.forces = {make_wrench("weight", Vec3::Zero(), load)};
  for (const AnyStepper& stepper : kSteppers) {
    SCOPED_TRACE(name_of(stepper));
    Simulation simulation = make_run(stepper, scene, .005);
    stay(simulation);
    const JointReaction weld = compute_joint_reaction(simulation.model().joint(0), simulation.state());
    expect_equal(weld.in_B, {-end_on_bar.cross(pull), Vec3(0, 0, 1.5 * kGravity) - pull}, pull.norm());
    const JointReaction rope = compute_joint_reaction(simulation.model().joint(1), simulation.state());
    EXPECT_EQ(rope.force_W, Vec3::Zero());
    EXPECT_EQ(rope.torque_W, Vec3::Zero());
  }
}

TYPED_TEST(JointStatics, ReactionIsTheOppositeOfTheLoad) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 3; ++trial) {
    if constexpr (std::is_same_v<TypeParam, Rope>) {
      check_rope(random);
    } else {
      check_reaction<TypeParam>(random);
    }
  }
}

}  // namespace
}  // namespace sinew::testing
