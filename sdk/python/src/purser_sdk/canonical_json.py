"""The canonical form of JSON values (RFC 8785)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Union

Json = Union[str, int, float, bool, None, Sequence["Json"], Mapping[str, "Json"]]

_SAFE_INTEGER_MAX = 2**53 - 1


def canonical_json(value: Json) -> str:
    """Returns the canonical form of a value. Equal values have the same canonical form.

    Raises:
        ValueError: The value has no canonical form: a number is not finite, or a text has a lone surrogate.
        TypeError: The value is not JSON.
    """
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return _canonical_text(value)
    if isinstance(value, (int, float)):
        return _canonical_number(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(canonical_json, value))}]"
    if isinstance(value, dict):
        # RFC 8785 sorts names by their UTF-16 code units.
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return f"{{{','.join(f'{_canonical_text(name)}:{canonical_json(value[name])}' for name in names)}}}"
    raise TypeError(f"A value of type {type(value).__name__} is not JSON.")


def parse_json(text: str | bytes) -> Json:
    """Parses JSON text. Unlike `json.loads`, rejects the numbers `NaN` and `Infinity`.

    Raises:
        ValueError: The text is not JSON.
    """
    parsed: Json = json.loads(text, parse_constant=_reject_constant)
    return parsed


def _reject_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON.")


def _canonical_text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        # The original error would contain the text.
        raise ValueError("Text with a lone surrogate has no UTF-8 form.") from None
    return json.dumps(text, ensure_ascii=False)


def _canonical_number(number: int | float) -> str:
    """Formats a number as JavaScript does: with the shortest digits that identify the double."""
    if isinstance(number, int) and abs(number) <= _SAFE_INTEGER_MAX:
        return str(number)
    # Unlike `float` of an int, this makes infinity of an int that is too large.
    double = float(str(number))
    if not math.isfinite(double):
        raise ValueError(f"{double} is not a JSON number.")
    if double == 0:
        return "0"
    sign = "-" if double < 0 else ""
    _, all_digits, exponent = Decimal(repr(abs(double))).as_tuple()
    point = len(all_digits) + int(exponent)
    digits = "".join(map(str, all_digits)).rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{sign}{mantissa}e{point - 1:+d}"
