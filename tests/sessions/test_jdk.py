"""The places where Java is looked for."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from grader.errors import JudgeError
from grader.sessions import jdk


def fake_jdk(folder: Path, version: str = "21.0.1") -> Path:
    """A folder that looks like a JDK."""
    for name in ("bin/javac", "bin/java", "lib/modules"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch(0o755)
    (folder / "release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')
    return folder


def test_the_javac_on_the_path_says_which_jdk(tmp_path, monkeypatch):
    """It is followed through links to the JDK that it belongs to."""
    home = fake_jdk(tmp_path / "jdk-21")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/javac").symlink_to(home / "bin/javac")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("JAVA_HOME", str(fake_jdk(tmp_path / "other")))
    assert (jdk.java_home(), jdk.java(), jdk.version()) == (home, str(home / "bin/java"), "21.0.1")
    assert jdk.readable() == (home,)


def test_java_home_is_taken_where_the_path_holds_a_script(tmp_path, monkeypatch):
    """A script that chooses among JDKs lies in no JDK itself."""
    (tmp_path / "shims").mkdir()
    (tmp_path / "shims/javac").touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "shims"))
    monkeypatch.setenv("JAVA_HOME", str(fake_jdk(tmp_path / "jdk")))
    assert jdk.java_home() == tmp_path / "jdk"


def test_no_jdk_is_our_fault(tmp_path, monkeypatch):
    """Without a JDK nobody loses points, and staff are told what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(JudgeError) as raised:
        jdk.java_home()
    assert "apt-get install" in raised.value.hint


def test_equal_classes_make_equal_jars():
    """The order in which classes come and the time of day are not seen in a jar."""
    jar = jdk.jar({"b/B.class": b"2", "A.class": b"1"})
    assert jar == jdk.jar({"A.class": b"1", "b/B.class": b"2"})
    with zipfile.ZipFile(BytesIO(jar)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {"A.class": b"1", "b/B.class": b"2"}
