"""What a run was made with: the last section of a report."""

from eval.reports.tables import code, names, table
from eval.reports.tally import Tally, plain


def taste(tally: Tally) -> str:
    """Return a warning where only a part of each benchmark was run."""
    limit = tally.manifest.get("limit")
    if limit is None:
        return ""
    return f"**A taste, not a result: only the first {limit} items of each benchmark were run.**\n\n"


def made_with(tally: Tally) -> str:
    """Return models, data, prompts, packages and machine."""
    manifest = tally.manifest
    revision = manifest.get("git") or "unknown"
    rows = [
        ["made", tally.made_with("created")],
        ["by", code(" ".join(["python -m eval", *manifest.get("command", ())]))],
        ["revision", code(revision[:12]) + (", with uncommitted changes" if manifest.get("dirty") else "")],
        ["seed", tally.made_with("seed")],
        ["passages in a context", tally.made_with("k")],
        ["embedding", tally.made_with("embedding")],
        ["extractor", tally.made_with("extractor")],
        *([role.replace("_", " "), plain(name)] for role, name in manifest.get("models", {}).items()),
        *([plain(name), plain(value)] for name, value in manifest.get("machine", {}).items()),
    ]
    parts = [_pairs(rows), "### Names\n", names(tally)]
    if manifest.get("datasets"):
        body = [
            [code(name), plain(of["version"]), str(of["turns"]), str(of["questions"]), code(of["sha256"][:16])]
            for name, of in manifest["datasets"].items()
        ]
        parts += ["### Data\n", table(["benchmark", "version", "turns", "questions", "SHA-256, first 16"], body)]
    if manifest.get("given"):
        body = [[code(name), code(sha256[:16])] for name, sha256 in manifest["given"].items()]
        parts += ["### Data given by path, which is not shipped\n", table(["set", "SHA-256, first 16"], body)]
    if manifest.get("prompts"):
        body = [[code(name), code(version[:24])] for name, version in sorted(manifest["prompts"].items())]
        parts += ["### Prompts\n", table(["prompt", "version and SHA-256"], body)]
    if manifest.get("settings"):
        parts += ["### Settings\n", _pairs([[code(n), plain(v)] for n, v in sorted(manifest["settings"].items())])]
    if manifest.get("packages"):
        parts += ["### Packages\n", _pairs([[code(n), plain(v)] for n, v in sorted(manifest["packages"].items())])]
    return "\n".join(parts)


def _pairs(rows: list[list[str]]) -> str:
    return table(["", ""], rows)
