import pLimit from "p-limit";
import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { canonicalJson } from "../../foundation/canonical-json.ts";
import type { AuditChain } from "../../foundation/vocabulary.ts";
import { type Actor, appendAuditEntry } from "../append.ts";
import { presentAuditEntry } from "../entries/entries.ts";
import { listChainedEntries } from "../entries/queries.ts";
import { chainEntriesIfPossible } from "./chain-pending-entries.ts";
import { type ChainKey, findLastChainedEntry } from "./queries.ts";
import { type ChainVerification, type VerifyAccess, type VerifyFrom, verifyChain } from "./verify.ts";

/** A verification can read a hundred thousand entries, so only two run concurrently. */
const CONCURRENT_MAX = 2;

/**
 * Returns a function that verifies chains, at most two at the same time. If the same verification is queued but has not
 * started, the function returns the result of the queued verification. That verification will include all entries that
 * were committed before the call.
 */
export function createChainVerifier(
  access: VerifyAccess,
): (key: ChainKey, since?: VerifyFrom) => Promise<ChainVerification> {
  const waiting = new Map<string, Promise<ChainVerification>>();
  const limit = pLimit(CONCURRENT_MAX);

  return (key, since = "start") => {
    const name = `${key.tenantId} ${key.chain} ${since}`;
    const queued = waiting.get(name);
    if (queued !== undefined) return queued;
    const run = limit(() => {
      waiting.delete(name);
      return verifyChain(access, key, since);
    });
    waiting.set(name, run);
    return run;
  };
}

const PAGE_SIZE = 500;

interface ExportChain {
  readonly actor: Actor;
  readonly chain: AuditChain;
}

/**
 * Exports a chain as JSON lines, oldest first. Each line is the canonical JSON of an entry with its hash. The audit
 * entry about the export commits before the first line is returned.
 *
 * @returns chunks of up to 500 lines. A chunk is read from the database after the previous one has been consumed. No
 * database connection is held between chunks.
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
  const last = await findLastChainedEntry(db, key);
  return exportChunks(db, key, last?.sequence ?? 0);
}

/** Skips deleted entries. The missing sequence numbers are detected when the export is verified. */
async function* exportChunks(db: App["db"], key: ChainKey, lastSequence: number) {
  for (let afterSequence = 0; afterSequence < lastSequence; ) {
    const page = await listChainedEntries(db, key, {
      afterSequence,
      lastSequence,
      limit: PAGE_SIZE,
    });
    const lines = page.flatMap(({ record, ...chained }) =>
      record === null ? [] : [`${canonicalJson(presentAuditEntry({ ...chained, record }))}\n`],
    );
    if (lines.length > 0) yield lines.join("");
    afterSequence = page.at(-1)?.sequence ?? lastSequence;
  }
}
