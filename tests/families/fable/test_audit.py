"""The audit's page: what is counted, what is shown, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import thence
from tests.families.fable.toy import Lamps
from thence import families
from thence.core.audit import Audit
from thence.errors import FileError
from thence.families.fable.shared import audit as audit_module
from thence.families.fable.shared.analyses import DOMAINS
from thence.families.fable.shared.audit import EXPECTED, audit
from thence.families.fable.shared.domain import Checked

DATA = Path(__file__).parents[4] / "shared/data/fable"
ALL = all(f"fable/{domain}/taint" in families.tasks() for domain in DOMAINS)


class Published(Lamps):
    """Published answers about lamps: one wrong by the rules, some unsound."""

    def audit(self, root, dialect):
        yield Checked("a", "fable/lamps/taint", "Yes", "Yes", question="q")
        sound = "No" if dialect == "sound" else "Yes"
        why, kind = ("step 2 cleans it", "cleaned") if dialect == "sound" else ("", "")
        yield Checked("b", "fable/lamps/taint", "Yes", sound, why, kind, "q", "lamp z")
        yield Checked("c", "fable/lamps/concurrency", "No", "Yes", "no conflict", "free", "r")
        computed = None if dialect == "sound" else "No"
        yield Checked("d", "fable/lamps/concurrency", "No", computed, question="s")


@pytest.fixture
def lamps(monkeypatch):
    monkeypatch.setattr(audit_module, "domains", lambda: [Published()])


def table(found: Audit, name: str):
    (held,) = [each for each in found.tables if each.name == f"fable-audit-{name}"]
    return [list(row) for row in held.rows]


def test_agreement_and_everything_else_on_one_page(lamps, tmp_path):
    found = audit(tmp_path, {})
    assert (found.checked, found.agreed) == (
        {"fable/lamps/taint": 2, "fable/lamps/concurrency": 2},
        {"fable/lamps/taint": 2, "fable/lamps/concurrency": 1},
    )
    assert found.below == ["fable/lamps/concurrency"]
    assert table(found, "differing") == [
        ["lamps/concurrency", "free", 1, "c: 'No' should be 'Yes': no conflict"]
    ]
    assert table(found, "unsound") == [
        ["lamps/taint", "cleaned", 1, "b: 'Yes' should be 'No': step 2 cleans it"],
        ["lamps/concurrency", "free", 1, "c: 'No' should be 'Yes': no conflict"],
    ]
    assert table(found, "questions") == [
        ["lamps/taint", "Yes", 1, 1, "b: lamp z"],
        ["lamps/concurrency", "No", 0, 0, ""],
    ]


def test_by_the_sound_rules_what_is_undecided_is_skipped_and_no_rate_is_asked_for(lamps, tmp_path):
    found = audit(tmp_path, {"dialect": "sound"})
    assert (found.checked, found.skipped) == (
        {"fable/lamps/taint": 2, "fable/lamps/concurrency": 1},
        1,
    )
    assert [each.id for each in found.disagreements] == ["b", "c"]
    assert found.disagreements[0].why == "step 2 cleans it"
    assert not [name for name in found.below if name in EXPECTED]
    assert {each.name for each in found.tables} == {"fable-audit-unsound", "fable-audit-questions"}


def test_a_folder_without_published_files_is_refused(tmp_path):
    with pytest.raises(FileError, match="no such folder"):
        audit(tmp_path / "none", {})
    with pytest.raises(FileError, match="holds nothing that FABLE published"):
        audit(tmp_path, {})


@pytest.mark.long
@pytest.mark.skipif(not (ALL and DATA.exists()), reason="FABLE's published files are not here")
def test_what_was_published_is_reproduced():
    found = json.loads(thence("audit", "fable", DATA, "--json").out)
    assert len(found["groups"]) == 24
    assert found["agreed"] == found["checked"] > 3000
    assert set(found["tables"]) == {
        "fable-audit-unsound",
        "fable-audit-questions",
        "fable-audit-turned",
    }
