"""Programs that attack the grader: each is tried in each tier that this machine has, and docs/sandbox.md says what came of it."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from grader.sandbox import Tier
from grader.sandbox.wire import LAUNCHER
from tests.chosen import is_chosen
from tests.hostile.attacks import ATTACKS, FOLDER
from tests.hostile.page import PAGE, STOPPED, THROUGH, rewritten, shown
from tests.hostile.play import compile_all
from tests.sandbox.conftest import NOBODY, TIERS_OF_ROOT, _reachable

pytestmark = pytest.mark.xdist_group("hostile")

WITHOUT_WALLS = {
    "answer-key", "key-among-libraries", "environment", "command-lines", "write-outside", "rights-outside", "kill",
    "kill-watcher", "slow-others", "network", "local-sockets", "shared-memory", "remembers", "others-terminal",
    "java-looks-outside", "assembler-key",
}  # fmt: skip
"""The attacks that get through with limits only: what a tier must add, and the proof that we would see it."""

Observed = Mapping[Tier, Mapping[str, list[str]]]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A folder that other users may also write to."""
    with tempfile.TemporaryDirectory(prefix="hostile-") as made:
        Path(made).chmod(0o777)
        (Path(made) / "products").mkdir()
        (Path(made) / "products").chmod(0o777)
        yield Path(made)


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.spare)])
def observed(request: pytest.FixtureRequest, folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Observed:
    """The success of each attack in each tier that can be had here: all of them, or those of a whole run.

    It is played once, however many processes run the tests.
    """
    everything = request.param == "all" or request.config.getoption("--accept")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return _observed(folder, everything=everything)
    shared = tmp_path_factory.getbasetemp().parent / f"hostile-{run}-{request.param}.json"
    with shared.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not shared.exists():
            shared.write_text(json.dumps(_observed(folder, everything=everything)), encoding="utf-8")
    return {Tier(tier): answer for tier, answer in json.loads(shared.read_text(encoding="utf-8")).items()}


def _observed(folder: Path, *, everything: bool) -> Observed:
    compile_all(folder, folder / "products")
    with ThreadPoolExecutor() as pool:  # much of the time goes to attacks that sleep
        answers = dict(zip(Tier, pool.map(partial(played, folder, everything=everything), Tier), strict=True))
    return {tier: answer for tier, answer in answers.items() if answer is not None}


def chosen(name: str, tier: Tier) -> bool:
    """Whether a whole run plays an attack in a tier.

    The strongest one meets them all. The others meet half of those against the cage and a quarter of the rest, since the limits of the
    grader and its compilers are the same in each tier. The bare one meets all that is known to get through.
    """
    whole = tier is Tier.STRONG or (tier is Tier.BARE and name in WITHOUT_WALLS)
    return whole or is_chosen(2 if ATTACKS[name].against == "cage" else 4, f"{name} {tier}")


def played(folder: Path, tier: Tier, *, everything: bool) -> dict[str, list[str]] | None:
    """The results of the attacks in one tier; None if it cannot be had. Root plays the tiers of ordinary users as one."""
    other = os.geteuid() == 0 and tier not in TIERS_OF_ROOT
    if other and not _reachable(LAUNCHER):
        return None
    # Not one that others play as, in these tests or beside them: limits on processes count all of a user's.
    user = str(NOBODY - 1 - list(Tier).index(tier) if other else os.geteuid())
    names = sorted(
        (one for one in ATTACKS if everything or chosen(one, tier)), reverse=list(Tier).index(tier) % 2 == 1
    )  # so that not all load the machine alike
    words = [sys.executable, "-m", "tests.hostile.play", tier, folder / tier, folder / "products", user, *names]
    done = subprocess.run(words, cwd=FOLDER.parents[1], stdout=subprocess.PIPE, check=True)
    answer = json.loads(done.stdout)
    return answer if isinstance(answer, dict) else None


def test_every_attack_says_what_it_is():
    """There are more than thirty, in every language that is compiled, and each says what it does and how that is seen."""
    assert len(ATTACKS) >= 30
    assert {attack.language for attack in ATTACKS.values()} == {"c", "cpp", "java"}
    assert {attack.against for attack in ATTACKS.values()} == {"cage", "grader", "compiler"}
    for attack in ATTACKS.values():
        assert attack.title
        assert attack.stopped
        assert attack.observed
        assert bool(attack.verdict) is (attack.against != "cage")


@pytest.mark.parametrize("tier", [tier for tier in Tier if tier is not Tier.BARE])
def test_no_attack_gets_through_walls(observed: Observed, tier: Tier):
    """In every tier but the bare one each attack is stopped."""
    if tier not in observed:
        pytest.skip("the tier cannot be had here")
    assert {name: harm for name, harm in observed[tier].items() if harm} == {}


def test_what_gets_through_is_seen(observed: Observed):
    """With limits only, each way of looking at an attack sees one succeed."""
    assert {name for name in WITHOUT_WALLS if not observed[Tier.BARE][name]} == set()


def test_the_page_says_what_was_observed(observed: Observed, request: pytest.FixtureRequest):
    """docs/sandbox.md is what came of the attacks; of the bare tier only the machine itself may stop more."""
    stopped = {tier: {name: not harm for name, harm in attacks.items()} for tier, attacks in observed.items()}
    text = PAGE.read_text(encoding="utf-8")
    if request.config.getoption("--accept"):
        text = rewritten(text, stopped)
        PAGE.write_text(text, encoding="utf-8")
    said = shown(text)
    for name, cells in said.items():
        for tier, attacks in stopped.items():
            attacks.setdefault(name, cells[tier] == STOPPED)  # what was not played
        if cells[Tier.BARE] == THROUGH and stopped[Tier.BARE].get(name):
            stopped[Tier.BARE][name] = False
    assert {cell for cells in said.values() for cell in cells.values()} <= {STOPPED, THROUGH}
    assert rewritten(text, stopped) == text, "what came of the attacks differs from the page: make accept rewrites it"
