import { type Static, Type } from "typebox";
import type { Json } from "../../foundation/canonical-json.ts";
import { AUDIT_CHAINS } from "../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../foundation/wire/common.ts";
import { type AuditPosition, type AuditRecord, auditLine } from "../chains/chain.ts";

const AuditEntryActorResource = Type.Object(
  {
    type: Type.Enum(["developer", "agent", "admin", "system"]),
    id: Type.String(),
    key_id: Nullable(Type.String()),
    ip: Nullable(Type.String()),
  },
  { $id: "AuditEntryActor" },
);

const AuditEntrySubjectResource = Type.Object(
  { type: Type.String(), id: Type.String() },
  { $id: "AuditEntrySubject" },
);

/** An entry of either chain (docs/api.md). */
export const AuditEntryResource = Type.Object(
  {
    audit_id: Type.String(),
    chain: Type.Enum([...AUDIT_CHAINS]),
    tenant_id: Type.String(),
    mode: ModeName,
    sequence: Type.Integer(),
    actor: AuditEntryActorResource,
    action: Type.String({ examples: ["provider_key.updated"] }),
    subject: AuditEntrySubjectResource,
    facts: Type.Unsafe<Readonly<Record<string, Json>>>(Type.Record(Type.String(), Type.Unknown())),
    request_id: Nullable(Type.String()),
    occurred_at: Timestamp,
    prev_hash: Type.String(),
    hash: Type.String({
      description: "SHA-256 of the canonical JSON (RFC 8785) of all the other fields.",
    }),
  },
  { $id: "AuditEntry" },
);

/** An item of a list, and a line of an export. */
export function presentAuditEntry({
  record,
  hash,
  ...place
}: AuditPosition & { readonly record: AuditRecord; readonly hash: string }): Static<
  typeof AuditEntryResource
> {
  return { ...auditLine(record, place), hash };
}
