import { type Static, Type } from "typebox";
import type { Db } from "../../db/database.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AUDIT_CHAINS } from "../../foundation/vocabulary.ts";
import { Count, ModeName, NamedObject, Nullable, SubjectOut, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { type AuditPosition, type AuditRecord, auditLine } from "../chains/chain.ts";
import { chainEntriesIfPossible } from "../chains/chain-pending-entries.ts";
import { type ChainKey, findLastChainedEntry } from "../chains/queries.ts";
import { type EntryFilter, type ExistingEntry, listNewestEntries } from "./queries.ts";

const AuditEntryActorResource = NamedObject("AuditEntryActor", {
  type: Type.Enum(["developer", "agent", "admin", "system"]),
  id: Type.String(),
  key_id: Nullable(Text("The id of the API key that signed the request for the change. Null if no API key was used.")),
  ip: Nullable(
    Text(
      "The client's IPv4 address or IPv6 /64 network. Null for changes made by admins, by background jobs or from the command line.",
    ),
  ),
});

/** An entry of an audit chain (docs/rules/audit-trail.md). */
export const AuditEntryResource = NamedObject("AuditEntry", {
  audit_id: Type.String(),
  chain: Type.Enum([...AUDIT_CHAINS]),
  tenant_id: Type.String(),
  mode: ModeName,
  sequence: Count("Position of the entry in the chain. The first entry is 1."),
  actor: AuditEntryActorResource,
  action: Type.String({ examples: ["provider_key.updated"] }),
  subject: SubjectOut,
  facts: Type.Unsafe<Readonly<Record<string, Json>>>(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "Details of the change. The fields depend on `action`. Secrets are included only as keyed HMACs.",
    }),
  ),
  request_id: Nullable(
    Text(
      "The id of the request that made the change. Null for changes made by background jobs or from the command line.",
    ),
  ),
  occurred_at: Timestamp,
  prev_hash: Text("The `hash` of the previous entry in the chain. 64 zeros for the first entry."),
  hash: Text("SHA-256 of the canonical JSON (RFC 8785) of all other fields, in lowercase hexadecimal."),
});

/** Returns an entry in the form used by lists and exports. */
export function presentAuditEntry({
  record,
  hash,
  ...position
}: AuditPosition & { readonly record: AuditRecord; readonly hash: string }): Static<typeof AuditEntryResource> {
  return { ...auditLine(record, position), hash };
}

/** Maximum number of entries scanned per call. It limits the cost of a call, however long the chain is. */
const SCANNED_MAX = 20_000;

interface ListEntries {
  readonly key: ChainKey;
  readonly filter: EntryFilter;
  /** The `nextBeforeSequence` of the previous page. Undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
  readonly scannedMax?: number;
}

export interface EntryPage {
  readonly entries: readonly ExistingEntry[];
  /** The `beforeSequence` to pass for the next page. Null on the last page. */
  readonly nextBeforeSequence: number | null;
}

/**
 * Returns one page of a chain's entries, newest first. Before the first page, adds pending entries to the chain if
 * possible. A page that is short or empty is not always the last one: if the filter matches few entries, the call stops
 * after scanning `scannedMax` entries.
 */
export async function listEntries(
  { db }: { readonly db: Db },
  { key, filter, beforeSequence, limit, scannedMax = SCANNED_MAX }: ListEntries,
): Promise<EntryPage> {
  const before = beforeSequence ?? (await findEnd(db, key));
  const fromSequence = Math.max(1, before - scannedMax);
  const window = { fromSequence, beforeSequence: before, limit: limit + 1 };
  const found = await listNewestEntries(db, key, window, filter);
  const entries = found.slice(0, limit);
  const hasMore = found.length > limit;
  const reached = hasMore ? (entries.at(-1)?.sequence ?? fromSequence) : fromSequence;
  return { entries, nextBeforeSequence: reached > 1 ? reached : null };
}

async function findEnd(db: Db, key: ChainKey): Promise<number> {
  await chainEntriesIfPossible(db, key);
  const last = await findLastChainedEntry(db, key);
  return (last?.sequence ?? 0) + 1;
}
