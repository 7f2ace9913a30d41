// What a recording holds: who is in it (RecordingHeader), where the bodies were at each frame, the probes, the ledger,
// the numbers of muscles, cables and springs and, if asked for, the contacts; and events. Plain data, free of simulation types, so that plots, exporters and viewers need nothing else.
// Layout in the file: docs/recording_format.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

inline constexpr int kRecordingFormatVersion = 1;
inline constexpr std::size_t kPoseSize = 7;  // x, y, z [m] of the body origin in the world; w, x, y, z of q_WB

struct RecordedBody {
  std::string name;
  std::string shapes = "[]";           // JSON: how to draw it, in the body frame
  double mass = 0;                     // kg
  std::array<double, 3> com{0, 0, 0};  // m, centre of mass in the body frame
  bool operator==(const RecordedBody&) const = default;
};

struct RecordedJoint {
  std::string name;
  std::string type;
  std::string parent;  // name of a body, or "world"
  std::string child;
  std::vector<double> lower = {}, upper = {};  // stops (rad or m), one per degree of freedom or none; may be infinite
  bool operator==(const RecordedJoint&) const = default;
};

struct RecordedColumn {
  std::string name;
  std::string unit;  // "J", "m/s", "" for none
  bool operator==(const RecordedColumn&) const = default;
};

struct RecordedPathPoint {
  std::string body;                      // name of a body, or "world"
  std::array<double, 3> point{0, 0, 0};  // m, in the body frame
  bool operator==(const RecordedPathPoint&) const = default;
};

/// A muscle, cable, spring, strand or rope: straight from point to point. Where it is follows from the poses.
struct RecordedPath {
  std::string name;
  std::string kind;  // "muscle", "cable", "spring", "chain", "rope"
  std::vector<RecordedPathPoint> points;
  bool operator==(const RecordedPath&) const = default;
};

/// The numbers recorded of paths, path by path: NAME.length, but of ropes NAME.tension and, of muscles, NAME.activation.
std::vector<RecordedColumn> make_path_columns(std::span<const RecordedPath> paths);

struct RecordingHeader {
  int format_version = kRecordingFormatVersion;
  std::string sinew_version;
  std::string scene_name;
  std::string scene_text;                      // the scene file as it was run
  std::string scene_hash;                      // hexadecimal
  double dt = 0;                               // s
  double frame_interval = 0;                   // s of simulated time
  std::array<double, 3> gravity{0, 0, -9.81};  // m/s²
  std::string world = "[]";                    // JSON: shapes that never move, in the world frame
  std::vector<RecordedBody> bodies;
  std::vector<RecordedJoint> joints;
  std::vector<RecordedColumn> probes;
  std::vector<RecordedColumn> ledger;
  std::vector<RecordedPath> paths;
  std::vector<std::string> trails;   // probes that are places in the world: columns NAME.x, NAME.y, NAME.z
  bool has_contacts = false;         // frames list their contacts
  bool has_contact_torques = false;  // and their spin and rolling friction
  bool operator==(const RecordingHeader&) const = default;
};

/// One contact, over the step that ends at the frame, with its certificate. Stored as it is in memory.
struct RecordedContact {
  std::int32_t body_a = -1, body_b = -1;  // index, -1: world
  std::array<double, 3> point{0, 0, 0};   // m, world
  std::array<double, 3> normal{0, 0, 0};  // unit, world, from b to a
  std::array<double, 3> force{0, 0, 0};   // N, world, on a: normal force and friction
  double gap = 0;                         // m; negative: penetration
  double normal_force = 0;                // N
  double complementarity = 0;             // N m: gap × normal force
  double cone_slack = 0;                  // N: μ × normal force − friction
  double sliding_speed = 0;               // m/s
  double dissipation_alignment = 1;       // −cos of the angle between friction and sliding; 1: opposite
  bool operator==(const RecordedContact&) const = default;
};
static_assert(sizeof(RecordedContact) == 128);
bool is_finite(const RecordedContact& contact);

/// Spin and rolling friction of the contact at the same place in its list, with their certificates. Stored as it is in memory.
struct RecordedTorque {
  std::array<double, 3> torque{0, 0, 0};  // N m, world, on a: both
  double spin_slack = 0;                  // N m: coefficient × normal force − torque about the normal
  double spin_speed = 0;                  // rad/s
  double spin_alignment = 1;              // 1: the torque is opposite to turning
  double rolling_slack = 0;               // the same across the normal
  double rolling_speed = 0;
  double rolling_alignment = 1;
  bool operator==(const RecordedTorque&) const = default;
};
static_assert(sizeof(RecordedTorque) == 72);
bool is_finite(const RecordedTorque& torque);

/// Something that happened between frames: a step that failed, a halved step.
struct RecordingEvent {
  double time = 0;      // s
  std::string kind;     // one word, such as "step_halved"
  std::string message;  // one line
  bool operator==(const RecordingEvent&) const = default;
};

struct Recording {
  RecordingHeader header;
  std::vector<double> times;              // s, one per frame
  std::vector<double> poses;              // frames × bodies × kPoseSize, frame by frame
  std::vector<double> probes;             // frames × header.probes
  std::vector<double> ledger;             // frames × header.ledger
  std::vector<double> paths;              // frames × make_path_columns(header.paths)
  std::vector<RecordedContact> contacts;  // frame by frame
  std::vector<RecordedTorque> torques;    // of the contacts, if header.has_contact_torques
  std::vector<std::size_t> contact_ends;  // one past the last contact of each frame, if header.has_contacts
  std::vector<RecordingEvent> events;
  bool is_truncated = false;  // the run that wrote it did not end properly

  std::size_t frames() const { return times.size(); }
  std::span<const double> pose(std::size_t frame, std::size_t body) const {
    return std::span(poses).subspan((frame * header.bodies.size() + body) * kPoseSize, kPoseSize);
  }
  std::span<const RecordedContact> contacts_of(std::size_t frame) const {
    if (frame >= contact_ends.size()) return {};
    const std::size_t first = frame == 0 ? 0 : contact_ends[frame - 1];
    return std::span(contacts).subspan(first, contact_ends[frame] - first);
  }
  std::span<const RecordedTorque> torques_of(std::size_t frame) const {
    if (!header.has_contact_torques || frame >= contact_ends.size()) return {};
    const std::size_t first = frame == 0 ? 0 : contact_ends[frame - 1];
    return std::span(torques).subspan(first, contact_ends[frame] - first);
  }
};

/// One named quantity over all frames: a view into a Recording, which must outlive it.
struct ColumnView {
  std::string name;
  std::string unit;
  const double* first = nullptr;
  std::size_t stride = 0;
  std::size_t size = 0;

  double operator[](std::size_t frame) const { return first[frame * stride]; }
  std::vector<double> values() const;
  /// "energy.total [J]", or the name alone if there is no unit.
  std::string label() const;
};

struct ColumnGroups {
  bool poses = false;  // "rod1.x [m]", ".y", ".z", ".qw", ".qx", ".qy", ".qz" for every body
  bool probes = true;
  bool ledger = true;
  bool paths = true;
};

/// The columns of the groups, without time.
std::vector<ColumnView> list_columns(const Recording& recording, const ColumnGroups& groups);

/// The column of that name among probes, ledger, paths and poses, in this order; Error{Input} with a suggestion if there is
/// none.
ColumnView find_column(const Recording& recording, std::string_view name);

}  // namespace sinew
