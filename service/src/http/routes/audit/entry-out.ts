import { Type } from "typebox";
import { exportedLine } from "../../../audit/chain.ts";
import type { ActiveEntry } from "../../../audit/queries.ts";
import { AUDIT_CHAINS } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import { cursorAfter, nameInCursor } from "../../cursor.ts";

/** An entry of either chain, as lists and exports show it (contract, section 2). */
export const AuditEntry = Type.Object(
  {
    audit_id: Type.String(),
    chain: Type.Enum([...AUDIT_CHAINS]),
    tenant_id: Type.String(),
    mode: ModeName,
    sequence: Type.Integer(),
    actor: Type.Object({
      type: Type.Enum(["developer", "agent", "admin", "system"]),
      id: Type.String(),
      key_id: Nullable(Type.String()),
      ip: Nullable(Type.String()),
    }),
    action: Type.String({ examples: ["provider_key.updated"] }),
    subject: Type.Object({ type: Type.String(), id: Type.String() }),
    facts: Type.Record(Type.String(), Type.Unknown()),
    request_id: Nullable(Type.String()),
    occurred_at: Timestamp,
    prev_hash: Type.String(),
    hash: Type.String({
      description: "SHA-256 of the canonical JSON (RFC 8785) of all the other fields.",
    }),
  },
  { $id: "AuditEntry" },
);

/** The parts of an audit route's query that say which chain, and what a list is narrowed to. */
export const ChainName = Type.Enum([...AUDIT_CHAINS]);
export const ActionName = Type.String({
  pattern: "^[a-z_]+(\\.[a-z_]+)*$",
  maxLength: 100,
  description: "The name of an action, such as api_key.created.",
});
export const SubjectId = Type.String({
  pattern: "^[!-~]{1,100}$",
  description: "The id of what was acted on.",
});

const SEQUENCE = /^[1-9]\d{0,8}$/;

/** The place in a chain that a cursor names. */
export function sequenceInCursor(cursor: string | undefined): number | undefined {
  const name = nameInCursor(cursor, SEQUENCE);
  return name === undefined ? undefined : Number(name);
}

/** One page of entries. Where it goes on is not always its last entry: a filter may have passed over those behind it. */
export function presentEntries({
  entries,
  nextBeforeSequence,
}: {
  readonly entries: readonly ActiveEntry[];
  readonly nextBeforeSequence: number | null;
}) {
  return {
    object: "list" as const,
    data: entries.map(exportedLine),
    has_more: nextBeforeSequence !== null,
    next_cursor: nextBeforeSequence === null ? null : cursorAfter(String(nextBeforeSequence)),
  };
}
