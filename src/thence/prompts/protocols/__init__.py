"""The protocols, one module each; their templates lie in ``templates``."""
