"""The work folder: what is put, taken, listed and cleaned, whatever a program did to it."""

import os

import pytest

from grader.errors import JudgeError
from grader.sandbox import Cage, Event, Tier, complete


def shell(cage, run_as, script, **limits):
    """The output of a shell script in the cage."""
    return complete(cage, run_as("sh", "-c", script, **limits))


def test_what_is_put_is_there_and_what_is_left_can_be_taken(in_tier, run_as):
    """Files go in, sub-folders with them, and files that the program writes come out."""

    def scenario(tier):
        with Cage(tier) as cage:
            assert cage.listing() == ()
            cage.put("a/b.txt", b"put")
            cage.put("run", b"#!/bin/sh\ncat a/b.txt > left; echo more > a/more\n", executable=True)
            assert complete(cage, run_as("./run")).status.exit_code == 0
            assert cage.listing() == ("a/b.txt", "a/more", "left", "run")
            assert cage.take("left", 3) == b"put"
            assert cage.take("a/more", 100) == b"more\n"

    in_tier(scenario)


def test_a_file_over_the_limit_or_none_is_not_taken(tier):
    """Only a regular file of at most that size is taken."""
    with Cage(tier) as cage:
        cage.put("file", b"1234")
        assert cage.take("file", 4) == b"1234"
        assert cage.take("file", 3) is None
        assert cage.take("none", 3) is None
        assert cage.take("none/file", 3) is None


def test_links_and_pipes_are_not_taken(in_tier, run_as):
    """Neither a link to a file of ours, nor one in the path, nor a FIFO leads anywhere, and none blocks."""

    def scenario(tier):
        with Cage(tier) as cage:
            shell(cage, run_as, "ln -s /etc/passwd link; ln -s /etc folder; mkfifo fifo; mkdir own; echo 1 > own/file")
            assert cage.take("link", 1 << 20) is None
            assert cage.take("folder/passwd", 1 << 20) is None
            assert cage.take("fifo", 1 << 20) is None
            assert cage.take("own", 1 << 20) is None
            assert cage.listing() == ("own/file",)

    in_tier(scenario)


def test_putting_replaces_a_link_and_never_follows_one(in_tier, run_as):
    """A link in the place of a file is replaced, and a link in the place of a folder refused."""

    def scenario(tier):
        with Cage(tier) as cage:
            shell(cage, run_as, "ln -s /tmp/victim file; mkdir -p deep/er; echo 1 > deep/er/x")
            cage.put("file", b"new")
            cage.put("deep", b"now a file")
            assert cage.take("file", 10) == b"new"
            assert cage.take("deep", 10) == b"now a file"
            assert not os.path.lexists("/tmp/victim")

    in_tier(scenario)


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../up", "a/../../up", "nul\0"])
def test_names_that_lead_outside_are_refused(tier, name):
    """A name is a path inside the folder, or our fault."""
    with Cage(tier) as cage, pytest.raises(JudgeError, match="no name inside"):
        cage.put(name, b"")


def test_cleaning_leaves_only_what_is_kept(in_tier, run_as):
    """After cleaning there is nothing but kept files, unchanged, whatever the program did to them."""

    def scenario(tier):
        with Cage(tier) as cage:
            cage.put("kept", b"kept", executable=True, kept=True)
            cage.put("in/side", b"inside", kept=True)
            cage.put("other", b"other")
            script = """
                rm -f kept other; echo bad > kept; rm -rf in; ln -s /etc in
                mkdir -p d/e/f; touch d/e/f/g; chmod 000 d/e; chmod 000 .; mkfifo d/pipe; touch "$(printf 'odd\\nname')" .hidden
                touch /tmp/traces 2>/dev/null
            """
            shell(cage, run_as, script)
            cage.clean()
            assert cage.listing() == ("in/side", "kept")
            assert cage.take("kept", 10) == b"kept"
            assert cage.take("in/side", 10) == b"inside"
            assert shell(cage, run_as, "test -x kept && ls -A").output == b"in\nkept\n"
            if cage.path == "/box":
                assert shell(cage, run_as, "ls -A /tmp").output == b""

    in_tier(scenario)


@pytest.mark.parametrize(
    ("script", "clean"),
    [("cat kept in/side", True), ("echo more > new", False), ("mkdir in2; touch in2/new", False)],
)
def test_a_folder_that_was_not_written_to_is_clean(in_tier, run_as, script, clean):
    """A program that reads leaves the folder clean, and one that adds a file does not; cleaning makes it clean again."""

    def scenario(tier):
        with Cage(tier) as cage:
            cage.put("kept", b"kept", kept=True)
            cage.put("in/side", b"inside", kept=True)
            shell(cage, run_as, script)
            assert cage.is_clean() is clean
            cage.clean()
            assert cage.is_clean()

    in_tier(scenario)


def test_a_kept_file_that_was_changed_is_not_clean(run_as):
    """Even where it was changed to the same size; only the bare tier lets a program do it."""
    with Cage(Tier.BARE) as cage:
        cage.put("kept", b"kept", kept=True)
        shell(cage, run_as, "echo bad > kept")
        assert not cage.is_clean()


def test_another_user_cannot_touch_what_was_put(in_tier, run_as):
    """If the program is another user, files that were put can be read, and neither written nor removed."""

    def scenario(tier):
        with Cage(tier) as cage:
            cage.put("given", b"given")
            done = shell(cage, run_as, "cat given; echo bad > given; rm -f given; mv given away; ls")
            if os.geteuid() == 0 and tier != "bare":
                assert done.output == b"givengiven\n"
                assert cage.take("given", 10) == b"given"

    in_tier(scenario)


def test_a_program_may_delete_its_folder(in_tier, start, run_as):
    """A program that removes its work folder, or all in it, finds a new one after cleaning."""
    source = r"""
    #include <stdlib.h>
    #include <unistd.h>
    int main(void) {
        char path[4096];
        getcwd(path, sizeof path);
        system("rm -rf ./* ./.[!.]*");
        chdir("..");
        rmdir(path);
        return 0;
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            cage.put("kept", b"kept", kept=True)
            process = start(cage, source)
            assert process.wait_event() is Event.ENDED
            cage.clean()
            assert cage.listing() == ("kept", "program")
            assert shell(cage, run_as, "cat kept; touch here; ls").output == b"kepthere\nkept\nprogram\n"

    in_tier(scenario)


def test_folders_within_folders_within_folders_go_away(in_tier, start):
    """Folders nested a thousand deep, with a path far too long to name, are removed."""
    source = r"""
    #include <sys/stat.h>
    #include <unistd.h>
    int main(void) {
        for (int i = 0; i < 1000; i++) {
            mkdir("a-name-that-is-long-enough-to-make-the-path-too-long", 0700);
            chdir("a-name-that-is-long-enough-to-make-the-path-too-long");
        }
        return 0;
    }
    """

    def scenario(tier):
        with Cage(tier) as cage:
            process = start(cage, source)
            assert process.wait_event() in (Event.ENDED, Event.LIMIT)
            assert cage.listing() == ("program",)
            cage.clean()
            assert cage.listing() == ("program",)

    in_tier(scenario)


def test_nothing_remains_when_a_cage_is_closed(tier, run_as):
    """The folder outside, if there is one, goes with the cage, and a closed cage starts nothing."""
    with Cage(tier) as cage:
        shell(cage, run_as, "mkdir -p a/b; touch a/b/c")
        path = cage.path
    assert path == "/box" or not os.path.lexists(path)
    with pytest.raises(JudgeError, match="closed"):
        cage.start(run_as("true"))


def test_what_does_not_fit_is_our_fault(tier):
    """Putting more than the folder holds says so."""
    with Cage(tier, work_size=1 << 20) as cage:
        if cage.path != "/box":
            pytest.skip("only a room has a file system of its own; the launcher looks at other folders")
        with pytest.raises(JudgeError, match="cannot be put into the work folder: No space left"):
            cage.put("big", bytes(2 << 20))
