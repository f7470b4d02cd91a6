import type { App } from "../../app.ts";
import { commandLineActor, systemActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import type { SeenBlock } from "../../db/schema.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { type BlockchainNetwork, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import { AppError } from "../../foundation/errors.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import type { Block, EvmNetwork } from "../../ports/evm-network.ts";
import { isFailure } from "../../ports/vendor-error.ts";
import { type NetworkCursor, networkCursorRows } from "./queries.ts";

/** The due work that reads the chain of a network in use. Its items belong to no tenant. */
export const WATCH_NETWORK = { kind: "watch-network" };

/** Returns how many blocks, its own included, make a block final. */
export function confirmationsOf({ settings }: Pick<App, "settings">, network: BlockchainNetwork): bigint {
  return BigInt(settings.confirmations ?? networkFactsOf(network).confirmations);
}

/** Returns the number of the newest final block that has been read. Zero or less if there is none. */
export function finalBlockOf({ blockNumber }: Pick<NetworkCursor, "blockNumber">, confirmations: bigint): bigint {
  return blockNumber - confirmations + 1n;
}

/** Returns the network. Throws `network_unavailable` if it has no node. */
export function requireEvmNetwork({ evmNetworks }: Pick<App, "evmNetworks">, network: BlockchainNetwork): EvmNetwork {
  const found = evmNetworks.get(network);
  if (found === undefined) {
    throw new AppError("network_unavailable", { internal: `PURSER_RPC_URLS has no node of ${network}` });
  }
  return found;
}

/**
 * Brings a network into use: its chain is read from its present block on. Does nothing if it is in use. Throws
 * `network_unavailable` if the network does not answer.
 */
export async function useNetwork(
  app: Pick<App, "db" | "clock" | "evmNetworks" | "networksInUse">,
  network: BlockchainNetwork,
): Promise<void> {
  if (app.networksInUse.has(network)) return;
  const chain = requireEvmNetwork(app, network);
  if ((await networkCursorRows.find(app.db, { network })) === undefined) {
    const block = await blockOf(chain, "latest");
    const at = app.clock.now();
    await withTransaction(app.db, OPERATOR_TENANT, async (tx) => {
      const times = { readAt: at, balancesCheckedAt: at, createdAt: at, stoppedAt: null };
      if (!(await networkCursorRows.insertIfNew(tx, { network, ...positionAt(block), ...times }))) return;
      await scheduleWork(tx, WATCH_NETWORK, { tenantId: OPERATOR_TENANT, subject: network, dueAt: at });
    });
  }
  app.networksInUse.add(network);
}

/** Stops a network whose chain has replaced a block that was final. */
export async function stopNetwork(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  { network, blockNumber }: Pick<NetworkCursor, "network" | "blockNumber">,
): Promise<void> {
  const at = clock.now();
  await withTransaction(db, OPERATOR_TENANT, async (tx) => {
    await networkCursorRows.update(tx, { network }, { stoppedAt: at });
    await appendAuditEntry(tx, systemActor({ tenantId: OPERATOR_TENANT }), {
      action: "network.stopped",
      subject: { type: "network", id: network },
      facts: { block_number: String(blockNumber) },
      occurredAt: at,
    });
  });
  log.error(
    { network, blockNumber: String(blockNumber) },
    "a chain has replaced a final block, so its network is stopped: operator action required",
  );
}

/**
 * Resumes a stopped network: its chain is read again from the oldest block that may have been replaced. What was credited
 * stays credited. Returns false if the network is not stopped. Throws `network_unavailable` if it does not answer.
 */
export async function resumeNetwork(
  app: Pick<App, "db" | "clock" | "evmNetworks">,
  network: BlockchainNetwork,
): Promise<boolean> {
  const chain = requireEvmNetwork(app, network);
  const stopped = await networkCursorRows.find(app.db, { network });
  if (stopped === undefined || stopped.stoppedAt === null) return false;
  const oldest = BigInt(stopped.recentBlocks.at(-1)?.number ?? stopped.blockNumber);
  const head = await blockOf(chain, "latest");
  const block = head.number <= oldest ? head : await blockOf(chain, oldest);
  return withTransaction(app.db, OPERATOR_TENANT, async (tx) => {
    const cursor = await networkCursorRows.lockAndGet(tx, { network });
    if (cursor.stoppedAt === null) return false;
    await networkCursorRows.update(tx, { network }, { ...positionAt(block), stoppedAt: null });
    await appendAuditEntry(tx, commandLineActor(), {
      action: "network.resumed",
      subject: { type: "network", id: network },
      facts: { block_number: String(block.number) },
      occurredAt: app.clock.now(),
    });
    return true;
  });
}

/** Reads a block that the chain has. Throws `network_unavailable`. */
async function blockOf(chain: EvmNetwork, number: bigint | "latest"): Promise<Block> {
  const block = await chain.readBlock(number).catch((error: unknown) => {
    if (isFailure(error, "unavailable")) return null;
    throw error;
  });
  if (block === null) throw new AppError("network_unavailable");
  return block;
}

/** The columns of a cursor that knows one block. */
function positionAt({ number, hash }: Block) {
  const seen: SeenBlock = { number: String(number), hash };
  return { blockNumber: number, blockHash: hash, recentBlocks: JSON.stringify([seen]) };
}
