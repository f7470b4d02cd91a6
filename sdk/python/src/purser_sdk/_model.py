"""The base class of the models."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

#: An amount in a request. JSON numbers from a float would be inexact.
Amount = Union[str, int, Decimal]

# Values of other fields can be secrets, so `repr` does not show them.
_SHOWN_FIELDS = frozenset(("object", "name", "mode", "status", "type", "amount", "currency", "network", "outcome"))


class Model:
    """An object of the API. Its fields are attributes; a field that the server did not send is None.

    Fields that this version of the SDK does not know are attributes too. `to_dict()` returns all fields. The name of a
    field that is a Python keyword ends with an underscore: `from_`.
    """

    __slots__ = ("_data",)
    _data: Mapping[str, Any]

    def __init__(self, data: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_data", data)

    def to_dict(self) -> dict[str, Any]:
        """Returns the fields as the server sent them, with their values, which can be secrets."""
        return dict(self._data)

    # Type checkers see the declared fields only, so that they find misspelled names.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            field = name if name in self._data else name.removesuffix("_")
            hints = _hints_of(type(self))
            if field in self._data:
                return convert(hints.get(name), self._data[field])
            if name in hints:
                return None
            raise AttributeError(f"{type(self).__name__} has no field {name}.")

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"{type(self).__name__} cannot be changed.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self._data == other._data

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in self._data.items() if _is_shown(name, value))
        return f"{type(self).__name__}({', '.join(shown)})"


def convert(hint: Any, value: Any) -> Any:
    """Makes models of the JSON objects in a value, as its type requires."""
    if isinstance(value, dict):
        return _convert_object(hint, value)
    if isinstance(value, list):
        (item,) = next((get_args(one) for one in _alternatives(hint) if get_origin(one) is list), (None,))
        return [convert(item, one) for one in value]
    return value


def _convert_object(hint: Any, value: dict[str, Any]) -> Any:
    alternatives = _alternatives(hint)
    models = [one for one in alternatives if isinstance(one, type) and issubclass(one, Model)]
    if models:
        return max(models, key=lambda one: _closeness(one, value))(value)
    item = next((get_args(one)[1] for one in alternatives if get_origin(one) is dict), None)
    return {name: convert(item, one) for name, one in value.items()}


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _closeness(model: type[Model], value: Mapping[str, Any]) -> tuple[int, int, int]:
    """Orders the models of a union. The closest has the value's constants and fields, and the fewest others."""
    hints = _hints_of(model)
    literals = ((name, get_args(hint)) for name, hint in hints.items() if get_origin(hint) is Literal)
    wrong = sum(value.get(name, allowed[0]) not in allowed for name, allowed in literals)
    return -wrong, len(hints.keys() & value.keys()), -len(hints)


_hints: dict[type[Model], dict[str, Any]] = {}


def _hints_of(model: type[Model]) -> dict[str, Any]:
    """Returns the types of the model's fields. Evaluating them takes long, so they are kept."""
    if model not in _hints:
        _hints[model] = {name: hint for name, hint in get_type_hints(model).items() if not name.startswith("_")}
    return _hints[model]


def _is_shown(name: str, value: object) -> bool:
    return isinstance(value, str) and (name in _SHOWN_FIELDS or name.endswith("_id"))
