// docs/scene_format.md is the page made from the declarations.
#include "sinew/io/scene_docs.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "sinew/simulation/scene_description.h"

namespace sinew {
namespace {

TEST(SceneDocs, PageInTheRepositoryIsCurrent) {
  std::ifstream file(SINEW_SOURCE_DIR "/docs/scene_format.md", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(text.str() == make_scene_format_page())
      << "docs/scene_format.md is out of date: sinew schema --markdown > docs/scene_format.md";
}

template <class List>
void expect_sections(const std::string& page) {
  List::for_each([&]<class T>() {
    const std::string section = "### type: " + std::string(T::kName) + "\n";
    EXPECT_NE(page.find(section), std::string::npos) << T::kName;
  });
}

TEST(SceneDocs, EveryTypeHasASection) {
  const std::string page = make_scene_format_page();
  expect_sections<AllJoints>(page);
  expect_sections<AllShapes>(page);
  expect_sections<AllForces>(page);
  expect_sections<AllProbes>(page);
  expect_sections<AllSteppers>(page);
}

TEST(SceneDocs, NoEmptyExample) {
  EXPECT_NE(make_scene_format_page().find("scene.yaml:2:1 gravty: unknown key 'gravty'"), std::string::npos);
}

}  // namespace
}  // namespace sinew
