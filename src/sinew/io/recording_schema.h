// Names and schemas of the parts of a recording, shared by its writer and reader. docs/recording_format.md explains
// them.
#pragma once

#include <string_view>

namespace sinew {

inline constexpr std::string_view kHeaderAttachment = "recording.json";
inline constexpr std::string_view kSceneAttachment = "scene.yaml";

inline constexpr std::string_view kBodiesTopic = "/sinew/bodies";
inline constexpr std::string_view kProbesTopic = "/sinew/probes";
inline constexpr std::string_view kLedgerTopic = "/sinew/ledger";
inline constexpr std::string_view kPathsTopic = "/sinew/paths";
inline constexpr std::string_view kContactsTopic = "/sinew/contacts";
inline constexpr std::string_view kTorquesTopic = "/sinew/contact_torques";
inline constexpr std::string_view kEventsTopic = "/sinew/events";

inline constexpr std::string_view kBodiesEncoding = "sinew.bodies.v1";
inline constexpr std::string_view kBodiesSchemaName = "sinew.bodies.v1";
inline constexpr std::string_view kBodiesSchemaEncoding = "text";
inline constexpr std::string_view kBodiesSchema =
    R"(float64 values, little endian, no padding:
  time                   simulated time [s]
then for every body, in the order of "bodies" in the attachment recording.json:
  x, y, z                position of the body origin in the world frame [m]
  qw, qx, qy, qz         unit quaternion (Hamilton) turning body coordinates into world coordinates
Size of a message: 8 (1 + 7 bodies) bytes. World frame: right-handed, z up.
)";

inline constexpr std::string_view kContactsEncoding = "sinew.contacts.v1";
inline constexpr std::string_view kContactsSchemaName = "sinew.contacts.v1";
inline constexpr std::string_view kContactsSchema =
    R"(little endian, no padding:
  float64 time           simulated time [s]
then for every contact 128 bytes, about the step that ends at this time:
  int32 a, b             bodies, as places in "bodies" of the attachment recording.json; -1 is the world
  float64 point[3]       where, world frame [m]
  float64 normal[3]      unit, from b to a
  float64 force[3]       on a: normal force and friction, world frame [N]
  float64 gap            distance, negative if they overlap [m]
  float64 normal_force   [N]
  float64 complementarity        gap times normal force [N m]
  float64 cone_slack     friction coefficient times normal force, minus friction [N]
  float64 sliding_speed  [m/s]
  float64 dissipation_alignment  1: friction is opposite to sliding
)";

inline constexpr std::string_view kTorquesEncoding = "sinew.contact_torques.v1";
inline constexpr std::string_view kTorquesSchema =
    R"(little endian, no padding:
  float64 time           simulated time [s]
then for every contact of /sinew/contacts of this time, in its order, 72 bytes:
  float64 torque[3]      on a: spin and rolling friction, world frame [N m]
  float64 spin_slack     coefficient times normal force, minus torque about the normal [N m]
  float64 spin_speed     [rad/s]
  float64 spin_alignment         1: the torque is opposite to turning
  float64 rolling_slack  the same across the normal [N m]
  float64 rolling_speed  [rad/s]
  float64 rolling_alignment
)";

inline constexpr std::string_view kEventsSchema =
    R"({"title":"sinew.events","type":"object","properties":{)"
    R"("time":{"type":"number","description":"simulated time [s]"},)"
    R"("kind":{"type":"string","description":"one word, such as step_halved"},)"
    R"("message":{"type":"string","description":"what happened, one line"}}})";

}  // namespace sinew
