// Triangle meshes from files: Wavefront OBJ (v and f lines; polygons are cut into fans) and STL (text and binary).
// Vertices of equal coordinates are merged, as STL repeats them in every triangle. Safe on any bytes.
#pragma once

#include <filesystem>
#include <string_view>

#include "sinew/geometry/tri_mesh.h"

namespace sinew {

/// Throws Error{File} if it cannot be read, Error{Input} "part.obj:12: ..." if it is not a mesh. Whether the mesh
/// bounds a solid is not asked here.
TriMesh read_mesh_file(const std::filesystem::path& path);

/// The same for bytes already in memory; `name` is for messages.
TriMesh read_obj(std::string_view text, std::string_view name);
TriMesh read_stl(std::string_view bytes, std::string_view name);

}  // namespace sinew
