"""The attacks that each tier stops, tried out."""

import os

import pytest

from grader.errors import JudgeError
from grader.sandbox import Tier, best_tier, prove
from grader.sandbox.proofs import ATTACKS


def test_every_tier_stops_what_it_says(in_tier):
    """No attack gets through walls; in the bare tier limits and sweeping hold, and what is open is named."""

    def scenario(tier):
        proofs = {proof.name: proof for proof in prove(tier)}
        assert proofs.keys() == ATTACKS.keys()
        through = {name: proof.how for name, proof in proofs.items() if not proof.stopped}
        if tier is Tier.BARE:
            assert through["read-outside"] == ATTACKS["read-outside"]
            assert not through.keys() & {"fork-bomb", "memory", "memory-in-children", "full-folder", "daemon"}
        else:
            assert not through

    in_tier(scenario)


def test_the_best_tier_is_one_for_who_we_are():
    """There are walls where the tests run, and root gets a tier that runs programs as somebody else."""
    tiers = (Tier.STRONG, Tier.CONTAINER) if os.geteuid() == 0 else (Tier.NAMESPACED, Tier.USER)
    assert best_tier() in tiers, "this machine has no sandbox for programs: grader doctor says what is missing"


def test_a_tier_for_somebody_else_is_refused():
    """Root may not run programs as itself behind walls for ordinary users, and they may not ask for root's."""
    tier = Tier.USER if os.geteuid() == 0 else Tier.STRONG
    with pytest.raises(JudgeError, match=f"the sandbox tier {tier}"):
        prove(tier)
