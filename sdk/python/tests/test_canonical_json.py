"""The canonical form of JSON (RFC 8785)."""

from __future__ import annotations

import json
from typing import Any

import pytest

import purser_sdk as sdk


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        # RFC 8785, section 3.2.2 and appendix B.
        ("333333333.33333329", "333333333.3333333"),
        ("1E30", "1e+30"),
        ("4.50", "4.5"),
        ("2e-3", "0.002"),
        ("0.000000000000000000000000001", "1e-27"),
        ("-0.0", "0"),
        ("5e-324", "5e-324"),
        ("-1.7976931348623157e308", "-1.7976931348623157e+308"),
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993", "9007199254740992"),
        ("295147905179352830000", "295147905179352830000"),
        ("999999999999999900000", "999999999999999900000"),
        ("1e21", "1e+21"),
        ("9.999999999999997e-7", "9.999999999999997e-7"),
        ("0.000001", "0.000001"),
        ("-12345678901234567890", "-12345678901234567000"),
        ("1.0", "1"),
        ("true", "true"),
        ("null", "null"),
        (
            '"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/\\u007f\\u2028"',
            '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\x7f\u2028"',
        ),
    ],
)
def test_formats_values_as_javascript_does(text: str, canonical: str) -> None:
    assert sdk.canonical_json(json.loads(text)) == canonical


def test_sorts_names_by_utf_16_code_units() -> None:
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    values: Any = {name: number for number, name in enumerate(names)}

    assert list(json.loads(sdk.canonical_json(values))) == [
        "\r",
        "1",
        "\u0080",
        "\u00f6",
        "\u20ac",
        "\U0001f600",
        "\ufb33",
    ]


def test_has_no_spaces_and_keeps_the_order_of_lists() -> None:
    assert sdk.canonical_json({"b": [3, (1, "x")], "a": {}}) == '{"a":{},"b":[3,[1,"x"]]}'


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("\ud800", ValueError),
        ({"\udc00": 1}, ValueError),
        ([float("nan")], ValueError),
        (float("inf"), ValueError),
        (10**400, ValueError),
        (object(), TypeError),
        ({1: 2}, AttributeError),
        (b"x", TypeError),
    ],
)
def test_rejects_values_without_a_canonical_form(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        sdk.canonical_json(value)
