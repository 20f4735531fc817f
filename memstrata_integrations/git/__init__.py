"""Facts of a repository's history, and how they are recorded in a store."""

from memstrata_integrations.git.facts import GitFact, GitSummary, git_facts, record_git_facts

__all__ = ["GitFact", "GitSummary", "git_facts", "record_git_facts"]
