"""Verifies audit exports offline (docs/rules/audit-trail.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from . import models
from .canonical_json import canonical_json, parse_json
from .signing import sha256_hex
from .statements import TrustedKeys, is_signed, trusted_keys_by_id

BreakReason = Literal["unreadable", "other_chain", "sequence_gap", "prev_hash_mismatch", "hash_mismatch"]
RejectionReason = Literal["malformed", "unknown_key", "bad_signature", "other_chain", "not_linked", "head_mismatch"]

# Longer lines are rejected as `unreadable`. The lines of an export are much shorter.
_LINE_MAX_CHARACTERS = 4_194_304
_SAFE_INTEGER_MAX = 2**53 - 1
_SIGNED_TEXTS = ("tenant_id", "chain", "head_hash", "time", "prev_checkpoint_hash")


@dataclass(frozen=True)
class AuditBreak:
    #: The sequence number of the first invalid entry.
    sequence: int
    #: `unreadable`: the line is not the canonical JSON of an entry. `other_chain`: the entry belongs to a different
    #: tenant or chain.
    reason: BreakReason
    expected: str | None = None
    actual: str | None = None


@dataclass(frozen=True)
class RejectedCheckpoint:
    sequence: int
    #: `not_linked`: `prev_checkpoint_hash` is not the hash of the given checkpoint with the next lower sequence number.
    #: `head_mismatch`: the hash of the chain's entry at `sequence` is not `head_hash`.
    reason: RejectionReason


@dataclass(frozen=True)
class AuditAnchor:
    """The newest entry that a checkpoint confirms, and the number of entries after it."""

    sequence: int
    hash: str
    unanchored_entries: int


@dataclass(frozen=True)
class AuditExportVerification:
    #: Whether all checks passed. Even if true, entries after `anchored.sequence` are not confirmed by a checkpoint.
    valid: bool
    entries_checked: int
    head_hash: str
    broken_at: AuditBreak | None
    #: The first checkpoint that is not signed by a trusted key, is not linked to its predecessor or does not match the
    #: chain.
    rejected_checkpoint: RejectedCheckpoint | None
    anchored: AuditAnchor
    #: Whether a checkpoint proves that entries are missing at the end of the export.
    truncation_detected: bool


def verify_audit_export(
    lines: Iterable[str],
    *,
    checkpoints: Iterable[models.AuditCheckpoint | Mapping[str, Any]],
    public_keys: TrustedKeys,
    expected_tenant: str | None = None,
    expected_chain: str | None = None,
) -> AuditExportVerification:
    """Verifies an audit export.

    Recomputes every hash, checks that each entry contains the hash of the previous entry, and compares the chain with
    signed checkpoints. Rejects a line that is not canonical JSON (for example with duplicate keys or extra whitespace),
    because two parsers could read it differently.

    Args:
        lines: The lines of `audit.export()` in order, without line breaks. Of an `AsyncPurser`, collect them first.
        checkpoints: Checkpoints to compare the export with, in any order. Use checkpoints from the audit anchor or from
            an earlier export. Checkpoints that the server returns together with this export prove only that the server
            still has its signing key.
        public_keys: The server signing keys that you trust, as a JWKS of Ed25519 public keys.
        expected_tenant: The tenant that all entries must belong to. Default: the tenant of the first entry.
        expected_chain: The chain that all entries must belong to, for example `tenant`. Default: the chain of the first
            entry.
    """
    verifier = _Verifier(checkpoints, public_keys, expected_tenant, expected_chain)
    for line in lines:
        if not verifier.add(line):
            break
    return verifier.result()


class _Entry(NamedTuple):
    sequence: int
    #: The hash that the line contains.
    hash: str
    prev_hash: str
    tenant_id: str
    chain: str
    #: The hash of the entry's content.
    computed_hash: str


class _Verifier:
    def __init__(
        self,
        checkpoints: Iterable[models.AuditCheckpoint | Mapping[str, Any]],
        public_keys: TrustedKeys,
        tenant_id: str | None,
        chain: str | None,
    ) -> None:
        fields = (one.to_dict() if isinstance(one, models.Model) else one for one in checkpoints)
        self._checkpoints = sorted(fields, key=_sequence_of)
        self._keys = trusted_keys_by_id(public_keys["keys"])
        # If the caller does not specify the tenant or the chain, the first entry determines it.
        self._tenant_id = tenant_id
        self._chain = chain
        self._sequence = 0
        # The first entry's `prev_hash`.
        self._head_hash = "0" * 64
        self._broken_at: AuditBreak | None = None
        #: The hashes of the entries for which a checkpoint exists, by sequence number.
        self._hashes: dict[int, str | None] = dict.fromkeys(map(_sequence_of, self._checkpoints))

    def add(self, line: str) -> bool:
        """Returns False if the line breaks the chain."""
        entry = _parse_entry(line)
        self._broken_at = self._break_at(entry)
        if entry is None or self._broken_at:
            return False
        self._tenant_id, self._chain = entry.tenant_id, entry.chain
        self._sequence, self._head_hash = entry.sequence, entry.hash
        if entry.sequence in self._hashes:
            self._hashes[entry.sequence] = entry.hash
        return True

    def result(self) -> AuditExportVerification:
        anchored, anchored_hash = 0, "0" * 64
        rejected = None
        truncated = False
        before: Mapping[str, Any] | None = None
        for checkpoint in self._checkpoints:
            sequence = _sequence_of(checkpoint)
            reason = self._signature_flaw(checkpoint) or self._position_flaw(checkpoint, before)
            if reason:
                rejected = RejectedCheckpoint(sequence, reason)
                break
            if sequence > self._sequence:
                truncated = True
            else:
                anchored, anchored_hash = sequence, checkpoint["head_hash"]
            before = checkpoint
        return AuditExportVerification(
            valid=not (self._broken_at or rejected or truncated),
            entries_checked=self._sequence,
            head_hash=self._head_hash,
            broken_at=self._broken_at,
            rejected_checkpoint=rejected,
            anchored=AuditAnchor(anchored, anchored_hash, self._sequence - anchored),
            # Entries after an invalid entry are not read, so a missing end cannot be detected.
            truncation_detected=truncated and not self._broken_at,
        )

    def _break_at(self, entry: _Entry | None) -> AuditBreak | None:
        sequence = self._sequence + 1
        if entry is None:
            return AuditBreak(sequence, "unreadable")
        checks: tuple[tuple[BreakReason, str, str], ...] = (
            ("other_chain", self._tenant_id or entry.tenant_id, entry.tenant_id),
            ("other_chain", self._chain or entry.chain, entry.chain),
            ("sequence_gap", str(sequence), str(entry.sequence)),
            ("prev_hash_mismatch", self._head_hash, entry.prev_hash),
            ("hash_mismatch", entry.computed_hash, entry.hash),
        )
        for reason, expected, actual in checks:
            if expected != actual:
                return AuditBreak(sequence, reason, expected, actual)
        return None

    def _signature_flaw(self, checkpoint: Mapping[str, Any]) -> RejectionReason | None:
        """Returns why the checkpoint is not signed by a trusted key, or None if it is."""
        sequence = _sequence_of(checkpoint)
        key_id, stated_hash = checkpoint.get("key_id"), checkpoint.get("checkpoint_hash")
        texts = {name: checkpoint.get(name) for name in _SIGNED_TEXTS}
        strings = (*texts.values(), key_id, stated_hash, checkpoint.get("signature"))
        if not all(isinstance(text, str) for text in strings) or sequence == 0:
            return "malformed"
        try:
            actual_hash = sha256_hex(canonical_json({**texts, "sequence": sequence}).encode())
        except ValueError:
            return "malformed"
        key = self._keys.get(str(key_id))
        if key is None:
            return "unknown_key"
        is_valid = actual_hash == stated_hash and is_signed(key, checkpoint["signature"], actual_hash)
        return None if is_valid else "bad_signature"

    def _position_flaw(self, checkpoint: Mapping[str, Any], before: Mapping[str, Any] | None) -> RejectionReason | None:
        """Returns why the checkpoint does not match the chain, or None if it does."""
        own = (checkpoint["tenant_id"], checkpoint["chain"])
        if own != (self._tenant_id or own[0], self._chain or own[1]):
            return "other_chain"
        # The oldest checkpoint can have any predecessor, because the caller may not have stored the earlier ones.
        if before and checkpoint["prev_checkpoint_hash"] != before["checkpoint_hash"]:
            return "not_linked"
        sequence = checkpoint["sequence"]
        is_ahead = sequence > self._sequence
        return None if is_ahead or self._hashes[sequence] == checkpoint["head_hash"] else "head_mismatch"


def _sequence_of(checkpoint: Mapping[str, Any]) -> int:
    """Returns the checkpoint's sequence number, or 0 if it is malformed."""
    sequence = checkpoint.get("sequence")
    return sequence if type(sequence) is int and 0 < sequence <= _SAFE_INTEGER_MAX else 0


def _parse_entry(line: str) -> _Entry | None:
    """Returns the entry, or None if the line is not the canonical JSON of an entry."""
    if len(line) > _LINE_MAX_CHARACTERS:
        return None
    try:
        content = parse_json(line)
        if not isinstance(content, dict) or canonical_json(content) != line:
            return None
        sequence = content.get("sequence")
        names = ("hash", "prev_hash", "tenant_id", "chain")
        texts = {name: text for name in names if isinstance(text := content.get(name), str)}
        if len(texts) < len(names) or type(sequence) is not int:
            return None
        del content["hash"]
        return _Entry(sequence, **texts, computed_hash=sha256_hex(canonical_json(content).encode()))
    except (ValueError, TypeError, RecursionError):
        # The line is not JSON, has no canonical form, or is nested too deeply.
        return None
