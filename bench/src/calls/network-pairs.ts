import { randomBytes, randomUUID } from "node:crypto";
import { startLocalChain } from "@purser/contracts/chain/local-chain.ts";
import { localChainOf, prepareLocalNetwork } from "@purser/contracts/chain/local-network.ts";
import { createJsonRpcNetwork } from "@purser/service/adapters/evm-network/json-rpc-network.ts";
import { createMemoryFastState } from "@purser/service/adapters/fast-state/memory-fast-state.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { networkFactsOf, usdcOf } from "@purser/service/foundation/blockchain-networks.ts";
import { systemClock } from "@purser/service/foundation/clock.ts";
import { type LedgerAccountId, newId, type TenantId } from "@purser/service/foundation/ids.ts";
import { readBalances } from "@purser/service/ledger/accounts.ts";
import { moveMoney } from "@purser/service/ledger/move-money.ts";
import { insertDeveloper } from "@purser/service/modules/developers/queries.ts";
import { confirmDeposits, recordDeposits } from "@purser/service/modules/wallets/deposits/deposits.ts";
import type { EvmNetwork, TokenTransfer } from "@purser/service/ports/evm-network.ts";
import { pino } from "pino";
import { encodeFunctionData, erc20Abi, parseAbi } from "viem";
import { randomAddress, type SeededWallet, seedWallet } from "../../../service/test/wallets/seed-wallet.ts";
import type { Pair } from "../compare.ts";
import { startFreezePair } from "./freeze-pair.ts";
import { openPools } from "./open-pools.ts";

const NETWORK = "base";
const WALLETS = 1_000;
const CALLS_MAX = 500;
const MULTICALL_ABI = parseAbi([
  "struct Call { address target; bool allowFailure; bytes callData; }",
  "function aggregate3(Call[] calls) payable returns ((bool success, bytes returnData)[])",
]);

/** Compares what live wallets need with the calls alone: reading balances, crediting the deposits of a block, and a freeze. */
export async function startNetworkPairs(
  databaseUrl: string,
): Promise<{ readonly pairs: readonly Pair[]; close(): Promise<void> }> {
  const chain = localChainOf(NETWORK, networkFactsOf(NETWORK).evmChainId ?? 0);
  const local = await startLocalChain([], chain);
  await prepareLocalNetwork({ rpcUrl: local.rpcUrl, chain, usdc: usdcOf(NETWORK) as `0x${string}` });
  const { db, close } = openPools(databaseUrl);
  const deposits = await depositPair(db);
  const tenantId = await seedTenant(db);
  // Another chain, because a key's nonces cannot be used by both.
  const other = await startLocalChain([], chain);
  const freeze = await startFreezePair(db, { tenantId, rpcUrl: local.rpcUrl, otherRpcUrl: other.rpcUrl, chain });
  return {
    pairs: [balancePair(local.rpcUrl), deposits, freeze],
    close: async () => {
      await close();
      await Promise.all([local.stop(), other.stop()]);
    },
  };
}

function balancePair(rpcUrl: string): Pair {
  const owners = Array.from({ length: WALLETS }, randomAddress);
  const options = { urls: [rpcUrl], timeoutMs: 5_000, clock: systemClock, onWrongChain: () => {} };
  const network = createJsonRpcNetwork({ ...options, network: NETWORK });
  const bodies = [owners.slice(0, CALLS_MAX), owners.slice(CALLS_MAX)].map((chunk) => bareCall(chunk));
  const send = async (body: string) => {
    const headers = { "content-type": "application/json" };
    await (await fetch(rpcUrl, { method: "POST", headers, body })).text();
  };
  return {
    title: `balances of ${WALLETS} wallets ÷ bare aggregate3`,
    goal: 0.5,
    candidate: {
      ...{ name: "Purser", callers: 1 },
      call: async () => void (await network.readTokenBalances(usdcOf(NETWORK), owners, "latest")),
    },
    baseline: { name: "bare calls", callers: 1, call: async () => void (await Promise.all(bodies.map(send))) },
  };
}

function bareCall(owners: readonly string[]): string {
  const calls = owners.map((owner) => ({
    ...{ target: usdcOf(NETWORK) as `0x${string}`, allowFailure: true },
    callData: encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [owner as `0x${string}`] }),
  }));
  const data = encodeFunctionData({ abi: MULTICALL_ABI, functionName: "aggregate3", args: [calls] });
  const call = { to: "0xcA11bde05977b3631167028862bE2a173976CA11", data };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_call", params: [call, "latest"] });
}

/** The chain answers from memory, so that the figure is that of the database. */
async function depositPair(db: ReturnType<typeof openPools>["db"]): Promise<Pair> {
  const app = { db, clock: systemClock, log: pino({ level: "silent" }), fastState: await createMemoryFastState({}) };
  const tenantId = await seedTenant(db);
  const wallets: SeededWallet[] = [];
  for (let number = 0; number < WALLETS; number += 1) {
    wallets.push(await seedWallet(app, { tenantId, agentId: randomUUID(), mode: "live", network: NETWORK }));
  }
  const moves = await accountsOf(
    db,
    tenantId,
    wallets.map(({ walletId }) => walletId),
  );
  let block = 1n;
  const creditBlock = async () => {
    block += 1n;
    const chain = chainWithBlock(
      block,
      wallets.map(({ address }) => address),
    );
    await recordDeposits(app, chain, { from: block, to: block });
    await confirmDeposits(app, chain, { from: block, to: block });
  };
  const moveAll = async () => {
    for (const creditAccountId of moves.wallets) {
      await withTransaction(db, tenantId, (tx) =>
        moveMoney(tx, {
          ...{ kind: "direct", mode: "live", ignoresFreeze: true, at: new Date(), creditAccountId },
          ...{ amount: { asset: "usdc", baseUnits: 1n }, debitAccountId: moves.external },
          cause: { type: "deposit", id: "dep_1" },
        }),
      );
    }
  };
  return {
    title: `${WALLETS} deposits of a block ÷ ${WALLETS} moves of the ledger`,
    goal: 0.33,
    candidate: { name: "Purser", callers: 1, call: creditBlock },
    baseline: { name: "moveMoney", callers: 1, call: moveAll },
  };
}

async function seedTenant(db: ReturnType<typeof openPools>["db"]): Promise<TenantId> {
  const tenantId = newId("dev");
  const at = new Date();
  const times = { emailVerifiedAt: at, createdAt: at, updatedAt: at };
  const developer = { ...times, tenantId, email: `${tenantId}@example.com`, status: "active" } as const;
  await withTransaction(db, tenantId, (tx) => insertDeveloper(tx, developer));
  return tenantId;
}

async function accountsOf(db: Parameters<typeof readBalances>[0], tenantId: TenantId, walletIds: readonly string[]) {
  const find = async (
    subjectType: "wallet" | "external",
    subjectIds: readonly string[],
  ): Promise<LedgerAccountId[]> => {
    const balances = await readBalances(db, { tenantId, mode: "live", subjectType, subjectIds });
    return balances.filter(({ total }) => total.asset === "usdc").map(({ accountId }) => accountId);
  };
  const [external] = await find("external", [tenantId]);
  if (external === undefined) throw new Error("The tenant has no external account.");
  return { external, wallets: await find("wallet", walletIds) };
}

/** What the watcher asks only while operations are in flight. */
const unused = {
  ping: async () => {},
  readCalls: async () => [],
  readAgreedCalls: async () => [],
  readAgreedLogs: async () => null,
  readOperationEvents: async () => [],
  readAgreedOperationEvents: async () => [],
  simulate: async () => null,
  readGasPrice: async () => ({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }),
  readCoinBalance: async () => 0n,
  readTransactionCount: async () => 0n,
  estimateGas: async () => null,
  sendTransaction: async () => undefined,
  readReceipts: async () => [],
  readAgreedReceipts: async () => null,
};

function chainWithBlock(number: bigint, recipients: readonly string[]): EvmNetwork {
  const hash = `0x${randomBytes(32).toString("hex")}`;
  const transfers = recipients.map(
    (recipient, logIndex): TokenTransfer => ({
      ...{ blockNumber: number, blockHash: hash, transactionHash: hash, logIndex },
      ...{ from: `0x${"0".repeat(40)}`, to: recipient.toLowerCase(), amount: 1n },
    }),
  );
  const to = (asked: readonly string[]) => {
    const wanted = new Set(asked.map((address) => address.toLowerCase()));
    return transfers.filter((transfer) => wanted.has(transfer.to));
  };
  return {
    network: NETWORK,
    ...unused,
    readBlock: async () => ({ number, hash, timeSeconds: 0 }),
    readTokenBalances: async (_token, owners) => owners.map(() => null),
    readTransfers: async (_token, asked) => to(asked),
    readHeads: async () => ({ lowest: number, highest: number }),
    readAgreedBlock: async () => ({ number, hash, timeSeconds: 0 }),
    readAgreedTransfers: async (_token, asked) => to(asked),
  };
}
