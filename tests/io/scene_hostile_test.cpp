// Text nobody would write: whatever it is, the reader answers with a scene or one Error.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

#include "io/scene_test_text.h"

#include "sinew/io/scene_docs.h"

namespace sinew {
namespace {

std::string only_error(const std::string& text) {
  const Lines lines = errors_of(text);
  return lines.size() == 1 ? lines.front() : "";
}

TEST(SceneHostile, DeepNesting) {
  EXPECT_EQ(only_error("sinew: 1\nx: " + std::string(10'000, '[') + std::string(10'000, ']')),
            "s.yaml:2:103: expected at most 100 levels of nesting");
  EXPECT_NE(only_error("sinew: 1\nx: " + std::string(1'000'000, '[')), "");
  EXPECT_NE(only_error("sinew: 1\nx: " + std::string(1'000'000, '{')), "");
  std::string dashes, keys;
  for (int i = 0; i < 10'000; ++i) dashes += "- ";
  EXPECT_NE(only_error(dashes + "1\n"), "");
  for (int i = 0; i < 1'000; ++i) keys += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_NE(only_error(keys), "");
  std::string questions;
  for (int i = 0; i < 10'000; ++i) questions += "? ";
  EXPECT_NE(only_error(questions), "");
}

TEST(SceneHostile, AliasBomb) {
  std::string text = "sinew: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    text += fmt::format("a{}: &a{} [", i, i);
    for (int k = 0; k < 10; ++k) text += fmt::format("{}*a{}", k > 0 ? ", " : "", i - 1);
    text += "]\n";
  }
  EXPECT_NE(only_error(text).find("expected anchors and aliases to stand for at most 1000000 values"),
            std::string::npos);
}

TEST(SceneHostile, AliasesToThemselvesAndDeepOnes) {
  EXPECT_EQ(only_error("sinew: 1\nx: &a [*a]\n"),
            "s.yaml:2:8: expected an alias to something complete, got one to what encloses it");
  std::string text = "x0: &x0 " + std::string(90, '[') + std::string(90, ']') + "\n";
  text += "x1: &x1 " + std::string(90, '[') + "*x0" + std::string(90, ']') + "\n";
  EXPECT_NE(only_error(text).find("expected at most 100 levels of nesting"), std::string::npos);
  EXPECT_NE(only_error("x: *unknown\n"), "");
}

TEST(SceneHostile, BytesThatAreNoText) {
  EXPECT_EQ(only_error(std::string("sinew: 1\nx\0y", 12)),
            "s.yaml:2:2: expected UTF-8 text, got byte 0x00; is this a text file?");
  EXPECT_EQ(only_error("sinew: 1\nname: \xff\xfe\n"),
            "s.yaml:2:7: expected UTF-8 text, got byte 0xff; is this a text file?");
  EXPECT_EQ(only_error("name: \xc3"), "s.yaml:1:7: expected UTF-8 text, got byte 0xc3; is this a text file?");
  EXPECT_EQ(errors_of("sinew: 1\nname: Gelenk für α\n"), Lines{});
}

TEST(SceneHostile, Syntax) {
  EXPECT_EQ(only_error("sinew: 1\nbodies: [a, b\n").substr(0, 36), "s.yaml:3:1: expected YAML, got a syn");
  EXPECT_NE(only_error("sinew: 1\nbodies:\n\t- name: a\n").find("indent with spaces, not tabs"), std::string::npos);
  EXPECT_NE(only_error("a: b: c\n"), "");
  EXPECT_NE(only_error("{[1]: 2}\n").find("expected a word as key"), std::string::npos);
  EXPECT_NE(only_error("? \n: 2\n").find("expected a word as key"), std::string::npos);
}

TEST(SceneHostile, LongMessagesAreCut) {
  const Lines lines = errors_of("sinew: 1\ndt: " + std::string(100'000, 'x') + "\n");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LT(lines.front().size(), 100'300u);
}

// Random damage to a good scene: cut, doubled, moved and replaced pieces.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    static const std::vector<std::string> kPieces = {
        ":",  "-", "[",    "]",    "{",  "}",   ",",   "\n",    "  ", "&a ",      "*a",   "!!x ",
        "|",  ">", "'",    "\"",   "#",  "%",   "?",   "1e400", "-1", "deg",      "type", "name: ",
        "\t", "~", "null", "<<: ", "\\", "...", "---", "@",     "`",  "\xc3\xa9", "\xff", std::string(1, '\0')};
    const std::size_t times = 1 + pick(4);
    for (std::size_t i = 0; i < times && !text.empty(); ++i) {
      const std::size_t at = pick(text.size()), size = std::min(pick(30) + 1, text.size() - at);
      switch (pick(5)) {
        case 0:
          text.erase(at, size);
          break;
        case 1:
          text.insert(at, kPieces[pick(kPieces.size())]);
          break;
        case 2:
          text.insert(pick(text.size()), text.substr(at, size));
          break;
        case 3:
          text[at] = static_cast<char>(pick(256));
          break;
        default:
          text.replace(at, 1, kPieces[pick(kPieces.size())]);
      }
    }
    return text;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  std::mt19937 random_;
};

TEST(SceneHostile, DamagedScenesAreReadOrRefused) {
  const std::vector<std::string> seeds = {
      std::string(example_scene()), small_scene("body: &a {name: b, orientation: {euler: [1, 2, 3], order: zxz}}\n")};
  Mutator mutator(20240607);
  int refused = 0;
  constexpr int kRuns = 4000;
  for (int i = 0; i < kRuns; ++i) {
    const std::string text = mutator.mutate(seeds[static_cast<std::size_t>(i) % seeds.size()]);
    try {
      read_scene_text(text, "s.yaml");
    } catch (const Error& error) {
      ++refused;
      ASSERT_FALSE(error.diagnostics().empty());
      for (const Diagnostic& d : error.diagnostics()) {
        ASSERT_EQ(d.where.rfind("s.yaml", 0), 0u) << text;
        ASSERT_FALSE(d.message.empty()) << text;
        ASSERT_EQ(d.text().find('\n'), std::string::npos) << text;
      }
    } catch (const std::exception& other) {
      FAIL() << other.what() << "\n" << text;
    }
  }
  EXPECT_GT(refused, kRuns / 2);
}

}  // namespace
}  // namespace sinew
