"""The English Recipe Flow Graph Corpus (Yamakata et al. 2020), read in its published form.

A recipe is two files: ``NAME.list`` holds its words, ``NAME.flow`` the edges between them. The
reader returns the texts of the steps and the graph of the edges between steps.
"""

from thence.domains.flow_graphs.corpus import Corpus, FlowRecipe, read_corpus

__all__ = ["Corpus", "FlowRecipe", "read_corpus"]
