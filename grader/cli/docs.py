"""``grader docs``: the pages of the documentation, wherever the grader is installed."""

from __future__ import annotations

import click


@click.command()
@click.argument("page", required=False)
def docs(page: str | None) -> None:
    """Print a PAGE of the documentation, or list them all: name, title, and the folder in which they are."""
    from grader.bundled import docs_folder
    from grader.errors import UsageError
    from grader.spec.hints import near

    pages = {path.stem: path for path in sorted(docs_folder().glob("*.md"))}
    if page is None:
        for name, path in pages.items():
            click.echo(f"{name:<18}{path.read_text(encoding='utf-8').partition(chr(10))[0].removeprefix('# ')}")
        click.echo(f"\n`grader docs NAME` prints one. They are Markdown, in {docs_folder()}")
        return
    name = page.removeprefix("docs/").removesuffix(".md")
    if name not in pages:
        raise UsageError(f"there is no page `{name}`", hint=near(name, pages, "pages"))
    click.echo_via_pager(pages[name].read_text(encoding="utf-8"))
