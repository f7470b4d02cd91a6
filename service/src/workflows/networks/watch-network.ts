import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type DueWork, scheduleWork } from "../../due-work/due-work.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import {
  confirmationsOf,
  finalBlockOf,
  requireEvmNetwork,
  stopNetwork,
  WATCH_NETWORK,
} from "../../modules/networks/networks.ts";
import { moveCursor, type NetworkCursor, networkCursorRows } from "../../modules/networks/queries.ts";
import { type NewBlocks, readNewBlocks } from "../../modules/networks/read-new-blocks.ts";
import { confirmDeposits, recordDeposits, rewindDeposits } from "../../modules/wallets/deposits/deposits.ts";
import { hasPendingDeposits } from "../../modules/wallets/deposits/queries.ts";
import type { EvmNetwork } from "../../ports/evm-network.ts";

const SECOND_MS = 1_000;
/** How long after a look at a chain the next one is due. */
const LOOK_AFTER_MS = 2 * SECOND_MS;

/** Reads the chain of each network in use, again and again. */
export const watchNetworks: DueWork = {
  ...{ ...WATCH_NETWORK, everyMs: SECOND_MS, idleEveryMs: 5 * SECOND_MS, leaseMs: 60 * SECOND_MS },
  retryMs: { first: 2 * SECOND_MS, max: 30 * SECOND_MS },
  stopsAtFailure: false,
  run: async (app, { subject }) => {
    await watchNetwork(app, subject as BlockchainNetwork);
    const dueAt = new Date(app.clock.now().getTime() + LOOK_AFTER_MS);
    return (tx) => scheduleWork(tx, WATCH_NETWORK, { tenantId: OPERATOR_TENANT, subject, dueAt });
  },
};

/**
 * Takes a look at a network's chain: records the deposits in new blocks, forgets those in blocks that were replaced, and credits
 * those that are final. Any number of processes can do so at the same time. Throws `VendorError` if the network does not answer.
 */
export async function watchNetwork(app: App, network: BlockchainNetwork): Promise<void> {
  const { db, clock } = app;
  const cursor = await networkCursorRows.get(db, { network });
  if (cursor.stoppedAt !== null) return;
  const chain = requireEvmNetwork(app, network);
  const confirmations = confirmationsOf(app, network);
  // A local network makes a block when it is asked for the newest one. Without it, nothing would become final.
  if (await hasPendingDeposits(db, network)) await chain.readBlock("latest");

  const found = await readNewBlocks(chain, cursor, confirmations);
  if (found.outcome === "replaced") await rewind(app, cursor, confirmations, found.ancestor);
  if (found.outcome === "read") await readBlocks(app, chain, cursor, found);
  const now = await networkCursorRows.get(db, { network });
  if (now.stoppedAt !== null) return;
  await confirmDeposits(app, chain, finalBlockOf(now, confirmations));
  await withTransaction(db, OPERATOR_TENANT, (tx) =>
    networkCursorRows.update(tx, { network }, { readAt: clock.now() }),
  );
}

/** Records the deposits of new blocks, then moves the cursor. After a crash between the two, the blocks are read again. */
async function readBlocks(
  app: App,
  chain: EvmNetwork,
  cursor: NetworkCursor,
  { from, to, recentBlocks }: Extract<NewBlocks, { outcome: "read" }>,
): Promise<void> {
  const hashes = new Map(recentBlocks.map(({ number, hash }) => [number, hash]));
  const isRecorded = await recordDeposits(app, chain, { from, to: to.number }, ({ blockNumber, blockHash }) => {
    const known = hashes.get(String(blockNumber));
    return known === undefined || known === blockHash;
  });
  if (!isRecorded) return;
  const position = { blockNumber: to.number, blockHash: to.hash, recentBlocks };
  await withTransaction(app.db, OPERATOR_TENANT, (tx) => moveCursor(tx, cursor, position));
}

/** Goes back to the last block that was not replaced. Stops the network if one of the replaced blocks was final. */
async function rewind(
  app: App,
  cursor: NetworkCursor,
  confirmations: bigint,
  ancestor: Extract<NewBlocks, { outcome: "replaced" }>["ancestor"],
): Promise<void> {
  const { network, recentBlocks } = cursor;
  if (ancestor === undefined || BigInt(ancestor.number) < finalBlockOf(cursor, confirmations)) {
    await stopNetwork(app, cursor);
    return;
  }
  const blockNumber = BigInt(ancestor.number);
  app.log.info({ network, blockNumber: ancestor.number }, "a chain has replaced its newest blocks");
  await rewindDeposits(app, network, blockNumber);
  const kept = recentBlocks.slice(recentBlocks.findIndex(({ hash }) => hash === ancestor.hash));
  const position = { blockNumber, blockHash: ancestor.hash, recentBlocks: kept };
  await withTransaction(app.db, OPERATOR_TENANT, (tx) => moveCursor(tx, cursor, position));
}
