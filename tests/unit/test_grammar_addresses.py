"""Addresses and names as they are written outside of English: accents, particles, the number behind the street."""

from __future__ import annotations

import pytest

from memstrata_integrations import GrammarExtractor
from memstrata_integrations.canonical import canonical_subject
from memstrata_integrations.values import canonical_value
from memstrata_integrations.words import unaccented

_READ = GrammarExtractor()


def _supersedes(first: str, second: str) -> bool:
    before, after = _READ.extract([first, second])
    new = {(f.subject, f.relation, f.dimension): f.value for f in after.facts}
    return any(new.get((f.subject, f.relation, f.dimension), f.value) != f.value for f in before.facts)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live at Hauptstrasse 5.", "I live at 8 Via dei Tigli."),
        ("My address is 12 rue de la Paix, Lyon.", "My address is 31 Calle de Alcalá, Madrid."),
        ("Tom's address is Via dei Tigli 8, Parma.", "Tom lives at 5 Elm Street in Leeds."),
        ("Mum's favourite singer is Cesária Évora.", "Mum's favourite singer is Ángel Ólafsson."),
        ("The head of the Malmö office is Åsa Öberg.", "The Malmö office is led by Łukasz Żak."),
        ("Zoë works at Škoda.", "Zoë works at Citroën."),
    ],
)
def test_names_and_addresses_of_other_languages(first: str, second: str) -> None:
    assert _supersedes(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The head of the Malmö office is Åsa Öberg.", "The head of the Malmo office is Asa Oberg."),
        ("Zoë lives in Besançon.", "Zoe lives in Besancon."),
        ("The school's postal address is PO Box 12, Ardle.", "The school's street address is 3 Fern Way, Ardle."),
        ("I live at 5 Elm Street.", "I live at 5 Elm St., Leeds."),
        ("The office in Malmö is led by Åsa Öberg.", "The office in Málaga is led by Íñigo Sáez."),
        ("I live at Hauptstrasse 5.", "My parents live at Hauptstrasse 9."),
        ("Ottmar lives in Köln.", "Ottmar lives in Köln, Germany."),
        ("Ottmar lives in Hamburg.", "Ottmar lives in Altona."),
    ],
)
def test_what_is_the_same_or_another_thing_stays(first: str, second: str) -> None:
    assert not _supersedes(first, second)


def test_a_value_is_given_as_it_is_written() -> None:
    text = "The head of the Malmö office is Åsa Öberg."
    [fact] = _READ.extract([text])[0].facts
    assert (fact.object, fact.subject) == ("Åsa Öberg", canonical_subject("Malmö office"))
    assert text[slice(*fact.span)] == text


@pytest.mark.parametrize("text", ["Łukasz Żak", "Malmö, Århus", "straße", "ÆØÅ", "naïve café", "Đorđe", "漢字 Иван"])
def test_letters_without_accents_keep_their_places(text: str) -> None:
    assert len(unaccented(text)) == len(text)
    assert unaccented(unaccented(text)) == unaccented(text)


def test_what_a_program_reads_keeps_its_accents() -> None:
    assert canonical_value("café", "setting") != canonical_value("cafe", "setting")
    assert canonical_value("Café Zoë", "name") == canonical_value("Cafe Zoe", "name")


def test_west_is_no_saint() -> None:
    assert canonical_value("West Ham", "place")[0] == "west ham"
    assert canonical_value("Saint Louis", "place") == canonical_value("St Louis", "place") == ("st. louis", "city")
