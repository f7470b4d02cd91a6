import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { presentAuditEntry } from "../entries/entries.ts";
import { type AuditRecord, auditHash, auditLine, GENESIS, GENESIS_HASH } from "./chain.ts";

const record: AuditRecord = {
  auditId: "aud_01",
  chain: "provider_keys",
  tenantId: "dev_01",
  mode: "live",
  actor: { type: "developer", id: "dev_01", key_id: "key_01", ip: null },
  action: "provider_key.updated",
  subject: { type: "provider", id: "turnkey" },
  facts: {
    version: 3,
    field_names: ["api_private_key"],
    "€": 'Grüße \u2028 \u0007 \\ "',
    "\ud83d\ude00": null,
    "\ufb33": { b: [1e21, 1e-7, 0.1, -0, 100], a: true },
    "": "",
  },
  requestId: "req_01",
  occurredAt: new Date("2026-11-21T10:00:00.120Z"),
};
const position = { sequence: 42, prevHash: "9".repeat(64) };

/** An independent RFC 8785 serializer: sorts keys by UTF-16 code unit, and uses JSON.stringify for primitives. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)}}`;
}

describe("the audit chain", () => {
  it("hashes the canonical JSON of the exported line", () => {
    const exported = JSON.parse(JSON.stringify(auditLine(record, position)));

    const recomputed = createHash("sha256").update(canonical(exported)).digest("hex");

    expect(auditHash(record, position)).toBe(recomputed);
  });

  it("exports the fields listed in docs/rules/audit-trail.md", () => {
    expect(auditLine(record, position)).toEqual({
      audit_id: "aud_01",
      chain: "provider_keys",
      tenant_id: "dev_01",
      mode: "live",
      sequence: 42,
      actor: { type: "developer", id: "dev_01", key_id: "key_01", ip: null },
      action: "provider_key.updated",
      subject: { type: "provider", id: "turnkey" },
      facts: record.facts,
      request_id: "req_01",
      occurred_at: "2026-11-21T10:00:00.120Z",
      prev_hash: "9".repeat(64),
    });
  });

  it("has the same hash in every release", () => {
    expect(auditHash(record, position)).toMatchInlineSnapshot(
      `"843ee099a44ad6c53d4056317f4a9256f9df23b808e5198b3eaf4640551f407d"`,
    );
  });

  it("starts with 64 zeros", () => {
    expect(GENESIS_HASH).toBe("0".repeat(64));
    expect(GENESIS).toEqual({ sequence: 0, hash: GENESIS_HASH });
  });

  it("exports an entry with its hash", () => {
    const { hash, ...line } = presentAuditEntry({
      ...position,
      record,
      hash: auditHash(record, position),
    });

    expect(line).toEqual(auditLine(record, position));
    expect(createHash("sha256").update(canonical(line)).digest("hex")).toBe(hash);
  });

  it.each([
    [{ auditId: "aud_02" }, {}],
    [{ chain: "tenant" }, {}],
    [{ tenantId: "dev_02" }, {}],
    [{ mode: "test" }, {}],
    [{ actor: { ...record.actor, key_id: null } }, {}],
    [{ actor: { ...record.actor, type: "admin" } }, {}],
    [{ action: "provider_key.deleted" }, {}],
    [{ subject: { type: "provider", id: "fireblocks" } }, {}],
    [{ facts: { ...record.facts, version: 4 } }, {}],
    [{ facts: { ...record.facts, more: null } }, {}],
    [{ requestId: null }, {}],
    [{ occurredAt: new Date("2026-11-21T10:00:00.121Z") }, {}],
    [{}, { sequence: 43 }],
    [{}, { prevHash: `8${"9".repeat(63)}` }],
  ] as const)("has a different hash if the record has %j and the position has %j", (recordChange, positionChange) => {
    const changed = auditHash({ ...record, ...recordChange }, { ...position, ...positionChange });

    expect(changed).not.toBe(auditHash(record, position));
  });
});
