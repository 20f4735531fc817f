"""Public import path of facts from a repository's history; they live in `git`."""

from memstrata_integrations.git import GitFact, GitSummary, git_facts, record_git_facts

__all__ = ["GitFact", "GitSummary", "git_facts", "record_git_facts"]
