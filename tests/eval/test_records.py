"""Records: none lost, none counted twice, and a run is only gone on with by the same run."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from eval.records import SCHEMA, Recorder, key_of, read
from memstrata_integrations.errors import ConflictError, InvalidInputError, StorageError

MANIFEST = {"schema": SCHEMA, "created": "2026-01-01", "seed": 0, "k": 5}


def growth(n: int) -> dict[str, Any]:
    return {"type": "growth", "condition": "naive_rag", "ingested": n, "active": n}


def write(directory: Path, *rows: dict[str, Any]) -> None:
    with Recorder(directory, MANIFEST) as recorder:
        for row in rows:
            recorder.write(row)


def test_what_is_written_is_read_in_order_and_a_record_is_written_once(tmp_path: Path) -> None:
    for _ in range(2):
        write(tmp_path, growth(1), {**growth(1), "active": 99}, growth(2))
    found = read(tmp_path)
    assert found.manifest == MANIFEST
    assert found.rows == (growth(1), growth(2)) == tuple(found.of("growth"))
    assert found.of("growth", ingested=2) == [growth(2)]
    assert (tmp_path / "records.jsonl").read_bytes().count(b"\n") == 2


def test_a_torn_last_line_is_left_out_and_written_again(tmp_path: Path) -> None:
    write(tmp_path, growth(1), growth(2))
    path = tmp_path / "records.jsonl"
    path.write_bytes(path.read_bytes()[:-5])
    assert read(tmp_path).rows == (growth(1),)
    with Recorder(tmp_path, MANIFEST) as recorder:
        assert recorder.has(growth(1))
        assert not recorder.has(growth(2))
        recorder.write(growth(2))
    assert read(tmp_path).rows == (growth(1), growth(2))


def test_a_run_with_other_settings_is_refused_and_named(tmp_path: Path) -> None:
    write(tmp_path, growth(1))
    with pytest.raises(ConflictError, match="another k;"):
        Recorder(tmp_path, {**MANIFEST, "k": 9})
    Recorder(tmp_path, {**MANIFEST, "created": "later", "machine": {"cores": 64}}).__exit__(None, None, None)


def test_compressed_records_are_read_and_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    with gzip.open(tmp_path / "records.jsonl.gz", "wb") as file:
        file.write(json.dumps(growth(1)).encode() + b"\n")
    with Recorder(tmp_path, MANIFEST) as recorder:
        assert recorder.has(growth(1))
        recorder.write(growth(2))
    assert read(tmp_path).rows == (growth(1), growth(2))


class FullDisk:
    def __init__(self, file: Any, room: int) -> None:
        self.file, self.room = file, room

    def write(self, line: bytes) -> int:
        part = line[: self.room]
        self.room -= len(part)
        return int(self.file.write(part))

    def close(self) -> None:
        self.file.close()


def test_a_full_disk_keeps_what_was_written_and_the_run_can_go_on(tmp_path: Path) -> None:
    with Recorder(tmp_path, MANIFEST) as recorder:
        recorder.write(growth(1))
        recorder._file = FullDisk(recorder._file, room=10)  # type: ignore[assignment]
        with pytest.raises(StorageError, match="1 records are kept"):
            recorder.write(growth(2))
    assert (tmp_path / "records.jsonl").read_bytes().endswith(b"}\n")
    write(tmp_path, growth(2))
    assert read(tmp_path).rows == (growth(1), growth(2))


def test_a_directory_without_a_manifest_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="python -m eval run"):
        read(tmp_path)
    (tmp_path / "records.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(ConflictError, match="without a manifest"):
        Recorder(tmp_path, MANIFEST)


def test_a_record_without_its_key_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="ingested"):
        key_of({"type": "growth", "condition": "x"})


@pytest.mark.parametrize(("name", "content", "said"), [
    ("records.jsonl", "no json\n", "from line 1 on"), ("records.jsonl", "[1]\n", "is no record"),
    ("records.jsonl", '{"type": "dream"}\n', "of the unknown type 'dream'"),
    ("records.jsonl.gz", "plain\n", "Not a gzipped file"), ("manifest.json", "[]", "no manifest of a run"),
    ("manifest.json", '{"schema": 1}', "has schema 1"),
])  # fmt: skip
def test_what_is_no_run_of_this_version_is_said(tmp_path: Path, name: str, content: str, said: str) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInputError, match=said):
        read(tmp_path)
