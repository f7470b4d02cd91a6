import { Type } from "typebox";
import { presentAuditEntry } from "../../../audit/entries/entry-resource.ts";
import type { ActiveEntry } from "../../../audit/entries/queries.ts";
import { AUDIT_CHAINS } from "../../../foundation/vocabulary.ts";
import { cursorAfter, nameInCursor } from "../../cursor.ts";

/** Parts of the query of an audit route: the chain, and what filters its entries. */
export const ChainName = Type.Enum([...AUDIT_CHAINS]);
export const ActionName = Type.String({
  pattern: "^[a-z_]+(\\.[a-z_]+)*$",
  maxLength: 100,
  description: "The name of an action, such as api_key.created.",
});
export const SubjectId = Type.String({
  pattern: "^[!-~]{1,100}$",
  description: "The id of the entry's subject.",
});

const SEQUENCE = /^[1-9]\d{0,8}$/;

/** Returns the sequence in a cursor. Throws `validation_error` for a cursor that is not of an audit list. */
export function sequenceInCursor(cursor: string | undefined): number | undefined {
  const name = nameInCursor(cursor, SEQUENCE);
  return name === undefined ? undefined : Number(name);
}

/** One page of entries. The next page does not always start after the last entry: a filter can exclude entries after it. */
export function presentEntries({
  entries,
  nextBeforeSequence,
}: {
  readonly entries: readonly ActiveEntry[];
  readonly nextBeforeSequence: number | null;
}) {
  return {
    object: "list" as const,
    data: entries.map(presentAuditEntry),
    has_more: nextBeforeSequence !== null,
    next_cursor: nextBeforeSequence === null ? null : cursorAfter(String(nextBeforeSequence)),
  };
}
