"""Models: typed attributes over the fields that the server sent."""

from __future__ import annotations

import pytest

import purser_sdk as sdk
from purser_sdk._model import convert


def test_nested_objects_and_lists_are_models() -> None:
    payment = sdk.models.Payment({"to": {"address": "0x1"}, "fees": [{"amount": "1.00"}], "receipt": None})

    assert payment.to.address == "0x1"
    assert [fee.amount for fee in payment.fees] == ["1.00"]
    assert payment.receipt is None
    assert payment.to_dict() == {"to": {"address": "0x1"}, "fees": [{"amount": "1.00"}], "receipt": None}


def test_fields_of_later_versions_are_kept() -> None:
    project = sdk.models.Project({"project_id": "proj_1", "status": "new_status", "brand_new": {"a": [1]}})

    assert str(project.status) == "new_status"
    assert project.brand_new == {"a": [1]}  # type: ignore[attr-defined]
    assert project.description is None


def test_unknown_names_raise_and_fields_cannot_be_set() -> None:
    project = sdk.models.Project({"project_id": "proj_1"})

    with pytest.raises(AttributeError, match="Project has no field nmae"):
        _ = project.nmae  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="cannot be changed"):
        project.name = "b"


def test_keywords_end_with_an_underscore() -> None:
    assert sdk.models.Backtest({"from": "2026-11-01T00:00:00Z"}).from_ == "2026-11-01T00:00:00Z"


@pytest.mark.parametrize(
    ("value", "model"),
    [
        ({"access_token": "a", "refresh_token": "r"}, sdk.models.Session),
        ({"mfa_required": True, "mfa_token": "m"}, sdk.models.MfaRequired),
        ({"access_token": "a", "new_field": 1}, sdk.models.Session),
    ],
)
def test_the_model_of_a_union_is_the_closest(value: dict[str, object], model: type[sdk.Model]) -> None:
    assert type(convert(sdk.models.Session | sdk.models.MfaRequired, value)) is model


def test_constants_decide_between_models() -> None:
    hint = sdk.models.Payment | sdk.models.PaymentSimulation
    for model, name in ((sdk.models.Payment, "payment"), (sdk.models.PaymentSimulation, "payment_simulation")):
        assert type(convert(hint, {"object": name, "mode": "test"})) is model


def test_equal_models_have_equal_fields() -> None:
    assert sdk.models.Project({"name": "a"}) == sdk.models.Project({"name": "a"})
    assert sdk.models.Project({"name": "a"}) != sdk.models.Project({"name": "b"})
    assert sdk.models.Project({"name": "a"}) != {"name": "a"}
