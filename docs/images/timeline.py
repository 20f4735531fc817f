"""Draws README's picture: the releases of Django that the demo brings along, as the store knows them."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from memstrata_integrations import Fact
from memstrata_integrations.demo.story import load_story
from memstrata_integrations.embeddings import default_embeddings
from memstrata_integrations.langchain import TemporalVectorStore

if __name__ == "__main__":
    subject = "The latest stable version of Django"
    store = TemporalVectorStore("timeline", default_embeddings(prefer="lexical"))
    records = [record for record in load_story().records if record.subject == subject]
    store.add_facts([Fact(r.subject, r.relation, r.object, statement=r.statement, valid_from=r.at) for r in records])
    axes = store.history(subject, "is").plot()
    axes.set_title("The latest stable version of Django: what is valid now, and what was when")
    axes.figure.tight_layout()
    axes.figure.savefig(Path(__file__).with_suffix(".png"), dpi=110)
