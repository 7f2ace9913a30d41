#include "sinew/io/scene_reader.h"

#include <algorithm>

#include "sinew/io/mesh_files.h"
#include "sinew/io/scene_files.h"
#include "sinew/io/yaml_fields.h"
#include "sinew/io/yaml_overrides.h"
#include "sinew/simulation/scene_errors.h"

namespace sinew {
namespace {

// Puts the triangles of a file into a shape that names one; afterwards the scene stands for itself.
template <class T>
void load_mesh(T& shape, const std::filesystem::path& folder, const std::string& path, YamlFindings& findings) {
  if constexpr (requires { shape.file, shape.vertices, shape.triangles; }) {
    if (shape.file.empty()) return;
    const YamlMark mark = findings.find_mark(path + ".file");
    if (!shape.vertices.empty() || !shape.triangles.empty()) {
      findings.add(mark, path + ".file", "expected 'file', or 'vertices' and 'triangles', got both");
      return;
    }
    try {
      TriMesh mesh = read_mesh_file(folder / shape.file);
      shape.vertices = std::move(mesh.vertices);
      shape.triangles = std::move(mesh.triangles);
      shape.file.clear();
    } catch (const Error& error) {
      findings.add(mark, path + ".file", error.diagnostics().front().text());
    }
  }
}

void load_meshes(SceneDescription& scene, const std::filesystem::path& folder, YamlFindings& findings) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    for (std::size_t k = 0; k < scene.bodies[i].shapes.size(); ++k) {
      const std::string path = join_path(join_path(join_path("bodies", i), "shapes"), k);
      std::visit([&](auto& shape) { load_mesh(shape, folder, path, findings); }, scene.bodies[i].shapes[k].shape);
    }
  }
}

void load_world_meshes(SceneDescription& scene, const std::filesystem::path& folder, YamlFindings& findings) {
  for (std::size_t i = 0; i < scene.world.size(); ++i)
    std::visit([&](auto& shape) { load_mesh(shape, folder, join_path("world", i), findings); }, scene.world[i].shape);
}

/// The part of a path that names one item of the scene: "bodies[2].shapes[0].size" -> "bodies[2]".
std::string_view item_of(std::string_view path) { return path.substr(0, path.find('.')); }

// True if a reading error leaves it open which bodies and joints there are: a name, a list or an item that could not be read, or an
// unknown key of the scene, which may be a misspelt list. The particles of a strand depend on several of its fields.
bool hides_names(const YamlFinding& finding, const YamlFindings& findings) {
  const std::string item(item_of(finding.path));
  const std::string name = join_path(item, "name");
  if (item.starts_with("strands")) return true;
  const bool is_named_item = item.starts_with("bodies") || item.starts_with("joints");
  if (finding.path == item) return finding.is_unknown_key || item.empty() || is_named_item;
  return is_named_item && (finding.path == name || !findings.is_in_file(name));
}

// What find_scene_errors() says, without what only follows from an error already found.
void add_scene_errors(const SceneDescription& scene, YamlFindings& findings) {
  const std::vector<YamlFinding> found = findings.list();
  const auto any = [&](auto predicate) { return std::any_of(found.begin(), found.end(), predicate); };
  const auto add = [&](const Diagnostic& error) {
    findings.add(findings.find_mark(error.where), error.where, error.message);
  };
  const auto is_item_wrong = [&](const std::string& path) {
    return any([&](const YamlFinding& f) { return item_of(f.path) == item_of(path); });
  };
  const auto is_wrong = [&](const std::string& path) {
    return any([&](const YamlFinding& f) { return f.path == path; });
  };

  if (!any([&](const YamlFinding& f) { return hides_names(f, findings); })) {
    for (const Diagnostic& error : find_name_errors(scene)) {
      const bool follows = is_wrong(error.where) || (is_item_wrong(error.where) && !findings.is_in_file(error.where));
      if (!follows) add(error);
    }
  }
  for (const Diagnostic& error : find_choice_errors(scene)) {
    if (!is_item_wrong(error.where)) add(error);
  }
}

void throw_if_any(const YamlFindings& findings) {
  if (!findings.list().empty()) throw Error(ErrorKind::Input, findings.diagnostics());
}

// A description, and where its parts stand in the file.
struct Reading {
  SceneDescription description;
  YamlFindings findings;
};

Reading read(std::string_view text, const std::string& file_name, const std::vector<std::string>& overrides) {
  YamlNode root = parse_yaml(text, file_name);
  std::vector<std::string> sources{file_name};
  for (const std::string& change : overrides) {
    apply_override(root, change, static_cast<int>(sources.size()));
    sources.push_back(override_name(change));
  }

  Reading reading{{}, YamlFindings(std::move(sources))};
  find_duplicate_keys(root, "", reading.findings);
  if (root.kind == YamlNode::Kind::Map) {
    static constexpr FieldInfo kInfo = required("", "", SceneDescription::kDoc);
    read_value(YamlPlace{root, "", kInfo, reading.findings}, reading.description);
  } else {
    reading.findings.add(root.mark, "", "expected a scene (a map that begins with 'sinew: 1'), got " + root.describe());
  }
  load_meshes(reading.description, std::filesystem::path(file_name).parent_path(), reading.findings);
  load_world_meshes(reading.description, std::filesystem::path(file_name).parent_path(), reading.findings);
  add_scene_errors(reading.description, reading.findings);
  throw_if_any(reading.findings);
  return reading;
}

}  // namespace

SceneDescription read_scene_text(std::string_view text, const std::string& file_name,
                                 const std::vector<std::string>& overrides) {
  return read(text, file_name, overrides).description;
}

SceneDescription read_scene_file(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  return read_scene_text(read_text_file(path, kMaxYamlBytes), path.string(), overrides);
}

Scene read_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  Reading reading = read(read_text_file(path, kMaxYamlBytes), path.string(), overrides);
  try {
    return make_scene(reading.description);
  } catch (const Error& error) {
    for (const Diagnostic& d : error.diagnostics())
      reading.findings.add(reading.findings.find_mark(d.where), d.where, d.message);
  }
  throw Error(ErrorKind::Input, reading.findings.diagnostics());
}

Error with_places(const Error& error, const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  Reading reading = read(read_text_file(path, kMaxYamlBytes), path.string(), overrides);
  std::vector<Diagnostic> others;
  for (const Diagnostic& d : error.diagnostics()) {
    if (reading.findings.is_in_file(d.where))
      reading.findings.add(reading.findings.find_mark(d.where), d.where, d.message);
    else
      others.push_back(d);
  }
  std::vector<Diagnostic> all = reading.findings.diagnostics();
  all.insert(all.end(), others.begin(), others.end());
  return {error.kind(), std::move(all)};
}

}  // namespace sinew
