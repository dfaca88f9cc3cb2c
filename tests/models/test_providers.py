from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thence.errors import ParameterError, UsageError
from thence.models.base import Sampling
from thence.models.providers import PROVIDERS, Endpoint, endpoint
from thence.models.select import Connection, open_model

KEY = "sk-0123456789abcdef"


@pytest.mark.parametrize("name", sorted(PROVIDERS))
def test_every_provider_is_reached_at_its_own_address(name: str) -> None:
    row = PROVIDERS[name]
    found = endpoint(name, None, {row.variable: KEY} if row.variable else {})
    assert found == Endpoint(row.url, KEY if row.variable else None)
    assert not row.url.endswith("/")
    assert row.url.startswith("https://" if row.variable else "http://localhost:")


@pytest.mark.parametrize("environ", [{}, {"MISTRAL_API_KEY": ""}, {"MISTRAL_API_KEY": " \n"}])
def test_a_key_that_is_not_set_is_named(environ: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="MISTRAL_API_KEY is not set"):
        endpoint("mistral", None, environ)
    found = endpoint("mistral", None, environ, wanting=False)
    assert found == Endpoint(PROVIDERS["mistral"].url, None)


@pytest.mark.parametrize("key", ["two words", "sk\u2013dash", "a\nb", "\ud800"])
def test_a_key_that_no_header_can_carry_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not a key") as caught:
        endpoint("openai", None, {"OPENAI_API_KEY": key})
    assert key not in str(caught.value)


def test_blanks_around_a_key_are_dropped() -> None:
    assert endpoint("openai", None, {"OPENAI_API_KEY": f" {KEY}\r\n"}).key == KEY


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("opnai", "openai"), ("OpenRouter", "openrouter"), ("antropic", "anthropic")],
)
def test_an_unknown_provider_is_told_the_nearest(typed: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        endpoint(typed, None, {})
    message = str(caught.value)
    assert repr(typed) in message
    assert f"did you mean {meant!r}" in message
    assert "base_url=URL" in message
    assert all(name in message for name in PROVIDERS)


@pytest.mark.parametrize("typed", ["", "x\ny", "q" * 100_000])
def test_an_unknown_provider_costs_one_line(typed: str) -> None:
    with pytest.raises(UsageError) as caught:
        endpoint(typed, None, {})
    assert "\n" not in str(caught.value)
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("given_url", "url"),
    [
        ("http://localhost:1234/v1/", "http://localhost:1234/v1"),
        ("https://example.org", "https://example.org"),
        (" http://[::1]:80/v1// ", "http://[::1]:80/v1"),
        ("http://localhost:1234/v1/chat/completions/", "http://localhost:1234/v1"),
        ("https://example.org/openai/@x/v1", "https://example.org/openai/@x/v1"),
    ],
)
def test_any_provider_will_do_with_a_base_url(given_url: str, url: str) -> None:
    assert endpoint("my-own.lab", given_url, {}) == Endpoint(url, None)
    assert endpoint("my-own.lab", given_url, {"MY_OWN_LAB_API_KEY": KEY}) == Endpoint(url, KEY)
    assert endpoint("openai", given_url, {}).key is None
    assert endpoint("openai", given_url, {"OPENAI_API_KEY": KEY}).key == KEY
    assert endpoint("vllm", given_url, {"VLLM_API_KEY": KEY}).key == KEY


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000/v1",
        "ftp://example.org/v1",
        "http://",
        "http:///v1",
        "http://:80/v1",
        "http://a:99999/v1",
        "http://a:port/v1",
        "http://[::1/v1",
        "http://two words/v1",
        "http://a\nb/v1",
        "http://a..b/v1",
        f"http://{'x' * 64}.org/v1",
        "http://a/v1?api-version=1",
        "http://a/v1#top",
        "http://a\\b/v1",
    ],
)
def test_a_base_url_that_cannot_serve_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(UsageError) as caught:
        endpoint("openai", url, {})
    assert str(caught.value).startswith("base_url")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:pass-word@example.org/v1",
        "http://pass-word@example.org/v1",
        "http://user:pass-word@example.org:port/v1",
        "user:pass-word@example.org/v1",
        "http://user:pass-word@[::1/v1",
        "http://user:pass-word /x@example.org",
    ],
)
def test_a_password_in_a_base_url_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(UsageError, match="user name or password") as caught:
        endpoint("openai", url, {})
    assert "pass-word" not in str(caught.value)


@given(st.one_of(st.text(), st.text().map("http://{}/v1".format)))
def test_any_base_url_is_an_endpoint_or_a_usage_error(url: str) -> None:
    try:
        found = endpoint("openai", url, {"OPENAI_API_KEY": KEY})
    except UsageError as error:
        assert KEY not in str(error)
    else:
        assert found.url.startswith(("http://", "https://"))


def test_the_key_is_not_shown() -> None:
    found = Endpoint("http://localhost/v1", KEY)
    assert KEY not in f"{found} {found!r}"


def test_more_connections_than_files_that_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda which: (128, 4096))
    connection = Connection("http://localhost:9/v1", connections=300)
    with pytest.raises(ParameterError, match=r"max_connections=300: .* 128 files .* at most 80"):
        open_model("x/m", Sampling(), connection)
    open_model("x/m", Sampling(), replace(connection, connections=80))
    monkeypatch.setattr(resource, "getrlimit", lambda which: (resource.RLIM_INFINITY, 0))
    open_model("x/m", Sampling(), connection)
