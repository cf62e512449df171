"""The HTML pages: complete, self-contained, and inert whatever a student writes."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from grader.report import page, shown
from grader.report.overview import Note
from grader.results import Coverage, Finding, Grade, JudgedTurn, Verdict, Visibility, Weight
from grader.source import SourceFile
from tests.report.sample_grades import (
    HOSTILE,
    SAMPLES,
    all_grades,
    case,
    compile_error,
    full_marks,
    hostile,
    judge_error,
    needs_review,
    runtime_error,
    spec_of,
    wrong_answer,
)

VOID = {"meta", "link", "br", "input", "rect", "path"}


BLOCKS = {"p", "li", "dt", "dd", "div", "h1", "h2", "td", "th", "section", "summary", "figure", "pre"}


class Page(HTMLParser):
    """A parsed page: its tags with attributes, its text, and the tags that were left open or closed wrongly."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag."""
        self.tags.append((tag, dict(attrs)))
        self.words += " " if tag in BLOCKS else ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag that closes itself."""
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """Note a tag that closes another than the last."""
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        """Keep text that is shown."""
        if not {"style", "script"} & set(self.open):
            self.words.append(data)

    @property
    def text(self) -> str:
        """All text, with runs of blanks as one."""
        return " ".join("".join(self.words).split())

    def all(self, attribute: str) -> Iterator[str]:
        """The values of an attribute wherever it stands."""
        return (value or "" for _, attrs in self.tags for name, value in attrs.items() if name == attribute)


def _staff(grade: Grade) -> Page:
    return Page(page.student_page(grade, audience="staff"))


def _student(grade: Grade) -> Page:
    return Page(page.student_page(grade, audience="student"))


def _index(*grades: Grade) -> str:
    return page.index_page("LAB 04", map(page.Row.of, grades))


def _data(text: str) -> Any:
    """The rows of an index, as the script reads them."""
    (held,) = re.findall('<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(held)


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("audience", ["staff", "student"])
def test_a_page_is_well_formed_and_points_nowhere(name: str, audience: page.Audience) -> None:
    """Every tag is closed, no id stands twice, every link leads to an id of the page, and nothing can run."""
    parsed = Page(page.student_page(SAMPLES[name](), audience=audience))
    assert parsed.wrong == parsed.open == []
    ids = list(parsed.all("id"))
    assert len(ids) == len(set(ids))
    assert {href.removeprefix("#") for href in parsed.all("href")} <= set(ids)
    assert not list(parsed.all("src"))
    assert "script" not in {tag for tag, _ in parsed.tags}
    assert not [name for _, attrs in parsed.tags for name in attrs if name.startswith("on")]


def test_the_policy_forbids_everything_but_styles_and_own_pictures() -> None:
    """The page tells the browser to load and run nothing; a picture is part of the page."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    assert policy in _staff(full_marks()).all("content")


def test_a_picture_is_shown_if_it_is_one() -> None:
    """A painted picture stands in its case; anything but a PNG within the page is left out."""
    whole = full_marks()
    for address, wanted in (("data:image/png;base64,AAAA", True), ("https://example.org/x.png", False)):
        case = replace(whole.cases[0], picture=address)
        told = page.student_page(replace(whole, cases=(case, *whole.cases[1:])), audience="staff")
        assert (f'src="{address}"' in told) is wanted


def test_what_built_a_program_is_told() -> None:
    """The compiler and the tier of the sandbox stand at the foot of the page, where there are any."""
    whole = full_marks()
    built = replace(whole, provenance=replace(whole.provenance, tools="gcc 12.2.0", sandbox="strong"))
    assert "gcc 12.2.0, run in the sandbox tier strong" in _staff(built).text
    assert "built by" not in _staff(whole).text


def _run_in(*sandboxes: str) -> tuple[Grade, ...]:
    """Grades whose programs were run so."""
    whole = full_marks()
    return tuple(
        replace(whole, submission=f"s{n}", provenance=replace(whole.provenance, sandbox=sandbox))
        for n, sandbox in enumerate(sandboxes)
    )


def test_the_index_tells_where_programs_were_run() -> None:
    """The tier stands under the title of a batch, and nothing of it over simulated programs; a cage is no cause for alarm."""
    caged = Page(_index(*_run_in("strong", "strong")))
    assert "Run in the sandbox tier strong" in caged.text
    assert "notice" not in " ".join(caged.all("class"))
    assert "sandbox" not in Page(_index(full_marks())).text


def test_the_index_is_loud_about_programs_without_a_cage() -> None:
    """What was run without a cage is told before all figures, in the colour of our errors, with links to those it concerns."""
    parsed = Page(_index(*_run_in("strong", "bare", "strong, waits told by silence")))
    alarm = parsed.text.index("Without a sandbox: 1 of 3 submissions")
    assert alarm < parsed.text.index("mean")
    classes = [value for value in parsed.all("class") if "concern" in value]
    assert ["ours" in value for value in classes] == [True, False]
    links = list(parsed.all("href"))
    assert links[:2] == ["staff/s1.html", "staff/s2.html"]


def test_score_and_criteria_are_told() -> None:
    """The page tells the score, what is lost and open, and each criterion with points and reason."""
    text = _student(wrong_answer()).text
    for part in ("63.75 of 100", "26.25 lost", "10 open, not decided yet", "6.25 / 25", "2 of 3 cases failed, 1 skipped",
                 "A person grades this"):  # fmt: skip
        assert part in text


def test_what_to_fix_first_comes_first() -> None:
    """The first finding stands before the points, with turn, keys, both texts and a link to its case."""
    text = _student(wrong_answer()).text
    first = text[text.index("What to fix first") : text.index("Points")]
    for part in (
        "“player 2” instead of “player 1”",
        "turn 4",
        "B2",
        "D4",
        "Invalid·move!⏎",
        "Hint Print",
        "Refuses wrong row",
    ):
        assert part in first
    assert first.split("See it again")[1].strip() == "grader run nim.asm --input B2A1"


def test_a_place_stands_before_its_message() -> None:
    """The line of a crash is read first."""
    text = _student(runtime_error()).text
    assert "nim.asm:88:9 The program ran into data" in " ".join(text.split())


def test_remarks_on_accepted_cases_are_told_on_the_page() -> None:
    """They are not folded away with the accepted cases, and link to them."""
    note = Finding("wunused", "unused variable", weight=Weight.NOTE, place="main.c:3:1")
    grade = replace(full_marks(), cases=(case("compiles", findings=(note,)),))
    for audience in ("staff", "student"):
        made = page.student_page(grade, audience=audience)
        section = made[made.index("Remarks, which cost nothing") : made.index("<h2>Accepted")]
        assert "Unused variable" in section
        assert 'href="#case-compiles"' in section
    assert "Remarks, which" not in page.student_page(full_marks(), audience="student")


def test_the_first_difference_is_marked() -> None:
    """Both texts are split at the first difference, whose first character is marked."""
    text = page.student_page(wrong_answer(), audience="student")
    assert "Invalid·move<mark><b>.</b>·Try·again.⏎" in text
    assert "Invalid·move<mark><b>!</b>⏎" in text


def test_the_dialogue_is_shown_turn_by_turn() -> None:
    """Each turn has its output and its key, and the turns that differ show what was expected."""
    text = page.student_page(wrong_answer(), audience="student")
    assert "choose a row and number of rocks: <kbd>B2</kbd></pre>" in text
    assert text.count('<li class="differs">') == 2
    assert "The whole dialogue, 5 turns; it differs at turn 4" in text


def test_a_runtime_error_shows_source_and_steps() -> None:
    """Place, excerpt and last steps of a runtime error are shown."""
    text = _student(runtime_error()).text
    for part in ("nim.asm:88:9", "MINUSA .FILL xFFBF", "x304F ADD R0, R0, R1"):
        assert part in text


def test_a_slip_is_charged_once() -> None:
    """A slip tells what it costs, in which cases it was seen, and that it is charged once."""
    text = _student(wrong_answer()).text
    assert "−7.5 A blank line is missing, after B2 (blank-lines; charged once, seen in sample-run, long-game)" in text


def test_diagnostics_are_shown() -> None:
    """The messages of the assembler are there, every one of them."""
    text = page.student_page(compile_error(), audience="student")
    assert "the constant 40 does not fit into 5 bits" in text
    assert "       |               ^^^^^" in text.replace(
        "\n      |               ^^^^^", "\n       |               ^^^^^"
    )


def _folds(text: str) -> dict[str, str]:
    """Which cases are open, by their names."""
    found = re.findall(r'(?s)<details class="card case" ?(open|)>(?:(?!<details).)*?id="case-([\w-]+)"', text)
    return {name: is_open for is_open, name in found}


def test_accepted_cases_are_folded_and_failed_ones_open() -> None:
    """Only cases that need attention are open."""
    folds = _folds(page.student_page(wrong_answer(), audience="student"))
    assert (folds["refuses-wrong-row"], folds["shortest-game"]) == ("open", "")


def test_cases_with_nothing_but_slips_stand_apart() -> None:
    """A case that counts as met is folded, and not among those that failed."""
    text = page.student_page(wrong_answer(), audience="student")
    assert text.index("<h2>Failed <small>2 cases") < text.index("<h2>Correct except for slips of form <small>2 cases")
    assert _folds(text)["sample-run"] == ""


def test_cases_that_were_not_run_are_a_list() -> None:
    """A case that was skipped is one line with its reason, under a heading of its own; a link to it still works."""
    text = _student(wrong_answer()).text
    skipped = text[text.index("Not run 1 case") :]
    assert "it needs refuses-wrong-row" in skipped[:80]
    assert "Not decided" not in text
    assert "Not decided" in _staff(needs_review()).text


def test_a_dialogue_says_how_it_ended() -> None:
    """After the last turn stands how the run ended; the finding that says the same is not followed by it again."""
    crashed = case("crash", Verdict.RUNTIME_ERROR, ending="it broke", turns=(JudgedTurn("Hi", None),),
                   findings=(Finding("signal", "it broke", turn=1),))  # fmt: skip
    text = _staff(replace(full_marks(), cases=(crashed,))).text
    assert "1 Hi It broke" in text
    assert "Ending" not in text
    assert "Ending It waits" in _staff(replace(full_marks(), cases=(replace(crashed, ending="it waits"),))).text


def test_open_points_leave_room_for_a_person() -> None:
    """Staff find a place for points and remarks at each open criterion; students do not."""
    assert _staff(needs_review()).text.count("remarks:") == 3
    assert "remarks:" not in _student(needs_review()).text


def test_notes_and_hidden_cases_are_for_staff() -> None:
    """A student's page holds no note for staff, no staff case, and of a hidden one nothing but that it failed."""
    assert "old/NIM.ASM" in _staff(needs_review()).text
    assert "old/NIM.ASM" not in _student(needs_review()).text
    assert "keeps-registers" in _staff(wrong_answer()).text
    assert "keeps-registers" not in _student(wrong_answer()).text
    assert "Nothing is refused, after b2" in _staff(wrong_answer()).text
    assert "nothing is refused, after b2" not in _student(wrong_answer()).text.lower()


def test_our_own_fault_is_said() -> None:
    """A page with a judge error says that it is ours and took no points."""
    assert "could not be graded through our fault No points were taken" in _student(judge_error()).text


def test_provenance_stands_at_the_foot() -> None:
    """The origin of the grade is at the end."""
    assert _student(full_marks()).text.endswith("files b2a3f4e5d6c7b8a9 graded by grader 0.1.0, seed 7")


def test_hostile_text_is_only_text() -> None:
    """Whatever a student writes is shown and nothing else happens: not one tag more, and no character lost."""
    harmless = replace(
        hostile(),
        cases=tuple(replace(c, title="t", ending="e", again="a", profile="p") for c in hostile().cases),
    )
    assert [tag for tag, _ in _staff(hostile()).tags] == [tag for tag, _ in _staff(harmless).tags]
    assert " ".join(shown.line(HOSTILE).split()) in _staff(hostile()).text
    assert shown.plain(page.student_page(hostile(), audience="staff")) == page.student_page(hostile(), audience="staff")


def test_a_page_stays_readable_in_size() -> None:
    """Ten cases that print a megabyte each make a page of less than a megabyte."""
    turns = full_marks().cases[1].turns
    loud = case("loud", Verdict.OUTPUT_LIMIT, turns=(*turns, replace(turns[0], output="x\n" * 500_000)))
    cases = tuple(replace(loud, id=f"loud-{n}") for n in range(10))
    assert len(page.student_page(replace(full_marks(), cases=cases), audience="staff")) < 1_000_000


def test_the_index_is_well_formed() -> None:
    """Every tag of the index is closed, and it has a row for each submission, with all that the table shows."""
    text = _index(*all_grades())
    parsed = Page(text)
    assert parsed.wrong == parsed.open == []
    assert not [name for _, attrs in parsed.tags for name in attrs if name.startswith("on")]
    rows = _data(text)["rows"]
    assert [row[0] for row in rows] == [grade.submission for grade in all_grades()]
    assert [(row[3], row[4]) for row in rows] == [(grade.score, grade.open_points) for grade in all_grades()]
    cells = [
        [[c.points, c.open] if c.points is not None and c.open else c.points for c in grade.criteria]
        for grade in all_grades()
    ]
    assert [row[5] for row in rows] == cells
    assert [15, 5] in cells[5]
    assert len([head for head, _ in parsed.tags if head == "th"]) == 5 + len(rows[0][5])


def test_no_text_ends_the_data_of_the_index() -> None:
    """Whatever a student is called, and whatever a note says, the data stay data."""
    name = "</script><script>alert(1)</script><!--&amp;\u2028\ud800\x1b"
    text = _index(replace(full_marks(), student=name, review=(name,)))
    assert text.count("<script") == text.count("</script>") == 2
    assert "<!--" not in text
    (row,) = _data(text)["rows"]
    assert row[1] == shown.plain(name)
    assert _data(text)["notes"] == [shown.plain(name)]


def test_the_only_script_is_ours() -> None:
    """The policy of the index names the one script in it by its digest."""
    text = _index(hostile())
    (script,) = re.findall("<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in text or f"script-src 'sha256-{digest}'" in text


def test_the_index_tells_statistics_and_notes() -> None:
    """The index tells count, mean, frequent failures and every note for staff."""
    page_text = _index(*all_grades())
    text = Page(page_text).text + " ".join(_data(page_text)["notes"])
    for part in (
        "submissions 8",
        "mean 59.8 of 100",
        "median 61.9",
        "our errors 1",
        "Refuses wrong row",
        "old/NIM.ASM",
    ):
        assert part in text


def test_heads_of_columns_break_only_at_hyphens_and_in_long_words() -> None:
    """The head of a column may break behind a hyphen and behind the twelfth letter of a word, and not before."""
    grade = full_marks()
    for name, shown_name in (
        ("subroutines", "subroutines"),
        ("own-words", "own-<wbr>words"),
        ("implementation", "implementati<wbr>on"),
    ):
        text = _index(replace(grade, criteria=(replace(grade.criteria[0], id=name),)))
        assert f"<button>{shown_name}<small>" in text


def test_an_index_of_nothing_is_a_page() -> None:
    """A batch without submissions has an index."""
    assert Page(_index()).wrong == []


def test_an_index_of_three_thousand_is_light() -> None:
    """A course of three thousand makes an index of less than half a megabyte, and names few where something concerns many."""
    row = page.Row.of(wrong_answer())
    rows = [
        replace(
            row,
            submission=f"PB{n:08d}",
            student="张海博",
            student_id=f"PB{n:08d}",
            notes=(Note(f"{n % 3}", "for staff"),),
            cut_short=n > 0,
        )
        for n in range(3000)
    ]
    text = page.index_page("LAB 04", rows)
    assert len(text.encode()) < 500_000
    assert len(_data(text)["notes"]) == 1
    assert "and 2979 more" in Page(text).text


def test_the_index_has_what_its_filter_needs() -> None:
    """Each row names the cases that failed and the mistakes that several have, and the lists have their titles."""
    same = page.Same("m1234567", "A blank is missing", "format", 2, (wrong_answer().submission,))
    rows = [page.Row.of(wrong_answer(), ("m1234567", "m7654321")), page.Row.of(full_marks())]
    data = _data(page.index_page("LAB 04", rows, same=[same]))
    assert [data["cases"][number][0] for number in data["rows"][0][6]] == [case for case, _ in rows[0].failed]
    assert (data["rows"][0][10], data["rows"][1][10]) == ([0], [])
    assert data["mistakes"] == [["m1234567", "A blank is missing"]]


def test_a_page_for_staff_shows_the_source_with_what_was_found_in_it() -> None:
    """What is found at a line stands below that line, once; a student's page shows it too, of cases that the student may see."""
    finding = Finding("x", "it never ends here", place="nim.asm:2:9")
    bad = case("loop", Verdict.NOT_TERMINATING, findings=(finding,))
    source = SourceFile("nim.asm", ".ORIG x3000\nA <b> BRnzp A\n\t.END\n")
    grade = replace(full_marks(), cases=(bad, replace(bad, id="other")), sources=(source,))
    parsed = _staff(grade)
    assert parsed.wrong == []
    listing = parsed.text[parsed.text.index("The program 1 file") :]
    assert listing.index("A <b> BRnzp A") < listing.index("It never ends here") < listing.index(".END")
    assert listing.count("It never ends here") == 1
    assert "A <b> BRnzp A" in _student(grade).text
    hidden = replace(grade, cases=tuple(replace(one, visibility=Visibility.HIDDEN) for one in grade.cases))
    assert "BRnzp" not in _student(hidden).text


def test_lines_that_were_never_executed_are_marked_in_the_source() -> None:
    """One sentence names them, and in the listing their stretch is told from the others, for staff and for the student."""
    source = SourceFile(
        "nim.asm", ".ORIG x3000\nLD R0, A\nBR DONE\nADD R0, R0, #1\n\nADD R0, R0, #2\nDONE HALT\nA .FILL 3\n.END\n"
    )
    grade = replace(full_marks(), sources=(source,), coverage=(Coverage("nim.asm", 7, 5, 2, ((4, 6),)),))
    for audience in ("staff", "student"):
        text = page.student_page(grade, audience=audience)
        assert Page(text).wrong == []
        assert "Lines 4–6 were never executed in 7 runs" in text
        assert '<pre class="numbers never" aria-hidden="true">4\n5\n6</pre><pre title="never executed">' in text
        assert "2 never executed</span>" in text


def test_where_all_is_executed_a_student_needs_no_listing() -> None:
    """It is the student's own file."""
    grade = replace(full_marks(), sources=(SourceFile("nim.asm", "HALT\n"),), coverage=(Coverage("nim.asm", 7, 1),))
    assert 'id="source"' not in page.student_page(grade, audience="student")


def test_a_page_of_a_batch_leads_to_those_beside_it() -> None:
    """To the one before, the one after, and the overview."""
    text = page.student_page(full_marks(), audience="staff", neighbours=page.Neighbours(None, ("b c", "Li Si")))
    assert [*Page(text).all("href")][:2] == ["../index.html", "b%20c.html"]


def test_what_a_person_decides_is_one_list() -> None:
    """Each item has the points that hang on it, what was tried, and the dialogue; what is told by name alone comes last."""
    grade = needs_review()
    talked = tuple(replace(one, turns=full_marks().cases[1].turns) for one in grade.cases)
    rows, item = page.ForPerson.of(replace(grade, cases=talked), spec_of(grade))
    assert (rows.points, item.points) == (5, 20)
    text = page.review_page("LAB 04", [item, replace(item, also=(("b", "Li Si"),))], [replace(item, name="Wang Wu")])
    parsed = Page(text)
    assert parsed.wrong == parsed.open == []
    assert item.points > 0
    assert "The same for Li Si" in parsed.text
    assert parsed.text.index("The whole dialogue") < parsed.text.index("More 1 item") < parsed.text.index("Wang Wu")
