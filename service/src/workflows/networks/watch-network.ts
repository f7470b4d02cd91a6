import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import { type DueWork, scheduleWork } from "../../due-work/due-work.ts";
import type { BlockchainNetwork } from "../../foundation/blockchain-networks.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import { finalBelow, requireEvmNetwork, stopNetwork, WATCH_NETWORK } from "../../modules/networks/networks.ts";
import { moveCursor, type NetworkCursor, networkCursorRows } from "../../modules/networks/queries.ts";
import { hasOpenSigned } from "../../modules/user-operations/queries.ts";
import { confirmDeposits, forgetPendingDeposits, recordDeposits } from "../../modules/wallets/deposits/deposits.ts";
import { hasPendingDeposits } from "../../modules/wallets/deposits/queries.ts";
import type { Block, EvmNetwork } from "../../ports/evm-network.ts";
import {
  forgetMinedOperations,
  recordMinedOperations,
  settleOperations,
} from "../user-operations/settle-operations.ts";

const SECOND_MS = 1_000;
/** How long after a look at a chain the next one is due. */
const LOOK_AFTER_MS = 2 * SECOND_MS;
/** The most blocks that are read at once. */
const BLOCKS_MAX = 500;

/** Reads the chain of each network in use, again and again. */
export const watchNetworks: DueWork = {
  ...{ ...WATCH_NETWORK, everyMs: SECOND_MS, idleEveryMs: 5 * SECOND_MS, leaseMs: 60 * SECOND_MS },
  retryMs: { first: 2 * SECOND_MS, max: 30 * SECOND_MS },
  stopsAtFailure: false,
  isParallel: true,
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
  const cursor = await networkCursorRows.get(app.db, { network });
  if (cursor.stoppedAt !== null) return;
  const chain = requireEvmNetwork(app, network);
  const blocksMax = cursor.blocksMax;
  try {
    await readNewBlocks(app, chain, cursor);
    await confirmFinalBlocks(app, chain);
    await update(app, network, { readAt: app.clock.now(), blocksMax: Math.min(BLOCKS_MAX, 2 * blocksMax) });
  } catch (error) {
    await update(app, network, { blocksMax: Math.max(1, Math.floor(blocksMax / 2)) });
    throw error;
  }
}

/** Records the deposits of new blocks, then moves the cursor. After a crash between the two, the blocks are read again. */
async function readNewBlocks(app: App, chain: EvmNetwork, cursor: NetworkCursor): Promise<void> {
  const [last, head] = await Promise.all([chain.readBlock(cursor.blockNumber), readHead(app, chain, cursor)]);
  // A node that is behind does not have the block. One that has another block shows that the chain has replaced it.
  if (last === null) return;
  if (last.hash !== cursor.blockHash) return await rewind(app, chain, cursor);
  if (head === null || head.number <= cursor.blockNumber) return;
  const newest = cursor.blockNumber + BigInt(cursor.blocksMax);
  const to = head.number <= newest ? head : await chain.readBlock(newest);
  if (to === null) return;
  const from = cursor.blockNumber + 1n;
  const depositsFrom = from > cursor.startedBlock ? from : cursor.startedBlock + 1n;
  await Promise.all([
    recordDeposits(app, chain, { from: depositsFrom, to: to.number }),
    recordMinedOperations(app, chain, { from, to: to.number }, head.number),
  ]);
  await move(app, cursor, { blockNumber: to.number, blockHash: to.hash });
}

/**
 * Reads the newest block. Null if nothing waits for a block and none follows the cursor's: a local network would make one when it
 * is asked for the newest.
 */
async function readHead(
  { db }: App,
  chain: EvmNetwork,
  { network, blockNumber }: NetworkCursor,
): Promise<Block | null> {
  const isAwaited = (await hasPendingDeposits(db, network)) || (await hasOpenSigned(db, network));
  if (!isAwaited && (await chain.readBlock(blockNumber + 1n)) === null) return null;
  return await chain.readBlock("latest");
}

/** Goes back to the last final block. Stops the network if the nodes agree that it was replaced. */
async function rewind(app: App, chain: EvmNetwork, cursor: NetworkCursor): Promise<void> {
  const { network, finalNumber, finalHash } = cursor;
  const final = await chain.readAgreedBlock(finalNumber);
  if (final === null) return await noteDispute(app, cursor);
  if (final.hash !== finalHash) return await stopNetwork(app, cursor);
  app.log.info({ network, finalBlock: String(finalNumber) }, "a chain has replaced its newest blocks");
  await forgetPendingDeposits(app, network, { from: finalNumber + 1n });
  await forgetMinedOperations(app, chain, finalNumber);
  await move(app, cursor, { blockNumber: finalNumber, blockHash: finalHash });
}

/** Credits the deposits of the blocks that have become final, if all nodes report the same, then notes that it is done. */
async function confirmFinalBlocks(app: App, chain: EvmNetwork): Promise<void> {
  const { network } = chain;
  const cursor = await networkCursorRows.get(app.db, { network });
  const { finalNumber, blockNumber } = cursor;
  const most = lowerOf(finalBelow(app, network, blockNumber), finalNumber + BigInt(cursor.blocksMax));
  if (cursor.stoppedAt !== null || most <= finalNumber) return;
  const [last, block] = await Promise.all([chain.readAgreedBlock(finalNumber), readFinalBlock(app, chain, most)]);
  if (block !== null && block.number <= finalNumber) return;
  if (last !== null && last.hash !== cursor.finalHash) return await stopNetwork(app, cursor);
  const from = finalNumber < cursor.startedBlock ? cursor.startedBlock + 1n : finalNumber + 1n;
  if (last !== null && block !== null && (await settle(app, chain, cursor, { from, to: block }))) {
    await move(app, cursor, { finalNumber: block.number, finalHash: block.hash, disputedAt: null });
  } else {
    await noteDispute(app, cursor);
  }
}

/** Reads the newest block that is final for all nodes, but none after `most`. Null if the nodes differ about it. */
async function readFinalBlock(app: App, chain: EvmNetwork, most: bigint): Promise<Block | null> {
  const [heads, block] = await Promise.all([chain.readHeads(), chain.readAgreedBlock(most)]);
  const newest = finalBelow(app, chain.network, heads.lowest);
  return newest < most ? await chain.readAgreedBlock(newest) : block;
}

/** Returns false if the nodes differ about these final blocks. */
async function settle(
  app: App,
  chain: EvmNetwork,
  { resumedFrom }: NetworkCursor,
  { from, to }: { readonly from: bigint; readonly to: Block },
): Promise<boolean> {
  const [areDepositsAgreed, areOperationsAgreed] = await Promise.all([
    confirmDeposits(app, chain, { from, to: to.number }),
    settleOperations(app, chain, to, resumedFrom),
  ]);
  return areDepositsAgreed && areOperationsAgreed;
}

/** Notes since when the nodes differ. An alarm follows after five minutes. */
function noteDispute(app: App, { network, disputedAt }: NetworkCursor): Promise<void> {
  return update(app, network, { disputedAt: disputedAt ?? app.clock.now() });
}

function lowerOf(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

type Change = Parameters<typeof moveCursor>[2];

function move(app: App, cursor: NetworkCursor, change: Change): Promise<boolean> {
  return withTransaction(app.db, OPERATOR_TENANT, (tx) => moveCursor(tx, cursor, change));
}

function update(app: App, network: BlockchainNetwork, change: Change): Promise<void> {
  return withTransaction(app.db, OPERATOR_TENANT, (tx) => networkCursorRows.update(tx, { network }, change));
}
