// Where bodies may touch or rub during a step: a contact with friction, the stop of a joint, the dry friction of a joint. Each has rows C by
// (v_W, ω_B) of its two bodies: impulses r along them act on the bodies by Cᵀ r, and C u is the relative velocity they work on.
//   contact         row 0 along the normal, then friction: two tangents[, spin about the normal][, two of rolling]; both bodies feel friction
//                   at the same point, so that it changes no angular momentum of the two together
//   joint stop      row 0 = ±∂q:  gap = ±(q − limit),  q an angle or length of the joint, or swing or twist of its socket
//   rate stop       the same with a limit that moves:  gap = ±(q − q_k − rate × dt), so the mean rate of the step keeps to it
//   joint friction  row 0 = ∂q; of a socket three rows, the relative angular velocity in world axes
//   bearing         one or two rows: velocities at which the parts of a joint rub on each other (bearing.h)
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/contact/contact.h"
#include "sinew/dynamics/coordinate_row.h"
#include "sinew/model/state.h"

namespace sinew {

/// Friction on one to three rows: |impulse| ≤ coefficient × normal impulse, or force × dt.
struct FrictionDisc {
  enum class Kind { Slide, Spin, Roll };
  Kind kind = Kind::Slide;
  int first_row = 1;
  int rows = 2;
  double coefficient = 0;
  double force = 0;  // N, N m: where there is no normal
};

struct Touch {
  static constexpr int kMaxRows = 6, kMaxDiscs = 3;
  using Rows = Mat<kMaxRows, 6>;
  enum class Kind { Contact, JointStop, RateStop, JointFriction, SocketFriction, Bearing };

  Kind kind = Kind::Contact;
  int body_a = 0, body_b = kWorld;
  int rows = 1;
  bool has_normal = true;
  int disc_count = 0;
  std::array<FrictionDisc, kMaxDiscs> discs;
  Rows C_a = Rows::Zero(), C_b = Rows::Zero();  // rows beyond `rows` are zero; C_b is meaningless for the world
  double gap = 0;                               // m or rad, where there is a normal

  Contact contact;            // Contact
  ContactGeometry geometry;   // Contact; of a ball bearing only the normal, along its load
  double restitution = 0;     // Contact, JointStop
  int joint = -1, dof = -1;   // the others
  double sign = 1;            // JointStop, RateStop
  double limit = 0;           // JointStop, RateStop
  double least_velocity = 0;  // RateStop: of row 0
  double q = 0;               // the others: the coordinate
};

/// Speeds of approach below this do not bounce, m/s or rad/s.
inline constexpr double kImpactSpeed = 1e-3;

/// Least velocity along row 0 that a touch leaves with which closed at the velocity `approach`. Where friction locks a mechanism, w_n ≥ μ|w_t| + this
/// may be impossible, and no impulse bounces it; with `least_velocity` instead, rest is a solution: steppers then let it not bounce.
inline double leaving_velocity(const Touch& touch, double approach) {
  return touch.restitution > 0 && approach < -kImpactSpeed ? -touch.restitution * approach : touch.least_velocity;
}
/// A stop is looked at when it is as near as this, m or rad.
inline constexpr double kStopNear = 0.02;

/// Lets a rate stop act over a motion of this duration.
void aim_rate_stop(double duration, Touch& touch);

/// Calls work(index, stop, near) for every stop of a joint: of its angles and lengths, then of swing and twist of its socket. `index` and `near`
/// are those of compute_coordinate_row().
template <class Work>
void for_joint_stops(const ModelJoint& joint, const VecX& joint_q, const Work& work) {
  for (int i = 0; i < static_cast<int>(joint.stops.size()); ++i)
    work(i, joint.stops[static_cast<std::size_t>(i)], joint_q[joint.first_coordinate + i]);
  if (!joint.socket) return;
  const JointSocket& socket = *joint.socket;
  if (socket.swing)
    work(swing_index(joint), JointStop{.upper = *socket.swing, .upper_restitution = socket.swing_restitution}, 0.0);
  if (!socket.twist_lower || !socket.twist_upper) return;
  const double lower = *socket.twist_lower, upper = *socket.twist_upper, e = socket.twist_restitution;
  work(twist_index(joint), JointStop{.lower = lower, .upper = upper, .lower_restitution = e, .upper_restitution = e},
       (lower + upper) / 2);
}

/// One per contact, and one per stop or friction of a joint that may act during a step of length dt from this state.
void make_touches(const Model& model, const State& state, std::span<const Contact> contacts, double dt,
                  std::vector<Touch>& out, double stop_near = kStopNear);

/// Speed at which a touch with a normal opens, for bodies that move as in this state: its first row.
double opening_speed(const Touch& touch, const State& state);

/// Geometry, gap and rows when the bodies lie at `a`, `b`.
void move_touch(const Model& model, const BodyPlace& a, const BodyPlace& b, Touch& touch);

/// The two tangents along which a contact with this normal has its friction.
using Tangents = std::array<Vec3, 2>;
Tangents contact_tangents(const Vec3& normal_W);
/// Those of the normal `from`, turned with it the shortest way to `to`.
Tangents carried_tangents(const Vec3& from, const Vec3& to);

/// Rows of a contact with these friction discs for bodies that lie at `a`, `b`.
void put_contact_rows(const ContactGeometry& geometry, const Tangents& tangents, const BodyPlace& a, const BodyPlace& b,
                      std::span<const FrictionDisc> discs, Touch::Rows& C_a, Touch::Rows& C_b);

/// Three rows of the relative angular velocity in world axes.
void put_turn_rows(const BodyPlace& a, const BodyPlace& b, Touch::Rows& C_a, Touch::Rows& C_b);

/// d·(v + ω × r) of the point of a body as a row by (v_W, ω_B), times `sign`.
Mat<1, 6> point_row(const BodyPlace& place, const Vec3& point_W, const Vec3& d, double sign);

/// d·ω of a body as a row by (v_W, ω_B), times `sign`.
Mat<1, 6> turn_row(const BodyPlace& place, const Vec3& d, double sign);

/// The force remembered for a contact, along its rows (N); zero if it is new.
Vec6 remembered_force(const State& state, std::uint64_t contact_id);

}  // namespace sinew
