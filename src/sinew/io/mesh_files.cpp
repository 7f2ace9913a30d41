#include "sinew/io/mesh_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

#include "sinew/core/error.h"
#include "sinew/core/excerpt.h"
#include "sinew/core/hash.h"
#include "sinew/io/scene_files.h"

namespace sinew {
namespace {

constexpr std::size_t kMaxMeshBytes = std::size_t{1} << 30;

// Gives equal points equal numbers.
class VertexMerger {
 public:
  explicit VertexMerger(std::vector<Vec3>& vertices) : vertices_(vertices) {}

  int add(const Vec3& point) {
    const std::array<double, 3> key = {point.x() + 0.0, point.y() + 0.0, point.z() + 0.0};  // -0 and 0 are one
    const auto [found, is_new] = numbers_.emplace(key, static_cast<int>(vertices_.size()));
    if (is_new) vertices_.emplace_back(key[0], key[1], key[2]);
    return found->second;
  }

 private:
  struct KeyHash {
    std::size_t operator()(const std::array<double, 3>& key) const {
      Hash hash;
      hash.add(std::span<const double>(key));
      return hash.value();
    }
  };
  std::vector<Vec3>& vertices_;
  std::unordered_map<std::array<double, 3>, int, KeyHash> numbers_;
};

// Cuts a text into lines and lines into words.
class LineReader {
 public:
  LineReader(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

  bool next_line() {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    line_ = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return true;
  }
  std::string_view next_word() {
    while (!line_.empty() && std::isspace(static_cast<unsigned char>(line_.front()))) line_.remove_prefix(1);
    std::size_t size = 0;
    while (size < line_.size() && !std::isspace(static_cast<unsigned char>(line_[size]))) ++size;
    const std::string_view word = line_.substr(0, size);
    line_.remove_prefix(size);
    return word;
  }
  Vec3 next_point() {
    Vec3 point;
    for (double& x : point) {
      std::string_view word = next_word();
      if (word.starts_with('+')) word.remove_prefix(1);
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
      // A coordinate too small for a double is 0.
      if (error == std::errc::result_out_of_range && word.find("e-") != std::string_view::npos)
        x = 0;
      else if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(x))
        refuse("3 finite coordinates", word);
    }
    return point;
  }
  [[noreturn]] void refuse(std::string_view expected, std::string_view got) const {
    throw Error(ErrorKind::Input, fmt::format("{}:{}", name_, number_),
                fmt::format("expected {}, got {}", expected, got.empty() ? "the end of the line" : excerpt(got)));
  }
  int number() const { return number_; }

 private:
  std::string_view rest_, line_;
  std::string_view name_;
  int number_ = 0;
};

// "7", "7/1/2", "7//2" or "-1" (the last vertex so far): the number from 0.
int read_obj_index(const LineReader& lines, std::string_view word, std::size_t vertex_count) {
  long long index = 0;
  const std::string_view digits = word.substr(0, word.find('/'));
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const auto count = static_cast<long long>(vertex_count);
  if (index < 0) index += count + 1;
  if (error != std::errc{} || end != digits.data() + digits.size() || index < 1 || index > count) {
    lines.refuse(fmt::format("a vertex number from 1 to {} (vertices before this line)", count), word);
  }
  return static_cast<int>(index - 1);
}

void add_triangle(const Triangle& t, TriMesh& mesh) {
  if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), [&](char b, char a) { return same(a, b); });
}

constexpr std::size_t kStlHeader = 80, kStlTriangle = 50;

std::uint32_t read_u32(const char* bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  return value;
}

TriMesh read_binary_stl(std::string_view bytes, std::string_view name) {
  const std::size_t count = read_u32(bytes.data() + kStlHeader);
  if (bytes.size() < kStlHeader + 4 + count * kStlTriangle) {
    throw Error(ErrorKind::Input, std::string(name),
                fmt::format("expected {} triangles in {} bytes, got {} bytes", count,
                            kStlHeader + 4 + count * kStlTriangle, bytes.size()));
  }
  TriMesh mesh;
  VertexMerger merger(mesh.vertices);
  for (std::size_t i = 0; i < count; ++i) {
    const char* corner = bytes.data() + kStlHeader + 4 + i * kStlTriangle + 12;  // after the normal
    Triangle triangle{};
    for (int& vertex : triangle) {
      Vec3 point;
      for (double& x : point) {
        x = std::bit_cast<float>(read_u32(corner));
        corner += 4;
        if (!std::isfinite(x))
          throw Error(ErrorKind::Input, std::string(name),
                      fmt::format("expected finite coordinates, got {} in triangle {}", x, i));
      }
      vertex = merger.add(point);
    }
    add_triangle(triangle, mesh);
  }
  return mesh;
}

TriMesh read_text_stl(std::string_view text, std::string_view name) {
  TriMesh mesh;
  VertexMerger merger(mesh.vertices);
  LineReader lines(text, name);
  std::vector<int> corners;
  while (lines.next_line()) {
    const std::string_view word = lines.next_word();
    if (starts_with_ignoring_case(word, "vertex")) {
      corners.push_back(merger.add(lines.next_point()));
    } else if (starts_with_ignoring_case(word, "endloop")) {
      if (corners.size() != 3) lines.refuse("3 vertices per facet", fmt::format("{}", corners.size()));
      add_triangle({corners[0], corners[1], corners[2]}, mesh);
      corners.clear();
    } else {
      static constexpr std::array<std::string_view, 5> kWords = {"solid", "facet", "outer", "endfacet", "endsolid"};
      const auto known = [&](std::string_view k) { return starts_with_ignoring_case(word, k); };
      if (!word.empty() && std::none_of(kWords.begin(), kWords.end(), known))
        lines.refuse("a line of an STL file", word);
    }
  }
  if (!corners.empty()) lines.refuse("'endloop' before the end of the file", "");
  return mesh;
}

}  // namespace

TriMesh read_obj(std::string_view text, std::string_view name) {
  TriMesh mesh;
  VertexMerger merger(mesh.vertices);
  LineReader lines(text, name);
  std::vector<int> numbers;  // of the file -> of the mesh
  std::vector<int> polygon;
  while (lines.next_line()) {
    const std::string_view word = lines.next_word();
    if (word == "v") {
      numbers.push_back(merger.add(lines.next_point()));
    } else if (word == "f") {
      polygon.clear();
      for (std::string_view corner = lines.next_word(); !corner.empty() && corner.front() != '#';
           corner = lines.next_word()) {
        polygon.push_back(numbers[static_cast<std::size_t>(read_obj_index(lines, corner, numbers.size()))]);
      }
      if (polygon.size() < 3) lines.refuse("at least 3 vertices per face", fmt::format("{}", polygon.size()));
      for (std::size_t i = 2; i < polygon.size(); ++i) add_triangle({polygon[0], polygon[i - 1], polygon[i]}, mesh);
    }
  }
  return mesh;
}

TriMesh read_stl(std::string_view bytes, std::string_view name) {
  // Some binary files begin with "solid" too, so the length decides: it follows from the number of triangles.
  const bool has_count = bytes.size() >= kStlHeader + 4;
  const bool is_binary =
      has_count && bytes.size() == kStlHeader + 4 + read_u32(bytes.data() + kStlHeader) * kStlTriangle;
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  const bool is_text = start != std::string_view::npos && starts_with_ignoring_case(bytes.substr(start), "solid");
  if (is_binary || (has_count && !is_text)) return read_binary_stl(bytes, name);
  if (is_text) return read_text_stl(bytes, name);
  throw Error(ErrorKind::Input, std::string(name),
              fmt::format("expected an STL file, got {} bytes that are none", bytes.size()));
}

TriMesh read_mesh_file(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (extension != ".obj" && extension != ".stl") {
    throw Error(ErrorKind::Input, path.string(),
                fmt::format("expected a mesh file ending in .obj or .stl, got '{}'", extension));
  }
  const std::string bytes = read_text_file(path, kMaxMeshBytes);
  TriMesh mesh = extension == ".obj" ? read_obj(bytes, path.string()) : read_stl(bytes, path.string());
  if (mesh.triangles.empty()) throw Error(ErrorKind::Input, path.string(), "expected triangles, got none");
  return mesh;
}

}  // namespace sinew
