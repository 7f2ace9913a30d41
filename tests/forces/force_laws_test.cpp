// Laws every force obeys, over the list of all forces and many samples of each: K and D are its derivatives, conservative ones are minus the
// gradient of their energy, inner ones change no momentum, and what depends on velocity takes energy away.
#include <gtest/gtest.h>

#include "forces/force_samples.h"

#include "sinew/forces/all_forces.h"
#include "sinew/model/model_builder.h"
#include "sinew/spatial/blocks.h"
#include "sinew/spatial/so3.h"

namespace sinew::testing {
namespace {

constexpr unsigned kSamples = 40;
constexpr int kBodies = 3, kSize = 6 * kBodies;
using VecAll = Vec<kSize>;
using MatAll = Mat<kSize, kSize>;

// Three bodies off their centres of mass, turned and moving; a and b are joined.
struct World {
  Model model;
  State state;
  double time = 2;  // after any signal of a sample has started

  explicit World(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&](double size) -> Vec3 {
      return size * Vec3(number(generator), number(generator), number(generator));
    };
    ModelBuilder builder;
    for (const char* name : {"a", "b", "c"})
      builder.add_body({.name = name, .mass_properties = {2, vector(.2), Mat3::Identity()}, .shapes = {}});
    const Pose X_PA{vector(.3), exp_quat(vector(1))}, X_CB{vector(.3), exp_quat(vector(1))};
    const Cylindrical type{};
    builder.add_joint("j", type, 0, 1, X_PA, X_CB);
    model = std::move(builder).finish();
    state = make_state(model);
    const Pose X_WA{vector(.4), exp_quat(vector(1))};
    const Vec<2> q(number(generator), number(generator));
    state.joint_q = q;
    set_body_pose(model, 0, X_WA, state);
    set_body_pose(model, 1, X_WA * X_PA * type.pose(q) * X_CB.inverse(), state);
    set_body_pose(model, 2, {vector(.8), exp_quat(vector(1))}, state);
    for (std::size_t i = 0; i < kBodies; ++i) state.v_W[i] = vector(.6), state.omega_B[i] = vector(.6);
  }

  static State moved(const State& from, const VecAll& by) {
    State to = from;
    for (std::size_t i = 0; i < kBodies; ++i) {
      const Vec6 own = by.segment<6>(6 * static_cast<int>(i));
      to.x_W[i] += own.head<3>();
      to.q_WB[i] = (to.q_WB[i] * exp_quat(own.tail<3>())).normalized();
    }
    return to;
  }
  static State kicked(const State& from, const VecAll& by) {
    State to = from;
    for (std::size_t i = 0; i < kBodies; ++i) {
      const Vec6 own = by.segment<6>(6 * static_cast<int>(i));
      to.v_W[i] += own.head<3>();
      to.omega_B[i] += own.tail<3>();
    }
    return to;
  }
  VecAll velocities() const {
    VecAll u;
    for (std::size_t i = 0; i < kBodies; ++i)
      u.segment<6>(6 * static_cast<int>(i)) = stacked(state.v_W[i], state.omega_B[i]);
    return u;
  }

  template <class Work>
  auto with_context(const State& at, const Work& work) const {
    Kinematics kinematics;
    compute_kinematics(model, at, kinematics);
    return work(ForceContext{model, at, kinematics, time});
  }
  VecAll wrench(const Force& force, const State& at) const {
    return with_context(at, [&](const ForceContext& context) {
      std::vector<AppliedWrench> wrenches;
      force.add_wrenches(context, wrenches);
      VecAll sum = VecAll::Zero();
      for (const AppliedWrench& w : wrenches) sum.segment<6>(6 * w.body) += stacked(w.force_W, w.torque_B);
      return sum;
    });
  }
  std::vector<ForceDerivative> derivatives(const Force& force) const {
    return with_context(state, [&](const ForceContext& context) {
      std::vector<ForceDerivative> out;
      force.add_derivatives(context, out);
      return out;
    });
  }
};

template <class Function>
MatAll central_differences(const Function& f) {
  constexpr double kStep = 1e-6;
  MatAll out;
  for (int k = 0; k < kSize; ++k) {
    const VecAll e = kStep * VecAll::Unit(k);
    out.col(k) = (f(e) - f(-e)) / (2 * kStep);
  }
  return out;
}

MatAll sum_of(const std::vector<ForceDerivative>& blocks, Mat<6, 6> ForceDerivative::* member) {
  MatAll sum = MatAll::Zero();
  for (const ForceDerivative& block : blocks) sum.block<6, 6>(6 * block.row, 6 * block.column) += block.*member;
  return sum;
}

// The wrench along the gradients at `base`, with the efforts of coordinates at `at`: what K describes if the curvature is not known.
VecAll wrench_along(const CoordinateForce& force, const World& world, const State& at) {
  VecAll sum = VecAll::Zero();
  for (int i = 0; i < force.coordinate_count(); ++i) {
    const std::span<const int> bodies = force.bodies(i);
    std::vector<BodyPlace> base, moved;
    for (const int body : bodies) base.push_back(body_place(world.state, body)), moved.push_back(body_place(at, body));
    std::vector<CoordinateForce::Row> gradient(bodies.size()), unused(bodies.size());
    const double near = force.near(world.state, i);
    force.coordinate(i, base, near, gradient);
    const double c = force.coordinate(i, moved, near, unused);
    double rate = 0;
    for (std::size_t a = 0; a < bodies.size(); ++a)
      rate += gradient[a].dot(world.velocities().segment<6>(6 * bodies[a]));
    const double tau = force.effort(i, c, rate, world.time).value;
    for (std::size_t a = 0; a < bodies.size(); ++a) sum.segment<6>(6 * bodies[a]) += tau * gradient[a].transpose();
  }
  return sum;
}

bool knows_curvature(const CoordinateForce& force, const World& world) {
  const std::span<const int> bodies = force.bodies(0);
  std::vector<BodyPlace> places;
  for (const int body : bodies) places.push_back(body_place(world.state, body));
  std::vector<Mat6> curvature(bodies.size() * bodies.size());
  return force.compute_curvature(0, places, curvature);
}

template <class Law>
void for_samples(bool is_lossless, const Law& law) {
  AllForces::for_each([&]<class F>() {
    for (unsigned seed = 0; seed < kSamples; ++seed) {
      SCOPED_TRACE(std::string(F::kName) + " " + std::to_string(seed));
      const World world(seed);
      F force = make_force_sample<F>(seed, is_lossless);
      force.bind(world.model);
      law(force, world);
    }
  });
}

TEST(ForceLaws, StiffnessIsTheDerivativeByThePoses) {
  for_samples(false, [](const Force& force, const World& world) {
    const std::vector<ForceDerivative> blocks = world.derivatives(force);
    if (blocks.empty()) return;  // treated explicitly
    const MatAll K = sum_of(blocks, &ForceDerivative::K);
    const CoordinateForce* along = force.as_coordinate_force();
    const bool is_frozen = along != nullptr && !knows_curvature(*along, world);
    const MatAll expected = central_differences([&](const VecAll& by) {
      const State at = World::moved(world.state, by);
      return is_frozen ? wrench_along(*along, world, at) : world.wrench(force, at);
    });
    EXPECT_LT((K - expected).norm(), 1e-7 * (1 + K.norm()));
  });
}

TEST(ForceLaws, DampingIsMinusTheDerivativeByTheVelocities) {
  for_samples(false, [](const Force& force, const World& world) {
    const MatAll D = sum_of(world.derivatives(force), &ForceDerivative::D);
    const MatAll expected =
        -central_differences([&](const VecAll& by) { return world.wrench(force, World::kicked(world.state, by)); });
    EXPECT_LT((D - expected).norm(), 1e-7 * (1 + D.norm()));
  });
}

TEST(ForceLaws, ConservativeForcesAreMinusTheGradientOfTheirEnergy) {
  int conservative = 0;
  for_samples(true, [&](const Force& force, const World& world) {
    if (!force.is_conservative()) return;
    ++conservative;
    const auto energy = [&](const VecAll& by) {
      return world.with_context(World::moved(world.state, by),
                                [&](const ForceContext& context) { return force.potential_energy(context); });
    };
    const VecAll f = world.wrench(force, world.state);
    for (int k = 0; k < kSize; ++k) {
      const VecAll e = 1e-5 * VecAll::Unit(k);
      EXPECT_NEAR(f[k], -(energy(e) - energy(-e)) / 2e-5, 1e-8 * (1 + f.norm()));
    }
  });
  EXPECT_GE(conservative, 3 * static_cast<int>(kSamples));  // springs, joint springs, cables at least
}

TEST(ForceLaws, ForcesAlongCoordinatesChangeNoMomentum) {
  for_samples(false, [](const Force& force, const World& world) {
    if (force.as_coordinate_force() == nullptr) return;
    const VecAll f = world.wrench(force, world.state);
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t i = 0; i < kBodies; ++i) {
      const Vec6 own = f.segment<6>(6 * static_cast<int>(i));
      sum += own.head<3>();
      moment += world.state.x_W[i].cross(own.head<3>()) + world.state.q_WB[i] * own.tail<3>();
    }
    EXPECT_LT(sum.norm(), 1e-14 * (1 + f.norm()));
    EXPECT_LT(moment.norm(), 1e-14 * (1 + f.norm()));
  });
}

// (f(u) − f(0))·u ≤ 0, and D is positive semidefinite along u.
TEST(ForceLaws, WhatDependsOnVelocityDissipates) {
  for_samples(false, [](const Force& force, const World& world) {
    const VecAll u = world.velocities();
    const VecAll at_rest = world.wrench(force, World::kicked(world.state, -u));
    EXPECT_LE((world.wrench(force, world.state) - at_rest).dot(u), 1e-14);
    const MatAll D = sum_of(world.derivatives(force), &ForceDerivative::D);
    EXPECT_GE(u.dot(D * u), -1e-14);
  });
}

}  // namespace
}  // namespace sinew::testing
