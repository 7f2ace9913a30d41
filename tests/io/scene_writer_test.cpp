// Writing and reading back changes nothing, for every type of every family, over the lists.
#include "sinew/io/scene_writer.h"

#include <gtest/gtest.h>

#include "io/scene_test_text.h"

#include "sinew/io/scene_docs.h"
#include "sinew/io/yaml_nodes.h"
#include "sinew/io/yaml_writer.h"

namespace sinew {
namespace {

// Visitor that gives every field a value other than its default, inside its range.
class Perturber {
 public:
  template <class Member>
  void operator()(const FieldInfo& info, Member& member) {
    change(info, member);
  }

 private:
  void change(const FieldInfo& info, double& value) {
    value = (std::isfinite(info.minimum) ? info.minimum : -1) + next() / 3;
    if (value > info.maximum) value = info.maximum;
  }
  void change(const FieldInfo& info, int& value) {
    value = std::isfinite(info.maximum) ? static_cast<int>(info.maximum) : value + 7;
  }
  void change(const FieldInfo&, bool& value) { value = !value; }
  void change(const FieldInfo&, std::string& value) {
    static const std::vector<std::string> kTexts = {"it's: a #1 [x], {y}",
                                                    "two\nlines",
                                                    "- 12",
                                                    "1e5",
                                                    "true",
                                                    "null",
                                                    " spaced ",
                                                    "tab\tand \"quote\" \\",
                                                    "ends\n",
                                                    "a: b",
                                                    "*x",
                                                    "&y z",
                                                    "ä ö ü",
                                                    "~",
                                                    "\n\n",
                                                    "trailing \nspace",
                                                    "%x",
                                                    "? y",
                                                    "pi"};
    value = kTexts[texts_++ % kTexts.size()];
  }
  void change(const FieldInfo&, BodyName& value) { value.name = "body 1"; }
  void change(const FieldInfo&, JointName& value) { value.name = "joint: 1"; }
  void change(const FieldInfo&, ConstraintName& value) { value.name = "constraint #1"; }
  void change(const FieldInfo& info, Vec3& value) {
    for (double& x : value) change(info, x);
    if (info.is_unit_vector) value.normalize();
  }
  void change(const FieldInfo&, Mat3& value) {
    for (int i = 0; i < 9; ++i) value(i % 3, i / 3) = next() / 7;
  }
  void change(const FieldInfo&, Quat& value) { value = Quat(next(), -next(), next(), next()).normalized(); }
  template <char... kNames>
  void change(const FieldInfo&, ExpressionOf<kNames...>& value) {
    value = ExpressionOf<kNames...>(fmt::format("1 + 0.3*sin(2*{})", value.variables().back()));
  }
  template <class E>
    requires std::is_enum_v<E>
  void change(const FieldInfo&, E& value) {
    value = static_cast<E>(enum_names(value).size() - 1);
  }
  template <class T>
  void change(const FieldInfo& info, std::optional<T>& value) {
    change(info, value.emplace());
  }
  template <class T>
  void change(const FieldInfo& info, std::vector<T>& values) {
    values.resize(2);
    for (T& value : values) change(info, value);
  }
  template <class T, std::size_t N>
  void change(const FieldInfo& info, std::array<T, N>& values) {
    for (T& value : values) change(info, value);
  }
  template <Described T>
  void change(const FieldInfo&, T& value) {
    T::visit_fields(value, *this);
  }
  template <class... Ts>
  void change(const FieldInfo& info, std::variant<Ts...>& value) {
    std::visit([&](auto& alternative) { change(info, alternative); }, value);
  }

  double next() { return number_ += 0.37; }
  double number_ = 0;
  std::size_t texts_ = 0;
};

// value -> text -> value -> text: the texts are equal, and so is what they hold.
template <class T>
void expect_round_trip(const T& value) {
  YamlNode holder = YamlNode::map();
  holder.add("x", make_node(value));
  const std::string text = write_yaml(holder);
  YamlFindings findings({"s.yaml"});
  const YamlNode parsed = parse_yaml(text, "s.yaml");
  T copy{};
  static constexpr FieldInfo kInfo = required("x", "", "");
  ASSERT_TRUE(read_value(YamlPlace{parsed.entries.at(0).value, "x", kInfo, findings}, copy))
      << text << (findings.list().empty() ? "" : findings.diagnostics().front().text());
  EXPECT_TRUE(same_content(make_node(copy), make_node(value))) << text;
  YamlNode second = YamlNode::map();
  second.add("x", make_node(copy));
  EXPECT_EQ(write_yaml(second), text);
}

template <class List>
void expect_round_trips_of() {
  List::for_each([]<class T>() {
    SCOPED_TRACE(std::string(T::kName));
    Perturber perturb;
    T value{};
    T::visit_fields(value, perturb);
    expect_round_trip<typename List::Variant>(value);
  });
}

TEST(SceneWriter, EveryJointRoundTrips) { expect_round_trips_of<AllJoints>(); }
TEST(SceneWriter, EveryShapeRoundTrips) { expect_round_trips_of<AllShapes>(); }
TEST(SceneWriter, EveryForceRoundTrips) { expect_round_trips_of<AllForces>(); }
TEST(SceneWriter, EveryProbeRoundTrips) { expect_round_trips_of<AllProbes>(); }
TEST(SceneWriter, EveryStepperRoundTrips) { expect_round_trips_of<AllSteppers>(); }

TEST(SceneWriter, WholeSceneWithEveryFieldChangedRoundTrips) {
  SceneDescription scene;
  Perturber perturb;
  SceneDescription::visit_fields(scene, perturb);
  expect_round_trip(scene);
}

TEST(SceneWriter, EveryTextRoundTrips) {
  for (int c = 1; c < 0x80; ++c) {
    const std::string s(1, static_cast<char>(c));
    for (const std::string& text :
         {s, s + "a", "a" + s, "a" + s + "b", "a" + s + " b", "a " + s + "b", s + s + s, s + " "})
      expect_round_trip(text);
  }
}

TEST(SceneWriter, NumbersKeepTheirBits) {
  for (const double x :
       {0.1, 1.0 / 3, 1e-10, 1e300, 5e-324, -0.0, 123456789.123456789, 1e22, 2.2250738585072014e-308}) {
    const YamlNode node = make_node(x);
    YamlFindings findings({"s.yaml"});
    static constexpr FieldInfo kInfo = required("x", "", "");
    double copy = 1;
    ASSERT_TRUE(read_value(YamlPlace{node, "x", kInfo, findings}, copy)) << node.text;
    EXPECT_EQ(std::signbit(copy), std::signbit(x));
    EXPECT_EQ(copy, x);
  }
}

TEST(SceneWriter, DefaultsAreLeftOut) { EXPECT_EQ(write_scene_text(SceneDescription{}), "sinew: 1\n"); }

TEST(SceneWriter, LooksAsPeopleWriteIt) {
  const std::string text =
      write_scene_text(read_scene_text(small_scene("stepper: {type: variational, tolerance: 1e-7}\n"), "s.yaml"));
  EXPECT_EQ(text,
            "sinew: 1\n"
            "stepper:\n"
            "  type: variational\n"
            "  tolerance: 1.0e-07\n"
            "bodies:\n"
            "  - name: rod\n"
            "    shapes:\n"
            "      - type: box\n"
            "        size: [1, 2, 3]\n"
            "        density: 10\n"
            "joints:\n"
            "  - name: hinge\n"
            "    type: revolute\n"
            "    child: rod\n"
            "    anchor: [0, 0, 0]\n");
}

TEST(SceneWriter, ExampleRoundTrips) {
  const std::string first = write_scene_text(read_scene_text(example_scene(), "s.yaml"));
  EXPECT_EQ(write_scene_text(read_scene_text(first, "s.yaml")), first);
}

}  // namespace
}  // namespace sinew
