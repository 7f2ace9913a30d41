"""Tests of tools/check_*: small trees with a known fault each."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent.parent


def load(name):
    loader = importlib.machinery.SourceFileLoader(name, str(TOOLS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


layers, citations, files, links = (load(f"check_{name}") for name in ("layers", "citations", "files", "links"))

TABLE = """# Architecture
| to add | write |
|---|---|
| 1 | not this table |

| row | folders |
|---|---|
| 1 | core |
| 2 | spatial, `linalg/` |
| 3 | joints |
| 11 | apps |

| 9 | after the table |
"""


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Layers(Tree):
    def check(self, name, text):
        self.write("ARCHITECTURE.md", TABLE)
        self.write(name, text)
        return layers.violations(self.root)

    def test_reads_only_the_layer_table(self):
        self.assertEqual(layers.read_rows(TABLE), {"core": 1, "spatial": 2, "linalg": 2, "joints": 3, "apps": 11})

    def test_rows_above_and_the_own_folder_are_allowed(self):
        text = '#include "sinew/core/a.h"\n#include "sinew/spatial/b.h"\n#include "sinew/joints/c.h"\n#include <vector>\n'
        self.assertEqual(self.check("src/sinew/joints/x/deep.h", text), [])
        self.assertEqual(self.check("apps/cli/main.cpp", text), [])

    def test_a_row_below_is_a_violation(self):
        found = self.check("src/sinew/core/a.h", '// head\n#include "sinew/joints/c.h"\n')
        self.assertEqual(found, ["src/sinew/core/a.h:2: core (row 1) must not include joints (row 3)"])

    def test_the_same_row_is_a_violation(self):
        self.assertEqual(len(self.check("src/sinew/spatial/a.cpp", '#  include "sinew/linalg/b.h"\n')), 1)

    def test_folders_outside_the_table_are_violations(self):
        self.assertIn("src/sinew/utils/a.h:1", self.check("src/sinew/utils/a.h", "")[0])
        self.assertTrue(any(":1: includes 'misc'" in line for line in self.check("src/sinew/core/b.h", "#include <sinew/misc/x.h>\n")))

    def test_a_missing_table_is_a_violation(self):
        self.assertEqual(len(layers.violations(self.root)), 1)


class Citations(Tree):
    def check(self, text, name="src/sinew/core/a.h"):
        self.write("docs/references.bib", "@misc{Sueda,\n title = {Notes}}\n@article{ Hairer2006 ,\n}\n")
        self.write(name, text)
        return citations.violations(self.root)

    def test_known_keys_pass(self):
        self.assertEqual(self.check("// M = Jᵀ M J   [Sueda, (2.18)] and [Hairer2006]\n/* [Sueda, §2;\n   Hairer2006, VI] */\n"), [])

    def test_unknown_keys_are_found_with_their_line(self):
        found = self.check("int a;\n// as in [Suedda, (1.2)]\n/// x\n/// [Hairer2007]\nint b;  // [Sueda, §1; Nobody1999, p. 3]\n")
        self.assertEqual([line.split(" ")[0] for line in found], [f"src/sinew/core/a.h:{n}:" for n in (2, 4, 5)])

    def test_a_citation_may_break_over_comment_lines(self):
        self.assertEqual(len(self.check("// so says [Nobody1999,\n//   Table B.2]\n")), 1)

    def test_code_strings_and_indices_are_no_citations(self):
        text = 'int x = a[Index];\nauto s = "// [Nobody]";\nauto r = R"(// [Nobody])";\n// a[Index], [i], [0, 1], [[Nodiscard]], [FOLDER]\n'
        self.assertEqual(self.check(text), [])
        self.assertEqual(len(self.check("int n = 1'000;  // [Nobody] isn't known\n")), 1)

    def test_markdown_links_and_code_are_no_citations(self):
        self.assertEqual(self.check("[Scenes](x.md) `[Nobody]`\n```\n[Nobody]\n```\n[Sueda, (1.1)]\n", "docs/a.md"), [])
        self.assertEqual(len(self.check("text [Nobody2001, p. 4]\n", "docs/a.md")), 1)


class Files(Tree):
    def check(self, text, name="src/sinew/core/a.h"):
        self.write(name, text)
        return files.check(self.root)

    def test_a_tidy_file_passes(self):
        self.assertEqual(self.check("// What it is.\n#pragma once\n"), ([], []))

    def test_heads(self):
        self.assertEqual(len(self.check("#pragma once\n")[0]), 1)
        self.write("src/sinew/core/a.h", "// What it is.\n")
        self.assertEqual(self.check('#include "sinew/core/a.h"\n', "src/sinew/core/a.cpp")[0], [])
        self.assertEqual(len(self.check("int main() {}\n", "apps/cli/main.cpp")[0]), 1)

    def test_lengths(self):
        self.assertEqual([len(found) for found in self.check("// line\n" * 401)], [0, 1])
        self.assertEqual([len(found) for found in self.check("// line\n" * 601)], [1, 0])

    def test_words_tabs_and_hosts(self):
        for bad in ("// TO" + "DO later", "//\ttab", "// end ", "// pypi" + ".org"):
            self.assertEqual(len(self.check(f"// Head.\n{bad}\n")[0]), 1, bad)


class Links(Tree):
    def test_files_and_headings(self):
        self.write("docs/b.md", "# Two words, (one) `code`\n")
        self.write("README.md", "[a](docs/b.md#two-words-one-code) [c](docs/none.md) [d](docs/b.md#gone)\n[e](https://x.y/z) `[f](g)`\n")
        found = links.violations(self.root)
        self.assertEqual([line.split("'")[1] for line in found], ["docs/none.md", "docs/b.md#gone"])


if __name__ == "__main__":
    unittest.main()
