"""The English Recipe Flow Graph Corpus (Yamakata et al. 2020), read as it was published.

A recipe is two files: ``NAME.list`` holds its words, ``NAME.flow`` the edges between them. What
comes out is a text of steps and the graph of which step leads to which.
"""

from thence.domains.flow_graphs.corpus import Corpus, FlowRecipe, read_corpus

__all__ = ["Corpus", "FlowRecipe", "read_corpus"]
