// The header of the viewer stream as JSON, and the meshes of the bodies it refers to.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "sinew/geometry/tri_mesh.h"
#include "sinew/io/viewer_stream.h"

namespace sinew {

struct ViewerHeader {
  nlohmann::ordered_json json;
  std::vector<TriMesh> meshes;  // of bodies: shapes {"type": "mesh", "mesh": index}
};

/// Shapes that are not primitives become meshes; a shape that cannot be drawn is left out.
ViewerHeader make_viewer_header(const ViewerLayout& layout, double position_quantum);

/// The smallest extent of any shape of any body (m); 1 if there is none.
double smallest_extent(const RecordingHeader& header);

/// MESH record of a surface: vertices quantised to 16 bits within its box.
std::string make_mesh_record(std::uint32_t id, const TriMesh& mesh);

}  // namespace sinew
