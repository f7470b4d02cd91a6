import type { App } from "../../app.ts";
import { pagesOf } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { type EndedOperation, readOutcomes } from "../../modules/user-operations/operation-outcomes.ts";
import { listOpenSigned, type SentOperation, setBlock } from "../../modules/user-operations/queries.ts";
import { scheduleSending } from "../../modules/user-operations/schedule-sending.ts";
import { forgetBalances } from "../../modules/wallets/balances/cached-balances.ts";
import type { Block, BlockRange, EvmNetwork } from "../../ports/evm-network.ts";
import { endOperation } from "./end-operation.ts";

const OPERATIONS_MAX = 250;

function openOperations({ db }: Pick<App, "db">, { network }: EvmNetwork) {
  return pagesOf<SentOperation>(
    (last) => listOpenSigned(db, network, { after: last?.operationId, limit: OPERATIONS_MAX }),
    OPERATIONS_MAX,
  );
}

/** Notes in which of these blocks operations are, which are not final yet. `head` is the newest block. Can be repeated. */
export async function recordMinedOperations(
  app: Pick<App, "db">,
  chain: EvmNetwork,
  blocks: BlockRange,
  head: bigint,
): Promise<void> {
  for await (const operations of openOperations(app, chain)) {
    const hashes = operations.map(({ userOpHash }) => userOpHash);
    const events = new Map((await chain.readOperationEvents(hashes, blocks)).map((event) => [event.userOpHash, event]));
    for (const operation of operations) {
      const { blockNumber, transactionHash } = events.get(operation.userOpHash) ?? operation;
      if (blockNumber === null) continue;
      await withTransaction(app.db, operation.tenantId, (tx) =>
        setBlock(tx, operation, { blockNumber, transactionHash }, head),
      );
    }
  }
}

/** Forgets in which blocks after this one operations were. They are sent again. */
export async function forgetMinedOperations(
  app: Pick<App, "db" | "clock">,
  chain: EvmNetwork,
  finalNumber: bigint,
): Promise<void> {
  const none = { blockNumber: null, transactionHash: null, sentAt: new Date(0) };
  for await (const operations of openOperations(app, chain)) {
    for (const operation of operations) {
      if (operation.blockNumber === null || operation.blockNumber <= finalNumber) continue;
      await withTransaction(app.db, operation.tenantId, async (tx) => {
        await setBlock(tx, operation, none, 0n);
        await scheduleSending(tx, operation, app.clock.now());
      });
    }
  }
}

/** An operation that cannot be settled is looked at again with the next final block, and stops no other. */
async function settleOperation(app: App, { network }: EvmNetwork, ended: EndedOperation): Promise<void> {
  const { tenantId, walletId, operationId } = ended.operation;
  try {
    await withTransaction(app.db, tenantId, (tx) => endOperation(tx, app, ended));
    await forgetBalances(app, tenantId, [walletId]);
  } catch (error) {
    if (error instanceof AppError && error.code === "service_unavailable") throw error;
    app.log.error({ err: error, network, operationId }, "an operation could not be settled: operator action required");
  }
}

/**
 * Ends the operations that a final block shows as ended, with their payments. Returns false if the nodes differ: then some may not
 * be ended yet. Can be repeated.
 */
export async function settleOperations(
  app: App,
  chain: EvmNetwork,
  block: Block,
  /** The first block that the chain can have replaced before it was resumed. Null if it was not. */
  resumedFrom: bigint | null,
): Promise<boolean> {
  for await (const operations of openOperations(app, chain)) {
    const ended = await readOutcomes(chain, operations, block, resumedFrom);
    if (ended === null) return false;
    for (const each of ended) await settleOperation(app, chain, each);
  }
  return true;
}
