"""Prompts: the files, their hashes, and that they are found in a checkout and in the wheel."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from memstrata_integrations import prompts
from memstrata_integrations.errors import InvalidInputError, MissingDependencyError
from memstrata_integrations.extraction.models import Triple
from memstrata_integrations.prompts import Prompt, load_prompt, prompt_directory, prompt_names

CHECKOUT = Path(__file__).resolve().parents[2] / "prompts"


def test_the_prompts_are_those_of_the_evaluation_and_have_the_hashes_of_the_manifest() -> None:
    listed = dict(reversed(line.split("  ")) for line in (CHECKOUT / "SHA256SUMS").read_text("ascii").splitlines())
    files = {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in CHECKOUT.glob("*.md") if ".v" in p.name}
    assert listed == files
    assert {name.rpartition(".v")[0] for name in prompt_names()} == {
        "answer", "consolidate", "extract", "extract_triple", "extract_triples", "gate_judge", "infer_check",
        "judge_correctness", "judge_fabrication", "rerank", "verify",
    }  # fmt: skip


@pytest.mark.parametrize("name", prompt_names())
def test_a_prompt_is_loaded_by_name_and_version_and_its_example_is_an_answer_by_its_schema(name: str) -> None:
    prompt = load_prompt(name)
    assert f"{prompt.name}.v{prompt.version}" == name
    assert prompt.sha256 == hashlib.sha256((CHECKOUT / f"{name}.md").read_bytes()).hexdigest()
    assert "---" not in prompt.text.splitlines()[0]
    assert "{{" not in prompt.render(relations="none", abstention="allowed")
    assert prompt.schema is not None
    schema = dict(prompt.schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    example = json.loads(prompt.text[prompt.text.index('{"', prompt.text.index("Answer with JSON and nothing else")) :])
    jsonschema.validate(example, schema)
    for required in schema["required"]:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({key: value for key, value in example.items() if key != required}, schema)


@pytest.mark.parametrize("name", ["extract_triple", "extract_triples"])
def test_the_schema_of_triples_is_the_one_that_models_get(name: str) -> None:
    """What their prompts say of an answer, and what goes along as structured output, have the same fields."""
    prompt = load_prompt(name)
    assert prompt.schema is not None
    assert prompt.schema["required"] == ["facts"]
    assert set(prompt.schema["properties"]["facts"]["items"]["properties"]) == set(Triple.model_fields)


def test_a_bare_name_is_the_newest_and_an_unknown_one_names_those_there_are(tmp_path: Path, monkeypatch: Any) -> None:
    for n in (2, 10):
        (tmp_path / f"greet.v{n}.md").write_text(f"---\nname: greet\nversion: {n}\n---\nHello {{{{who}}}}\n")
    monkeypatch.setattr(prompts, "_PLACES", (tmp_path,))
    assert load_prompt("greet").version == 10
    assert load_prompt("greet.v2").version == 2
    assert load_prompt("greet").render(who="you") == "Hello you\n"
    with pytest.raises(InvalidInputError, match="needs who"):
        load_prompt("greet").render()
    with pytest.raises(InvalidInputError, match=r"greet\.v10"):
        load_prompt("extract_everything")


def test_an_installed_package_carries_its_prompts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy inside the package goes before the checkout's; without it the checkout's is found."""
    assert (Path(prompts.__file__).parent / "_prompts", CHECKOUT) == prompts._PLACES
    wheel = tmp_path / "site-packages" / "memstrata_integrations" / "_prompts"
    monkeypatch.setattr(prompts, "_PLACES", (wheel, CHECKOUT))
    assert prompt_directory() == CHECKOUT
    shutil.copytree(CHECKOUT, wheel)
    assert prompt_directory() == wheel
    assert load_prompt("extract_triples").name == "extract_triples"
    monkeypatch.setattr(prompts, "_PLACES", (tmp_path / "nowhere",))
    with pytest.raises(MissingDependencyError, match="nowhere"):
        prompt_directory()


@pytest.mark.parametrize(
    "content", ["no front matter", "---\nname: x\n---\ntext", "---\nname: x\nversion: one\n---\ntext",
                "---\nname: x\nversion: 1\noutput: {\n---\ntext"],
)  # fmt: skip
def test_a_broken_front_matter_is_refused(content: str) -> None:
    with pytest.raises(InvalidInputError, match="front matter"):
        Prompt.parse(content.encode(), source="x.v1.md")
