import type { App } from "../app.ts";
import { withTransaction } from "../db/transaction.ts";
import { canonicalJson } from "../foundation/canonical-json.ts";
import type { AuditChain } from "../foundation/vocabulary.ts";
import { type Actor, appendAuditEntry } from "./append.ts";
import { exportedLine } from "./chain.ts";
import { chainEntriesIfPossible } from "./link-if-possible.ts";
import { type ChainKey, findLastLink, listChainedEntries } from "./queries.ts";

const PAGE_SIZE = 500;

export interface ExportChain {
  readonly actor: Actor;
  readonly chain: AuditChain;
}

/**
 * The whole of a chain as JSON lines, oldest first, up to where it is now: each line is the canonical JSON of an entry with
 * its hash. That somebody takes it is audited first, so nothing leaves unless that has committed.
 *
 * @returns the lines, some hundreds a piece. The next ones are read once the piece before was taken, and no connection is
 * held meanwhile.
 */
export async function exportChain(
  { db, clock }: Pick<App, "db" | "clock">,
  { actor, chain }: ExportChain,
): Promise<AsyncGenerator<string, void, void>> {
  const { tenantId } = actor;
  await withTransaction(db, tenantId, (tx) =>
    appendAuditEntry(tx, actor, {
      action: "audit.exported",
      subject: { type: "audit_chain", id: chain },
      facts: { format: "jsonl" },
      occurredAt: clock.now(),
    }),
  );
  const key = { tenantId, chain };
  await chainEntriesIfPossible(db, key);
  const last = await findLastLink(db, key);
  return piecesOf(db, key, last?.sequence ?? 0);
}

/** An entry that is gone leaves a gap in the lines, by which whoever checks them finds it. */
async function* piecesOf(db: App["db"], key: ChainKey, lastSequence: number) {
  for (let afterSequence = 0; afterSequence < lastSequence; ) {
    const page = await listChainedEntries(db, key, {
      afterSequence,
      lastSequence,
      limit: PAGE_SIZE,
    });
    const lines = page.flatMap(({ record, ...link }) =>
      record === null ? [] : [`${canonicalJson(exportedLine({ ...link, record }))}\n`],
    );
    if (lines.length > 0) yield lines.join("");
    afterSequence = page.at(-1)?.sequence ?? lastSequence;
  }
}
