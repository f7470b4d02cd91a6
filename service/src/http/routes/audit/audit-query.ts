import { Type } from "typebox";
import { presentAuditEntry } from "../../../audit/entries/entry-resource.ts";
import type { ExistingEntry } from "../../../audit/entries/queries.ts";
import { AUDIT_CHAINS } from "../../../foundation/vocabulary.ts";
import { decodeCursor, presentPageBefore } from "../../cursor.ts";

export const ChainName = Type.Enum([...AUDIT_CHAINS], {
  description:
    "The audit chain to use. `provider_keys` contains changes to provider keys; `tenant` contains all other entries. Default: `tenant`.",
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

/** Returns the sequence number in a cursor. Throws `validation_error` if the cursor is not from an audit list. */
export function sequenceInCursor(cursor: string | undefined): number | undefined {
  const name = decodeCursor(cursor, SEQUENCE);
  return name === undefined ? undefined : Number(name);
}

/**
 * Presents one page of entries. `nextBeforeSequence` can be lower than the sequence number of the page's last entry,
 * because the entries in between were read but do not match the filter.
 */
export function presentEntries({
  entries,
  nextBeforeSequence,
}: {
  readonly entries: readonly ExistingEntry[];
  readonly nextBeforeSequence: number | null;
}) {
  const nextName = nextBeforeSequence === null ? null : String(nextBeforeSequence);
  return presentPageBefore(entries.map(presentAuditEntry), nextName);
}
