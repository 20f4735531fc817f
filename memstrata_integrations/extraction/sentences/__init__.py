"""Readers of sentences and lines, and the words that they know.

`grammar` asks them in order; each gives one claim or none. A module's first line says which
sentences it reads; `lexicon`, `verbs`, `role_words` and `wording` hold what they share.
"""
