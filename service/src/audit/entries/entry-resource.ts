import { type Static, Type } from "typebox";
import type { Json } from "../../foundation/canonical-json.ts";
import { AUDIT_CHAINS } from "../../foundation/vocabulary.ts";
import { ModeName, Nullable, SubjectOut, Timestamp } from "../../foundation/wire/fields.ts";
import { NamedObject } from "../../foundation/wire/named-object.ts";
import { type AuditPosition, type AuditRecord, auditLine } from "../chains/chain.ts";

const AuditEntryActorResource = NamedObject("AuditEntryActor", {
  type: Type.Enum(["developer", "agent", "admin", "system"]),
  id: Type.String(),
  key_id: Nullable(
    Type.String({
      description: "The id of the API key that signed the request for the change. Null if no API key was used.",
    }),
  ),
  ip: Nullable(
    Type.String({
      description:
        "The client's IPv4 address or IPv6 /64 network. Null for changes made by admins, by background jobs or from the command line.",
    }),
  ),
});

/** An entry of an audit chain (docs/api.md, section 14.1). */
export const AuditEntryResource = NamedObject("AuditEntry", {
  audit_id: Type.String(),
  chain: Type.Enum([...AUDIT_CHAINS]),
  tenant_id: Type.String(),
  mode: ModeName,
  sequence: Type.Integer({
    description: "Position of the entry in the chain. The first entry is 1.",
  }),
  actor: AuditEntryActorResource,
  action: Type.String({ examples: ["provider_key.updated"] }),
  subject: SubjectOut,
  facts: Type.Unsafe<Readonly<Record<string, Json>>>(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "Details of the change. The fields depend on `action`. Secrets are included only as keyed HMACs.",
    }),
  ),
  request_id: Nullable(
    Type.String({
      description:
        "The id of the request that made the change. Null for changes made by background jobs or from the command line.",
    }),
  ),
  occurred_at: Timestamp,
  prev_hash: Type.String({
    description: "The `hash` of the previous entry in the chain. 64 zeros for the first entry.",
  }),
  hash: Type.String({
    description: "SHA-256 of the canonical JSON (RFC 8785) of all other fields, in lowercase hexadecimal.",
  }),
});

/** Returns an entry in the form used by lists and exports. */
export function presentAuditEntry({
  record,
  hash,
  ...position
}: AuditPosition & { readonly record: AuditRecord; readonly hash: string }): Static<typeof AuditEntryResource> {
  return { ...auditLine(record, position), hash };
}
