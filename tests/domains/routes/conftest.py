from __future__ import annotations

from collections.abc import Iterator

import pytest

from thence.domains.routes import router

NODES = 2_000


@pytest.fixture(scope="session")
def cached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tiles of the tests lie in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("THENCE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def small(cached: None) -> router.Router:
    """A router of a small made-up map."""
    pytest.importorskip("valhalla")
    return router.synthetic(3, NODES)
