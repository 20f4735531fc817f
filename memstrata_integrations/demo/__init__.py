"""What `memstrata demo` runs: stock Chroma and ours, side by side, on dated facts."""

from memstrata_integrations.demo.replay import run_replay
from memstrata_integrations.demo.story import run_story

__all__ = ["run_replay", "run_story"]
