"""Does a subject judge? What is best to one is not to another, and neither is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from memstrata_integrations.words import word_set

__all__ = ["MEASURED", "is_opinion", "may_judge"]

_TRIM = "\"'`()[]{}.,;:!?*“”‘’"
# Superlatives that a ruler, a scale or a calendar decides
MEASURED = word_set(
    "latest newest oldest earliest youngest eldest largest smallest biggest highest lowest longest shortest tallest "
    "deepest widest narrowest nearest closest farthest furthest heaviest lightest fastest slowest cheapest thickest "
    "thinnest warmest coldest densest fewest northernmost southernmost easternmost westernmost"
)
_NO_SUPERLATIVES = word_set(
    "test request forest guest interest quest west rest nest digest manifest harvest contest protest pytest unittest "
    "priest chest invest suggest crest vest pest jest zest arrest quest bequest midwest northwest southwest everest "
    "budapest bucharest brest backtest pretest loadtest doctest smoketest conquest ingest attest latest unrest molest "
    "divest inquest headrest armrest retest"
)
_JUDGING = word_set(
    "best worst good better bad worse nice great fine perfect ideal excellent awesome amazing fantastic brilliant "
    "superb terrific wonderful lovely beautiful gorgeous stunning pretty ugly hideous horrible terrible awful dreadful "
    "lousy poor crappy stupid silly dumb clever smart wise sensible elegant clean messy neat tidy cute cool "
    "charming cosy cozy delightful enjoyable pleasant unpleasant annoying irritating boring dull interesting exciting "
    "inspiring fascinating impressive disappointing promising attractive appealing tempting tasty delicious yummy "
    "funny hilarious sad decent worthwhile worthy reasonable acceptable suitable proper right wrong correct obvious "
    "logical natural real true genuine authentic favourable preferable superior inferior top-notch first-class "
    "world-class must-have must-see must-read go-to underrated overrated remarkable memorable unforgettable "
    "outstanding exceptional extraordinary legendary iconic ultimate legit trusty finest nicest coolest "
    "convenient useful useless helpful handy practical powerful graceful tasteful dreamy sweet weird strange odd "
    "scary creepy stylish trendy fashionable hip popular famous renowned beloved least prettiest worthier "
    "overall-best second-best sexy hot"
)
# "the top editor" ranks, "the top speed" measures; "the hot standby" is a kind
_RANKING = word_set("top leading premier foremost greatest")
_KINDS = {
    "top": word_set(
        "scorer goalscorer seed earner flight speed level margin row floor shelf drawer temperature bid layer edge "
        "bar price score"
    ),
    "hot": word_set("standby spare wallet backup reload fix storage tier path cache water"),
    "right": word_set(
        "speaker monitor margin side hand eye foot ear wing click pane panel sidebar arrow edge column channel border "
        "padding shoe wheel lane bank door drawer screen mouse button"
    ),
    "real": word_set("name time estate ip user server path part number"),
    "natural": word_set("key language gas join order number log"),
    "leading": word_set("zero dot slash comma edge"),
    "clean": word_set("build room install target command"),
    "smart": word_set("meter card phone tv contract lock home"),
    "cool": word_set("down"),
    "fine": word_set("amount for in at on of"),
    "sweet": word_set("potato"),
    "correct": word_set("answer"),
    "true": word_set("north"),
    "best": word_set("man friend seller"),
}
_INTENSIFIERS = word_set("very really truly absolutely incredibly remarkably surprisingly particularly utterly")
_JUDGMENTS = _JUDGING | _RANKING | _INTENSIFIERS
_JUDGES = word_set("opinion view mind eyes book experience taste money estimation impression judgment judgement humble")
_MAY_JUDGE = _JUDGMENTS | _JUDGES
_OF_ONE = word_set("my our his her")


def is_opinion(words: Sequence[str]) -> bool:
    """Whether the words of a subject hold a judgment.

    A capital inside makes a name of any word ("Best Buy"), and a backtick one of code.

    Example:
        >>> [is_opinion(s.split()) for s in ("The nicest café", "The latest release", "The address of Best Buy")]
        [True, False, False]
    """
    lowers = [w.strip(_TRIM).lower() for w in words]
    if not may_judge(lowers):
        return False
    bares = [w.strip(_TRIM) for w in words]
    for n, (bare, lower) in enumerate(zip(bares, lowers, strict=True)):
        if n and not bare[:1].islower():
            continue
        judging = lower in _JUDGMENTS or (lower.endswith("est") and _is_superlative(lower))
        if judging and n + 1 < len(words):
            after = lowers[n + 1].removesuffix("'s").removesuffix("’s")
            kinds = _KINDS.get(lower)
            if kinds is None or not (after in kinds or after.removesuffix("s") in kinds):
                return True
        elif judging and n and lower != "fine":  # "the parking fine"
            return True
        if lower in _JUDGES and n and lowers[n - 1] in _OF_ONE:
            return True
    return False


def may_judge(lowers: Sequence[str]) -> bool:
    """Whether words in lower case may hold a judgment; they hold none without."""
    return not _MAY_JUDGE.isdisjoint(lowers) or "est" in " ".join(lowers)


def _is_superlative(word: str) -> bool:
    if (
        len(word) < 6
        or not word.endswith("est")
        or not word.replace("-", "").isalpha()
        or word in MEASURED
        or word in _NO_SUPERLATIVES
    ):
        return False
    return "-" not in word or word.rpartition("-")[2] not in _NO_SUPERLATIVES
