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

inline constexpr std::string_view kEventsSchema =
    R"({"title":"sinew.events","type":"object","properties":{)"
    R"("time":{"type":"number","description":"simulated time [s]"},)"
    R"("kind":{"type":"string","description":"one word, such as step_halved"},)"
    R"("message":{"type":"string","description":"what happened, one line"}}})";

}  // namespace sinew
