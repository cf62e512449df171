"""What each tier stops, tried out by attacking it."""

import os

import pytest

from grader.errors import JudgeError
from grader.sandbox import Tier, best_tier, prove
from grader.sandbox.proofs import ATTACKS


def test_every_tier_but_the_bare_one_stops_every_attack(in_tier):
    """No attack gets through, except in the bare tier, where only limits hold."""

    def scenario(tier):
        through = {proof.name for proof in prove(tier) if not proof.stopped}
        if tier is not Tier.BARE:
            assert not through

    in_tier(scenario)


def test_the_limits_hold_even_in_the_bare_tier(in_tier):
    """Forking, memory, files and strays are stopped in the bare tier; what it leaves open is named."""

    def scenario(tier):
        proofs = {proof.name: proof for proof in prove(tier)}
        assert proofs.keys() == ATTACKS.keys()
        for name in ("fork-bomb", "memory", "memory-in-children", "full-folder", "many-files", "daemon"):
            assert proofs[name].stopped, proofs[name]
        if tier is Tier.BARE:
            assert not proofs["read-outside"].stopped
            assert proofs["read-outside"].how == ATTACKS["read-outside"]

    in_tier(scenario)


def test_the_best_tier_is_one_for_who_we_are():
    """Root gets a tier that runs programs as somebody else, if it gets one with walls at all."""
    tiers = (Tier.STRONG, Tier.CONTAINER) if os.geteuid() == 0 else (Tier.NAMESPACED, Tier.USER)
    assert best_tier() in (*tiers, Tier.BARE)


def test_a_tier_for_somebody_else_is_refused():
    """Root may not run programs as itself behind walls for ordinary users, and they may not ask for root's."""
    tier = Tier.USER if os.geteuid() == 0 else Tier.STRONG
    with pytest.raises(JudgeError, match=f"the sandbox tier {tier}"):
        prove(tier)
