import { createHash, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import type { AuditCheckpoint } from "../src/index.ts";

/** The fields of an entry except `sequence`, `prev_hash` and `hash`. */
export type EntryContent = Readonly<Record<string, unknown>>;

export const GENESIS = "0".repeat(64);
export const TENANT = "dev_01hf7yat00rm3czb8yy5nw42xz";

/** Returns the canonical JSON of RFC 8785 for the values in these tests, in which all numbers are integers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, of]) => `${JSON.stringify(name)}:${canonical(of)}`).join(",")}}`;
}

export const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

export function entryContent(number: number): EntryContent {
  return {
    audit_id: `aud_${number}`,
    chain: "tenant",
    tenant_id: TENANT,
    mode: "live",
    actor: { type: "developer", id: TENANT, key_id: null, ip: "192.0.2.0/24" },
    action: "note.written",
    subject: { type: "note", id: `note_${number}` },
    facts: { number, name: "Zoë \u{1F600}" },
    request_id: number % 2 === 0 ? null : `req_${number}`,
    occurred_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
  };
}

/** Returns the lines of a chain with these entries and valid hashes. */
export function chainLines(entries: readonly EntryContent[], sequenceAt = (position: number) => position): string[] {
  let prev = GENESIS;
  return entries.map((entry, index) => {
    const line = { ...entry, sequence: sequenceAt(index + 1), prev_hash: prev };
    prev = sha256(canonical(line));
    return canonical({ ...line, hash: prev });
  });
}

export const entriesOf = (count: number) => Array.from({ length: count }, (_, n) => entryContent(n + 1));

/** Replaces some fields in the line without recomputing `hash`. */
export function withFields(line: string, fields: object): string {
  return canonical({ ...JSON.parse(line), ...fields });
}

export const hashOf = (line: string): string => JSON.parse(line).hash;

export interface Signer {
  readonly jwk: JsonWebKey;
  readonly keyId: string;
  sign(text: string): string;
}

export function newSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const jwk = publicKey.export({ format: "jwk" });
  const keyId = createHash("sha256")
    .update(Buffer.from(jwk.x ?? "", "base64url"))
    .digest("hex")
    .slice(0, 16);
  return {
    jwk: { ...jwk, kid: keyId, alg: "EdDSA", use: "sig" },
    keyId,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
  };
}

/** Returns checkpoints at the given sequence numbers, each linked to the one before it. */
export function checkpointsOf(
  lines: readonly string[],
  sequences: readonly number[],
  signer: Signer,
  fields: object = {},
): AuditCheckpoint[] {
  let prev = GENESIS;
  return sequences.map((sequence) => {
    const statement = {
      tenant_id: TENANT,
      chain: "tenant",
      sequence,
      head_hash: hashOf(lines[sequence - 1] ?? "{}"),
      time: "2026-11-21T10:00:00.000Z",
      prev_checkpoint_hash: prev,
      ...fields,
    };
    prev = sha256(canonical(statement));
    const signed = { checkpoint_hash: prev, key_id: signer.keyId, signature: signer.sign(prev) };
    return { object: "audit_checkpoint", ...statement, ...signed };
  });
}
