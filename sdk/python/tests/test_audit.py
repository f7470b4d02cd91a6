"""Verifying audit exports offline."""

from __future__ import annotations

import json
from typing import Any

import pytest
from signer import Signer, sha256

import purser_sdk as sdk

SIGNER = Signer()
KEYS = {"keys": [SIGNER.jwk]}
GENESIS = "0" * 64


def chain(length: int, **more: Any) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = []
    for sequence in range(1, length + 1):
        content = {
            "sequence": sequence,
            "prev_hash": entries[-1]["hash"] if entries else GENESIS,
            "tenant_id": "dev_1",
            "chain": "tenant",
            "facts": {"amount": 1.5, "€": "ü\u2028"},
            **more,
        }
        entries.append({**content, "hash": sha256(sdk.canonical_json(content))})
    return entries


def lines(entries: list[dict[str, Any]]) -> list[str]:
    return [sdk.canonical_json(entry) for entry in entries]


def checkpoints(entries: list[dict[str, Any]], *sequences: int, **more: Any) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for sequence in sequences:
        content = {
            "tenant_id": "dev_1",
            "chain": "tenant",
            "sequence": sequence,
            "head_hash": entries[sequence - 1]["hash"],
            "time": "2026-11-23T10:00:00.000Z",
            "prev_checkpoint_hash": made[-1]["checkpoint_hash"] if made else GENESIS,
            **more,
        }
        hash_ = sha256(sdk.canonical_json(content))
        made.append({**content, "checkpoint_hash": hash_, "key_id": SIGNER.key_id, "signature": SIGNER.sign(hash_)})
    return made


ENTRIES = chain(6)
CHECKPOINTS = checkpoints(ENTRIES, 2, 4)


def verify(given: list[str], stated: list[dict[str, Any]] = CHECKPOINTS, **more: Any) -> sdk.AuditExportVerification:
    return sdk.verify_audit_export(given, checkpoints=stated, public_keys=KEYS, **more)


def test_accepts_a_chain_and_its_checkpoints_in_any_order() -> None:
    models = [sdk.models.AuditCheckpoint(one) for one in reversed(CHECKPOINTS)]

    result = sdk.verify_audit_export(iter(lines(ENTRIES)), checkpoints=models, public_keys=KEYS)

    assert result == sdk.AuditExportVerification(
        valid=True,
        entries_checked=6,
        head_hash=ENTRIES[-1]["hash"],
        broken_at=None,
        rejected_checkpoint=None,
        anchored=sdk.AuditAnchor(4, ENTRIES[3]["hash"], 2),
        truncation_detected=False,
    )


def test_accepts_an_empty_chain_without_checkpoints() -> None:
    result = verify([], [])

    assert result.valid and result.entries_checked == 0 and result.head_hash == GENESIS


def test_tells_the_first_entry_that_breaks_the_chain() -> None:
    changed = json.loads(json.dumps(ENTRIES))
    changed[2]["facts"]["amount"] = 2.5

    result = verify(lines(changed))

    assert not result.valid and result.entries_checked == 2 and not result.truncation_detected
    assert result.broken_at is not None and result.broken_at.sequence == 3
    assert result.broken_at.reason == "hash_mismatch" and result.broken_at.actual == ENTRIES[2]["hash"]
    assert result.broken_at.expected not in (None, ENTRIES[2]["hash"])


@pytest.mark.parametrize(
    ("given", "sequence", "reason"),
    [
        (lines(ENTRIES[1:]), 1, "sequence_gap"),
        (lines(ENTRIES[:2] + ENTRIES[3:]), 3, "sequence_gap"),
        (lines(ENTRIES[:2] + chain(3, facts={})[2:]), 3, "prev_hash_mismatch"),
        (lines(ENTRIES[:1] + chain(2, tenant_id="dev_2")[1:]), 2, "other_chain"),
        (lines(ENTRIES[:1] + chain(2, chain="provider_keys")[1:]), 2, "other_chain"),
        (["no json"], 1, "unreadable"),
        (["[]"], 1, "unreadable"),
        (["{}"], 1, "unreadable"),
        ([json.dumps(ENTRIES[0])], 1, "unreadable"),
        ([lines(ENTRIES)[0] + " "], 1, "unreadable"),
        ([lines(ENTRIES)[0].replace('"sequence":1', '"sequence":1.0')], 1, "unreadable"),
        ([lines(ENTRIES)[0].replace('"sequence":1', '"sequence":true')], 1, "unreadable"),
        ([lines(ENTRIES)[0].replace('"chain":"tenant"', '"chain":"tenant","chain":"tenant"')], 1, "unreadable"),
        (
            [lines(chain(1, facts="\ud800".encode("utf-16", "surrogatepass").decode("latin-1")))[0] + "\ud800"],
            1,
            "unreadable",
        ),
        ([lines(ENTRIES)[0].replace("1.5", "1" * 400)], 1, "unreadable"),
        (["[" * 100_000], 1, "unreadable"),
        (["x" * 4_194_305], 1, "unreadable"),
    ],
)
def test_rejects_a_line(given: list[str], sequence: int, reason: str) -> None:
    result = verify(given, [])

    assert not result.valid and result.broken_at is not None
    assert (result.broken_at.sequence, result.broken_at.reason) == (sequence, reason)


@pytest.mark.parametrize("expected", [{"expected_tenant": "dev_2"}, {"expected_chain": "provider_keys"}])
def test_rejects_another_chain_than_the_expected(expected: dict[str, str]) -> None:
    result = verify(lines(ENTRIES), [], **expected)

    assert result.broken_at is not None and result.broken_at.reason == "other_chain"


def test_detects_a_missing_end() -> None:
    result = verify(lines(ENTRIES[:3]))

    assert not result.valid and result.truncation_detected
    assert result.anchored == sdk.AuditAnchor(2, ENTRIES[1]["hash"], 1)


@pytest.mark.parametrize(
    ("stated", "sequence", "reason"),
    [
        ([{**CHECKPOINTS[0], "sequence": "2"}], 0, "malformed"),
        ([{**CHECKPOINTS[0], "sequence": 0}], 0, "malformed"),
        ([{**CHECKPOINTS[0], "time": None}], 2, "malformed"),
        ([{**CHECKPOINTS[0], "time": "\ud800"}], 2, "malformed"),
        ([{**CHECKPOINTS[0], "key_id": Signer().key_id}], 2, "unknown_key"),
        ([{**CHECKPOINTS[0], "signature": SIGNER.sign("other")}], 2, "bad_signature"),
        ([{**CHECKPOINTS[0], "time": "2026-11-23T10:00:00.001Z"}], 2, "bad_signature"),
        (checkpoints(ENTRIES, 2, tenant_id="dev_2"), 2, "other_chain"),
        (checkpoints(ENTRIES, 2, chain="provider_keys"), 2, "other_chain"),
        ([CHECKPOINTS[0], *checkpoints(ENTRIES, 5)], 5, "not_linked"),
        (checkpoints(ENTRIES, 2, head_hash=GENESIS), 2, "head_mismatch"),
    ],
)
def test_rejects_a_checkpoint(stated: list[dict[str, Any]], sequence: int, reason: str) -> None:
    result = verify(lines(ENTRIES), stated)

    assert not result.valid and result.rejected_checkpoint is not None
    assert (result.rejected_checkpoint.sequence, result.rejected_checkpoint.reason) == (sequence, reason)


def test_accepts_later_checkpoints_without_their_predecessors() -> None:
    assert verify(lines(ENTRIES), CHECKPOINTS[1:]).valid
