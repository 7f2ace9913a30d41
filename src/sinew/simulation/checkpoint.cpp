#include "sinew/simulation/checkpoint.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sinew/core/error.h"
#include "sinew/core/hash.h"

namespace sinew {
namespace {

// Layout, little endian: magic, scene hash, body of counted arrays of doubles (and the step), hash of all before it.
constexpr std::string_view kMagic = "sinew checkpoint 5\n";

class Writer {
 public:
  void bytes(const void* data, std::size_t size) {
    if (size > 0) out_.append(static_cast<const char*>(data), size);
  }
  template <class T>
  void value(const T& v) {
    bytes(&v, sizeof v);
  }
  void doubles(const double* data, std::size_t count) {
    value(static_cast<std::uint64_t>(count));
    bytes(data, count * sizeof(double));
  }
  template <class T>  // Vec3, Vec6, Quat, numbers of 8 bytes
  void array(const std::vector<T>& v) {
    doubles(reinterpret_cast<const double*>(v.data()), v.size() * sizeof(T) / sizeof(double));
  }
  const std::string& text() const { return out_; }

 private:
  std::string out_;
};

class Reader {
 public:
  Reader(std::string_view text, const std::filesystem::path& path) : text_(text), path_(path) {}
  void bytes(void* data, std::size_t size) {
    if (size > text_.size() - at_) fail("is cut off");
    if (size == 0) return;  // an empty array has no address
    std::memcpy(data, text_.data() + at_, size);
    at_ += size;
  }
  template <class T>
  T value() {
    T v;
    bytes(&v, sizeof v);
    return v;
  }
  std::size_t count() {
    const auto n = value<std::uint64_t>();
    if (n > (text_.size() - at_) / sizeof(double)) fail("is damaged: an array is longer than the file");
    return static_cast<std::size_t>(n);
  }
  template <class T>
  std::vector<T> array() {
    const std::size_t n = count();
    if (n % (sizeof(T) / sizeof(double)) != 0) fail("is damaged: an array has an odd length");
    std::vector<T> v(n / (sizeof(T) / sizeof(double)));
    bytes(reinterpret_cast<double*>(v.data()), n * sizeof(double));
    return v;
  }
  VecX vector() {
    VecX v(static_cast<Eigen::Index>(count()));
    bytes(v.data(), static_cast<std::size_t>(v.size()) * sizeof(double));
    return v;
  }
  bool at_end() const { return at_ == text_.size(); }
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::File, path_.string(),
                fmt::format("expected a checkpoint written by sinew, but the file {}", what));
  }

 private:
  std::string_view text_;
  const std::filesystem::path& path_;
  std::size_t at_ = 0;
};

std::uint64_t hash_of_text(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.value();
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint, std::uint64_t scene_hash) {
  const State& s = checkpoint.state;
  const LedgerTotals& t = checkpoint.totals;
  Writer w;
  w.bytes(kMagic.data(), kMagic.size());
  w.value(scene_hash);
  w.value(s.time);
  w.value(s.step);
  w.value(s.substep);
  w.array(s.x_W);
  w.array(s.q_WB);
  w.array(s.v_W);
  w.array(s.omega_B);
  for (const VecX* v : {&s.lambda, &s.reaction, &s.joint_q, &s.effort})
    w.doubles(v->data(), static_cast<std::size_t>(v->size()));
  w.array(s.contact_id);
  w.array(s.contact_force);
  w.array(s.rest_time);
  w.array(s.load);
  w.value(t.initial_energy);
  for (const Vec3* v : {&t.initial_linear, &t.initial_angular, &t.linear_impulse, &t.angular_impulse})
    w.bytes(v->data(), sizeof(Vec3));
  w.array(t.work);
  w.value(t.sleep_work);
  w.value(hash_of_text(w.text()));

  const std::filesystem::path temporary = path.string() + ".part";
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::File, path.string(), fmt::format("cannot write the checkpoint: {}", what));
  };
  {
    std::ofstream file(temporary, std::ios::binary);
    file.write(w.text().data(), static_cast<std::streamsize>(w.text().size()));
    file.flush();
    if (!file) fail(std::strerror(errno));
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) fail(error.message());
}

Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t scene_hash) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file)
    throw Error(ErrorKind::File, path.string(), fmt::format("cannot read the checkpoint: {}", std::strerror(errno)));
  const std::string text = content.str();

  Reader r(text, path);
  std::string magic(kMagic.size(), ' ');
  if (text.size() < kMagic.size() + sizeof(std::uint64_t)) r.fail("is too short");
  r.bytes(magic.data(), magic.size());
  if (magic != kMagic) r.fail("begins differently");
  const std::string_view hashed = std::string_view(text).substr(0, text.size() - sizeof(std::uint64_t));
  std::uint64_t stored = 0;
  std::memcpy(&stored, text.data() + hashed.size(), sizeof stored);
  if (stored != hash_of_text(hashed)) r.fail("is cut off or damaged (its hash differs)");
  if (r.value<std::uint64_t>() != scene_hash) {
    throw Error(ErrorKind::Input, path.string(),
                "the checkpoint belongs to another scene or to other overrides: resume with the same ones");
  }

  Checkpoint c;
  State& s = c.state;
  s.time = r.value<double>();
  s.step = r.value<std::int64_t>();
  s.substep = r.value<double>();
  s.x_W = r.array<Vec3>();
  s.q_WB = r.array<Quat>();
  s.v_W = r.array<Vec3>();
  s.omega_B = r.array<Vec3>();
  for (VecX* v : {&s.lambda, &s.reaction, &s.joint_q, &s.effort}) *v = r.vector();
  s.contact_id = r.array<std::uint64_t>();
  s.contact_force = r.array<Vec6>();
  s.rest_time = r.array<double>();
  s.load = r.array<Vec6>();
  c.totals.initial_energy = r.value<double>();
  for (Vec3* v :
       {&c.totals.initial_linear, &c.totals.initial_angular, &c.totals.linear_impulse, &c.totals.angular_impulse}) {
    r.bytes(v->data(), sizeof(Vec3));
  }
  c.totals.work = r.array<double>();
  c.totals.sleep_work = r.value<double>();
  r.value<std::uint64_t>();
  if (!r.at_end()) r.fail("is longer than it should be");
  return c;
}

void check_fits(const Checkpoint& checkpoint, const System& system) {
  const Model& model = system.model();
  const State& s = checkpoint.state;
  const auto n = static_cast<std::size_t>(model.body_count());
  const bool fits =
      s.x_W.size() == n && s.q_WB.size() == n && s.v_W.size() == n && s.omega_B.size() == n &&
      s.lambda.size() == model.rows() && s.reaction.size() == model.rows() && s.joint_q.size() == model.coordinates() &&
      s.effort.size() == (model.has_motions() ? model.dof() : 0) && s.contact_id.size() == s.contact_force.size() &&
      (s.rest_time.empty() || s.rest_time.size() == n) && s.load.size() == s.rest_time.size() &&
      checkpoint.totals.work.size() == static_cast<std::size_t>(work_entries(system));
  if (!fits)
    throw Error(ErrorKind::Input, "checkpoint",
                "expected a state of this scene, got one with another number of bodies, joints or forces");
  if (!is_finite(s))
    throw Error(ErrorKind::Input, "checkpoint", "expected a state of finite numbers, got one with NaN or infinity");
}

}  // namespace sinew
