from __future__ import annotations

from pathlib import Path

import pytest

from tests.extra import toy_family
from thence import families
from thence.errors import FileError, ParameterError
from thence.prompts import catalog, template_loader
from thence.prompts.templates import Templates
from thence.prompts.wording import template_hash

NAMES = [
    *(name for task in families.tasks().values() for name in (task.question_template,)),
    "procbench/answer",
    *(name for each in catalog.protocols().values() for name in each.templates),
    "protocols/direct",
]


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / f"{name}.jinja"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_users_folder_comes_first_and_ours_stays_behind_it(tmp_path: Path) -> None:
    write(tmp_path, "procbench/sort", "\n\nPlease sort {{ string }}.\n\n")
    write(tmp_path, "protocols/direct", "{{ instruction }} {{ question }}")
    theirs, ours = template_loader.templates(tmp_path), template_loader.templates()
    assert theirs.render("procbench/sort", {"string": "ba"}) == "Please sort ba."
    assert theirs.render("protocols/direct", {"question": "q", "instruction": "i"}) == "i q"
    assert ours.render("protocols/direct", {"question": "q", "instruction": "i"}) == "q\n\ni"
    same = {"strings": ["a", "b"]}
    assert theirs.render("procbench/count", same) == ours.render("procbench/count", same)


def test_text_is_not_escaped(tmp_path: Path) -> None:
    write(tmp_path, "procbench/sort", "{{ string }}")
    text = "<b>&\"'\ud800</b>"
    assert template_loader.templates(tmp_path).render("procbench/sort", {"string": text}) == text


def test_a_value_of_one_call_is_not_seen_by_the_next(tmp_path: Path) -> None:
    write(tmp_path, "procbench/sort", "{% set x = string %}{{ x }}")
    write(tmp_path, "procbench/count", "{{ x }}")
    held = template_loader.templates(tmp_path)
    assert [held.render("procbench/sort", {"string": text}) for text in "ab"] == ["a", "b"]
    with pytest.raises(FileError, match="'x' is undefined"):
        held.render("procbench/count", {})


@pytest.mark.parametrize("name", NAMES)
def test_every_template_exists_and_asks_for_values(name: str) -> None:
    held = template_loader.templates()
    assert len(held.hash(name)) == 16
    if name.startswith("procbench/"):
        with pytest.raises(FileError, match="is undefined"):
            held.render(name, {})


FAULTS = {
    "a value that is not given": ("{{ letters }}", "'letters' is undefined"),
    "a field that is not there": ("{{ string.size.x }}", "has no attribute"),
    "syntax": ("fine\n{% if %}", "Expected an expression"),
    "an open end": ("{{ string", "unexpected end"),
    "a filter": ("{{ string | sorted }}", "sorted"),
    "a type": ("{{ string + 1 }}", "concatenate"),
    "a division": ("{{ 1 / 0 }}", "division by zero"),
    "an index": ("{{ '{} {}'.format(string) }}", "out of range"),
    "an attribute": ("{{ string | dictsort }}", "no attribute 'items'"),
    "code": ("{{ cycler.__init__.__globals__.os.popen('id').read() }}", "'__init__' .*unsafe"),
    "code in a form": ("{{ '{0.__class__}'.format(string) }}", "'__class__' .*unsafe"),
    "code by a filter": ("{{ string | attr('__class__') }}", "'__class__' .*unsafe"),
    "a change of a value": ("{{ [string].append(1) }}", "'append' .*unsafe"),
    "a long range": ("{{ range(10**10) | join }}", "Range too big"),
    "a long text": ("{{ string * 10**15 }}", "MemoryError"),
    "a value": ("{{ string[::0] }}", "zero"),
    "an encoding": (b"\xff\xfe", "not UTF-8|codec can't decode"),
    "itself": ("{% include 'procbench/sort.jinja' %}", "recursion"),
}


@pytest.mark.parametrize(("text", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_of_a_template_is_one_line_that_names_it(
    tmp_path: Path, text: str, reason: str
) -> None:
    path = write(tmp_path, "procbench/sort", text)
    with pytest.raises(FileError, match=reason) as caught:
        template_loader.templates(tmp_path).render("procbench/sort", {"string": "ba"})
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_template_that_cannot_be_hashed_says_so(tmp_path: Path) -> None:
    write(tmp_path, "procbench/sort", b"\xff")
    with pytest.raises(FileError, match=r"procbench/sort.*: not UTF-8"):
        template_loader.templates(tmp_path).hash("procbench/sort")


@pytest.mark.parametrize("name", ["procbench/nope", "nope/sort", "procbench/../../x", "", "/"])
def test_an_unknown_template_is_named(tmp_path: Path, name: str) -> None:
    write(tmp_path, "procbench/sort", "")
    for held in (template_loader.templates(), template_loader.templates(tmp_path)):
        with pytest.raises(FileError, match="does not exist"):
            held.render(name, {})
        with pytest.raises(FileError, match="does not exist"):
            held.hash(name)


def test_a_template_that_another_lacks_is_named(tmp_path: Path) -> None:
    write(tmp_path, "procbench/sort", "{% include 'shared/rules.jinja' %}")
    with pytest.raises(FileError, match=r"shared/rules.* does not exist"):
        template_loader.templates(tmp_path).render("procbench/sort", {"string": "ba"})


def test_a_template_that_is_taken_in_counts_in_the_hash(tmp_path: Path) -> None:
    write(tmp_path, "procbench/sort", "{% include 'shared/rules.jinja' %} {{ string }}")
    write(tmp_path, "shared/rules", "{% extends 'base.jinja' %}{% block a %}Hm{% endblock %}")
    hashes = set()
    for text in ("{% block a %}{% endblock %}", "{% block a %}{% endblock %}!"):
        write(tmp_path, "base", text)
        hashes.add(template_loader.templates(tmp_path).hash("procbench/sort"))
    assert len(hashes) == 2
    sort = {"string": "ba"}
    assert template_loader.templates(tmp_path).render("procbench/sort", sort) == "Hm! ba"


def test_a_template_whose_name_is_worked_out_counts_in_the_hash(tmp_path: Path) -> None:
    write(tmp_path, "procbench/sort", "{% include 'shared/' ~ 'rules.jinja' %}")
    hashes = set()
    for text in ("a", "b"):
        write(tmp_path, "shared/rules", text)
        held = template_loader.templates(tmp_path)
        assert held.render("procbench/sort", {}) == text
        hashes.add(held.hash("procbench/sort"))
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("procbench/srot.jinja", r"did you mean 'procbench/sort\.jinja'"),
        ("procbench/sort.txt", r"did you mean 'procbench/sort\.jinja'"),
        ("procbnch/sort.jinja", r"did you mean 'procbench/sort\.jinja'"),
        ("sort.jinja", "rename or remove it"),
        ("protocols/a/direct.jinja", "rename or remove it"),
    ],
)
def test_a_file_that_takes_no_templates_place_is_named(
    tmp_path: Path, name: str, mend: str
) -> None:
    write(tmp_path, "procbench/gather", "{{ picks }}")
    (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
    (tmp_path / name).write_text("")
    (tmp_path / "README.md").write_text("")
    (tmp_path / "procbench" / ".hidden").write_text("")
    with pytest.raises(ParameterError, match=f"{name} takes no template's place.*{mend}") as caught:
        template_loader.templates(tmp_path)
    assert "\n" not in str(caught.value)
    (tmp_path / name).unlink()
    template_loader.templates(tmp_path)


def test_a_folder_without_templates_is_named(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("")
    with pytest.raises(ParameterError, match="holds no template"):
        template_loader.templates(tmp_path)


def test_all_that_jinja_offers_may_be_used(tmp_path: Path) -> None:
    text = (
        "{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{% set n = namespace(k=1) %}"
        "{% for each in words | sort %}{% set n.k = n.k * 2 %}{{ loop.index }}{{ twice(each) }}"
        "{% endfor %}{{ n.k }}{{ range(2) | join }}{{ pairs | join('+', attribute=1) }}"
        "{{ pairs | rows('<{}{}>', ';') }}{{ words | map('upper') | join }}"
    )
    write(tmp_path, "procbench/sort", text)
    values = {"words": ["b", "a"], "pairs": [["c", 1], ["d", 2]]}
    held = template_loader.templates(tmp_path)
    assert held.render("procbench/sort", values) == "1aa2bb4011+2<c1>;<d2>BA"


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("rows | rows('({}, {})')", "(1, a), (2, b)"),
        ("rows | rows('{}{{}} %s %{}', ' {} % ')", "1{} %s %a {} % 2{} %s %b"),
        ("[] | rows('({}, {})')", ""),
        ("[[1, 2, 3], [4]] | rows('({}, {})')", None),
        ("rows | rows('{}')", None),
        ("rows | rows('{1}\n{0}')", None),
        ("rows | rows('{}{0.__class__}')", None),
        ("rows | rows('{}{:>2}')", None),
    ],
)
def test_lists_of_rows_are_written_in_one_form(
    written: str, wanted: str | None, tmp_path: Path
) -> None:
    write(tmp_path, "procbench/sort", f"{{{{ {written} }}}}")
    held, values = template_loader.templates(tmp_path), {"rows": [[1, "a"], [2, "b"]]}
    if wanted is None:
        with pytest.raises(FileError, match=r"sort.jinja: rows: ") as caught:
            held.render("procbench/sort", values)
        assert "\n" not in str(caught.value)
    else:
        assert held.render("procbench/sort", values) == wanted


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"templates=.*nowhere: no such folder"):
        template_loader.templates(tmp_path / "nowhere")
    with pytest.raises(ParameterError, match="no such folder"):
        Templates({}, write(tmp_path, "a", ""))


def test_the_hash_follows_the_source_and_the_order(tmp_path: Path) -> None:
    ours, sort = template_loader.templates(), "procbench/sort"
    packaged = ours._source(sort)
    hashes = {ours.hash(sort), ours.hash(sort, "procbench/answer"), ours.hash("procbench/answer")}
    hashes.add(ours.hash("procbench/answer", sort))
    assert len(hashes) == 4
    write(tmp_path, sort, packaged)
    assert template_loader.templates(tmp_path).hash(sort) == ours.hash(sort)
    write(tmp_path, sort, packaged + " ")
    assert template_loader.templates(tmp_path).hash(sort) != ours.hash(sort)


@pytest.mark.parametrize("changed", ["procbench/sort", "procbench/answer", "protocols/direct"])
def test_the_hash_of_a_sample_covers_all_its_words(tmp_path: Path, changed: str) -> None:
    task = families.task("procbench/sort")
    write(tmp_path, changed, "other words")
    ours, theirs = template_loader.templates(), template_loader.templates(tmp_path)
    assert template_hash(task, theirs) != template_hash(task, ours)
    other = families.task("procbench/gather")
    same = template_hash(other, theirs) == template_hash(other, ours)
    assert same is (changed == "procbench/sort")


def test_a_family_brings_its_own() -> None:
    with toy_family():
        assert template_loader.templates().render("toy/dice", {"rolls": [1, 2]}) == "Add up: 1 2"


def test_a_filter_that_is_none_is_named_with_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "procbench/sort", "{{ string | each('{}') | join(', ') }}")
    with pytest.raises(FileError, match=f"{path}: No filter named 'each'"):
        template_loader.templates(tmp_path).render("procbench/sort", {"string": "ab"})
