import type { App } from "../../app.ts";
import { commandLineActor, systemActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import { type BlockchainNetwork, networkFactsOf } from "../../foundation/blockchain-networks.ts";
import { AppError } from "../../foundation/errors.ts";
import { OPERATOR_TENANT } from "../../foundation/ids.ts";
import type { Block, EvmNetwork } from "../../ports/evm-network.ts";
import { isFailure } from "../../ports/vendor-error.ts";
import { moveCursor, type NetworkCursor, networkCursorRows } from "./queries.ts";

/** How many blocks before the final one a stopped network can have replaced. */
const REPLACED_MAX = 10_000n;

/** The due work that reads the chain of a network in use. Its items belong to no tenant. */
export const WATCH_NETWORK = { kind: "watch-network" };

/** Returns the number of the newest final block while a block is the newest of all. */
export function finalBelow({ settings }: Pick<App, "settings">, network: BlockchainNetwork, head: bigint): bigint {
  const confirmations = BigInt(settings.confirmations ?? networkFactsOf(network).confirmations);
  return head < confirmations ? 0n : head - confirmations + 1n;
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
  app: Pick<App, "db" | "clock" | "evmNetworks" | "networksInUse" | "settings">,
  network: BlockchainNetwork,
): Promise<void> {
  if (app.networksInUse.has(network)) return;
  const chain = requireEvmNetwork(app, network);
  if ((await networkCursorRows.find(app.db, { network })) === undefined) {
    const { head, ...position } = await startOf(app, chain);
    const at = app.clock.now();
    await withTransaction(app.db, OPERATOR_TENANT, async (tx) => {
      const times = { readAt: at, balancesCheckedAt: at, createdAt: at };
      if (!(await networkCursorRows.insertIfNew(tx, { network, startedBlock: head, ...position, ...times }))) return;
      await scheduleWork(tx, WATCH_NETWORK, { tenantId: OPERATOR_TENANT, subject: network, dueAt: at });
    });
  }
  app.networksInUse.add(network);
}

/**
 * Brings the network into use. Throws `network_unavailable` if no node has answered in the last ten seconds, if the network is
 * stopped, or if this server has no key of a paymaster.
 */
export async function requireSendingNetwork(
  app: Pick<App, "db" | "clock" | "evmNetworks" | "networksInUse" | "settings" | "operatorKeys">,
  network: BlockchainNetwork,
): Promise<EvmNetwork> {
  const chain = requireEvmNetwork(app, network);
  if (app.operatorKeys.paymasterSigner === null) {
    throw new AppError("network_unavailable", { internal: "PURSER_PAYMASTER_SIGNER_KEY is not set" });
  }
  await useNetwork(app, network);
  await chain.ping().catch((error: unknown) => {
    throw isFailure(error, "unavailable") ? new AppError("network_unavailable", { retryAfterSeconds: 5 }) : error;
  });
  const { stoppedAt } = await networkCursorRows.get(app.db, { network });
  if (stoppedAt !== null) throw new AppError("network_unavailable", { internal: `${network} is stopped` });
  return chain;
}

/** Stops a network whose chain has replaced a final block. Does nothing if another process has moved its cursor. */
export async function stopNetwork(
  { db, clock, log }: Pick<App, "db" | "clock" | "log">,
  cursor: NetworkCursor,
): Promise<void> {
  const { network, finalNumber } = cursor;
  const at = clock.now();
  const facts = { final_block: String(finalNumber) };
  const isStopped = await withTransaction(db, OPERATOR_TENANT, async (tx) => {
    if (!(await moveCursor(tx, cursor, { stoppedAt: at }))) return false;
    await appendAuditEntry(tx, systemActor({ tenantId: OPERATOR_TENANT }), {
      ...{ action: "network.stopped", subject: { type: "network", id: network }, facts, occurredAt: at },
    });
    return true;
  });
  if (!isStopped) return;
  log.error({ network, ...facts }, "a final block was replaced, so its network is stopped: operator action required");
}

/**
 * Resumes a stopped network: its chain is read again from the final block on that it stopped at, or from its newest final
 * block if it is shorter. What was credited stays credited, and no transaction is credited twice. Returns false if the network
 * is not stopped. Throws `network_unavailable` if it does not answer.
 */
export async function resumeNetwork(
  app: Pick<App, "db" | "clock" | "evmNetworks" | "settings">,
  network: BlockchainNetwork,
): Promise<boolean> {
  const chain = requireEvmNetwork(app, network);
  const stopped = await networkCursorRows.find(app.db, { network });
  if (stopped === undefined || stopped.stoppedAt === null) return false;
  const { head, ...position } = await startOf(app, chain, stopped.finalNumber);
  return withTransaction(app.db, OPERATOR_TENANT, async (tx) => {
    const cursor = await networkCursorRows.lockAndGet(tx, { network });
    if (cursor.stoppedAt === null) return false;
    const replacedFrom = position.finalNumber > REPLACED_MAX ? position.finalNumber - REPLACED_MAX : 0n;
    const { resumedFrom: earlier } = cursor;
    const resumedFrom = earlier !== null && earlier < replacedFrom ? earlier : replacedFrom;
    await networkCursorRows.update(tx, { network }, { ...position, resumedFrom, stoppedAt: null, disputedAt: null });
    await appendAuditEntry(tx, commandLineActor(), {
      action: "network.resumed",
      subject: { type: "network", id: network },
      facts: { final_block: String(position.finalNumber), head: String(head) },
      occurredAt: app.clock.now(),
    });
    return true;
  });
}

/**
 * Returns the newest block, and the columns of a cursor at the newest final one, but not after `notAfter`. Throws
 * `network_unavailable`.
 */
async function startOf(app: Pick<App, "settings">, chain: EvmNetwork, notAfter?: bigint) {
  const { number: head } = await blockOf(chain, "latest");
  const newest = finalBelow(app, chain.network, head);
  const { number, hash } = await blockOf(chain, notAfter === undefined || newest < notAfter ? newest : notAfter);
  return { head, blockNumber: number, blockHash: hash, finalNumber: number, finalHash: hash };
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
