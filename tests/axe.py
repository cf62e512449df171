"""axe-core, which finds what keeps people from using a page; fetched as the packages of a kit are, at one version, by its digest."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from grader.kit.assets import Asset, fetched
from tests.chromium import Page

AXE = Asset(
    name="axe-core",
    version="4.14.1",
    integrity="sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
    take={"package/axe.min.js": "axe.min.js"},
    npm="axe-core/-/axe-core-4.14.1.tgz",
    license="MPL-2.0",
)

_RUN = """(async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], iframes: false });
  return JSON.stringify(violations);
})()"""


@cache
def _script() -> str:
    return dict(AXE.files(fetched(AXE)))["axe.min.js"].decode()


def troubles(page: Page) -> list[str]:
    """The violations that axe finds in a page as it is seen now, by all its rules: the rule, the element, and why."""
    if not page.run("!!window.axe"):
        page.run(f"{_script()}; undefined")
    violations: list[dict[str, Any]] = json.loads(page.run(_RUN))
    return [
        f"{rule['id']}: {node['html'][:150]}: {' '.join((node['failureSummary'] or '').split())[:300]}"
        for rule in violations
        for node in rule["nodes"]
    ]
