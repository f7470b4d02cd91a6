import { Type } from "typebox";
import { presentAuditEntry } from "../../../audit/entries/entry-resource.ts";
import type { ExistingEntry } from "../../../audit/entries/queries.ts";
import { AUDIT_CHAINS } from "../../../foundation/vocabulary.ts";
import { decodeCursor, encodeCursor } from "../../cursor.ts";

export const ChainName = Type.Enum([...AUDIT_CHAINS], {
  description:
    "The audit chain. `provider_keys` contains changes of provider keys, `tenant` all other entries. Default: `tenant`.",
});
export const ActionName = Type.String({
  pattern: "^[a-z_]+(\\.[a-z_]+)*$",
  maxLength: 100,
  description: "Return only entries with this action, for example `api_key.created`.",
});
export const SubjectId = Type.String({
  pattern: "^[!-~]{1,100}$",
  description: "Return only entries whose subject has this id.",
});

const SEQUENCE = /^[1-9]\d{0,8}$/;

/** Returns the sequence in a cursor. Throws `validation_error` for a cursor that is not of an audit list. */
export function sequenceInCursor(cursor: string | undefined): number | undefined {
  const name = decodeCursor(cursor, SEQUENCE);
  return name === undefined ? undefined : Number(name);
}

/** One page of entries. The next page does not always start after the last entry: a filter can exclude entries after it. */
export function presentEntries({
  entries,
  nextBeforeSequence,
}: {
  readonly entries: readonly ExistingEntry[];
  readonly nextBeforeSequence: number | null;
}) {
  return {
    object: "list" as const,
    data: entries.map(presentAuditEntry),
    has_more: nextBeforeSequence !== null,
    next_cursor: nextBeforeSequence === null ? null : encodeCursor(String(nextBeforeSequence)),
  };
}
