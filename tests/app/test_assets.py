"""Inlining: one module without imports, in the order of need, with the entry's exports only."""

import pytest

from app import assets


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(assets, "ASSETS", tmp_path)
    (tmp_path / "lib").mkdir()

    def write(**files):
        for name, text in files.items():
            (tmp_path / name.replace("__", "/")).with_suffix(".js").write_text(text, "utf-8")
    return write


def test_imports_come_first_once_and_without_their_exports(folder):
    folder(lib__base="const one = 1;\nconst two = 2;\nexport { one, two };\n",
           middle='import { one } from "./lib/base.js";\nexport const half = one / 2;\n',
           top='/** The top. */\nimport {\n  two,\n} from "./lib/base.js";\nimport { half } from "./middle.js";\n'
               'export function sum() { return two + half; }\nexport async function later() {}\n')
    text = assets.module("top.js")
    assert "import" not in text and text.count("const one") == 1
    assert text.index("const one") < text.index("const half") < text.index("export function sum")
    assert text.count("export") == 2
    assert assets.module("top.js", exports=False) == text.replace("export ", "")


def test_an_import_in_a_comment_or_string_is_left(folder):
    folder(top='const s = \'import { a } from "./a.js";\';\n// import { b } from "./b.js";\nexport const t = s;\n')
    assert assets.module("top.js") == (assets.ASSETS / "top.js").read_text("utf-8")


@pytest.mark.parametrize("line", ['import { a as b } from "./lib/base.js";', 'import * as base from "./lib/base.js";',
                                  'import "./lib/base.js";', 'import base from "./lib/base.js";', 'import { a } from "elsewhere";',
                                  "export default 1;", 'export * from "./lib/base.js";'])
def test_other_forms_are_refused(folder, line):
    folder(lib__base="export const a = 1;\n", top=line + "\n")
    with pytest.raises(ValueError, match="top.js"):
        assets.module("top.js")


def test_a_missing_file_is_named(folder):
    folder(top='import { a } from "./gone.js";\n')
    with pytest.raises(FileNotFoundError, match="gone.js"):
        assets.module("top.js")


def test_styles_keep_their_order(folder):
    (assets.ASSETS / "a.css").write_text("a{}", "utf-8")
    (assets.ASSETS / "b.css").write_text("b{}", "utf-8")
    assert assets.style("b.css", "a.css") == "b{}\na{}"
